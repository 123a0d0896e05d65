//! What happens in a conversation beside what is said: values that a host shows or passes on.

use std::fmt;

use memdir_agent::Bill;
use memdir_context::compaction::Event as Compaction;
use memdir_recall::{Skip, Turn};

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// What a message was given of the memories, and what was held back.
    Recalled(Box<Turn>),
    /// A step of making room was done, or was not.
    Room(Box<Compaction>),
    /// Files and the state of the work were shown again after a compaction.
    Restored {
        /// The files, with their tokens.
        files: Vec<(String, u64)>,
        /// Files that were not, and why.
        left_out: Vec<(String, String)>,
    },
    /// Background work has ended, one way or the other.
    Work(Work),
    /// Something is not as it should be; the conversation goes on.
    Warning(String),
}

/// A piece of background work that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Which: `extraction`, `notes`, `dream`.
    pub kind: &'static str,
    /// How it ended.
    pub ended: Ended,
    /// What became of it, in a few words; why it was not done, where it was not.
    pub said: String,
    /// Memories that it wrote, by their names.
    pub saved: Vec<String>,
    /// How many of its suggestions wait for the user's word.
    pub waiting: usize,
    /// The operation in the history, by which it can be undone.
    pub operation: Option<u64>,
    /// Why the rules did it although a model is named for it, where they did.
    pub unable: Option<String>,
    /// What its requests came to, also where it failed; nothing where no model was asked.
    pub bill: Bill,
}

/// How a piece of background work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It was done.
    Done,
    /// There was nothing to do.
    Skipped,
    /// It may not be done just now; it stays due.
    NotNow,
    /// It was tried in vain; it is tried again later, and after some failures in a row no more.
    Failed,
}

impl fmt::Display for Event {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recalled(turn) => recalled(turn, to),
            Self::Room(event) => event.fmt(to),
            Self::Restored { files, left_out } => {
                write!(to, "shown again: {} files", files.len())?;
                match left_out.len() {
                    0 => Ok(()),
                    left_out => write!(to, ", {left_out} left out"),
                }
            }
            Self::Work(work) => work.fmt(to),
            Self::Warning(what) => write!(to, "warning: {what}"),
        }
    }
}

fn recalled(turn: &Turn, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (turn.skipped, turn.given.len()) {
        (Some(skip), _) => write!(to, "nothing recalled: {}", why(skip)),
        (None, 0) => write!(to, "nothing recalled: no memory is relevant enough"),
        (None, _) => {
            let names = turn.given.iter().map(|given| name_of(&given.path));
            write!(to, "recalled {}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

fn why(skip: Skip) -> String {
    skip.words().to_owned()
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl fmt::Display for Work {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, said) = (self.kind, &self.said);
        match self.saved.len() {
            0 => match self.ended {
                Ended::Done => write!(to, "{kind}: {said}"),
                Ended::Skipped => write!(to, "{kind} skipped: {said}"),
                Ended::NotNow => write!(to, "{kind} put off: {said}"),
                Ended::Failed => write!(to, "{kind} failed: {said}"),
            },
            1 => write!(to, "Saved 1 memory: {}", self.saved.join(", ")),
            saved => write!(to, "Saved {saved} memories: {}", self.saved.join(", ")),
        }?;
        match &self.unable {
            Some(why) if !self.saved.is_empty() => {
                write!(
                    to,
                    " by the rules, because the model could not be asked: {why}"
                )
            }
            _ => Ok(()),
        }
    }
}
