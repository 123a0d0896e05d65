//! What went wrong inside of a hook: written down under our home, and invisible to the agent. Neither prompts nor secrets are
//! in it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_memory::scrub_to;
use memdir_store::BoundedLog;

/// The most that the log may hold.
const MOST_BYTES: u64 = 64 * 1024;
/// The most of one failure, in characters.
const MOST_CHARACTERS: usize = 500;

/// The log of failures inside of hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    log: BoundedLog,
}

impl Failures {
    /// The log in memdir's folder under home.
    #[must_use]
    pub fn new(own_dir: &Path) -> Self {
        Self {
            log: BoundedLog::new(own_dir, "hooks.log", MOST_BYTES),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.log.path()
    }

    /// Takes out of the log what may not be kept in it.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn scrub(&self) -> memdir_store::Result<()> {
        self.log
            .rewrite(|line| scrub_to(line, MOST_CHARACTERS.saturating_mul(2)))
    }

    /// Notes a failure. Where even that fails, nobody is told: there is nobody.
    pub fn note(&self, client: &str, event: &str, what: &str, error: &dyn Display) {
        let said = scrub_to(&error.to_string(), MOST_CHARACTERS);
        let event = scrub_to(event, 40);
        let now = Timestamp::now();
        let _ = self
            .log
            .add(&format!("{now:.3} {client} {event:?} {what}: {said}"));
    }
}
