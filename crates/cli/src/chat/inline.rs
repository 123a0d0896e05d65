//! Marks within a line of Markdown: code, bold, italic.
//!
//! A mark is one only with its other half behind it, by CommonMark's rules for what may open and close; whatever else looks
//! like one is text and stays: `2*3`, `src/**/*.rs`, `_name`. Where CommonMark would take apart what a programmer writes
//! (`a*b*c`, `__init__`), it stays too.

/// How the words of a stretch look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) code: bool,
}

/// A stretch of text that looks the same throughout, without its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) text: String,
    pub(crate) look: Look,
}

/// A mark waits for its other half through so many bytes; behind them it is text.
const PATIENCE: usize = 300;
/// So many bytes behind that tell whether what stands there is a mark.
const NEAR: usize = 16;
/// What a backslash makes plain.
const ESCAPED: &str = "\\`*_#";

/// The beginning of a line that can be told, and how many bytes of `text` it is. `before` is what stands before the text;
/// `is_end` says that nothing follows, so that all of it can.
pub(crate) fn stretches(text: &str, before: Option<char>, is_end: bool) -> (Vec<Stretch>, usize) {
    let mut reading = Reading {
        text,
        is_end,
        before,
        stretches: Vec::new(),
    };
    let mut at = 0;
    while let Some(length) = reading.step(at) {
        at += length;
    }
    (reading.stretches, at)
}

struct Reading<'a> {
    text: &'a str,
    is_end: bool,
    before: Option<char>,
    stretches: Vec<Stretch>,
}

/// What stands on both sides of a mark.
struct Sides {
    before: Option<char>,
    after: Option<char>,
}

impl Reading<'_> {
    /// Takes the next piece; how long it is, or none where nothing is left or it cannot be told yet.
    fn step(&mut self, at: usize) -> Option<usize> {
        let rest = self.text.get(at..)?;
        let first = rest.chars().next()?;
        match first {
            '\\' => {
                let next = rest.chars().nth(1);
                match next {
                    None if !self.is_end => None,
                    Some(next) if ESCAPED.contains(next) => {
                        self.push(next);
                        Some(2)
                    }
                    _ => {
                        self.push(first);
                        Some(1)
                    }
                }
            }
            '`' | '*' | '_' => self.mark(at, rest, first),
            _ => {
                self.push(first);
                Some(first.len_utf8())
            }
        }
    }

    fn mark(&mut self, at: usize, rest: &str, mark: char) -> Option<usize> {
        let length = run(rest, mark);
        let behind = rest.get(length..).unwrap_or_default();
        if behind.is_empty() && !self.is_end && length < PATIENCE {
            return None;
        }
        let before = self
            .text
            .get(..at)
            .and_then(|text| text.chars().next_back());
        let sides = Sides {
            before: before.or(self.before),
            after: behind.chars().next(),
        };
        // Behind the last place where it counts, what stands next to it is looked at.
        let far = behind.floor_char_boundary(PATIENCE + NEAR);
        let window = behind.get(..far).unwrap_or_default();
        let end = match (mark, length) {
            ('`', _) => code_end(window, length),
            ('*', 1..=3) | ('_', 1) if sides.opens(mark) => end(window, mark, length),
            _ => {
                self.plain(mark, length);
                return Some(length);
            }
        };
        match end.filter(|(_, close)| *close <= PATIENCE) {
            // It may go on: then it is none, or a longer one.
            Some((_, close)) if !self.is_end && behind.len() == close => None,
            Some((inner, close)) => {
                self.inside(behind.get(..inner).unwrap_or_default(), mark, length);
                Some(length + close)
            }
            None if !self.is_end && behind.len() < PATIENCE + NEAR => None,
            None => {
                self.plain(mark, length);
                Some(length)
            }
        }
    }

    /// What stands between two halves of a mark.
    fn inside(&mut self, inner: &str, mark: char, length: usize) {
        if mark == '`' {
            let bare = inner
                .strip_prefix(' ')
                .and_then(|text| text.strip_suffix(' '));
            let bare = bare.filter(|text| !text.trim().is_empty());
            self.stretches.push(Stretch {
                text: bare.unwrap_or(inner).to_owned(),
                look: Look {
                    code: true,
                    ..Look::default()
                },
            });
            return;
        }
        let (within, _) = stretches(inner, Some(mark), true);
        self.stretches.extend(within.into_iter().map(|mut stretch| {
            stretch.look.bold |= length >= 2;
            stretch.look.italic |= length != 2;
            stretch
        }));
    }

    fn plain(&mut self, mark: char, length: usize) {
        for _ in 0..length {
            self.push(mark);
        }
    }

    fn push(&mut self, character: char) {
        match self.stretches.last_mut() {
            Some(last) if last.look == Look::default() => last.text.push(character),
            _ => self.stretches.push(Stretch {
                text: character.to_string(),
                look: Look::default(),
            }),
        }
    }
}

