//! What is being typed: a text, a cursor, and pasted texts that show as one sign each.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::table::count;
use crate::visible::visible;

/// Pasted text up to this size is shown as it is.
const SHOWN_LINES: usize = 5;
const SHOWN_BYTES: usize = 1_000;
/// The first of the characters that stand for pasted texts. Nobody can type them: they have no meaning anywhere.
const FIRST_PASTE: u32 = 0xf_0000;
const MOST_PASTES: usize = 0xfff0;

/// A text that is being typed.
#[derive(Debug, Default, Clone)]
pub(crate) struct Line {
    text: String,
    cursor: usize,
    pastes: Vec<String>,
}

/// A text as it stands on the screen.
pub(crate) struct Rows {
    pub(crate) rows: Vec<String>,
    /// Where the cursor is.
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Line {
    /// One that holds this text already.
    pub(crate) fn of(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What was typed, pasted texts whole.
    pub(crate) fn whole(&self) -> String {
        let mut whole = String::with_capacity(self.text.len());
        for character in self.text.chars() {
            match self.paste(character) {
                Some(paste) => whole.push_str(paste),
                None => whole.push(character),
            }
        }
        whole
    }

    /// Whether the line end that was just asked for belongs to the text, because a backslash stands before it.
    pub(crate) fn takes_line_end(&mut self) -> bool {
        let continues = self.cursor == self.text.len() && self.text.ends_with('\\');
        if continues {
            self.text.pop();
            self.cursor = self.text.len();
            self.put("\n");
        }
        continues
    }

    /// Types characters.
    pub(crate) fn insert(&mut self, text: &str) {
        let own = |character: &char| !is_paste(*character);
        let text: String = text.chars().filter(own).collect();
        self.put(&text);
    }

    /// Pastes a text: a long one shows as one sign.
    pub(crate) fn insert_paste(&mut self, text: String) {
        let is_short = text.len() <= SHOWN_BYTES && text.lines().count() <= SHOWN_LINES;
        if is_short || self.pastes.len() >= MOST_PASTES {
            return self.insert(&text);
        }
        let number = u32::try_from(self.pastes.len()).unwrap_or(0);
        if let Some(sign) = char::from_u32(FIRST_PASTE + number) {
            self.pastes.push(text);
            self.put(sign.encode_utf8(&mut [0; 4]));
        }
    }

    fn put(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn backspace(&mut self) {
        let start = self.left_of();
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    pub(crate) fn delete(&mut self) {
        let end = self.right_of();
        self.text.drain(self.cursor..end);
    }

    pub(crate) fn left(&mut self) {
        self.cursor = self.left_of();
    }

    pub(crate) fn right(&mut self) {
        self.cursor = self.right_of();
    }

    pub(crate) fn word_left(&mut self) {
        let before = self
            .before()
            .trim_end_matches(|c: char| !c.is_alphanumeric());
        let start = before.trim_end_matches(|c: char| c.is_alphanumeric()).len();
        self.cursor = start;
    }

    pub(crate) fn word_right(&mut self) {
        let behind = self.behind();
        let word = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
        let rest = word.trim_start_matches(|c: char| c.is_alphanumeric()).len();
        self.cursor = self.text.len() - rest;
    }

    /// To the beginning of the line on which the cursor stands.
    pub(crate) fn home(&mut self) {
        self.cursor = self.before().rfind('\n').map_or(0, |end| end + 1);
    }

    /// To its end.
    pub(crate) fn end(&mut self) {
        let length = self.behind().find('\n').unwrap_or(self.behind().len());
        self.cursor += length;
    }

    /// Behind everything.
    pub(crate) fn end_of_text(&mut self) {
        self.cursor = self.text.len();
    }

    pub(crate) fn cut_to_end(&mut self) {
        let start = self.cursor;
        self.end();
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    pub(crate) fn cut_to_start(&mut self) {
        let end = self.cursor;
        self.home();
        self.text.drain(self.cursor..end);
    }

    pub(crate) fn cut_word(&mut self) {
        let end = self.cursor;
        self.word_left();
        self.text.drain(self.cursor..end);
    }

    /// One line up, if there is one.
    pub(crate) fn up(&mut self) -> bool {
        let Some(end) = self.before().rfind('\n') else {
            return false;
        };
        let column = self.before().len() - end - 1;
        let above = self.text.get(..end).unwrap_or_default();
        let start = above.rfind('\n').map_or(0, |start| start + 1);
        self.cursor = self.text.floor_char_boundary((start + column).min(end));
        true
    }

    /// One line down, if there is one.
    pub(crate) fn down(&mut self) -> bool {
        let Some(end) = self.behind().find('\n') else {
            return false;
        };
        let column = self.before().len() - self.before().rfind('\n').map_or(0, |at| at + 1);
        let start = self.cursor + end + 1;
        let below = self.text.get(start..).unwrap_or_default();
        let length = below.find('\n').unwrap_or(below.len());
        self.cursor = self.text.floor_char_boundary(start + column.min(length));
        true
    }

    /// The text in rows of at most so many columns; the first has `mark` before it, the others as much room.
    pub(crate) fn rows(&self, mark: &str, columns: usize) -> Rows {
        let indent = " ".repeat(mark.width());
        // The last column stays free: terminals disagree about a cursor behind it.
        let most = columns.saturating_sub(1).max(indent.len() + 2);
        let mut rows = vec![mark.to_owned()];
        let mut used = indent.len();
        let mut cursor = None;
        for (at, grapheme) in self.text.grapheme_indices(true) {
            if at >= self.cursor && cursor.is_none() {
                cursor = Some((rows.len() - 1, used));
            }
            if grapheme == "\n" || grapheme == "\r\n" {
                rows.push(indent.clone());
                used = indent.len();
                continue;
            }
            let shown = self.shown(grapheme);
            for piece in shown.graphemes(true) {
                let wide = piece.width();
                if used + wide > most {
                    rows.push(indent.clone());
                    used = indent.len();
                }
                if let Some(row) = rows.last_mut() {
                    row.push_str(piece);
                }
                used += wide;
            }
        }
        let (row, column) = cursor.unwrap_or((rows.len() - 1, used));
        Rows { rows, row, column }
    }

    /// How a character shows.
    fn shown(&self, grapheme: &str) -> String {
        let paste = grapheme.chars().next().and_then(|first| self.paste(first));
        match paste {
            Some(paste) => {
                let lines = count(paste.lines().count(), "line", "lines");
                let bytes = count(paste.len(), "byte", "bytes");
                format!("[pasted: {lines}, {bytes}]")
            }
            None if grapheme == "\t" => "    ".to_owned(),
            None => visible(grapheme).into_owned(),
        }
    }

    fn paste(&self, character: char) -> Option<&str> {
        let number = u32::from(character).checked_sub(FIRST_PASTE)?;
        let paste = self.pastes.get(usize::try_from(number).ok()?);
        paste.map(String::as_str)
    }

    fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    fn behind(&self) -> &str {
        self.text.get(self.cursor..).unwrap_or_default()
    }

    fn left_of(&self) -> usize {
        let last = self.before().graphemes(true).next_back();
        self.cursor - last.map_or(0, str::len)
    }

    fn right_of(&self) -> usize {
        let next = self.behind().graphemes(true).next();
        self.cursor + next.map_or(0, str::len)
    }
}

fn is_paste(character: char) -> bool {
    u32::from(character) >= FIRST_PASTE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &Line, columns: usize) -> String {
        let Rows { rows, row, column } = line.rows("› ", columns);
        format!("{}\n@ {row},{column}", rows.join("\n"))
    }

    #[test]
    fn it_wraps_and_the_cursor_stands_where_it_is() {
        let mut line = Line::of("one two three\nfour");
        assert_eq!(shown(&line, 12), "› one two t\n  hree\n  four\n@ 2,6");
        line.up();
        assert_eq!(shown(&line, 12), "› one two t\n  hree\n  four\n@ 0,6");
        line.cut_word();
        line.home();
        line.insert("漢");
        assert_eq!(shown(&line, 12), "› 漢two thr\n  ee\n  four\n@ 0,4");
        line.word_right();
        line.cut_to_end();
        line.backspace();
        line.backspace();
        assert_eq!(line.whole(), "漢t\nfour");
    }

    #[test]
    fn a_long_paste_is_one_sign_and_comes_out_whole() {
        let long = "x\n".repeat(10_000);
        let mut line = Line::of("see ");
        line.insert_paste(long.clone());
        line.insert_paste(" short".to_owned());
        assert_eq!(
            shown(&line, 60),
            "› see [pasted: 10,000 lines, 20,000 bytes] short\n@ 0,48"
        );
        assert_eq!(line.whole(), format!("see {long} short"));
        line.cut_word();
        line.backspace();
        line.backspace();
        assert_eq!(line.whole(), "see ");
    }

    #[test]
    fn nothing_that_is_typed_or_pasted_acts_on_the_terminal() {
        let mut line = Line::default();
        line.insert_paste("\u{1b}[31mred\u{f0000}".to_owned());
        assert_eq!(shown(&line, 40), "› <U+001B>[31mred\n@ 0,17");
    }
}
