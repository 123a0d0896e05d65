//! How far a dream is, for people who wait.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};

use memdir_agent::dream::Progress;
use memdir_store::ledger::dollars;

use crate::table::{count, cut, one_line};
use crate::visible::visible;

/// So many columns a line has where nobody knows the terminal's.
const COLUMNS: usize = 80;

/// One line on standard error, where that is a terminal.
pub(super) struct Live {
    columns: Option<usize>,
    shown: Cell<bool>,
}

impl Live {
    pub(super) fn new() -> Self {
        let stderr = io::stderr();
        let columns = stderr.is_terminal().then(|| {
            let size = rustix::termios::tcgetwinsize(&stderr).ok();
            size.map_or(COLUMNS, |size| usize::from(size.ws_col).max(20))
        });
        Self {
            columns,
            shown: Cell::new(false),
        }
    }

    pub(super) fn show(&self, progress: &Progress) {
        let Some(columns) = self.columns else {
            return;
        };
        let line = line(progress);
        // Progress that cannot be shown is not missed.
        let _ = write!(io::stderr(), "\r\x1b[K{}", cut(&line, columns - 1));
        let _ = io::stderr().flush();
        self.shown.set(true);
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.shown.get() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(progress: &Progress) -> String {
    let phase = if progress.writing {
        "writing"
    } else {
        "reading"
    };
    let calls = count(progress.calls, "tool call", "tool calls");
    let touched = count(progress.touched.len(), "memory", "memories");
    let cost = dollars(progress.nano_usd);
    let said = progress.said.as_deref().unwrap_or_default();
    let said = visible(&one_line(said)).into_owned();
    format!("{phase} · {calls} · {touched} touched · {cost} · {said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_it_does_and_what_it_cost() {
        let mut progress = Progress {
            requests: 1,
            calls: 3,
            nano_usd: 12_300_000,
            said: Some("Two of them\nsay the same.".to_owned()),
            ..Progress::default()
        };
        insta::assert_snapshot!(line(&progress), @"reading · 3 tool calls · 0 memories touched · $0.0123 · Two of them say the same.");
        progress.writing = true;
        insta::assert_snapshot!(line(&progress), @"writing · 3 tool calls · 0 memories touched · $0.0123 · Two of them say the same.");
    }
}
