//! The marks of private spans, however they are spelt: in any case and any width of letters, with blanks, attributes or
//! invisible characters inside, escaped as HTML, JSON, Markdown or an address would.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use crate::hidden;

/// The word between the brackets.
const NAME: &str = "private";
/// So many blanks may stand in one place of a mark, and so many characters of attributes.
const MOST_BLANKS: usize = 16;
const MOST_ATTRIBUTES: usize = 1_000;
/// So many invisible characters may stand before a visible one, and an escape may be escaped so often.
const MOST_INVISIBLE: usize = 256;
const MOST_ESCAPED: usize = 4;

/// What a mark does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Opening,
    Closing,
    /// It would open a span, were its bracket closed.
    Unfinished,
}

/// What its brackets are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Angle,
    Square,
}

/// A mark and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) role: Role,
    pub(super) form: Form,
    pub(super) range: Range<usize>,
}

/// Every mark of a text, in order.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut from = 0;
    while let Some(at) = next_bracket(text, from) {
        let found = mark(text, at);
        from = match &found {
            Some(mark) => mark.range.end,
            None => at + 1,
        };
        marks.extend(found);
    }
    marks
}

/// Where the next character stands that may begin a bracket. All others are passed over as bytes.
fn next_bracket(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let may_begin =
        |byte: &u8| matches!(byte, b'<' | b'[' | b'&' | b'%' | b'\\' | 0xE2 | 0xE3 | 0xEF);
    let found = rest.iter().position(may_begin)?;
    Some(from + found)
}

/// The mark that begins at a place. Another name that begins alike is not one.
fn mark(text: &str, at: usize) -> Option<Mark> {
    let mut reader = Reader { text, at };
    let (form, end) = match reader.next()? {
        '<' => (Form::Angle, '>'),
        '[' => (Form::Square, ']'),
        _ => return None,
    };
    let mut spaced = reader.blanks();
    let closing = reader.take('/');
    spaced |= reader.blanks();
    for (number, letter) in NAME.chars().enumerate() {
        // `<p r i v a t e>` is one too.
        if number > 0 {
            spaced |= reader.blanks();
        }
        if !reader.take(letter) {
            return None;
        }
    }
    let name_end = reader.at;
    let gap = reader.blanks();
    if !reader.take(end) {
        // `<private/>` stands alone, and opens a span only if something closes it.
        if form == Form::Angle && !closing && reader.take('/') && reader.take(end) {
            return Some(Mark {
                role: Role::Unfinished,
                form,
                range: at..reader.at,
            });
        }
        if !gap && reader.at < text.len() {
            return None;
        }
        // `a < private and b > c` compares.
        let attributes = !spaced && form == Form::Angle && reader.attributes();
        if !attributes {
            let unfinished = !closing && !spaced && form == Form::Angle;
            return unfinished.then_some(Mark {
                role: Role::Unfinished,
                form,
                range: at..name_end,
            });
        }
    }
    Some(Mark {
        role: match closing {
            true => Role::Closing,
            false => Role::Opening,
        },
        form,
        range: at..reader.at,
    })
}

/// Reads a text as a person would see it, whatever stands for a character.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next character, folded; invisible ones before it are passed over.
    fn next(&mut self) -> Option<char> {
        for _ in 0..MOST_INVISIBLE {
            let rest = self.text.get(self.at..)?;
            let first = rest.chars().next()?;
            if let Some((character, length)) = escaped(rest) {
                self.at += length;
                return Some(folded(character));
            }
            self.at += first.len_utf8();
            if !hidden::is_invisible(first) && !('\u{0300}'..='\u{036F}').contains(&first) {
                return Some(folded(first));
            }
        }
        None
    }

    fn take(&mut self, wanted: char) -> bool {
        let before = self.at;
        let found = self.next() == Some(wanted);
        if !found {
            self.at = before;
        }
        found
    }

    /// Passes over blanks; whether there were any.
    fn blanks(&mut self) -> bool {
        let mut any = false;
        for _ in 0..MOST_BLANKS {
            let before = self.at;
            if !self.next().is_some_and(char::is_whitespace) {
                self.at = before;
                break;
            }
            any = true;
        }
        any
    }

    /// Passes over attributes and the bracket behind them, if they end before another one opens.
    fn attributes(&mut self) -> bool {
        for _ in 0..MOST_ATTRIBUTES {
            match self.next() {
                Some('>') => return true,
                Some('<') | None => return false,
                Some(_) => {}
            }
        }
        false
    }
}

