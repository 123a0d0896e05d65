//! What went wrong inside of a hook: written down under our home, and invisible to the agent. Neither prompts nor secrets are
//! in it.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_memory::scrub_to;
use memdir_store::{BoundedLog, read_regular};

/// The most that the log may hold.
const MOST_BYTES: u64 = 64 * 1024;
/// The most of one failure, in characters.
const MOST_CHARACTERS: usize = 500;

/// What is noted of an event that ended in a panic.
pub const MISTAKE: &str = "a mistake in memdir itself";

/// A failure that was noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// When.
    pub at: Timestamp,
    /// Who asked, about what, and what went wrong.
    pub said: String,
    /// Whether it was a mistake of ours and nothing that the disk or a setting can explain.
    pub is_panic: bool,
}

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

    /// The failures since a time, oldest first; nothing where the log cannot be read. It is small.
    #[must_use]
    pub fn since(&self, then: Timestamp) -> Vec<Noted> {
        let bytes = read_regular(&self.path(), MOST_BYTES.saturating_mul(2));
        let bytes = bytes.ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let noted = text.lines().filter_map(|line| {
            let (at, said) = line.split_once(' ')?;
            let at: Timestamp = at.parse().ok()?;
            (at >= then).then(|| Noted {
                at,
                is_panic: said.contains(MISTAKE) || said.contains("panicked at"),
                said: said.to_owned(),
            })
        });
        noted.collect()
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
