//! The line in which the user types, with the line beneath it.

use std::io::{self, Write};
use std::time::Duration;

use super::history::History;
use super::keyboard::Keyboard;
use super::keys::Key;
use super::line::{Line, Rows};
use super::signals::Signals;
use super::terminal::{self, Terminal};
use crate::table::width;

/// What stands before the text.
const MARK: &str = "› ";
/// How often it is looked for news while somebody types.
const LOOK: Duration = Duration::from_millis(150);
/// Rows that stay free above and below a text that is higher than the terminal.
const SPARE_ROWS: usize = 4;

/// What somebody typed.
#[derive(Debug)]
pub(crate) enum Typed {
    /// A text, sent with Enter; as it stood in the line, so that it can stand there again.
    Text(Line),
    /// Ctrl-C in an empty line.
    Interrupt,
    /// Ctrl-D in an empty line, or there is nobody any more.
    End,
}

/// What is told beside the line that is typed in.
pub(crate) trait Beside {
    /// The line beneath, with styles, at most so wide.
    fn status(&mut self, columns: usize) -> String;
    /// Lines that have come up since, to be shown above.
    fn news(&mut self) -> Vec<String>;
}

/// A line that is typed in.
pub(crate) struct Prompt<'a, 'k> {
    terminal: &'a Terminal,
    signals: &'a Signals,
    history: &'a mut History,
    line: Line,
    keyboard: &'a mut Keyboard<'k>,
    /// The widths of the rows that stand on the screen, and on which of them the cursor is.
    drawn: Option<(Vec<usize>, usize)>,
}

impl<'a, 'k> Prompt<'a, 'k> {
    pub(crate) fn new(
        terminal: &'a Terminal,
        signals: &'a Signals,
        keyboard: &'a mut Keyboard<'k>,
        history: &'a mut History,
        line: Line,
    ) -> Self {
        Self {
            terminal,
            signals,
            history,
            line,
            keyboard,
            drawn: None,
        }
    }

    /// Waits until something was typed.
    pub(crate) fn read(mut self, beside: &mut dyn Beside) -> io::Result<Typed> {
        self.terminal.type_in();
        let typed = self.wait(beside);
        // What was typed stays on the screen, the line beneath it goes.
        self.line.end_of_text();
        let shown = self.draw(None);
        put(&format!("{shown}\r\n"))?;
        self.terminal.work_in();
        let typed = typed?;
        if let Typed::Text(line) = &typed {
            self.history.note(&line.whole());
        }
        Ok(typed)
    }

    fn wait(&mut self, beside: &mut dyn Beside) -> io::Result<Typed> {
        self.redraw(beside)?;
        loop {
            let Some(keys) = self.keyboard.wait(LOOK)? else {
                return Ok(Typed::End);
            };
            let resized = self.signals.take_resized();
            // One that came before keys were keys here, right behind another that stopped a turn.
            if self.signals.take_interruptions() > 0 && self.line.is_empty() {
                return Ok(Typed::Interrupt);
            }
            let news = beside.news();
            let changed = resized || !keys.is_empty() || !news.is_empty();
            let mut keys = keys.into_iter();
            while let Some(key) = keys.next() {
                if let Some(typed) = self.take(key) {
                    self.keyboard.put_back(keys);
                    return Ok(typed);
                }
            }
            if !news.is_empty() {
                let erased = self.erased();
                put(&format!("{erased}{}\r\n", news.join("\r\n")))?;
            }
            if changed {
                self.redraw(beside)?;
            }
        }
    }

    /// Does what a key says.
    fn take(&mut self, key: Key) -> Option<Typed> {
        let line = &mut self.line;
        match key {
            Key::Text(text) => line.insert(&text),
            Key::Paste(text) => line.insert_paste(text),
            Key::Enter if line.takes_line_end() => {}
            Key::Enter => {
                if !line.whole().trim().is_empty() {
                    return Some(Typed::Text(line.clone()));
                }
            }
            Key::NewLine => line.insert("\n"),
            Key::Backspace => line.backspace(),
            Key::Delete => line.delete(),
            Key::Left => line.left(),
            Key::Right => line.right(),
            Key::WordLeft => line.word_left(),
            Key::WordRight => line.word_right(),
            Key::Home => line.home(),
            Key::End => line.end(),
            Key::CutToEnd => line.cut_to_end(),
            Key::CutToStart => line.cut_to_start(),
            Key::CutWord => line.cut_word(),
            Key::Tab => line.insert("    "),
            Key::Up if !line.up() => {
                if let Some(entry) = self.history.back(line) {
                    *line = entry;
                }
            }
            Key::Down if !line.down() => {
                if let Some(entry) = self.history.forth() {
                    *line = entry;
                }
            }
            Key::Up | Key::Down | Key::Escape => {}
            Key::ClearScreen => {
                self.drawn = None;
                let _ = put("\u{1b}[2J\u{1b}[H");
            }
            Key::Interrupt if line.is_empty() => return Some(Typed::Interrupt),
            Key::Interrupt => line.clear(),
            Key::EndOfInput if line.is_empty() => return Some(Typed::End),
            Key::EndOfInput => line.delete(),
        }
        None
    }

    fn redraw(&mut self, beside: &mut dyn Beside) -> io::Result<()> {
        let (columns, _) = terminal::size();
        let status = beside.status(columns.saturating_sub(1));
        let shown = self.draw(Some(&status));
        put(&shown)
    }

    /// What brings the screen from what stands there to what should.
    fn draw(&mut self, status: Option<&str>) -> String {
        let (columns, height) = terminal::size();
        let Rows { rows, row, column } = self.line.rows(MARK, columns);
        // Of a text that is higher than the terminal the part around the cursor is shown.
        let most = height.saturating_sub(SPARE_ROWS).max(1);
        let first = (row + 1).saturating_sub(most);
        let rows: Vec<&String> = rows.iter().skip(first).take(most).collect();
        let row = row - first;
        let mut out = self.erased();
        // The blank row above belongs to it, so that news comes before that.
        let texts: Vec<&str> = std::iter::once("")
            .chain(rows.iter().map(|row| row.as_str()))
            .collect();
        let row = row + 1;
        out.push_str(&texts.join("\r\n"));
        let mut widths: Vec<usize> = texts.iter().map(|text| width(text)).collect();
        if let Some(status) = status {
            out.push_str("\r\n");
            out.push_str(status);
            widths.push(width(&anstream::adapter::strip_str(status).to_string()));
        }
        let up = widths.len() - 1 - row;
        if up > 0 {
            out.push_str(&format!("\u{1b}[{up}A"));
        }
        out.push('\r');
        if column > 0 {
            out.push_str(&format!("\u{1b}[{column}C"));
        }
        self.drawn = Some((widths, row));
        out
    }

    /// Takes what stands on the screen away. Where the window became narrower, its rows have been broken meanwhile.
    fn erased(&mut self) -> String {
        let Some((widths, row)) = self.drawn.take() else {
            return String::new();
        };
        let (columns, _) = terminal::size();
        let above = widths.iter().take(row);
        let up: usize = above.map(|width| width.div_ceil(columns).max(1)).sum();
        match up {
            0 => "\r\u{1b}[J".to_owned(),
            up => format!("\r\u{1b}[{up}A\u{1b}[J"),
        }
    }
}

/// Writes to the terminal at once.
pub(crate) fn put(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
