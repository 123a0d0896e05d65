//! Markdown as it comes, word by word, on a terminal of any width.
//!
//! What a line is shows at its beginning: a heading, an entry of a list, a quotation, a fence. Words are shown as soon as
//! they are whole, and a line is broken before the word that does not fit. Nothing in them acts on the terminal.

use anstyle::{AnsiColor, Style};

use super::breaks::may_break;
use super::inline::{Look, stretches};
use crate::table::width;
use crate::visible::visible;

const HEADING: Style = Style::new().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const QUOTE: Style = Style::new().dimmed();
/// So far is a line indented that is code, and so much may a fence be indented beyond the one it closes.
const CODE_INDENT: usize = 4;
/// The shortest fence.
const FENCE: usize = 3;

/// A text on its way to the terminal.
#[derive(Debug, Default)]
pub(crate) struct Markdown {
    /// What came and is not shown yet: the beginning of a line, or of something marked.
    held: String,
    /// What the line is; none while that cannot be told.
    line: Option<Kind>,
    /// The fence that is open.
    fence: Option<Fence>,
    /// Whether what is indented belongs to a list.
    in_list: bool,
    /// A word that may go on, each part in its style; whether a space stands before it.
    word: Vec<(String, Style)>,
    gap: bool,
    /// Whether it goes on with one that was shown already, because it is wider than the terminal.
    goes_on: bool,
    /// Whether a word stands in the row.
    has_words: bool,
    /// What was taken of the line last.
    before: Option<char>,
    /// How many columns are used, and where the words of the line begin.
    used: usize,
    indent: usize,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
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
                    self.advance(columns, &mut out);
                }
            }
        }
        out
    }

    /// Shows what is left. The cursor stands at the beginning of a line then.
    pub(crate) fn finish(&mut self, columns: usize) -> String {
        let mut out = String::new();
        if self.used > 0 || !self.held.is_empty() || !self.word.is_empty() {
            self.end_line(columns, &mut out);
        }
        *self = Self::default();
        out
    }

    fn advance(&mut self, columns: usize, out: &mut String) {
        match self.line {
            None => {
                if let Some(kind) = self.kind(false) {
                    self.begin_line(kind, columns, out);
                }
            }
            Some(Kind::Exact) => self.show_exact(out),
            Some(Kind::Fence) => {}
            Some(_) => self.show_words(false, columns, out),
        }
    }

    /// What a line is by its beginning; none while that cannot be told, which at its end it can.
    fn kind(&self, is_end: bool) -> Option<Kind> {
        let text = self.held.trim_start();
        let Some(first) = text.chars().next() else {
            return is_end.then_some(Kind::Plain);
        };
        let run = text.len() - text.trim_start_matches(first).len();
        let behind = text.get(run * first.len_utf8()..).unwrap_or_default();
        let alone = behind.is_empty() && !is_end;
        if let Some(fence) = self.fence {
            let closes = first == fence.mark && behind.trim().is_empty();
            return match closes {
                true if !is_end => None,
                true if run >= fence.length && self.space() < fence.indent + CODE_INDENT => {
                    Some(Kind::Fence)
                }
                _ => Some(Kind::Exact),
            };
        }
        if self.space() >= CODE_INDENT && !self.in_list {
            return Some(Kind::Exact);
        }
        match first {
            '`' | '~' if alone && run < FENCE => None,
            // What stands behind a fence is not looked at before the line is whole: it may be no fence.
            '`' | '~' if run >= FENCE && !is_end => None,
            '`' if run >= FENCE && !behind.contains('`') => Some(Kind::Fence),
            '~' if run >= FENCE => Some(Kind::Fence),
            '|' => Some(Kind::Exact),
            '#' if alone => None,
            '#' if run <= 6 && (behind.is_empty() || behind.starts_with(' ')) => {
                Some(Kind::Heading)
            }
            '>' if alone => None,
            '>' if run == 1 && (behind.is_empty() || behind.starts_with(' ')) => Some(Kind::Quote),
            '-' | '*' | '+' if alone => None,
            '0'..='9' if !is_end && may_be_number(text) => None,
            _ => Some(Kind::Plain),
        }
    }

    /// How far what is held is indented.
    fn space(&self) -> usize {
        let space = self.held.chars().take_while(|c| c.is_whitespace());
        space.map(|c| if c == '\t' { CODE_INDENT } else { 1 }).sum()
    }

    fn begin_line(&mut self, kind: Kind, columns: usize, out: &mut String) {
        let space = self.space().min(columns / 3);
        let held = std::mem::take(&mut self.held);
        let text = held.trim_start();
        self.line = Some(kind);
        self.indent = 0;
        let found = entry(text).filter(|_| kind == Kind::Plain);
        if self.fence.is_none() && !text.is_empty() {
            self.in_list = found.is_some() || (self.in_list && space > 0);
        }
        let rest = match (kind, found) {
            (Kind::Exact, _) if self.fence.is_some() => {
                self.put("  ", 2, out);
                held.as_str()
            }
            (Kind::Heading, _) => text.trim_start_matches('#').trim_start(),
            (Kind::Quote, _) => {
                self.put(&format!("{QUOTE}│{QUOTE:#} "), 2, out);
                self.indent = 2;
                text.trim_start_matches('>').trim_start()
            }
            (Kind::Plain, Some((mark, rest))) => {
                let mark = format!("{}{mark} ", " ".repeat(space));
                self.indent = width(&mark);
                self.put(&mark, self.indent, out);
                rest
            }
            (Kind::Plain, None) if !text.is_empty() => {
                self.indent = space;
                self.put(&" ".repeat(space), space, out);
                text
            }
            _ => held.as_str(),
        };
        self.held = rest.to_owned();
        match kind {
            Kind::Exact => self.show_exact(out),
            Kind::Fence => {}
            _ => self.show_words(false, columns, out),
        }
    }

    fn end_line(&mut self, columns: usize, out: &mut String) {
        if self.line.is_none()
            && let Some(kind) = self.kind(true)
        {
            self.begin_line(kind, columns, out);
        }
        match self.line {
            Some(Kind::Fence) => self.turn_fence(),
            Some(Kind::Exact) => {
                self.show_exact(out);
                out.push('\n');
            }
            _ => {
                self.show_words(true, columns, out);
                self.show_word(columns, out);
                out.push('\n');
            }
        }
        self.held.clear();
        self.line = None;
        self.used = 0;
        (self.gap, self.goes_on, self.has_words) = (false, false, false);
        self.before = None;
    }

    /// Opens what a fence opens, or closes it.
    fn turn_fence(&mut self) {
        let text = self.held.trim_start();
        let mark = text.chars().next().unwrap_or('`');
        let opened = Fence {
            mark,
            length: text.len() - text.trim_start_matches(mark).len(),
            indent: self.space(),
        };
        self.fence = match self.fence {
            Some(_) => None,
            None => Some(opened),
        };
    }

    /// Shows what is held as it is; the terminal breaks it, so that it can be copied whole.
    fn show_exact(&mut self, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        let shown = visible(&held);
        let style = match self.fence {
            Some(_) => CODE,
            None => Style::new(),
        };
        let wide = width(&shown);
        self.put(&format!("{style}{shown}{style:#}"), wide, out);
    }

    /// Shows the words that are whole.
    fn show_words(&mut self, is_end: bool, columns: usize, out: &mut String) {
        let (told, length) = stretches(&self.held, self.before, is_end);
        let taken = self.held.get(..length).unwrap_or_default();
        self.before = taken.chars().next_back().or(self.before);
        self.held.drain(..length);
        for stretch in told {
            let style = self.style(stretch.look);
            for character in stretch.text.chars() {
                self.take(character, style, columns, out);
            }
        }
    }

    /// Takes a character: it ends a word, or goes on with it.
    fn take(&mut self, character: char, style: Style, columns: usize, out: &mut String) {
        if character == ' ' || character == '\t' {
            self.show_word(columns, out);
            self.gap = true;
            return;
        }
        let last = self.word.last();
        let last = last.and_then(|(text, _)| text.chars().next_back());
        let wide: usize = self.word.iter().map(|(text, _)| width(text)).sum();
        // What is wider than the terminal is broken by it: it may be a path to copy.
        match last {
            Some(last) if may_break(last, character) => self.show_word(columns, out),
            Some(_) if wide >= columns => {
                self.show_word(columns, out);
                self.goes_on = true;
            }
            _ => {}
        }
        match self.word.last_mut() {
            Some((text, known)) if *known == style => text.push(character),
            _ => self.word.push((character.to_string(), style)),
        }
    }

    fn show_word(&mut self, columns: usize, out: &mut String) {
        if self.word.is_empty() {
            return;
        }
        let parts = std::mem::take(&mut self.word);
        let clean = parts.into_iter();
        let parts: Vec<(String, Style)> = clean
            .map(|(text, style)| (visible(&text).into_owned(), style))
            .collect();
        let wide: usize = parts.iter().map(|(text, _)| width(text)).sum();
        let gap = usize::from(std::mem::take(&mut self.gap) && self.has_words);
        let goes_on = std::mem::take(&mut self.goes_on);
        if self.has_words && !goes_on && self.used + gap + wide >= columns {
            out.push('\n');
            self.used = 0;
            let before = match self.line {
                Some(Kind::Quote) => format!("{QUOTE}│{QUOTE:#} "),
                _ => " ".repeat(self.indent),
            };
            self.put(&before, self.indent, out);
        } else if gap > 0 {
            self.put(" ", 1, out);
        }
        for (text, style) in parts {
            let wide = width(&text);
            self.put(&format!("{style}{text}{style:#}"), wide, out);
        }
        self.has_words = true;
        if self.used > columns {
            self.used = (self.used - 1) % columns + 1;
        }
    }

    fn style(&self, look: Look) -> Style {
        let style = match (self.line, look.code) {
            (_, true) => CODE,
            (Some(Kind::Heading), _) => HEADING,
            (Some(Kind::Quote), _) => QUOTE,
            _ => Style::new(),
        };
        let style = if look.bold { style.bold() } else { style };
        if look.italic { style.italic() } else { style }
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

/// Whether this can still become the number of an entry.
fn may_be_number(text: &str) -> bool {
    let digits = text.strip_suffix('.').unwrap_or(text);
    digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit())
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

    fn shown(text: &str, piece: usize, columns: usize) -> String {
        let characters: Vec<char> = text.chars().collect();
        let mut markdown = Markdown::default();
        let mut out = String::new();
        for part in characters.chunks(piece) {
            out.push_str(&markdown.push(&part.iter().collect::<String>(), columns));
        }
        out + &markdown.finish(columns)
    }

    #[test]
    fn it_looks_the_same_however_it_comes() {
        let plain = |piece| strip_str(&shown(TEXT, piece, 40)).to_string();
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

    /// As it is shown, without styles, in one piece and character by character.
    fn plain(text: &str) -> String {
        let whole = strip_str(&shown(text, 10_000, 60)).to_string();
        assert_eq!(strip_str(&shown(text, 1, 60)).to_string(), whole);
        whole
    }

    #[test]
    fn nothing_is_eaten_that_is_no_mark() {
        for line in [
            "2*3=6, and 4*5=20",
            "src/**/*.rs",
            "_private_name",
            "#12 is fixed",
            "> 5 is more",
            "*",
            "-",
            "12",
            "1.",
            "**open",
        ] {
            let expected = line.replacen("> ", "│ ", 1);
            assert_eq!(plain(line), format!("{expected}\n"));
        }
    }

    #[test]
    fn a_fence_is_closed_by_one_as_long_and_code_keeps_its_indentation() {
        insta::assert_snapshot!(plain("```cargo test``` runs the tests.\nSee:\n\n    let x = 1;\n      *y\n\n````md\n```sh\n  ls\n```\n~~~\n````\n- one\n  ```\n  two\n  ```\n  three\n\nfour"), @r"
        cargo test runs the tests.
        See:

            let x = 1;
              *y

          ```sh
            ls
          ```
          ~~~
        • one
            two
          three

        four
        ");
    }

    #[test]
    fn scripts_without_spaces_are_shown_as_they_come_and_broken_anywhere() {
        let mut markdown = Markdown::default();
        assert_eq!(markdown.push("部署在星期四。", 80), "部署在星期");
        let text = "我们只在星期四部署，从来不在星期五部署；这是团队很久以前就决定的（见文档）。";
        insta::assert_snapshot!(strip_str(&shown(text, 1, 30)).to_string(), @"
        我们只在星期四部署，从来不在
        星期五部署；这是团队很久以前
        就决定的（见文档）。
        ");
    }
}
