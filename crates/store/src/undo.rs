//! Undo: taking back one operation, or everything since a time. An undo is an operation itself.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use memdir_memory::MemoryPath;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::file_lock::FileLock;
use crate::history::{Author, Change, History, Reason};
use crate::limits::lock_patience;
use crate::merge::{Merged, merge_beside};
use crate::operation::Outcome;
use crate::store::Store;

/// Held from the reading of the history to the end of an undo: two undos at once would both mean the same operation.
const LOCK_NAME: &str = "undo.lock";

/// Nobody else takes anything back while it is held.
#[derive(Debug)]
pub struct Undoing {
    _lock: FileLock,
}

/// What an undo would do. Look at it, then give it to [`Store::restore`].
#[derive(Debug)]
pub struct Restoration {
    /// What it will be called in the history.
    pub what: String,
    /// The operation that it takes back, if it is one.
    pub undoes: Option<u64>,
    /// What each file becomes.
    pub files: Vec<Restored>,
    /// Whether it would need text that was purged: that stays gone.
    pub purged: bool,
}

/// What one file becomes.
#[derive(Debug)]
pub struct Restored {
    /// Which file.
    pub path: MemoryPath,
    /// What it is now.
    pub current: Option<Found>,
    /// What it becomes; `None`: no file.
    pub content: Option<Vec<u8>>,
    /// The modification time it had then.
    pub mtime: Option<i64>,
}

impl Store {
    /// Waits until nobody else takes anything back here; to be held while it is decided what an undo means and while it is
    /// done. `None` where there is no history yet.
    pub fn undoing(&self) -> Result<Option<Undoing>> {
        let Some(state) = Directory::open(self.state_directory())? else {
            return Ok(None);
        };
        let patience = lock_patience();
        let lock = FileLock::take(&state, LOCK_NAME, patience)?.ok_or_else(|| Error::Busy {
            owner: "it takes back a change".to_owned(),
            waited_seconds: patience.as_secs(),
        })?;
        Ok(Some(Undoing { _lock: lock }))
    }

    /// Plans to take back one operation. Later changes to other lines stay; later changes to the same lines refuse it.
    pub fn plan_undo(&self, history: &History, operation: u64) -> Result<Restoration> {
        let past = history.get(operation)?;
        if past.is_first_sight() {
            return Err(Error::FirstSight(operation));
        }
        let mut files = Vec::new();
        for change in &past.changes {
            let look_up = |digest| history.content(&change.path, digest);
            let before = change.before.map(look_up).transpose()?;
            let after = change.after.map(look_up).transpose()?;
            let current = self.read(&change.path)?;
            let now = current.as_ref().map(|found| &found.bytes);
            if now == before.as_ref() {
                continue;
            }
            let (content, mtime) = if now == after.as_ref() {
                (before, change.mtime_before)
            } else {
                let is_list = change.path.is_index();
                let merged = unpick(operation, before, after, now, is_list).map_err(|merged| {
                    Error::UndoConflict {
                        operation,
                        path: change.path.clone(),
                        later: later(history, operation, &change.path),
                        merged,
                    }
                })?;
                (Some(merged), None)
            };
            files.push(Restored {
                path: change.path.clone(),
                current,
                content,
                mtime,
            });
        }
        Ok(Restoration {
            what: format!("undo {operation}"),
            undoes: Some(operation),
            files,
            purged: past.purged,
        })
    }

    /// Plans to bring every file back to what it was at a time.
    pub fn plan_undo_to(&self, history: &History, time: Timestamp) -> Result<Restoration> {
        let mut oldest_since = BTreeMap::<&MemoryPath, &Change>::new();
        let mut purged = false;
        let mut next = None;
        for operation in history
            .operations
            .iter()
            .rev()
            .take_while(|operation| operation.at > time)
        {
            // Numbers count up: one that is missing was purged.
            purged |= operation.purged || next.is_some_and(|next| next != operation.id + 1);
            next = Some(operation.id);
            // The first sight of a directory made nothing: what stood there then stood there before.
            for change in operation
                .changes
                .iter()
                .filter(|_| !operation.is_first_sight())
            {
                oldest_since.insert(&change.path, change);
            }
        }
        let mut files = Vec::new();
        for (path, change) in oldest_since {
            let content = change
                .before
                .map(|digest| history.content(path, digest))
                .transpose()?;
            let current = self.read(path)?;
            if current.as_ref().map(|found| &found.bytes) != content.as_ref() {
                files.push(Restored {
                    path: path.clone(),
                    current,
                    content,
                    mtime: change.mtime_before,
                });
            }
        }
        Ok(Restoration {
            what: format!("undo to {time}"),
            undoes: None,
            files,
            purged,
        })
    }

    /// Does what was planned, as one operation.
    pub fn restore(&self, restoration: Restoration) -> Result<Outcome> {
        let Restoration {
            what,
            undoes,
            files,
            ..
        } = restoration;
        let mut operation = self.operation(Reason::new(Author::User, what));
        operation.undoing(undoes);
        for Restored {
            path,
            current,
            content,
            mtime,
        } in files
        {
            match (content, current, mtime) {
                (Some(content), current, Some(mtime)) => {
                    operation.write_dated(&path, current, content, mtime)
                }
                (Some(content), current, None) => operation.write(&path, current, content),
                (None, Some(current), _) => operation.remove(&path, current),
                (None, None, _) => &mut operation,
            };
        }
        operation.commit()
    }
}

/// Takes the step from `before` to `after` out of the content that stands now; the error shows both.
fn unpick(
    operation: u64,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    now: Option<&Vec<u8>>,
    is_list: bool,
) -> Result<Vec<u8>, String> {
    // A list that was not there yet was an empty one.
    let before = before.or_else(|| is_list.then(Vec::new));
    match (before, after, now) {
        (Some(before), Some(after), Some(now)) => match merge_beside(
            &after,
            (&before, &format!("before #{operation}")),
            (now, "now"),
            is_list,
        ) {
            Merged::Clean(bytes) => Ok(bytes),
            Merged::Conflict(text) => Err(text),
        },
        (_, _, Some(now)) => Err(String::from_utf8_lossy(now).into_owned()),
        (_, _, None) => Err("the file is not there any more".to_owned()),
    }
}

fn later(history: &History, operation: u64, path: &MemoryPath) -> Vec<u64> {
    let undone: HashSet<u64> = history.undone();
    history
        .operations
        .iter()
        .filter(|later| later.id > operation && !later.failed && !undone.contains(&later.id))
        .filter(|later| later.changes.iter().any(|change| change.path == *path))
        .map(|later| later.id)
        .collect()
}
