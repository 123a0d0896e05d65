//! An index that is larger than any memory may be.
//!
//! Whatever put it there, nothing else may fail over it: it is read as far as an index counts, with a line that names the
//! rest. The first change that touches it moves it aside, whole, and leaves the part that counts in its place.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use memdir_memory::MemoryPath;
use memdir_memory::index::{beginning, load};
use rustix::io::{Errno, retry_on_intr};

use crate::directory::{Directory, Found, Stamp};
use crate::error::{Error, Result};
use crate::history::journal::Journal;
use crate::limits::MAX_FILE_BYTES;
use crate::purge::{Purged, traces};
use crate::store::Store;
use crate::temporary::{bare_name, temporary_name};

/// Where such files are kept, in the state folder.
const OVERSIZED_FOLDER: &str = "oversized";
/// Far more than counts of an index.
const BEGINNING: u64 = 256 * 1024;

/// Reads a memory file; of an index that is too large, what counts of it, with a line that names the rest.
pub(crate) fn read(folder: &Directory, path: &MemoryPath) -> Result<Option<Found>> {
    match folder.read(path.file_name(), MAX_FILE_BYTES) {
        Err(Error::TooLarge { bytes, limit, .. }) if path.is_index() => {
            read_beginning(folder, path.file_name(), |start| {
                beginning(start, bytes, limit)
            })
        }
        found => found,
    }
}

fn read_beginning(
    folder: &Directory,
    name: &str,
    cut: impl Fn(&[u8]) -> Vec<u8>,
) -> Result<Option<Found>> {
    let Some((file, stat)) = folder.open_plain(name)? else {
        return Ok(None);
    };
    let start = start_of(&file).map_err(|error| Error::io("read", folder.path_of(name), error))?;
    Ok(Some(Found {
        bytes: cut(&start),
        stamp: Stamp::of(&stat),
        mode: stat.st_mode & 0o7777,
    }))
}

fn start_of(file: &File) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(BEGINNING).read_to_end(&mut start)?;
    Ok(start)
}

/// An index that was moved aside: how large it is, and where it is now.
pub(crate) struct SetAside {
    pub(crate) bytes: u64,
    pub(crate) kept: PathBuf,
}

/// Moves an index that is too large aside, whole, and leaves in its place what counts of it. `None` where it is not.
pub(crate) fn set_aside(
    journal: &mut Journal<'_>,
    folder: &Directory,
    path: &MemoryPath,
) -> Result<Option<SetAside>> {
    let name = path.file_name();
    let bytes = match folder.read(name, MAX_FILE_BYTES) {
        Err(Error::TooLarge { bytes, .. }) if path.is_index() => bytes,
        // Whatever else is wrong with it, others say.
        _ => return Ok(None),
    };
    let cut = |start: &[u8]| match load(start).text {
        text if text.is_empty() => Vec::new(),
        text => [text.trim_end_matches('\n').as_bytes(), b"\n"].concat(),
    };
    let Some(found) = read_beginning(folder, name, cut)? else {
        return Ok(None);
    };
    let temporary = folder.temporary(&found.bytes, Some(found.mode), None)?;
    let kept = match keep(journal, folder, name) {
        Ok(kept) => kept,
        Err(error) => {
            let _ = folder.remove(&temporary.name);
            return Err(error);
        }
    };
    if !folder.place_new(&temporary.name, name)? {
        // Somebody has made a new one already.
        folder.remove(&temporary.name)?;
    }
    folder.sync()?;
    let now = folder.read(name, MAX_FILE_BYTES)?;
    journal.append_outside(path, now.as_ref())?;
    Ok(Some(SetAside { bytes, kept }))
}

/// Gives the file a name where it is kept; on another file system than the state folder it stays beside the memories, under a name
/// that no memory has.
fn keep(journal: &Journal<'_>, folder: &Directory, name: &str) -> Result<PathBuf> {
    let shelf = journal.state.folder_or_create(OVERSIZED_FOLDER)?;
    let temporary = temporary_name();
    let kept = format!("{name}.{}", bare_name(&temporary));
    let moved =
        retry_on_intr(|| rustix::fs::renameat(folder.handle(), name, shelf.handle(), &kept));
    let place = match moved {
        Ok(()) => &shelf,
        Err(Errno::XDEV) => {
            let kept = kept.as_str();
            retry_on_intr(|| rustix::fs::renameat(folder.handle(), name, folder.handle(), kept))
                .map_err(|error| Error::io("move aside", folder.path_of(name), error))?;
            folder
        }
        Err(error) => return Err(Error::io("move aside", folder.path_of(name), error)),
    };
    place.sync()?;
    Ok(place.path_of(&kept))
}

impl Store {
    /// Files that were too large and were moved aside, with their sizes.
    pub fn set_aside(&self) -> Result<Vec<(PathBuf, u64)>> {
        let folder = self.state_directory().join(OVERSIZED_FOLDER);
        let mut files = Vec::new();
        let Ok(entries) = std::fs::read_dir(&folder) else {
            return Ok(files);
        };
        for entry in entries.flatten() {
            if let Ok(about) = entry.metadata() {
                files.push((entry.path(), about.len()));
            }
        }
        files.sort();
        Ok(files)
    }
}

/// As [`set_aside`], for whoever changes an index without an operation.
pub(crate) fn set_index_aside(journal: &mut Journal<'_>, path: &MemoryPath) -> Result<()> {
    match journal.memory.parent_of(path)? {
        Some(folder) => set_aside(journal, &folder, path).map(drop),
        None => Ok(()),
    }
}

/// Removes those that have a text or a name of what is purged in them.
pub(crate) fn purge(state: &Path, purged: &Purged) -> Result<()> {
    let names = purged.names.iter().map(|name| name.file_name().to_owned());
    let needles: Vec<String> = names.chain(purged.needles.iter().cloned()).collect();
    for file in traces(&state.join(OVERSIZED_FOLDER), &needles) {
        std::fs::remove_file(&file).map_err(|error| Error::io("remove", file, error))?;
    }
    Ok(())
}
