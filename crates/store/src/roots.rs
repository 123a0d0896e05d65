//! For which project root a memory directory was made. The slug is lossy, so that two projects can
//! share one directory without knowing: recorded, it can be told.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::places::Places;
use crate::records::{Record, RecordError, Records};
use crate::repository::Repository;
use crate::store::Store;

/// A project that has written to a memory directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedRoot {
    /// The project's root.
    pub root: PathBuf,
    /// When it first wrote.
    pub first: Timestamp,
    /// Which repository it was, when it last wrote.
    pub repository: Option<Repository>,
}

/// A project that is not where it was, and what it left there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// Where it was.
    pub root: PathBuf,
    /// Its memories.
    pub directory: PathBuf,
    /// Which repository it was.
    pub repository: Option<Repository>,
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
    let found = Repository::of(path);
    let (first, repository, seen) = match known {
        Some((known, seen)) => {
            let repository = refreshed(known.repository.clone(), found);
            if repository == known.repository {
                return Ok(());
            }
            (known.first, repository, Some(seen))
        }
        None => (now, found, None),
    };
    let record = RootRecord {
        root: root.clone().into_owned(),
        first,
        repository,
    };
    match records.put(&root, &record, seen.as_ref()) {
        // Another process of the same project was faster.
        Ok(_) | Err(RecordError::Conflict { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// What is known of a repository, with what can be seen of it now: it may have become one since, or come from elsewhere. Its
/// first commit stays the one that was seen first.
fn refreshed(known: Option<Repository>, found: Option<Repository>) -> Option<Repository> {
    match (known, found) {
        (Some(known), Some(found)) => Some(Repository {
            first: known.first,
            remote: found.remote.or(known.remote),
        }),
        (known, found) => known.or(found),
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

/// What projects left behind that are no longer where they were. Writes nothing.
#[must_use]
pub fn left_behind(places: &Places) -> Vec<LeftBehind> {
    let states = std::fs::read_dir(places.own_dir());
    let states = states
        .into_iter()
        .flatten()
        .flatten()
        .map(|state| state.path());
    let mut left = Vec::new();
    for state in states.filter(|state| *state != places.state_dir) {
        for recorded in recorded_roots(&state).unwrap_or_default() {
            let directory = places.memory_dir_of(&recorded.root);
            if !recorded.root.exists() && has_memories(&directory, &state) {
                left.push(LeftBehind {
                    root: recorded.root,
                    directory,
                    repository: recorded.repository,
                });
            }
        }
    }
    left.sort_by(|one, other| one.root.cmp(&other.root));
    left.dedup();
    left
}

/// Those of them that are the same repository as this project: it may have moved here. Writes nothing.
#[must_use]
pub fn moved_here(places: &Places) -> Vec<LeftBehind> {
    let mut left = left_behind(places);
    left.retain(|left| {
        let repository = left.repository.as_ref();
        repository.is_some_and(|known| known.is_at(&places.project.root))
    });
    left
}

fn has_memories(directory: &Path, state: &Path) -> bool {
    let files = Store::new(directory, state).every_file();
    files.is_ok_and(|files| files.iter().any(|path| !path.is_index()))
}
