//! Whether it is time to dream, the cheapest question first.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memdir_memory::MemoryPath;
use memdir_store::consolidate::last_consolidated;
use memdir_store::{Record, RecordError, Records, Store};
use serde::{Deserialize, Serialize};

use super::DreamError;
use super::draft::is_log;
use super::proposal::Proposal;

/// How long what was found in the folders of transcripts is believed.
const SCAN_EVERY: SignedDuration = SignedDuration::from_mins(10);
/// So many conversations of a scan are written down.
const MOST_SCANNED: usize = 10_000;

/// What has to be so that it is time to dream.
pub struct Gates<'a> {
    /// The memories.
    pub store: &'a Store,
    /// So many hours since the last one.
    pub min_hours: u64,
    /// So many other conversations since.
    pub min_sessions: u64,
    /// The conversation that asks.
    pub conversation: &'a str,
    /// Where transcripts of the project are.
    pub transcripts: &'a dyn Fn() -> Vec<PathBuf>,
    /// The time.
    pub now: Timestamp,
}

/// Why it is not time yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The last one was not long ago.
    TooSoon(Timestamp),
    /// There were too few conversations.
    TooFew {
        /// So many.
        seen: usize,
        /// Of so many.
        wanted: u64,
    },
    /// What the last one proposed waits for the user.
    Waiting,
    /// There is nothing new in the logs of days.
    NoLogs,
    /// There is no memory directory.
    NoMemories,
}

impl fmt::Display for Closed {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSoon(last) => write!(to, "the last dream was at {last}"),
            Self::TooFew { seen, wanted } => {
                write!(to, "{seen} of {wanted} conversations since the last dream")
            }
            Self::Waiting => to.write_str("the last dream's proposal waits: memdir dream --show"),
            Self::NoMemories => to.write_str("there are no memories yet"),
            Self::NoLogs => to.write_str("there is no new day in the logs"),
        }
    }
}

/// A conversation of which a turn has ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Ended {
    at: Timestamp,
}

impl Record for Ended {
    const KIND: &'static str = "sessions";
    const VERSION: u64 = 1;
}

/// What was found in the folders of transcripts.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Scanned {
    at: Timestamp,
    since: Option<Timestamp>,
    conversations: Vec<String>,
}

impl Record for Scanned {
    const KIND: &'static str = "scans";
    const VERSION: u64 = 1;
}

/// Notes that a turn of a conversation has ended. Hosts call it, whichever client it is; our own runs leave no such note.
///
/// # Errors
///
/// When it cannot be written down.
pub fn turn_ended(store: &Store, conversation: &str, at: Timestamp) -> Result<(), RecordError> {
    let records = Records::new(store.state_directory());
    records.update(conversation, |_| Ended { at }).map(drop)
}

/// Forgets conversations that ended before then: they were dreamt of. Clears away what killed processes left of notes.
pub(super) fn forget_before(store: &Store, then: Timestamp) -> Result<(), RecordError> {
    let records = Records::new(store.state_directory());
    records.remove_orphans::<Ended>()?;
    records.remove_orphans::<Scanned>()?;
    records.remove_orphans::<Proposal>()?;
    for (key, ended, seen) in records.list::<Ended>()?.records {
        if ended.at < then {
            match records.remove::<Ended>(&key, &seen) {
                // Its next turn has just ended.
                Err(RecordError::Conflict { .. }) => {}
                removed => removed?,
            }
        }
    }
    Ok(())
}