impl Sides {
    fn is_space(side: Option<char>) -> bool {
        side.is_none_or(char::is_whitespace)
    }

    fn is_sign(side: Option<char>) -> bool {
        side.is_some_and(|side| !side.is_alphanumeric() && !side.is_whitespace())
    }

    /// Whether a letter or a path goes on here: then it is no mark, whatever its other half.
    fn goes_on(side: Option<char>) -> bool {
        side.is_some_and(|side| side.is_ascii_alphanumeric() || side == '/')
    }

    fn opens(&self, mark: char) -> bool {
        let left = !Self::is_space(self.after)
            && (!Self::is_sign(self.after)
                || Self::is_space(self.before)
                || Self::is_sign(self.before));
        left && !Self::goes_on(self.before) && (mark == '*' || !is_letter(self.before))
    }

    fn closes(&self, mark: char) -> bool {
        let right = !Self::is_space(self.before)
            && (!Self::is_sign(self.before)
                || Self::is_space(self.after)
                || Self::is_sign(self.after));
        right && !Self::goes_on(self.after) && (mark == '*' || !is_letter(self.after))
    }
}

fn is_letter(side: Option<char>) -> bool {
    side.is_some_and(char::is_alphanumeric)
}

fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

/// Where code ends that so many marks opened: the end of what is inside, and of the closing marks.
fn code_end(text: &str, length: usize) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(next) = text.get(at..)?.find('`') {
        let start = at + next;
        let found = run(text.get(start..)?, '`');
        at = start + found;
        if found == length && start > 0 {
            return Some((start, at));
        }
    }
    None
}

/// The same for bold and italic.
fn end(text: &str, mark: char, length: usize) -> Option<(usize, usize)> {
    let mut at = 0;
    while let Some(first) = text.get(at..)?.chars().next() {
        let rest = text.get(at..)?;
        match first {
            '\\' => {
                let next = rest.chars().nth(1).map_or(0, char::len_utf8);
                at += 1 + next;
            }
            '`' => {
                let found = run(rest, '`');
                let code = code_end(rest.get(found..)?, found);
                at += found + code.map_or(0, |(_, end)| end);
            }
            _ if first == mark => {
                let found = run(rest, mark);
                let sides = Sides {
                    before: text.get(..at).and_then(|text| text.chars().next_back()),
                    after: rest.get(found..).and_then(|text| text.chars().next()),
                };
                let fits = match length {
                    // Two are another's; three are another's two and this one.
                    1 => found == 1 || found == 3,
                    2 => found >= 2,
                    _ => found == length,
                };
                let close = at + found;
                if fits && at > 0 && sides.closes(mark) {
                    return Some((close - length, close));
                }
                at = close;
            }
            _ => at += first.len_utf8(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (stretches, length) = stretches(text, None, true);
        assert_eq!(length, text.len());
        let marked = stretches.iter().map(|Stretch { text, look }| {
            let bold = if look.bold { "B" } else { "" };
            let italic = if look.italic { "I" } else { "" };
            let code = if look.code { "C" } else { "" };
            match *look == Look::default() {
                true => text.clone(),
                false => format!("{bold}{italic}{code}<{text}>"),
            }
        });
        marked.collect()
    }

    #[test]
    fn what_is_no_mark_stays() {
        for text in [
            "2*3=6",
            "2*3=6 and 4*5=20",
            "2 * 3 * 4",
            "src/**/*.rs and tests/**/*.rs",
            "**/*.rs or **/*.toml",
            "_private_name",
            "snake_case_names and __init__.py",
            "a ` alone",
            "**not closed",
            "5 ** 2 ** 3",
            "**** and ````",
            "C:\\dir\\x",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn marks_are_taken_for_what_they_are() {
        insta::assert_snapshot!(shown("a **b c** d *e* _f_ ***g***, **h *i***, *j **k** l*"), @"a B<b c> d I<e> I<f> BI<g>, B<h >BI<i>, I<j >BI<k>I< l>");
        insta::assert_snapshot!(shown("`a*b*c` ``x ` y`` ` z ` **`m`** (*n*)."), @"C<a*b*c> C<x ` y> C<z> BC<m> (I<n>).");
        insta::assert_snapshot!(shown(r"\*a\* 这是**重要**的"), @"*a* 这是B<重要>的");
    }

    #[test]
    fn a_mark_waits_for_its_other_half_and_not_for_ever() {
        assert_eq!(stretches("a **b", None, false).1, 2);
        assert_eq!(stretches("a **b**", None, false).1, 2);
        assert_eq!(stretches("a **b** ", None, false).1, 8);
        let long = format!("**{}", "word ".repeat(100));
        assert_eq!(stretches(&long, None, false).1, long.len());
        // Nor for what is only marks.
        let many = "*a ".repeat(10_000);
        assert_eq!(stretches(&many, None, true).1, many.len());
        let stars = "*".repeat(400);
        assert_eq!(stretches(&stars, None, false).1, stars.len());
    }
}
