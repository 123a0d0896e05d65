//! Finishing what a killed process began.
//!
//! An operation is in the log before it is in the files. If the last ones are not known to be applied, each file they
//! name is looked at: still as before, it is brought to what the log says; already so, it is left; changed by somebody
//! else meanwhile, both changes are put together.

use std::collections::BTreeMap;

use memdir_memory::MemoryPath;

use super::content::Contents;
use super::journal::{Entry, Journal};
use super::record::{Author, FileRecord, Reason};
use crate::digest::Digest;
use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::limits::MAX_FILE_BYTES;
use crate::merge::{Merged, merge};
use crate::place::{self, Placing};
use crate::temporary::temporary_name;

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
    let applied = journal.lock.applied();
    let last = journal.heads.last_operation;
    if last == 0 || applied.is_some_and(|applied| applied.operation >= last) {
        return Ok(());
    }
    for (path, unfinished) in unfinished(journal)? {
        if let Some(folder) = folder_for(journal, &path, &unfinished)? {
            finish(journal, &folder, &path, &unfinished)?;
        }
    }
    Ok(())
}

fn unfinished(journal: &Journal<'_>) -> Result<BTreeMap<MemoryPath, Unfinished>> {
    let applied = journal
        .lock
        .applied()
        .filter(|applied| applied.offset <= journal.log.length);
    let mut records = journal
        .log
        .read_from(applied.map_or(0, |applied| applied.offset))?
        .records;
    if applied.is_none() {
        // The lock file says nothing (it was never synced, or somebody removed it): look at the last one only.
        // Older ones were finished by whoever came after them.
        records = records.pop().into_iter().collect();
    }
    let mut files = BTreeMap::<MemoryPath, Unfinished>::new();
    for file in records.into_iter().flat_map(|(record, _)| record.files) {
        let entry = files
            .entry(file.path.clone())
            .or_insert_with(|| Unfinished {
                befores: Vec::new(),
                last: file.clone(),
                temporaries: Vec::new(),
            });
        entry.befores.push(file.before);
        entry.temporaries.extend(file.tmp.clone());
        entry.last = file;
    }
    Ok(files)
}

fn folder_for(
    journal: &Journal<'_>,
    path: &MemoryPath,
    unfinished: &Unfinished,
) -> Result<Option<Directory>> {
    match unfinished.last.after {
        Some(_) => journal.memory.parent_of_or_create(path).map(Some),
        None => journal.memory.parent_of(path),
    }
}

fn finish(
    journal: &mut Journal<'_>,
    folder: &Directory,
    path: &MemoryPath,
    unfinished: &Unfinished,
) -> Result<()> {
    let name = path.file_name();
    let goal = unfinished.last.after;
    let displaced = displaced(folder, unfinished)?;
    let current = match folder.read(name, MAX_FILE_BYTES) {
        // Somebody put something else in the place: not ours to finish, and no reason to stop everything.
        Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => return Ok(()),
        current => current?,
    };
    let now = current.as_ref().map(|found| Digest::of(&found.bytes));
    if let Some((aside, found)) = displaced {
        put_together(journal, folder, unfinished, found)?;
        return folder.remove(&aside);
    }
    if now == goal || !unfinished.befores.contains(&now) {
        return Ok(());
    }
    let expected = current.as_ref().map(|found| found.bytes.as_slice());
    let placing = match goal {
        Some(digest) => {
            let bytes = Contents::read(&journal.log)?.find(path, digest)?;
            let mode = current.as_ref().map(|found| found.mode);
            let temporary = folder.temporary(&bytes, mode, unfinished.last.mtime)?;
            journal.heads.restamp(path, temporary.stamp);
            place::put(folder, name, &temporary, expected)?
        }
        None => place::take(
            folder,
            name,
            &temporary_name(),
            expected.unwrap_or_default(),
        )?,
    };
    match placing {
        Placing::Done(Some(aside)) => folder.remove(&aside)?,
        Placing::Done(None) => {}
        // Somebody writes this file right now: theirs stays, and is recorded when next noticed.
        Placing::Raced(race) => {
            if let Some(aside) = race.aside {
                place::restore(folder, name, Some(&aside), race.found.as_ref())?;
            }
        }
    }
    folder.sync()
}

/// What came out of an exchange that nobody lived to compare, if it is not what was expected there.
fn displaced(folder: &Directory, unfinished: &Unfinished) -> Result<Option<(String, Found)>> {
    let mut displaced = None;
    for name in &unfinished.temporaries {
        let found = match folder.read(name, MAX_FILE_BYTES) {
            Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => None,
            found => found?,
        };
        let Some(found) = found else { continue };
        let digest = Some(Digest::of(&found.bytes));
        if unfinished.befores.contains(&digest) || unfinished.last.after == digest {
            folder.remove(name)?;
        } else {
            displaced = Some((name.clone(), found));
        }
    }
    Ok(displaced)
}

/// Puts a displaced content and ours together; where they do not fit, theirs stands and ours is in the history.
fn put_together(
    journal: &mut Journal<'_>,
    folder: &Directory,
    unfinished: &Unfinished,
    theirs: Found,
) -> Result<()> {
    let FileRecord {
        path,
        before,
        after,
        ..
    } = &unfinished.last;
    let contents = Contents::read(&journal.log)?;
    let look_up = |digest: &Option<Digest>| match digest {
        Some(digest) => contents.find(path, *digest),
        None => Ok(Vec::new()),
    };
    let (base, ours) = (look_up(before)?, look_up(after)?);
    let merged = match merge(&base, &ours, &theirs.bytes) {
        Merged::Clean(bytes) => bytes,
        Merged::Conflict(_) => theirs.bytes.clone(),
    };
    let temporary = folder.temporary(&merged, Some(theirs.mode), None)?;
    let mut outside = journal.record(Reason::outside());
    outside.files.extend(journal.outside(path, Some(&theirs)));
    journal.append(&[outside])?;
    if merged != theirs.bytes {
        let mut repair = journal.record(Reason::new(Author::Rules, "finish after a crash"));
        let after = Some((merged.as_slice(), temporary.stamp));
        repair.files.push(journal.file(Entry {
            path,
            before: Some(&theirs),
            after,
            tmp: None,
        }));
        journal.append(&[repair])?;
    }
    folder.rename_over(&temporary.name, path.file_name())?;
    folder.sync()
}