impl Gates<'_> {
    /// Why it is not time yet; none: it is. The lock is asked for by the dream itself.
    ///
    /// # Errors
    ///
    /// When what is known of conversations cannot be read.
    pub fn closed(&self) -> Result<Option<Closed>, RecordError> {
        let store = self.store;
        if !store.memory_directory().is_dir() {
            return Ok(Some(Closed::NoMemories));
        }
        let last = last_consolidated(store.memory_directory(), store.state_directory(), self.now);
        let wait = i64::try_from(self.min_hours).unwrap_or(i64::MAX / 3600);
        let wait = SignedDuration::from_secs(wait.saturating_mul(3600));
        if let Some(last) = last.filter(|last| self.now.duration_since(*last) < wait) {
            return Ok(Some(Closed::TooSoon(last)));
        }
        if Proposal::waiting(store)?.is_some() {
            return Ok(Some(Closed::Waiting));
        }
        let wanted = usize::try_from(self.min_sessions).unwrap_or(usize::MAX);
        let mut seen = self.noted(last)?;
        if seen.len() < wanted {
            seen.extend(self.scanned(last)?);
        }
        seen.remove(self.conversation);
        Ok((seen.len() < wanted).then_some(Closed::TooFew {
            seen: seen.len(),
            wanted: self.min_sessions,
        }))
    }

    /// Where a log of days is kept: whether a day has begun since the last dream, and there is something new in the logs.
    ///
    /// # Errors
    ///
    /// When the memories cannot be read.
    pub fn logs_closed(&self, zone: &TimeZone) -> Result<Option<Closed>, DreamError> {
        let store = self.store;
        let last = last_consolidated(store.memory_directory(), store.state_directory(), self.now);
        let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
        if let Some(last) = last.filter(|last| day(*last) >= day(self.now)) {
            return Ok(Some(Closed::TooSoon(last)));
        }
        if Proposal::waiting(store)?.is_some() {
            return Ok(Some(Closed::Waiting));
        }
        let since = last.map(day);
        let is_new = |path: &MemoryPath| {
            let written: Option<Date> = path.stem().parse().ok();
            let is_new = |day| since.is_none_or(|since| day >= since);
            is_log(path) && written.is_some_and(is_new)
        };
        let any = store.every_file()?.iter().any(is_new);
        Ok((!any).then_some(Closed::NoLogs))
    }

    /// Conversations of which a turn has ended since.
    fn noted(&self, last: Option<Timestamp>) -> Result<BTreeSet<String>, RecordError> {
        let records = Records::new(self.store.state_directory());
        let ended = records.list::<Ended>()?.records.into_iter();
        let since = ended.filter(|(_, ended, _)| last.is_none_or(|last| ended.at > last));
        Ok(since.map(|(conversation, ..)| conversation).collect())
    }

    /// Conversations whose transcripts were written since. The folders are looked at once in a while.
    fn scanned(&self, last: Option<Timestamp>) -> Result<Vec<String>, RecordError> {
        const KEY: &str = "transcripts";
        let records = Records::new(self.store.state_directory());
        let known = match records.get::<Scanned>(KEY) {
            Ok(known) => known.map(|(known, _)| known),
            Err(RecordError::Damaged { .. }) => None,
            Err(error) => return Err(error),
        };
        let is_fresh = |known: &Scanned| {
            let age = self.now.duration_since(known.at);
            known.since == last && age < SCAN_EVERY && age >= SignedDuration::ZERO
        };
        if let Some(known) = known.filter(is_fresh) {
            return Ok(known.conversations);
        }
        let mut conversations = Vec::new();
        for folder in (self.transcripts)() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let Some(conversation) = name.strip_suffix(".jsonl") else {
                    continue;
                };
                // What a sub-agent did is part of the conversation that it belongs to.
                if conversation.starts_with("agent-") || conversations.len() >= MOST_SCANNED {
                    continue;
                }
                let modified = entry
                    .metadata()
                    .ok()
                    .and_then(|found| found.modified().ok());
                let modified = modified.and_then(|modified| Timestamp::try_from(modified).ok());
                if modified.is_some_and(|modified| last.is_none_or(|last| modified > last)) {
                    conversations.push(conversation.to_owned());
                }
            }
        }
        let scanned = Scanned {
            at: self.now,
            since: last,
            conversations,
        };
        records.update(KEY, |_| scanned.clone())?;
        Ok(scanned.conversations)
    }
}

impl fmt::Debug for Gates<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Gates")
            .field("conversation", &self.conversation)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
