//! What the user marked as private: `<private>…</private>` in a message is never kept, sent on or logged.

use std::borrow::Cow;
use std::ops::Range;

const OPENING: &str = "<private";
const CLOSING: &str = "</private";

/// The private stretches of a text, tags included; to its end where one is never closed.
#[must_use]
pub fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    if !text.contains('<') {
        return spans;
    }
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower.get(from..).and_then(|rest| rest.find(OPENING)) {
        let start = from + at;
        let rest = lower.get(start..).unwrap_or_default();
        let closing = rest.find(CLOSING).and_then(|at| {
            let tail = rest.get(at + CLOSING.len()..)?;
            // A closing tag that is itself cut off closes nothing.
            tail.find('>').map(|end| at + CLOSING.len() + end + 1)
        });
        let end = closing.map_or(text.len(), |end| start + end);
        spans.push(start..end);
        from = end;
    }
    spans
}

/// A text without its private stretches.
///
/// ```
/// use memdir_memory::private::cut;
///
/// assert_eq!(cut("I'm on call <private>because Ada is ill</private> this week."), "I'm on call  this week.");
/// assert_eq!(cut("My PIN: <private>1234"), "My PIN: ");
/// ```
#[must_use]
pub fn cut(text: &str) -> Cow<'_, str> {
    let spans = spans(text);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        kept.push_str(text.get(from..span.start).unwrap_or_default());
        from = span.end;
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn nothing_of_a_private_stretch_stays() {
        let cases = [
            (
                "a <PRIVATE>b</Private> c <private x>d</private >e",
                "a  c e",
            ),
            ("a <private>b <private>c</private> d", "a  d"),
            ("a <private>b</private", "a "),
            ("a < b", "a < b"),
        ];
        for (text, left) in cases {
            assert_eq!(cut(text), left);
        }
    }
}
