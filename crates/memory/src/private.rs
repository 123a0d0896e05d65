//! `<private>…</private>`: what a user says and nobody is to keep.
//!
//! Whatever is stored, logged or sent to a background model goes through here first, and where a reading is in doubt, more is
//! cut rather than less: marks count in any case and inside code, a span within a span belongs to the outer one, and one
//! that is never closed goes on to the end.

use std::borrow::Cow;
use std::ops::Range;

/// What stands in place of a private span.
pub const PRIVATE_STAND_IN: &str = "[private]";

/// A message without its private spans.
///
/// ```
/// use memdir_memory::without_private;
///
/// assert_eq!(without_private("my pin is <private>1234</private>, ok?"), "my pin is [private], ok?");
/// assert_eq!(without_private("nothing to hide"), "nothing to hide");
/// ```
#[must_use]
pub fn without_private(text: &str) -> Cow<'_, str> {
    PrivateSpans::default().cut(text)
}

/// A message without its private spans and with nothing in their place, for what is looked at and not shown.
///
/// ```
/// assert_eq!(memdir_memory::strip_private("on call <private>for Ada</private> again"), "on call  again");
/// ```
#[must_use]
pub fn strip_private(text: &str) -> Cow<'_, str> {
    PrivateSpans::default().replace(text, "")
}

/// Where the private spans of a message stand, marks included, in their order.
///
/// ```
/// assert_eq!(memdir_memory::private_spans("a <private>b</private> c"), [2..22]);
/// ```
#[must_use]
pub fn private_spans(text: &str) -> Vec<Range<usize>> {
    PrivateSpans::default().find(text)
}

/// The private spans of a message that comes in several texts: what one opens another may close.
///
/// ```
/// use memdir_memory::PrivateSpans;
///
/// let mut spans = PrivateSpans::default();
/// assert_eq!(spans.cut("Look at <private>this:"), "Look at [private]");
/// assert!(spans.open());
/// assert_eq!(spans.cut("my passport</private> and that"), "[private] and that");
/// assert!(!spans.open());
/// ```
#[derive(Debug, Clone, Default)]
pub struct PrivateSpans {
    /// How many marks are open.
    depth: usize,
}

impl PrivateSpans {
    /// Whether what comes next is private.
    #[must_use]
    pub fn open(&self) -> bool {
        self.depth > 0
    }

    /// The next text without its private spans.
    #[must_use]
    pub fn cut<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        self.replace(text, PRIVATE_STAND_IN)
    }

    /// The next text with something of the caller's own in place of its private spans.
    #[must_use]
    pub fn replace<'a>(&mut self, text: &'a str, with: &str) -> Cow<'a, str> {
        let spans = self.find(text);
        if spans.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut kept = String::with_capacity(text.len());
        let mut from = 0;
        for span in spans {
            kept.push_str(text.get(from..span.start).unwrap_or_default());
            kept.push_str(with);
            from = span.end;
        }
        kept.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(kept)
    }

    fn find(&mut self, text: &str) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        let mut start = 0;
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find('<')) {
            let at = from + at;
            from = at + 1;
            let Some((mark, length)) = mark(text.get(at..).unwrap_or_default()) else {
                continue;
            };
            from = at + length;
            match (mark, self.depth) {
                (Mark::Opening, 0) => start = at,
                (Mark::Closing, 1) => spans.push(start..from),
                _ => {}
            }
            self.depth = match mark {
                Mark::Opening => self.depth + 1,
                Mark::Closing => self.depth.saturating_sub(1),
            };
        }
        if self.depth > 0 && start < text.len() {
            spans.push(start..text.len());
        }
        spans
    }
}

#[derive(Clone, Copy)]
enum Mark {
    Opening,
    Closing,
}

/// The mark that a text begins with, and its length. Attributes are allowed, another name that begins alike is not one.
fn mark(text: &str) -> Option<(Mark, usize)> {
    let (mark, name) = match text.strip_prefix("</") {
        Some(name) => (Mark::Closing, name),
        None => (Mark::Opening, text.strip_prefix('<')?),
    };
    let rest = match name.split_at_checked("private".len()) {
        Some((name, rest)) if name.eq_ignore_ascii_case("private") => rest,
        _ => return None,
    };
    if !rest.starts_with(|first: char| first == '>' || first.is_ascii_whitespace()) {
        return None;
    }
    let end = rest.find(['<', '>'])?;
    let closed = rest.get(end..)?.starts_with('>');
    closed.then(|| (mark, text.len() - rest.len() + end + 1))
}
