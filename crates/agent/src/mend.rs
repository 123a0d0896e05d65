//! Mending memories by fixed rules. (A stand-in with the interface alone, until the rules are there.)

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_memory::MemoryPath;

/// A file of the directory as it was found.
#[derive(Debug, Clone)]
pub struct Before {
    /// Its content.
    pub text: Vec<u8>,
    /// When it was last changed.
    pub modified: Timestamp,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// It has this content.
    Written {
        /// The content.
        text: Vec<u8>,
        /// Whether it is as old as before.
        keeps_time: bool,
    },
    /// It is gone.
    Removed {
        /// The file that says what it said.
        into: Option<MemoryPath>,
    },
}

/// Something that was mended, in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mending(pub String);

impl std::fmt::Display for Mending {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}

/// What the rules make of a directory.
#[derive(Debug, Clone, Default)]
pub struct Mended {
    /// Files that change.
    pub changes: BTreeMap<MemoryPath, After>,
    /// What was done, a line each.
    pub told: Vec<Mending>,
}

/// Mends the files of a directory, the index among them.
#[must_use]
pub fn mend(_files: &BTreeMap<MemoryPath, Before>, _zone: &TimeZone) -> Mended {
    Mended::default()
}