/// The character that an escape at the start of a text stands for, and how long the escape is.
fn escaped(text: &str) -> Option<(char, usize)> {
    let (character, rest) = match text.as_bytes().first()? {
        b'&' => entity(text.get(1..)?)?,
        b'%' => hexadecimal(text.get(1..)?, 2)?,
        b'\\' => {
            let rest = text.get(1..)?.trim_start_matches('\\');
            let first = rest.chars().next()?;
            match first {
                'u' => hexadecimal(rest.get(1..)?, 4)?,
                'x' => hexadecimal(rest.get(1..)?, 2)?,
                '<' | '>' | '/' | '[' | ']' => (first, rest.get(1..)?),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some((character, text.len() - rest.len()))
}

/// The character of an HTML entity, without its `&`, and what follows. A missing semicolon is forgiven.
fn entity(text: &str) -> Option<(char, &str)> {
    let mut name = text;
    for _ in 0..MOST_ESCAPED {
        name = strip_ignoring_case(name, "amp;").unwrap_or(name);
    }
    let (character, rest) = match name.strip_prefix('#') {
        Some(number) => {
            let (digits, radix) = match number.strip_prefix(['x', 'X']) {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            let end = digits.find(|digit: char| !digit.is_digit(radix));
            let (digits, rest) = digits.split_at(end.unwrap_or(digits.len()));
            let code = u32::from_str_radix(digits, radix).ok()?;
            (char::from_u32(code)?, rest)
        }
        None => {
            let named = [
                ("lt", '<'),
                ("gt", '>'),
                ("sol", '/'),
                ("nbsp", ' '),
                ("lsqb", '['),
                ("lbrack", '['),
                ("rsqb", ']'),
                ("rbrack", ']'),
            ];
            named.into_iter().find_map(|(name_of, character)| {
                Some((character, strip_ignoring_case(name, name_of)?))
            })?
        }
    };
    Some((character, rest.strip_prefix(';').unwrap_or(rest)))
}

fn strip_ignoring_case<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (found, rest) = text.split_at_checked(start.len())?;
    found.eq_ignore_ascii_case(start).then_some(rest)
}

/// The character that so many hexadecimal digits stand for, and what follows.
fn hexadecimal(text: &str, digits: usize) -> Option<(char, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u32::from_str_radix(number, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(code)?, rest))
}

/// A character as its plain, small form.
fn folded(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    let plain = match character {
        // Brackets, strokes and letters that look alike and have no plain form of their own.
        '\u{2039}' | '\u{27E8}' | '\u{2329}' | '\u{3008}' | '\u{276E}' | '\u{276C}' => '<',
        '\u{203A}' | '\u{27E9}' | '\u{232A}' | '\u{3009}' | '\u{276F}' | '\u{276D}' => '>',
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => '/',
        '\u{0440}' | '\u{0420}' | '\u{03C1}' | '\u{03A1}' => 'p',
        '\u{0456}' | '\u{0406}' | '\u{0131}' | '\u{03B9}' | '\u{0399}' => 'i',
        '\u{0475}' | '\u{0474}' | '\u{03BD}' => 'v',
        '\u{0430}' | '\u{0410}' | '\u{03B1}' | '\u{0391}' => 'a',
        '\u{0422}' | '\u{0442}' | '\u{03A4}' | '\u{03C4}' => 't',
        '\u{0435}' | '\u{0415}' | '\u{0395}' => 'e',
        _ => {
            let mut forms = std::iter::once(character).nfkc();
            match (forms.next(), forms.next()) {
                (Some(form), None) => form,
                _ => character,
            }
        }
    };
    plain.to_ascii_lowercase()
}
