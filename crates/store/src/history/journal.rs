//! The lock, the log and the heads, held together while something changes.

use std::sync::MutexGuard;

use jiff::Timestamp;
use memdir_memory::MemoryPath;

use super::HISTORY_FOLDER;
use super::ahead::ReadAhead;
use super::heads::Heads;
use super::log::Log;
use super::record::{FileRecord, Reason, Record, VERSION};
use super::recover;
use super::replace::{self, Rewritten};
use crate::digest::Digest;
use crate::directory::{Directory, Found, Stamp};
use crate::error::Result;
use crate::limits::lock_patience;
use crate::lock::{Applied, Lock};
use crate::retired::{self, Looked};
use crate::store::Store;
use crate::sweep;

/// What is held while something changes. Dropping it releases the lock.
pub(crate) struct Journal<'store> {
    pub(crate) memory: Directory,
    pub(crate) heads: Heads,
    pub(crate) log: Log,
    /// How long the log was when the lock was taken.
    began: u64,
    pub(crate) lock: Lock,
    pub(crate) folder: Directory,
    pub(crate) state: Directory,
    /// What came late into files that had come out of their place.
    pub(crate) looked: Looked,
    /// Where the heads go back to when all went well; the next journal need not read them again.
    cache: MutexGuard<'store, Option<Heads>>,
    clock: Timestamp,
}

/// What one file is to become, for the record of it.
pub(crate) struct Entry<'a> {
    pub(crate) path: &'a MemoryPath,
    pub(crate) before: Option<&'a Found>,
    pub(crate) after: Option<(&'a [u8], Stamp)>,
    pub(crate) tmp: Option<String>,
}

impl<'store> Journal<'store> {
    /// Takes the lock, reads what is new in the log, and finishes what a killed process began.
    pub(crate) fn open(store: &'store Store, what: &str) -> Result<Journal<'store>> {
        let memory = Directory::create(store.memory_directory())?;
        let state = Directory::create(store.state_directory())?;
        let mut cache = store.heads_cache();
        let mut ahead = ReadAhead::new(&state, cache.take());
        let lock = Lock::acquire(&state, what, lock_patience(), || ahead.read())?;
        replace::clear(&state)?;
        let folder = state.folder_or_create(HISTORY_FOLDER)?;
        let mut log = Log::open_or_create(&folder)?;
        let heads = ahead.finish(&folder, &log)?;
        if heads.upto < log.length {
            log.cut(heads.upto)?;
        }
        let mut journal = Journal {
            memory,
            heads,
            began: log.length,
            log,
            lock,
            folder,
            state,
            looked: Looked::default(),
            cache,
            clock: store.now(),
        };
        if journal.heads.last_operation == 0 {
            sweep::adopt(&mut journal)?;
        } else {
            recover::finish_last(&mut journal)?;
        }
        // Everything stands in the files: nobody will have to finish what an earlier segment says.
        if journal.log.begin_segment_when_due()? {
            journal.began = 0;
        }
        journal.looked = retired::look(&mut journal);
        // Whoever is killed from here on leaves only its own to finish.
        journal.lock.note_applied(journal.applied());
        Ok(journal)
    }

    /// Begins the record of an operation.
    pub(crate) fn record(&self, reason: Reason) -> Record {
        Record {
            v: VERSION,
            op: self.heads.last_operation + 1,
            at: self.clock,
            reason,
            undoes: None,
            aborts: None,
            purged: 0,
            files: Vec::new(),
        }
    }

    /// The record of one file's change, its content as short as it can be kept.
    pub(crate) fn file(&self, entry: Entry<'_>) -> FileRecord {
        let Entry {
            path,
            before,
            after,
            tmp,
        } = entry;
        let old = before.map(|found| found.bytes.as_slice());
        let new = after.map(|(bytes, _)| bytes);
        let (base, delta) = self.heads.keep(path, old, new, self.log.base());
        FileRecord {
            path: path.clone(),
            before: old.map(Digest::of),
            after: after.map(|(bytes, _)| Digest::of(bytes)),
            mtime_before: before.map(|found| found.stamp.mtime),
            mtime: after.map(|(_, stamp)| stamp.mtime),
            inode: after.map_or(0, |(_, stamp)| stamp.inode),
            tmp,
            base,
            delta,
        }
    }

    /// A change that somebody made behind our back, against the last content known; `None` when there is none.
    pub(crate) fn outside(&self, path: &MemoryPath, current: Option<&Found>) -> Option<FileRecord> {
        let known = self.heads.get(path).copied();
        let now = current.map(|found| Digest::of(&found.bytes));
        if known.map(|head| head.digest) == now {
            return None;
        }
        let after = current.map(|found| (found.bytes.as_slice(), found.stamp));
        // The content that is gone is in the log; to keep the new one as a difference is not worth looking it up.
        let mut file = self.file(Entry {
            path,
            before: None,
            after,
            tmp: None,
        });
        file.before = known.map(|head| head.digest);
        file.mtime_before = known.map(|head| head.mtime);
        Some(file)
    }

    /// Records what somebody left in a file, if that is news.
    pub(crate) fn append_outside(
        &mut self,
        path: &MemoryPath,
        current: Option<&Found>,
    ) -> Result<()> {
        let Some(file) = self.outside(path, current) else {
            return Ok(());
        };
        let mut outside = self.record(Reason::outside());
        outside.files.push(file);
        self.append(&[outside])
    }

    /// Where the log ends; what the lock file says once all of it stands in the files.
    pub(crate) fn applied(&self) -> Applied {
        Applied {
            operation: self.heads.last_operation,
            offset: self.log.length,
        }
    }

    /// Appends records and folds them in.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<()> {
        self.log.append(records)?;
        for record in records {
            self.heads.fold(record, self.log.base());
        }
        self.heads.upto = self.log.length;
        Ok(())
    }

    /// Puts another history in the place of this one; only a purge does.
    pub(crate) fn replace_history(&mut self, records: Vec<Rewritten>) -> Result<()> {
        (self.folder, self.log, self.heads) =
            replace::replace(&self.state, records, self.heads.last_operation)?;
        self.began = 0;
        Ok(())
    }

    /// Notes that the log stands in the files, releases the lock, and gives back what is left to sync.
    pub(crate) fn close(mut self) -> Log {
        self.lock.set_applied(self.applied());
        self.heads
            .save_when_due(&self.folder, &self.log, self.began);
        *self.cache = Some(self.heads);
        self.log
    }
}
