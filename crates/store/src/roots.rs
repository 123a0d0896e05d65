//! For which project root a memory directory was made. The slug is lossy, so that two projects can
//! share one directory without knowing: recorded, it can be told.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::records::{Record, RecordError, Records};

/// A project that has written to a memory directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRoot {
    /// The project's root.
    pub root: PathBuf,
    /// When it first wrote.
    pub first: Timestamp,
}

/// A root that is not UTF-8 is recorded as its replacement text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RootRecord {
    root: String,
    first: Timestamp,
}

impl Record for RootRecord {
    const KIND: &'static str = "roots";
    const VERSION: u64 = 1;
}

/// Records that a project writes to the memory directory of this state folder; once is enough.
pub fn record_root(state_dir: &Path, root: &Path, now: Timestamp) -> Result<(), RecordError> {
    let records = Records::new(state_dir);
    let root = root.to_string_lossy();
    match records.get::<RootRecord>(&root) {
        Ok(Some(_)) => return Ok(()),
        Ok(None) | Err(RecordError::Damaged { .. }) => {}
        Err(error) => return Err(error),
    }
    let record = RootRecord {
        root: root.clone().into_owned(),
        first: now,
    };
    match records.put(&root, &record, None) {
        // Another process of the same project was faster.
        Ok(_) | Err(RecordError::Conflict { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The projects that have written to the memory directory of this state folder, the first one
/// first. More than one is worth a word to the user.
pub fn recorded_roots(state_dir: &Path) -> Result<Vec<RecordedRoot>, RecordError> {
    let listed = Records::new(state_dir).list::<RootRecord>()?;
    let mut roots: Vec<RecordedRoot> = listed
        .records
        .into_iter()
        .map(|(_, record, _)| RecordedRoot {
            root: record.root.into(),
            first: record.first,
        })
        .collect();
    roots.sort_by(|one, other| (one.first, &one.root).cmp(&(other.first, &other.root)));
    Ok(roots)
}
