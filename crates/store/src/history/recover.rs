//! Finishing what a killed process began.
//!
//! An operation is in the log before it is in the files. If the last ones are not known to be applied, each file they
//! name is looked at: still as before, it is brought to what the log says; already so, it is left; changed by somebody
//! else meanwhile, both changes are put together.

use std::collections::BTreeMap;

use memdir_memory::MemoryPath;

use super::content::look_up;
use super::journal::{Entry, Journal};
use super::record::{Author, FileRecord, Reason, Record};
use crate::digest::Digest;
use crate::directory::{Directory, Found, PRIVATE_FILE, Stamp};
use crate::error::{Error, Result};
use crate::limits::MAX_FILE_BYTES;
use crate::merge::{Merged, merge};
use crate::place;
use crate::retired;

/// What unfinished operations say about one file.
struct Unfinished {
    /// Contents it may still have.
    befores: Vec<Option<Digest>>,
    /// What it was to become.
    last: FileRecord,
    temporaries: Vec<String>,
}

/// Brings the files to what the log says, where that is not known to be so.
pub(crate) fn finish_last(journal: &mut Journal<'_>) -> Result<()> {
    for (path, unfinished) in unfinished(records(journal)?) {
        let folder = match unfinished.last.after {
            Some(_) => journal.memory.parent_of_or_create(&path).map(Some),
            None => journal.memory.parent_of(&path),
        };
        match folder {
            Ok(Some(folder)) => finish(journal, &folder, &path, &unfinished)?,
            // Somebody put something else in the place: not ours to finish, and no reason to stop everything.
            Ok(None) | Err(Error::NotPlain { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The records that are not known to be applied.
fn records(journal: &Journal<'_>) -> Result<Vec<Record>> {
    let end = journal.applied();
    let known = journal.lock.applied();
    if known == Some(end) {
        return Ok(Vec::new());
    }
    let fits = known.filter(|known| known.operation <= end.operation && known.offset <= end.offset);
    let from = fits.map_or(journal.log.base(), |known| known.offset);
    let mut records = journal.log.read_from(from)?.records;
    if fits.is_none() {
        // The lock file says nothing about this log (it was never synced, somebody removed it, a purge was killed): look
        // at the last one only. Older ones were finished by whoever came after them.
        records = records.pop().into_iter().collect();
    }
    Ok(records.into_iter().map(|(record, _)| record).collect())
}

fn unfinished(records: Vec<Record>) -> BTreeMap<MemoryPath, Unfinished> {
    let mut files = BTreeMap::<MemoryPath, Unfinished>::new();
    for record in records {
        if record.aborts.is_some() {
            // By then everything had been taken back.
            files.clear();
        }
        if record.aborts.is_some() || record.reason.who == Author::Outside {
            // Only tells what stood in the files already: nothing to do, whatever stands there now.
            continue;
        }
        for file in record.files {
            let entry = files
                .entry(file.path.clone())
                .or_insert_with(|| Unfinished {
                    befores: Vec::new(),
                    last: file.clone(),
                    temporaries: Vec::new(),
                });
            entry.befores.extend([entry.last.after, file.before]);
            entry.temporaries.extend(file.tmp.clone());
            entry.last = file;
        }
    }
    files
}

fn finish(
    journal: &mut Journal<'_>,
    folder: &Directory,
    path: &MemoryPath,
    unfinished: &Unfinished,
) -> Result<()> {
    let name = path.file_name();
    let displaced = displaced(journal, folder, path, unfinished)?;
    let current = match folder.read(name, MAX_FILE_BYTES) {
        Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => None,
        current => Some(current?),
    };
    if let Some((aside, theirs)) = displaced {
        put_together(journal, folder, unfinished, current, theirs.clone())?;
        journal.log.sync()?;
        retired::keep(journal, folder, &aside, path, Some(&theirs.bytes));
        return Ok(());
    }
    let Some(current) = current else {
        return Ok(());
    };
    let goal = unfinished.last.after;
    let now = digest(current.as_ref());
    if now == goal || !unfinished.befores.contains(&now) {
        return Ok(());
    }
    let goal = match goal.map(|goal| look_up(&journal.log, path, goal)) {
        None => None,
        Some(Ok(bytes)) => Some(Found {
            bytes,
            stamp: Stamp {
                mtime: unfinished.last.mtime.unwrap_or(0),
                ..Stamp::default()
            },
            mode: current
                .as_ref()
                .map_or(PRIVATE_FILE.as_raw_mode(), |found| found.mode),
        }),
        // A damaged line: what stands there stays, and is recorded when next noticed.
        Some(Err(Error::Unknown { .. })) => return Ok(()),
        Some(Err(error)) => return Err(error),
    };
    let from = current.as_ref().map(|found| found.bytes.as_slice());
    place::change(folder, name, from, goal.as_ref(), None)?;
    folder.sync()
}

fn digest(found: Option<&Found>) -> Option<Digest> {
    found.map(|found| Digest::of(&found.bytes))
}

/// What came out of an exchange that nobody lived to compare, if it is not what was expected there.
fn displaced(
    journal: &Journal<'_>,
    folder: &Directory,
    path: &MemoryPath,
    unfinished: &Unfinished,
) -> Result<Option<(String, Found)>> {
    let mut displaced = None;
    for name in &unfinished.temporaries {
        let found = match folder.read(name, MAX_FILE_BYTES) {
            Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => None,
            found => found?,
        };
        let Some(found) = found else { continue };
        let digest = Some(Digest::of(&found.bytes));
        if unfinished.last.after == digest {
            folder.remove(name)?;
        } else if unfinished.befores.contains(&digest) {
            retired::keep(journal, folder, name, path, Some(&found.bytes));
        } else {
            displaced = Some((name.clone(), found));
        }
    }
    Ok(displaced)
}

/// Puts a displaced content and ours together. Where they do not fit, theirs stands and ours is in the history; where
/// somebody wrote again since, that stands and theirs is in the history.
fn put_together(
    journal: &mut Journal<'_>,
    folder: &Directory,
    unfinished: &Unfinished,
    current: Option<Option<Found>>,
    theirs: Found,
) -> Result<()> {
    let FileRecord { path, after, .. } = &unfinished.last;
    journal.append_outside(path, Some(&theirs))?;
    let Some(current) = current else {
        return Ok(());
    };
    if digest(current.as_ref()) != *after {
        return journal.append_outside(path, current.as_ref());
    }
    let mut goal = theirs.clone();
    goal.bytes = merged(journal, &unfinished.last, &theirs.bytes)?;
    if goal.bytes != theirs.bytes {
        let mut repair = journal.record(Reason::new(Author::Rules, "finish after a crash"));
        repair.files.push(journal.file(Entry {
            path,
            before: Some(&theirs),
            after: Some((&goal.bytes, goal.stamp)),
            tmp: None,
        }));
        journal.append(&[repair])?;
    }
    let ours = current.as_ref().map(|found| found.bytes.as_slice());
    place::change(folder, path.file_name(), ours, Some(&goal), None)?;
    folder.sync()
}

/// Ours and theirs in one; theirs alone where ours is no change of lines, cannot be looked up or does not fit.
fn merged(journal: &Journal<'_>, ours: &FileRecord, theirs: &[u8]) -> Result<Vec<u8>> {
    let (Some(before), Some(after)) = (ours.before, ours.after) else {
        return Ok(theirs.to_vec());
    };
    let content = |digest| look_up(&journal.log, &ours.path, digest);
    let (Ok(base), Ok(ours)) = (content(before), content(after)) else {
        return Ok(theirs.to_vec());
    };
    match merge(&base, &ours, theirs) {
        Merged::Clean(bytes) => Ok(bytes),
        Merged::Conflict(_) => Ok(theirs.to_vec()),
    }
}
