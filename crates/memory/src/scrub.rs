//! What may be kept of a message: nothing hidden, nothing private, no secret, and no more than is needed.
//!
//! Whatever we write down of what was said, asked or answered, and of what a tool was given or gave back, comes through
//! here before it touches the disk. The order matters: a mark of what is private is only seen for certain once
//! hidden characters are gone, and a secret is only cut short once it was found.

use std::borrow::Cow;

use crate::private::{PRIVATE_STAND_IN, PrivateSpans};
use crate::{hidden, secrets};

/// So many bytes beyond what is kept are looked at: a secret or a private span may begin in what is kept and end later.
const LOOKED_AHEAD: usize = 64 * 1024;

/// A text as it may be written down.
///
/// ```
/// use memdir_memory::scrub;
///
/// let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
/// assert_eq!(
///     scrub(&format!("use {token} and <private>1234</private>\u{202E}!")),
///     "use [redacted: github-personal-token] and [private]!"
/// );
/// assert_eq!(scrub("nothing to hide"), "nothing to hide");
/// ```
#[must_use]
pub fn scrub(text: &str) -> Cow<'_, str> {
    match without_hidden_or_private(text, PRIVATE_STAND_IN) {
        Cow::Borrowed(text) => secrets::redact(text).text,
        Cow::Owned(text) => Cow::Owned(secrets::redact(&text).text.into_owned()),
    }
}

/// The beginning of a text as it may be written down, in at most so many characters.
///
/// ```
/// assert_eq!(memdir_memory::scrub_to("pin: <private>1234</private>, ok?", 14), "pin: [private]");
/// ```
#[must_use]
pub fn scrub_to(text: &str, characters: usize) -> String {
    let most = characters.saturating_mul(4).saturating_add(LOOKED_AHEAD);
    let looked_at = text
        .get(..text.floor_char_boundary(most))
        .unwrap_or_default();
    scrub(looked_at).chars().take(characters).collect()
}

/// A text with a space for everything in it that may not be written down, for what looks at its words.
///
/// ```
/// assert_eq!(memdir_memory::scrub_away("on call <private>for Ada</private>"), "on call  ");
/// ```
#[must_use]
pub fn scrub_away(text: &str) -> Cow<'_, str> {
    let shown = without_hidden_or_private(text, " ");
    let findings = secrets::scan(&shown);
    if findings.is_empty() {
        return shown;
    }
    let mut kept = String::with_capacity(shown.len());
    let mut from = 0;
    for finding in findings {
        kept.push_str(shown.get(from..finding.range.start).unwrap_or_default());
        kept.push(' ');
        from = finding.range.end;
    }
    kept.push_str(shown.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

/// A text without its hidden characters, and then with something of the caller's own in place of its private spans.
#[must_use]
pub fn without_hidden_or_private<'a>(text: &'a str, with: &str) -> Cow<'a, str> {
    match hidden::clean(text).text {
        Cow::Borrowed(text) => PrivateSpans::default().replace(text, with),
        Cow::Owned(text) => Cow::Owned(PrivateSpans::default().replace(&text, with).into_owned()),
    }
}
