//! The history as people look at it.

use std::collections::HashSet;

use jiff::Timestamp;
use memdir_memory::MemoryPath;

use super::content::{Contents, look_up_before};
use super::journal::Journal;
use super::log::{Log, Stretch};
use super::record::{Author, FIRST_SIGHT, Reason, Record};
use crate::digest::Digest;
use crate::error::{Error, Result};
use crate::oversized;
use crate::store::Store;

/// The operations on a memory directory, oldest first: all of them, or the latest.
#[derive(Debug)]
pub struct History {
    /// Oldest first.
    pub operations: Vec<Operation>,
    /// Lines that cannot be read.
    pub damaged: usize,
    /// Of each segment that was read, the latest first.
    contents: Vec<Contents>,
    /// What was not read, and how many segments that are.
    older: Option<(Log, usize)>,
}

/// One operation of the past.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its number.
    pub id: u64,
    /// When.
    pub at: Timestamp,
    /// By whom and why.
    pub reason: Reason,
    /// The operation that it took back.
    pub undoes: Option<u64>,
    /// The failed operation that it took back.
    aborts: Option<u64>,
    /// It failed midway and was taken back at once, or is that taking back: nothing came of it.
    pub failed: bool,
    /// Whether a purge removed some of what it did.
    pub purged: bool,
    /// What it did to which file.
    pub changes: Vec<Change>,
}

/// What an operation did to one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Which file.
    pub path: MemoryPath,
    /// The content before; `None`: no file.
    pub before: Option<Digest>,
    /// The content after; `None`: no file.
    pub after: Option<Digest>,
    /// The modification time before.
    pub mtime_before: Option<i64>,
    /// The modification time after.
    pub mtime: Option<i64>,
}

impl Store {
    /// Reads the whole history. Writes nothing.
    pub fn history(&self) -> Result<History> {
        self.history_until(|_| false)
    }

    /// Reads the history from its end back until that is enough, so that what is recent costs the same however long it is.
    /// Writes nothing.
    pub fn history_until(&self, is_enough: impl Fn(&History) -> bool) -> Result<History> {
        let mut history = History {
            operations: Vec::new(),
            damaged: 0,
            contents: Vec::new(),
            older: None,
        };
        let Some(log) = self.open_log()? else {
            return Ok(history);
        };
        for segment in (0..log.segment_count()).rev() {
            history.add_older(log.read_segment(segment, 0)?);
            if segment > 0 && is_enough(&history) {
                history.older = Some((log, segment));
                return Ok(history);
            }
        }
        Ok(history)
    }

    /// Reads the history back to one operation, with those that it takes back.
    pub fn history_of(&self, operation: u64) -> Result<History> {
        self.history_until(|history| history.has_row_of(operation))
    }
}

/// So much of the end of the history is read for the latest operations.
const LATEST_BYTES: u64 = 64 * 1024;

impl Store {
    /// The latest operations, oldest first: as many as the last 64 KiB of the history hold, however long it is. Writes
    /// nothing.
    pub fn latest(&self) -> Result<Vec<Operation>> {
        let Some(log) = self.open_log()? else {
            return Ok(Vec::new());
        };
        let records = log.tail(LATEST_BYTES)?;
        Ok(records.iter().map(Operation::of).collect())
    }

    /// Records that somebody we know wrote a file by their own means: an agent with a tool of its client. Whether that was
    /// news.
    pub fn adopt(&self, path: &MemoryPath, reason: Reason) -> Result<bool> {
        let mut journal = Journal::open(self, &reason.what)?;
        let current = match journal.memory.parent_of(path)? {
            Some(folder) => oversized::read(&folder, path)?,
            None => None,
        };
        let Some(file) = journal.outside(path, current.as_ref()) else {
            return Ok(false);
        };
        let mut record = journal.record(reason);
        record.files.push(file);
        journal.append(&[record])?;
        journal.close().sync()?;
        Ok(true)
    }
}

impl Operation {
    fn of(record: &Record) -> Operation {
        let changes = record.files.iter().map(|file| Change {
            path: file.path.clone(),
            before: file.before,
            after: file.after,
            mtime_before: file.mtime_before,
            mtime: file.mtime,
        });
        Operation {
            id: record.op,
            at: record.at,
            reason: record.reason.clone(),
            undoes: record.undoes,
            aborts: record.aborts,
            failed: false,
            purged: record.purged > 0,
            changes: changes.collect(),
        }
    }

    /// Whether it only recorded what was there when the directory was first seen.
    pub fn is_first_sight(&self) -> bool {
        self.reason.who == Author::Outside && self.reason.what == FIRST_SIGHT
    }
}

impl History {
    /// Takes over the segment before those that were read.
    fn add_older(&mut self, stretch: Stretch) {
        self.damaged += stretch.damaged;
        let mut operations = Vec::with_capacity(stretch.records.len() + self.operations.len());
        let mut contents = Contents::default();
        for (record, _) in stretch.records {
            operations.push(Operation::of(&record));
            contents.add(record);
        }
        operations.append(&mut self.operations);
        self.operations = operations;
        self.contents.push(contents);
        let aborted = self.operations.iter().filter_map(|one| one.aborts);
        let aborted: HashSet<u64> = aborted.collect();
        for operation in &mut self.operations {
            operation.failed = operation.aborts.is_some() || aborted.contains(&operation.id);
        }
    }

    /// One operation.
    pub fn get(&self, id: u64) -> Result<&Operation> {
        let found = self.operations.iter().find(|operation| operation.id == id);
        // Numbers count up from 1: one that is missing was there once.
        let last = self.operations.last().map_or(0, |last| last.id);
        found.ok_or(match id < last && id > 0 && self.damaged == 0 {
            true => Error::PurgedOperation(id),
            false => Error::NoOperation(id),
        })
    }

    /// Whether an operation is here, and all that it takes back.
    fn has_row_of(&self, id: u64) -> bool {
        let first = self.operations.first().map_or(0, |first| first.id);
        let mut next = Some(id);
        while let Some(id) = next {
            if id < first {
                return false;
            }
            next = match self.get(id) {
                Ok(operation) => operation.undoes.filter(|undone| *undone < id),
                // It is nowhere.
                Err(_) => None,
            };
        }
        true
    }

    /// The content of a file that has this digest.
    pub fn content(&self, path: &MemoryPath, digest: Digest) -> Result<Vec<u8>> {
        let mut read = self.contents.iter();
        if let Some(content) = read.find_map(|contents| contents.find(path, digest)) {
            return Ok(content);
        }
        match &self.older {
            Some((log, segments)) => look_up_before(log, *segments, path, digest),
            None => Err(Error::Unknown {
                path: path.clone(),
                digest,
            }),
        }
    }

    /// Operations that stand taken back.
    pub fn undone(&self) -> HashSet<u64> {
        let mut undone = HashSet::new();
        for operation in self.operations.iter().rev() {
            // An undo that was itself undone takes nothing back.
            if let Some(target) = operation.undoes.filter(|_| !undone.contains(&operation.id)) {
                undone.insert(target);
            }
        }
        undone
    }

    /// The last change made through memdir that stands: what `undo` takes back when it is not told which.
    pub fn last_undoable(&self) -> Option<&Operation> {
        let undone = self.undone();
        self.operations.iter().rev().find(|operation| {
            operation.undoes.is_none()
                && !operation.failed
                && operation.reason.who != Author::Outside
                && !undone.contains(&operation.id)
        })
    }
}
