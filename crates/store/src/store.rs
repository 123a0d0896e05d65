//! The store of one memory directory.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use memdir_memory::MemoryPath;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::history::HISTORY_FOLDER;
use crate::history::heads::Heads;
use crate::history::log::Log;
use crate::oversized;
use crate::walk::walk;

/// The folder of team memory.
pub(crate) const TEAM_FOLDER: &str = "team";

/// One memory directory, with its history and state beside it.
///
/// Making one touches nothing on disk; neither does reading. See [`Store::operation`] for changing.
#[derive(Debug)]
pub struct Store {
    memory: PathBuf,
    state: PathBuf,
    now: Option<Timestamp>,
    heads: Mutex<Option<Heads>>,
}

impl Store {
    /// A store for a memory directory whose history and state live in another folder.
    pub fn new(memory: impl Into<PathBuf>, state: impl Into<PathBuf>) -> Store {
        Store {
            memory: memory.into(),
            state: state.into(),
            now: None,
            heads: Mutex::new(None),
        }
    }

    /// The same store at a fixed time, for tests.
    #[must_use]
    pub fn at(mut self, now: Timestamp) -> Store {
        self.now = Some(now);
        self
    }

    /// Where the memories are.
    pub fn memory_directory(&self) -> &Path {
        &self.memory
    }

    /// Where history, lock and state are.
    pub fn state_directory(&self) -> &Path {
        &self.state
    }

    /// Reads one file of the memory directory; `None` when there is none.
    pub fn read(&self, path: &MemoryPath) -> Result<Option<Found>> {
        let Some(memory) = Directory::open(&self.memory)? else {
            return Ok(None);
        };
        let Some(folder) = memory.parent_of(path)? else {
            return Ok(None);
        };
        oversized::read(&folder, path)
    }

    /// Makes the memory directory where it is missing, and the team's in it if wanted; whether it was missing. The index is
    /// not made: there is nothing to index.
    pub fn ensure(&self, team: bool) -> Result<bool> {
        let (memory, was_missing) = match Directory::open(&self.memory)? {
            Some(memory) => (memory, false),
            None => (Directory::create(&self.memory)?, true),
        };
        if team {
            memory.folder_or_create(TEAM_FOLDER)?;
        }
        Ok(was_missing)
    }

    /// Every Markdown file beneath the memory directory: topics, indexes and logs. Dot-files are none.
    pub fn files(&self) -> Result<Vec<MemoryPath>> {
        let mut files = Vec::new();
        if let Some(memory) = Directory::open(&self.memory)? {
            walk(&memory, |_| true, |met, _| files.push(met.path))?;
        }
        files.sort();
        Ok(files)
    }

    /// The same for whoever must not miss one: fails where a folder or a file could not be looked at.
    pub fn every_file(&self) -> Result<Vec<MemoryPath>> {
        let mut files = Vec::new();
        if let Some(memory) = Directory::open(&self.memory)? {
            let aside = walk(&memory, |_| true, |met, _| files.push(met.path))?;
            if let Some(unread) = aside.skipped.into_iter().find(|skipped| skipped.unread) {
                let path = memory.path().join(unread.path);
                return Err(Error::io(
                    "read",
                    path,
                    std::io::Error::other(unread.reason),
                ));
            }
        }
        files.sort();
        Ok(files)
    }

    /// The folder of the history, where there is one.
    pub(crate) fn history_folder(&self) -> Result<Option<Directory>> {
        match Directory::open(&self.state)? {
            Some(state) => state.folder(HISTORY_FOLDER),
            None => Ok(None),
        }
    }

    /// The log, for reading, where there is one.
    pub(crate) fn open_log(&self) -> Result<Option<Log>> {
        match self.history_folder()? {
            Some(folder) => Log::open(&folder),
            None => Ok(None),
        }
    }

    /// A store of other files, at the same time.
    pub(crate) fn beside(&self, memory: PathBuf, state: PathBuf) -> Store {
        Store {
            now: self.now,
            ..Store::new(memory, state)
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }

    pub(crate) fn heads_cache(&self) -> MutexGuard<'_, Option<Heads>> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
