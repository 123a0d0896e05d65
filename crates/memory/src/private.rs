//! `<private>…</private>`: what a user says and nobody is to keep.
//!
//! Whatever is stored, logged or sent to a background model goes through here first, and where a reading is in doubt, more is
//! cut rather than less: marks count in any case and spelling (`mark`) and inside code, a span within a span belongs to the
//! outer one, and one that is never closed goes on to the end.

mod mark;

use std::borrow::Cow;
use std::ops::Range;

use mark::{Form, Mark, Role, marks};

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
    /// How many marks are open, and of which form.
    depth: usize,
    form: Form,
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
        let marks = marks(text);
        let last_closing = |form: Form| {
            let is_last = |mark: &Mark| mark.role == Role::Closing && mark.form == form;
            marks.iter().rposition(is_last)
        };
        let (last_angle, last_square) = (last_closing(Form::Angle), last_closing(Form::Square));
        let mut spans: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        // Where a mark begins that was never finished: what is closed after it was meant to be private.
        let mut unfinished = None;
        let mut code = Code::default();
        for (number, mark) in marks.iter().enumerate() {
            if self.depth > 0 {
                // Inside of a span only marks of its own form are looked at.
                match mark.role {
                    _ if mark.form != self.form => {}
                    Role::Opening => self.depth += 1,
                    Role::Closing => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            spans.push(start..mark.range.end);
                            code.skip(mark.range.end);
                        }
                    }
                    Role::Unfinished => {}
                }
                continue;
            }
            let is_closed = match mark.form {
                Form::Angle => last_angle.is_some_and(|last| last > number),
                Form::Square => last_square.is_some_and(|last| last > number),
            };
            match (mark.role, mark.form) {
                (Role::Unfinished, _) => {
                    unfinished.get_or_insert(mark.range.start);
                }
                // Square brackets are how we write what was cut: they count in pairs only.
                (Role::Opening, Form::Square) if !is_closed => {}
                // A parameter in code, such as `List<private>`, is a mark only if it is closed.
                (Role::Opening, Form::Angle)
                    if !is_closed && code.is_parameter(text, mark.range.start) => {}
                (Role::Opening, form) => {
                    start = mark.range.start;
                    self.depth = 1;
                    self.form = form;
                    code.read(text, start);
                }
                (Role::Closing, Form::Angle) => {
                    if let Some(from) = unfinished.take() {
                        spans.retain(|span| span.end <= from);
                        spans.push(from..mark.range.end);
                        code.skip(mark.range.end);
                    } else if !code.holds(text, mark.range.start) {
                        // Its opening was forgotten: all that was said before it may be meant.
                        spans.clear();
                        spans.push(0..mark.range.end);
                        code = Code::default();
                        code.skip(mark.range.end);
                    }
                }
                // Behind our own stand-in it would make a pair the next time.
                (Role::Closing, Form::Square) => {
                    spans.push(mark.range.clone());
                    code.read(text, mark.range.start);
                    code.skip(mark.range.end);
                }
            }
        }
        if self.depth > 0 && start < text.len() {
            spans.push(start..text.len());
        }
        spans
    }
}

/// Whether a place is inside of code, going through a text once.
#[derive(Default)]
struct Code {
    /// How far it was read.
    at: usize,
    fences: usize,
    /// Backticks of the line so far, and how many of them it begins with; none once something else stood there.
    in_line: usize,
    leading: Option<usize>,
    began: bool,
}

impl Code {
    /// Passes over what is private: it says nothing about what follows.
    fn skip(&mut self, to: usize) {
        self.at = to;
        self.leading = None;
        self.began = true;
    }

    fn read(&mut self, text: &str, to: usize) {
        for character in text.get(self.at..to).unwrap_or_default().chars() {
            if !self.began {
                self.began = true;
                self.leading = Some(0);
            }
            match (character, self.leading) {
                ('\n', _) => (self.in_line, self.leading) = (0, Some(0)),
                ('`', Some(2)) => {
                    self.fences += 1;
                    (self.in_line, self.leading) = (0, None);
                }
                ('`', leading) => {
                    self.in_line += 1;
                    self.leading = leading.map(|ticks| ticks + 1);
                }
                (' ' | '\t', Some(0)) => {}
                _ => self.leading = None,
            }
        }
        self.at = self.at.max(to);
    }

    /// Whether a place is inside of code.
    fn holds(&mut self, text: &str, at: usize) -> bool {
        self.read(text, at);
        self.in_line % 2 == 1 || self.fences % 2 == 1
    }

    /// Whether what begins at a place follows a name without a gap: any name inside of code, that of a type outside.
    fn is_parameter(&mut self, text: &str, at: usize) -> bool {
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = text.get(..at).unwrap_or_default();
        let head = before.trim_end_matches(is_name);
        let name = before.get(head.len()..).unwrap_or_default();
        let is_type = name.starts_with(char::is_uppercase) || head.ends_with("::");
        !name.is_empty() && (self.holds(text, at) || is_type)
    }
}
