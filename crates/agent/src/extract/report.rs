//! What became of an extraction.

use memdir_conversation::Usage;
use memdir_memory::MemoryPath;
use memdir_tools::Denied;

use super::Strategy;
use crate::keep::Kept;
use crate::totals::{hit_percent, total};

/// What became of an extraction.
#[derive(Debug)]
pub struct Report {
    /// How the conversation was looked at.
    pub strategy: Strategy,
    /// How the run ended, in a word or two.
    pub ended: String,
    /// What made the window mixed, if anything did.
    pub mixed_by: Option<String>,
    /// What was not allowed.
    pub denied: Vec<Denied>,
    /// What the provider counted, request by request.
    pub usage: Vec<Usage>,
    /// So many messages, the last ones, there was no room for: the cursor stays before them.
    pub unseen: usize,
    /// What was kept, what waits and what was refused.
    pub kept: Kept,
}

impl Report {
    /// The memories that were made or changed.
    pub fn saved(&self) -> impl Iterator<Item = &MemoryPath> {
        let written = self.kept.saved.iter().filter(|saved| saved.after.is_some());
        written.map(|saved| &saved.path)
    }

    /// All that was counted.
    #[must_use]
    pub fn total(&self) -> Usage {
        total(&self.usage)
    }

    /// How much of the input was read from the provider's cache, in per cent to one decimal.
    #[must_use]
    pub fn hit_percent(&self) -> f64 {
        hit_percent(&self.usage)
    }

    /// What the user is told: `Saved 2 memories: a.md, b.md`; nothing when no memory was written.
    #[must_use]
    pub fn notification(&self) -> Option<String> {
        let names: Vec<&str> = self.saved().map(MemoryPath::as_str).collect();
        let many = match names.len() {
            0 => return None,
            1 => "1 memory".to_owned(),
            many => format!("{many} memories"),
        };
        Some(format!("Saved {many}: {}", names.join(", ")))
    }
}
