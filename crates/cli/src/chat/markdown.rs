//! Markdown as it comes, word by word, on a terminal of any width.
//!
//! What a line is shows at its beginning: a heading, an entry of a list, a quotation, a fence. Words are shown as soon as
//! they are whole, and a line is broken before the word that does not fit. Nothing in them acts on the terminal.

use anstyle::{AnsiColor, Style};

use crate::table::width;
use crate::visible::visible;

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const QUOTE: Style = Style::new().dimmed();
/// What can stand before the words of a line, and be looked at before they are shown.
const LONGEST_MARK: usize = 12;

/// A text on its way to the terminal.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    /// What came and is not shown yet: the beginning of a line, or of a word.
    held: String,
    /// What the line is; none while that cannot be told.
    line: Option<Kind>,
    in_fence: bool,
    /// How many columns are used, and where the words of the line begin.
    used: usize,
    indent: usize,
    bold: bool,
    italic: bool,
    code: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Heading,
    Quote,
    /// Code, a table: as it is.
    Exact,
    /// The line that begins or ends code.
    Fence,
}

impl Markdown {
    /// Takes the next piece, and gives what can be shown of it in so many columns.
    pub(crate) fn push(&mut self, piece: &str, columns: usize) -> String {
        let mut out = String::new();
        for character in piece.chars() {
            match character {
                '\n' => self.end_line(columns, &mut out),
                '\r' => {}
                _ => {
                    self.held.push(character);
                    self.advance(character, columns, &mut out);
                }
            }
        }
        out
    }

    /// Shows what is left. The cursor stands at the beginning of a line then.
    pub(crate) fn finish(&mut self, columns: usize) -> String {
        let mut out = String::new();
        if self.used > 0 || !self.held.is_empty() {
            self.end_line(columns, &mut out);
        }
        *self = Self::default();
        out
    }

    fn advance(&mut self, character: char, columns: usize, out: &mut String) {
        match self.line {
            None => {
                let mark = self.held.trim_start();
                let is_clear = mark.len() > 3 && (mark.contains(' ') || mark.len() > LONGEST_MARK);
                if is_clear || (self.in_fence && mark.len() > 3) {
                    self.begin_line(columns, out);
                }
            }
            Some(Kind::Exact) => self.show_exact(out),
            Some(Kind::Fence) => {}
            Some(_) if character == ' ' => self.show_words(columns, out),
            Some(_) => {}
        }
    }

    /// Tells what a line is by its beginning.
    fn begin_line(&mut self, columns: usize, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        let text = held.trim_start();
        let space = held.len() - text.len();
        let is_fence = text.starts_with("```") || text.starts_with("~~~");
        let kind = match (self.in_fence, is_fence) {
            (_, true) => Kind::Fence,
            (true, false) => Kind::Exact,
            _ if text.starts_with('|') => Kind::Exact,
            _ if text.starts_with('#') => Kind::Heading,
            _ if text.starts_with("> ") => Kind::Quote,
            _ => Kind::Plain,
        };
        self.line = Some(kind);
        self.indent = 0;
        let rest = match kind {
            Kind::Exact if self.in_fence => {
                self.put("  ", 2, out);
                held.as_str()
            }
            Kind::Heading => text.trim_start_matches('#').trim_start(),
            Kind::Quote => {
                self.put(&format!("{QUOTE}│{QUOTE:#} "), 2, out);
                self.indent = 2;
                text.strip_prefix("> ").unwrap_or(text)
            }
            Kind::Plain => match entry(text) {
                Some((mark, rest)) => {
                    let before = " ".repeat(space.min(columns / 3));
                    let mark = format!("{before}{mark} ");
                    self.indent = width(&mark);
                    self.put(&mark, self.indent, out);
                    rest
                }
                None => text,
            },
            Kind::Exact | Kind::Fence => held.as_str(),
        };
        self.held = rest.to_owned();
        match kind {
            Kind::Exact => self.show_exact(out),
            Kind::Fence => {}
            _ => self.show_words(columns, out),
        }
    }

    fn end_line(&mut self, columns: usize, out: &mut String) {
        if self.line.is_none() && !self.held.is_empty() {
            self.begin_line(columns, out);
        }
        match self.line {
            Some(Kind::Fence) => {
                self.in_fence = !self.in_fence;
                self.held.clear();
            }
            Some(Kind::Exact) => {
                self.show_exact(out);
                out.push('\n');
            }
            _ => {
                self.held.push(' ');
                self.show_words(columns, out);
                out.push('\n');
            }
        }
        self.held.clear();
        self.line = None;
        self.used = 0;
        // What was not closed in its line was no mark.
        (self.bold, self.italic, self.code) = (false, false, false);
    }

    /// Shows what is held as it is; the terminal breaks it, so that it can be copied whole.
    fn show_exact(&mut self, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        let shown = visible(&held);
        let style = if self.in_fence { CODE } else { Style::new() };
        let wide = width(&shown);
        self.put(&format!("{style}{shown}{style:#}"), wide, out);
    }

