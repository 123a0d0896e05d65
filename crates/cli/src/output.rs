//! Answers: text with colours on a terminal, plain text in a pipe, JSON when asked.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anstream::AutoStream;
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

/// Where answers go. Nothing is written before it is flushed or the buffer is full.
pub(crate) struct Output {
    stream: BufWriter<AutoStream<Stdout>>,
    /// Whether the answer is to be JSON.
    pub(crate) json: bool,
    /// How many columns the terminal has; `None` where there is none and nothing is cut.
    pub(crate) width: Option<usize>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        let stdout = io::stdout();
        let width = if stdout.is_terminal() { terminal_width() } else { None };
        Output { stream: BufWriter::new(AutoStream::auto(stdout)), json, width }
    }

    /// One line of text.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(self.stream, "{}", text.as_ref())
    }

    /// Text as it is.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// A value as JSON, with a newline at its end.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), serde_json::Error> {
        serde_json::to_writer_pretty(&mut self.stream, value)?;
        self.stream.write_all(b"\n").map_err(serde_json::Error::io)
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn terminal_width() -> Option<usize> {
    rustix::termios::tcgetwinsize(io::stdout())
        .ok()
        .map(|size| usize::from(size.ws_col))
        .filter(|width| *width >= 20)
}
