//! Answers: text with colours on a terminal, plain text in a pipe, JSON when asked.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice, adapter::strip_str};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

/// Names and numbers that the eye should find.
pub(crate) const STRONG: Style = Style::new().bold();
/// What is beside the point.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// What was added, or is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What was removed, or is broken.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// What deserves a look.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();

/// How much is kept back before it is written: nearly every answer is one write.
const BUFFER: usize = 64 * 1024;

/// Where answers go. Nothing is written before it is flushed or the buffer is full.
pub(crate) struct Output {
    buffer: Vec<u8>,
    colour: bool,
    /// Whether the answer is to be JSON.
    pub(crate) json: bool,
    /// How many columns the terminal has; `None` where there is none and nothing is cut.
    pub(crate) width: Option<usize>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        let stdout = io::stdout();
        let width = if stdout.is_terminal() {
            terminal_width()
        } else {
            None
        };
        let colour = AutoStream::choice(&stdout) != ColorChoice::Never;
        Output {
            buffer: Vec::new(),
            colour,
            json,
            width,
        }
    }

    /// Whether styles are shown.
    pub(crate) fn coloured(&self) -> bool {
        self.colour
    }

    /// One line of text, which may have styles in it.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if self.colour {
            self.buffer.extend_from_slice(text.as_ref().as_bytes());
        } else {
            write!(self.buffer, "{}", strip_str(text.as_ref()))?;
        }
        self.raw(b"\n")
    }

    /// Bytes as they are, whatever stands in them.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// A value as JSON, with a newline at its end.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), serde_json::Error> {
        serde_json::to_writer_pretty(&mut self.buffer, value)?;
        self.raw(b"\n").map_err(serde_json::Error::io)
    }

    /// A warning beside the answer, on standard error.
    pub(crate) fn warn(&self, text: impl AsRef<str>) {
        let text = format!("{WARN}warning{WARN:#}: {}\n", text.as_ref());
        // The answer matters more than that nobody reads this.
        let _ = anstream::stderr().write_all(text.as_bytes());
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(&self.buffer)?;
        self.buffer.clear();
        stdout.flush()
    }
}

fn terminal_width() -> Option<usize> {
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|width| *width >= 20)
}
