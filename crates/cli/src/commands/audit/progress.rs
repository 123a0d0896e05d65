//! A line that says how far an audit is, for people who wait.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::table::thousands;

/// What takes less than this needs no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(100);

/// Progress on standard error, where that is a terminal.
pub(super) struct Progress {
    whole: usize,
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    pub(super) fn of(whole: usize) -> Progress {
        let next = io::stderr()
            .is_terminal()
            .then(|| Instant::now() + PATIENCE);
        Progress {
            whole,
            next,
            shown: false,
        }
    }

    pub(super) fn at(&mut self, done: usize) {
        if let Some(next) = self.next
            && Instant::now() >= next
        {
            // Progress that cannot be shown is not missed.
            let _ = write!(
                io::stderr(),
                "\raudited {} of {} files",
                thousands(done),
                thousands(self.whole)
            );
            self.next = Some(Instant::now() + PAUSE);
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