    /// Shows the words that are whole.
    fn show_words(&mut self, columns: usize, out: &mut String) {
        let Some((words, rest)) = self.held.rsplit_once(' ') else {
            return;
        };
        let (words, rest) = (words.to_owned(), rest.to_owned());
        self.held = rest;
        for word in words.split(' ') {
            self.show_word(word, columns, out);
        }
    }

    fn show_word(&mut self, word: &str, columns: usize, out: &mut String) {
        if word.is_empty() {
            return;
        }
        let parts = self.parts(word);
        let wide: usize = parts.iter().map(|(text, _)| width(text)).sum();
        let begins = self.used <= self.indent;
        let gap = usize::from(!begins);
        if !begins && self.used + gap + wide >= columns {
            out.push('\n');
            self.used = 0;
            let before = match self.line {
                Some(Kind::Quote) => format!("{QUOTE}│{QUOTE:#} "),
                _ => " ".repeat(self.indent),
            };
            self.put(&before, self.indent, out);
        } else if !begins {
            self.put(" ", 1, out);
        }
        for (text, style) in parts {
            let wide = width(&text);
            self.put(&format!("{style}{text}{style:#}"), wide, out);
        }
    }

    /// A word without its marks, each part in its style.
    fn parts(&mut self, word: &str) -> Vec<(String, Style)> {
        let mut parts: Vec<(String, Style)> = Vec::new();
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let is_inside = !parts.is_empty();
            let length = match first {
                '`' => {
                    self.code = !self.code;
                    1
                }
                '*' if !self.code && rest.starts_with("**") => {
                    self.bold = !self.bold;
                    2
                }
                // A lone star is a multiplication, a line within a word part of a name.
                '*' if !self.code && (self.italic || rest.len() > 1) => {
                    self.italic = !self.italic;
                    1
                }
                '_' if !self.code && !is_inside && rest.len() > 1 && !self.italic => {
                    self.italic = true;
                    1
                }
                '_' if self.italic && !self.code && !rest.contains(char::is_alphanumeric) => {
                    self.italic = false;
                    1
                }
                _ => {
                    let style = self.style();
                    match parts.last_mut() {
                        Some((text, known)) if *known == style => text.push(first),
                        _ => parts.push((first.to_string(), style)),
                    }
                    first.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        let clean = parts.into_iter();
        clean
            .map(|(text, style)| (visible(&text).into_owned(), style))
            .collect()
    }

    fn style(&self) -> Style {
        let style = match (self.line, self.code) {
            (_, true) => CODE,
            (Some(Kind::Heading), _) => HEADING,
            (Some(Kind::Quote), _) => QUOTE,
            _ => Style::new(),
        };
        let style = if self.bold { style.bold() } else { style };
        if self.italic { style.italic() } else { style }
    }

    fn put(&mut self, text: &str, wide: usize, out: &mut String) {
        out.push_str(text);
        self.used += wide;
    }
}

/// The mark of an entry of a list, and what stands behind it.
fn entry(text: &str) -> Option<(String, &str)> {
    for mark in ["- ", "* ", "+ "] {
        if let Some(rest) = text.strip_prefix(mark) {
            return Some(("•".to_owned(), rest));
        }
    }
    let (number, rest) = text.split_once(". ")?;
    let is_number =
        !number.is_empty() && number.len() <= 3 && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| (format!("{number}."), rest))
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    const TEXT: &str = "\
# The *whole* plan

We change **two things** in `crates/store/src/lib.rs` and snake_case_names stay.

- first, the reader that nobody has looked at for a year
  - nested
1. one
> quoted words that go on and on until the end of the line
```rust
fn main() { println!(\"a very long line that is not broken by us\"); }
    indented()
```
| a | b |
2 * 3 * 4 \u{1b}[31m done";

    fn shown(piece: usize, columns: usize) -> String {
        let characters: Vec<char> = TEXT.chars().collect();
        let mut markdown = Markdown::default();
        let mut out = String::new();
        for part in characters.chunks(piece) {
            out.push_str(&markdown.push(&part.iter().collect::<String>(), columns));
        }
        out + &markdown.finish(columns)
    }

    #[test]
    fn it_looks_the_same_however_it_comes() {
        let plain = |piece| strip_str(&shown(piece, 40)).to_string();
        insta::assert_snapshot!(plain(10_000), @r#"
        The whole plan

        We change two things in
        crates/store/src/lib.rs and
        snake_case_names stay.

        • first, the reader that nobody has
          looked at for a year
          • nested
        1. one
        │ quoted words that go on and on until
        │ the end of the line
          fn main() { println!("a very long line that is not broken by us"); }
              indented()
        | a | b |
        2 * 3 * 4 <U+001B>[31m done
        "#);
        for piece in 1..40 {
            assert_eq!(plain(piece), plain(10_000), "in pieces of {piece}");
        }
    }

    #[test]
    fn words_are_shown_before_the_line_is_whole() {
        let mut markdown = Markdown::default();
        assert_eq!(markdown.push("Hello wor", 80), "Hello");
        assert_eq!(markdown.push("ld, I **am", 80), " world, I");
        assert_eq!(markdown.push("** here", 80), " \u{1b}[1mam\u{1b}[0m");
    }
}
