//! For which project root a memory directory was made. The slug is lossy, so that two projects can
//! share one directory without knowing: recorded, it can be told.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::places::Places;
use crate::records::{Record, RecordError, Records};
use crate::repository::Repository;

/// A project that has written to a memory directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRoot {
    /// The project's root.
    pub root: PathBuf,
    /// When it first wrote.
    pub first: Timestamp,
    /// Which repository it was then.
    pub repository: Option<Repository>,
}

/// A project that was elsewhere before, and what it left there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moved {
    /// Where it was.
    pub root: PathBuf,
    /// Its memories.
    pub directory: PathBuf,
}

/// A root that is not UTF-8 is recorded as its replacement text.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RootRecord {
    root: String,
    first: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repository: Option<Repository>,
}

impl Record for RootRecord {
    const KIND: &'static str = "roots";
    const VERSION: u64 = 1;
}

/// Records that a project writes to the memory directory of this state folder; once is enough.
pub fn record_root(state_dir: &Path, root: &Path, now: Timestamp) -> Result<(), RecordError> {
    let records = Records::new(state_dir);
    let path = root;
    let root = root.to_string_lossy();
    let known = match records.get::<RootRecord>(&root) {
        Ok(known) => known,
        Err(RecordError::Damaged { .. }) => None,
        Err(error) => return Err(error),
    };
    if known
        .as_ref()
        .is_some_and(|(known, _)| known.repository.is_some())
    {
        return Ok(());
    }
    let repository = Repository::of(path);
    let (first, seen) = match &known {
        // It may have become a repository since.
        Some(_) if repository.is_none() => return Ok(()),
        Some((known, seen)) => (known.first, Some(seen)),
        None => (now, None),
    };
    let record = RootRecord {
        root: root.clone().into_owned(),
        first,
        repository,
    };
    match records.put(&root, &record, seen) {
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
            repository: record.repository,
        })
        .collect();
    roots.sort_by(|one, other| (one.first, &one.root).cmp(&(other.first, &other.root)));
    Ok(roots)
}

/// Memory directories of projects that are no longer where they were and are the same repository as this one: it may have
/// moved here. Writes nothing.
#[must_use]
pub fn moved_here(places: &Places) -> Vec<Moved> {
    let Some(own) = Repository::of(&places.project.root) else {
        return Vec::new();
    };
    let states = std::fs::read_dir(places.own_dir());
    let states = states
        .into_iter()
        .flatten()
        .flatten()
        .map(|state| state.path());
    let mut moved = Vec::new();
    for state in states.filter(|state| *state != places.state_dir) {
        for recorded in recorded_roots(&state).unwrap_or_default() {
            let is_same = recorded.repository.is_some_and(|known| known.is_same(&own));
            let directory = places.memory_dir_of(&recorded.root);
            if is_same && !recorded.root.exists() && has_memories(&directory) {
                moved.push(Moved {
                    root: recorded.root,
                    directory,
                });
            }
        }
    }
    moved.sort();
    moved.dedup();
    moved
}

fn has_memories(directory: &Path) -> bool {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "md")
    })
}
