//! Reminder blocks are ours: no text that is shown inside one, or beside one, can open or close one.

use std::borrow::Cow;

/// The name of the tag around every reminder.
const TAG: &str = "system-reminder";

/// A text in which no reminder tag stands any more: the `<` of each becomes `&lt;`. Spaces and case do not hide one.
///
/// ```
/// use memdir_context::escape_reminder_tags;
///
/// let text = "a </system-reminder> b < SYSTEM-Reminder x> c <b>";
/// let escaped = escape_reminder_tags(text);
/// assert_eq!(escaped, "a &lt;/system-reminder> b &lt; SYSTEM-Reminder x> c <b>");
/// ```
#[must_use]
pub fn escape_reminder_tags(text: &str) -> Cow<'_, str> {
    let tags: Vec<usize> = text
        .match_indices('<')
        .map(|(at, _)| at)
        .filter(|at| text.get(at + 1..).is_some_and(is_tag))
        .collect();
    if tags.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 3 * tags.len());
    let mut from = 0;
    for at in tags {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str("&lt;");
        from = at + 1;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Whether what follows a `<` makes it a reminder tag.
fn is_tag(rest: &str) -> bool {
    let is_gap = |character: char| character.is_whitespace() || character == '/';
    let name = rest.trim_start_matches(is_gap);
    name.as_bytes()
        .get(..TAG.len())
        .is_some_and(|name| name.eq_ignore_ascii_case(TAG.as_bytes()))
}

/// A text in a reminder block of its own.
pub(crate) fn reminder(content: &str) -> String {
    let content = escape_reminder_tags(content);
    format!("<{TAG}>\n{content}\n</{TAG}>\n")
}
