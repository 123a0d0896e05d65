//! What became of an update.

use std::path::PathBuf;

use memdir_context::notes::{Overrun, Problem, Refusal};
use memdir_conversation::Usage;
use memdir_store::Notice;
use memdir_tools::Denied;

use crate::extract::Strategy;
use crate::totals::{hit_percent, total};

/// What became of an update.
#[derive(Debug)]
pub struct Report {
    /// How the conversation was looked at.
    pub strategy: Strategy,
    /// How the run ended, in a word or two.
    pub ended: &'static str,
    /// What became of the file.
    pub outcome: Outcome,
    /// The text of the notes now, or as it would be.
    pub text: String,
    /// The last message that they cover now, where they cover more than before.
    pub covered: Option<String>,
    /// So many messages, the last ones, are for the next time.
    pub unseen: usize,
    /// What of them is too long; the next update is told to shorten it.
    pub overrun: Overrun,
    /// What was not allowed.
    pub denied: Vec<Denied>,
    /// What the provider counted, request by request.
    pub usage: Vec<Usage>,
    /// What was altered on the way to the disk.
    pub notices: Vec<Notice>,
    /// Where a file is now that stood in their place and was no notes of this template.
    pub aside: Option<PathBuf>,
}

/// What became of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has a new text.
    Written {
        /// Whether there was none before.
        created: bool,
        /// Headings and descriptions that had to be put back.
        problems: Vec<Problem>,
    },
    /// The model changed nothing.
    Unchanged,
    /// What the model made of it was not taken.
    Refused(Refusal),
}

impl Report {
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
}
