//! What is written down about jobs.

use std::path::PathBuf;

use jiff::Timestamp;
use memdir_memory::scrub_to;
use memdir_model::Cancel;
use memdir_store::Record;
use memdir_store::process::ProcessIdentity;
use serde::{Deserialize, Serialize};

use super::MOST_ATTEMPTS;

/// So many runs of the past are kept.
const KEPT_RUNS: usize = 50;

/// A piece of work that is due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What is to be done.
    pub kind: JobKind,
    /// For which conversation.
    pub conversation: String,
    /// Where that conversation is written down.
    pub transcript: Option<PathBuf>,
    /// Since when.
    pub since: Timestamp,
    /// How often it was begun.
    pub attempts: u32,
    /// Noted while another run was under way: it is done whatever the throttle says.
    pub trailing: bool,
    /// Whether nobody sits in front of the conversation.
    #[serde(default)]
    pub non_interactive: bool,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Saving what is worth keeping.
    Extraction,
    /// Consolidation.
    Dream,
    /// The notes of a conversation.
    Notes,
    /// Memories for a message, chosen by a model.
    Selection,
    /// Recall's index, where many memories are not in it yet.
    Index,
}

impl JobKind {
    /// The word in records and on screen.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extraction => "extraction",
            Self::Dream => "dream",
            Self::Notes => "notes",
            Self::Selection => "selection",
            Self::Index => "index",
        }
    }
}

impl Job {
    /// A piece of work that is due from now on.
    #[must_use]
    pub fn new(kind: JobKind, conversation: &str, since: Timestamp) -> Self {
        Self {
            kind,
            conversation: conversation.to_owned(),
            transcript: None,
            since,
            attempts: 0,
            trailing: false,
            non_interactive: false,
        }
    }

    /// What is done where a model could not be asked about a turn, whatever the reason: it is asked again later, and at the
    /// last attempt the rules do its work, so that nothing goes unlearnt. The one place in which this is decided.
    #[must_use]
    pub fn without_model(&self, cancel: &Cancel) -> WithoutModel {
        match self.attempts >= MOST_ATTEMPTS && !cancel.is_cancelled() {
            true => WithoutModel::Rules,
            false => WithoutModel::Later,
        }
    }

    /// One of a kind is due for a conversation at most.
    pub(super) fn key(&self) -> String {
        format!("{}-{}", self.kind.as_str(), self.conversation)
    }
}

/// What is done where a model could not be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutModel {
    /// It is asked again later: the work stays due, and the cursor where it was.
    Later,
    /// The rules do it, and the user is told.
    Rules,
}

impl Record for Job {
    const KIND: &'static str = "due";
    const VERSION: u64 = 1;
}

/// What is being done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Running {
    pub(super) job: Job,
    pub(super) began: Timestamp,
    pub(super) process: ProcessIdentity,
    /// Whether somebody wants it to stop.
    pub(super) stop: bool,
}

impl Running {
    pub(super) const KEY: &'static str = "now";

    pub(super) fn of(job: &Job, began: Timestamp) -> Self {
        Self {
            job: job.clone(),
            began,
            process: ProcessIdentity::current(),
            stop: false,
        }
    }
}

impl Record for Running {
    const KIND: &'static str = "running";
    const VERSION: u64 = 1;
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome", content = "said")]
pub enum Outcome {
    /// It was done.
    Done(String),
    /// There was nothing to do.
    Skipped(String),
    /// It failed, and will be tried again.
    Failed(String),
    /// It may not be done yet; it stays due.
    NotNow(String),
    /// It failed too often.
    GivenUp(String),
    /// It took too long.
    TimedOut,
    /// Somebody stopped it.
    Stopped,
    /// Its program ended and could not wait any longer; it will be done next time.
    Interrupted,
    /// Its process ended in the middle; it will be tried again.
    Killed,
}

/// A run of the past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastRun {
    /// What was to be done.
    pub kind: JobKind,
    /// For which conversation.
    pub conversation: String,
    /// When it began.
    pub began: Timestamp,
    /// When it ended, or was found to have.
    pub ended: Timestamp,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// What it tried and was not allowed, each with its reason.
    #[serde(default)]
    pub denied: Vec<String>,
}

/// The most that is kept of what a run said, in characters: a provider may repeat what it was sent.
const MOST_SAID: usize = 1_000;

impl PastRun {
    /// As it may be written down.
    pub(super) fn scrubbed(mut self) -> Self {
        if let Outcome::Done(said)
        | Outcome::Skipped(said)
        | Outcome::Failed(said)
        | Outcome::NotNow(said)
        | Outcome::GivenUp(said) = &mut self.outcome
        {
            *said = scrub_to(said, MOST_SAID);
        }
        for said in &mut self.denied {
            *said = scrub_to(said, MOST_SAID);
        }
        self
    }
}

/// The runs of the past, oldest first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Past {
    pub(super) runs: Vec<PastRun>,
}

impl Past {
    pub(super) const KEY: &'static str = "past";

    pub(super) fn with(mut self, run: PastRun) -> Self {
        self.runs.push(run);
        let more = self.runs.len().saturating_sub(KEPT_RUNS);
        self.runs.drain(..more);
        self
    }
}

impl Record for Past {
    const KIND: &'static str = "past";
    const VERSION: u64 = 1;
}
