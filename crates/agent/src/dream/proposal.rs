//! A result that waits for the user, beside the memories and never among them.

use jiff::Timestamp;
use memdir_memory::MemoryPath;
use memdir_store::{Digest, Found, Record, RecordError, Records, Store};
use serde::{Deserialize, Serialize};

use super::DreamError;
use super::draft::Change;

/// There is one at a time: a newer one is about the memories as they are now.
const KEY: &str = "dream";
/// A proposal of more bytes is not kept: it could not be read again.
const MOST_BYTES: usize = 3 * 1024 * 1024;

/// A result that waits for the user.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Proposal {
    /// When it was made.
    pub at: Timestamp,
    /// Why it was not applied by itself.
    pub because: Vec<String>,
    /// What it would change.
    changes: Vec<Proposed>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Proposed {
    path: MemoryPath,
    before: Option<Digest>,
    after: Option<String>,
    mtime: Option<i64>,
    into: Option<MemoryPath>,
}

impl Record for Proposal {
    const KIND: &'static str = "proposals";
    const VERSION: u64 = 1;
}

impl Proposal {
    pub(super) fn new(at: Timestamp, because: Vec<String>, changes: &[Change]) -> Self {
        let proposed = |change: &Change| Proposed {
            path: change.path.clone(),
            before: change.before.as_ref().map(|found| Digest::of(&found.bytes)),
            // Only text is ever changed.
            after: change
                .after
                .as_ref()
                .map(|text| String::from_utf8_lossy(text).into_owned()),
            mtime: change.mtime,
            into: change.into.clone(),
        };
        Self {
            at,
            because,
            changes: changes.iter().map(proposed).collect(),
        }
    }

    /// The one that waits, if there is one.
    ///
    /// # Errors
    ///
    /// When it cannot be read. One that is damaged is none.
    pub fn waiting(store: &Store) -> Result<Option<Self>, RecordError> {
        match Records::new(store.state_directory()).get::<Self>(KEY) {
            Ok(found) => Ok(found.map(|(proposal, _)| proposal)),
            Err(RecordError::Damaged { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps it, in the place of an older one.
    pub(super) fn keep(&self, store: &Store) -> Result<(), DreamError> {
        let texts = self.changes.iter().filter_map(|one| one.after.as_ref());
        if texts.map(String::len).sum::<usize>() > MOST_BYTES {
            return Err(DreamError::TooLarge);
        }
        let records = Records::new(store.state_directory());
        records.update(KEY, |_| self.clone())?;
        Ok(())
    }

    /// Lets the one go that waits; whether there was one.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub fn discard(store: &Store) -> Result<bool, RecordError> {
        let records = Records::new(store.state_directory());
        let Some((_, seen)) = records.get::<Self>(KEY)? else {
            return Ok(false);
        };
        records.remove::<Self>(KEY, &seen)?;
        Ok(true)
    }

    /// What it would change, given the memories as they are.
    ///
    /// # Errors
    ///
    /// When they cannot be read, or one is not what it was when this was made.
    pub fn changes(&self, store: &Store) -> Result<Vec<Change>, DreamError> {
        let change = |one: &Proposed| {
            let before: Option<Found> = store.read(&one.path)?;
            if before.as_ref().map(|found| Digest::of(&found.bytes)) != one.before {
                return Err(DreamError::Stale(one.path.clone()));
            }
            Ok(Change {
                path: one.path.clone(),
                before,
                after: one.after.as_ref().map(|text| text.clone().into_bytes()),
                mtime: one.mtime,
                into: one.into.clone(),
            })
        };
        self.changes.iter().map(change).collect()
    }
}
