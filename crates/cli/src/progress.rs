//! A line that says how far a long command is, for people who wait.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::table::thousands;

/// What takes less than this needs no progress.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(100);
/// How many columns the bar has.
const BAR: usize = 24;

/// Progress on standard error, where that is a terminal.
pub(crate) struct Progress {
    done: &'static str,
    what: &'static str,
    whole: usize,
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// So many things are to be done: "audited", 12, "files".
    pub(crate) fn of(done: &'static str, whole: usize, what: &'static str) -> Progress {
        let next = io::stderr()
            .is_terminal()
            .then(|| Instant::now() + PATIENCE);
        Progress {
            done,
            what,
            whole,
            next,
            shown: false,
        }
    }

    pub(crate) fn at(&mut self, done: usize) {
        if let Some(next) = self.next
            && Instant::now() >= next
        {
            let full = (done * BAR).checked_div(self.whole).unwrap_or(BAR).min(BAR);
            let bar = format!("{}{}", "█".repeat(full), "░".repeat(BAR - full));
            // Progress that cannot be shown is not missed.
            let _ = write!(
                io::stderr(),
                "\r{bar} {} {} of {} {}",
                self.done,
                thousands(done),
                thousands(self.whole),
                self.what
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
