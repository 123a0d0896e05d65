//! Questions and answers as values.

use jiff::{Timestamp, civil::Date};
use memdir_memory::{Header, MemoryPath, MemoryType, Source};

use crate::{MAX_SELECTED, Origin, Reason, Scope, Silence};

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The user's words.
    pub query: &'a str,
    /// At most so many memories.
    pub limit: usize,
    /// Whether to keep silent when nothing is relevant enough.
    pub silence: bool,
    /// The time by which ages are told.
    pub now: Timestamp,
    /// Whether a memory's last day is over.
    pub is_over: &'a dyn Fn(Date) -> bool,
    /// Memories that are not wanted.
    pub without: &'a [(Scope, MemoryPath)],
}

impl<'a> Question<'a> {
    /// A question with five answers at most, about any memory, and silence where nothing helps.
    #[must_use]
    pub fn new(query: &'a str) -> Question<'a> {
        Question {
            query,
            limit: MAX_SELECTED,
            silence: true,
            now: Timestamp::UNIX_EPOCH,
            is_over: &|_| false,
            without: &[],
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The best memory first.
    pub found: Vec<Found>,
    /// Why there is none.
    pub silence: Option<Silence>,
    /// How many memories were searched.
    pub memories: u32,
    /// How many are not in the index yet and were not searched.
    pub pending: u32,
    /// What could not be searched.
    pub unread: Vec<Unread>,
}

/// A memory that was found, as its file is now.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where it was found.
    pub scope: Scope,
    /// Its path beneath that.
    pub path: MemoryPath,
    /// From 0 to 1: how much of what was asked it is about.
    pub score: f32,
    /// What speaks for it.
    pub reasons: Vec<Reason>,
    /// When it was last changed.
    pub modified: Timestamp,
    /// Its age in whole days.
    pub days: u64,
    /// Its header.
    pub header: Header,
    /// Its whole text.
    pub text: String,
}

impl Found {
    /// Whose word it is.
    #[must_use]
    pub fn origin(&self) -> Origin {
        // What lies in the team's folder others can change, whatever it says of itself.
        let is_teams =
            self.scope == Scope::Project && self.path.components().next() == Some("team");
        match self.header.source {
            _ if self.scope == Scope::Inbox => Origin::Waiting,
            _ if is_teams => Origin::Foreign(Source::Team),
            Some(source) if !source.may_instruct() => Origin::Foreign(source),
            _ => Origin::Own,
        }
    }

    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> Option<MemoryType> {
        self.header.memory_type
    }
}

/// Something that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Where it is.
    pub scope: Scope,
    /// Its path beneath that, as far as it is text.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// What bringing the index up to date did.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// How many memories the index has.
    pub memories: u32,
    /// How many it does not have yet.
    pub pending: u32,
    /// How many files were read.
    pub read: u32,
    /// How many files of the index are gone or were read anew.
    pub gone: u32,
    /// What the index takes on disk.
    pub bytes: u64,
    /// Whether the index on disk is up to date. If not, somebody else is writing it, or it cannot be written.
    pub written: bool,
    /// What could not be searched.
    pub unread: Vec<Unread>,
}
