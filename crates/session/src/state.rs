//! What another process needs, beside the transcript, to go on as if nothing had happened.

use std::path::PathBuf;

use jiff::civil::Date;
use memdir_context::SavedSections;
use memdir_context::compaction::Progress;
use memdir_context::instructions::Shown;
use memdir_conversation::{Edits, MessageId};
use memdir_store::Record;
use serde::{Deserialize, Serialize};

use crate::Home;
use crate::writing::records;

/// A conversation between two processes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The sections of the system prompt, byte for byte.
    pub(crate) sections: SavedSections,
    /// What is sent differently from how it was said.
    pub(crate) edits: SavedEdits,
    /// The instruction files as they were shown.
    pub(crate) shown: Vec<(PathBuf, String)>,
    /// The message with which the conversation was opened, or opened again after a compaction.
    #[serde(default)]
    pub(crate) opened: Option<String>,
    /// What was said while memory was paused.
    #[serde(default)]
    pub(crate) passed: Vec<String>,
    /// The day that the model was last told of.
    pub(crate) told: Option<Date>,
    /// How compaction fared.
    pub(crate) failures: u64,
    pub(crate) stuck: Option<(u64, u64)>,
}

/// Whether a conversation of this name can be gone on with here: one that a host of ours has had.
#[must_use]
pub fn can_resume(home: &Home, name: &str) -> bool {
    let found = records(home).get::<State>(name);
    found.is_ok_and(|found| found.is_some())
}

/// Edits as they are written down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedEdits {
    cleared: Vec<(String, String, String)>,
    faded: Vec<(String, String)>,
    thoughtless: Vec<String>,
}

impl Record for State {
    const KIND: &'static str = "resumable";
    const VERSION: u64 = 1;
}

impl State {
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            failures: self.failures,
            stuck: self.stuck,
        }
    }

    pub(crate) fn files_shown(&self) -> Vec<Shown> {
        let shown = self.shown.iter();
        shown
            .map(|(path, text)| Shown {
                path: path.clone(),
                text: text.clone(),
            })
            .collect()
    }
}

impl SavedEdits {
    pub(crate) fn of(edits: &Edits) -> Self {
        let cleared = edits.all_cleared();
        let faded = edits.all_faded();
        Self {
            cleared: cleared
                .map(|(message, call, marker)| {
                    (message.to_string(), call.to_owned(), marker.to_owned())
                })
                .collect(),
            faded: faded
                .map(|(message, marker)| (message.to_string(), marker.to_owned()))
                .collect(),
            thoughtless: edits.all_thoughtless().map(ToString::to_string).collect(),
        }
    }

    pub(crate) fn edits(&self) -> Edits {
        let mut edits = Edits::new();
        for (message, call, marker) in &self.cleared {
            edits.clear(&MessageId::new(message), call, marker);
        }
        for (message, marker) in &self.faded {
            edits.fade(&MessageId::new(message), marker);
        }
        for message in &self.thoughtless {
            edits.forget_thinking(&MessageId::new(message));
        }
        edits
    }
}
