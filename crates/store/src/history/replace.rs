//! Putting another history in the place of this one: what a purge does at its end.
//!
//! The new history is written whole into a folder beside the old one; then the two folders change places in one step, and
//! the old one goes. Whoever is killed on the way leaves one whole history, and beside it a folder that the next writer
//! removes.

use std::io::ErrorKind;
use std::path::Path;

use rustix::fs::RenameFlags;
use rustix::io::{Errno, retry_on_intr};

use super::HISTORY_FOLDER;
use super::heads::Heads;
use super::log::Log;
use super::past::Texts;
use super::record::{FileRecord, Record, VERSION};
use crate::digest::Digest;
use crate::directory::Directory;
use crate::error::{Error, Result};

/// The history that comes, until it has come; then the one that goes.
pub(crate) const OTHER_FOLDER: &str = "history.other";
/// The one that goes, where two folders cannot change places in one step.
const GONE_FOLDER: &str = "history.gone";

/// A record of the new history, with the contents that it names.
pub(crate) struct Rewritten {
    pub(crate) record: Record,
    pub(crate) contents: Vec<Texts>,
}

/// Whether a killed purge has left something in a state folder.
pub(crate) fn is_left(state: &Path) -> bool {
    [OTHER_FOLDER, GONE_FOLDER]
        .iter()
        .any(|name| state.join(name).exists())
}

/// Removes what a killed purge left, and completes one that was killed between two steps.
pub(crate) fn clear(state: &Directory) -> Result<()> {
    if state.folder(HISTORY_FOLDER)?.is_none() && state.folder(GONE_FOLDER)?.is_some() {
        // The new one was whole before the old one went.
        let whole = match state.folder(OTHER_FOLDER)? {
            Some(_) => OTHER_FOLDER,
            None => GONE_FOLDER,
        };
        rename(state, whole, HISTORY_FOLDER, RenameFlags::empty())?;
    }
    remove(state, OTHER_FOLDER)?;
    remove(state, GONE_FOLDER)
}

/// Writes the new history and puts it in the place of the old one.
pub(crate) fn replace(
    state: &Directory,
    records: Vec<Rewritten>,
    last_operation: u64,
) -> Result<(Directory, Log, Heads)> {
    clear(state)?;
    let folder = state.folder_or_create(OTHER_FOLDER)?;
    let mut log = Log::open_or_create(&folder)?;
    let mut heads = Heads::load(&folder, &log);
    let mut batch = Vec::new();
    for Rewritten {
        mut record,
        contents,
    } in records
    {
        record.v = VERSION;
        for (file, texts) in record.files.iter_mut().zip(contents) {
            if let Texts::Known(before, after) = texts {
                rewrite(
                    file,
                    before.as_deref(),
                    after.as_deref(),
                    &heads,
                    log.base(),
                );
            }
        }
        heads.fold(&record, log.base());
        batch.push(record);
        if batch.len() >= BATCH {
            log.append(&std::mem::take(&mut batch))?;
            log.begin_segment_when_due()?;
        }
    }
    log.append(&batch)?;
    log.sync()?;
    heads.upto = log.length;
    // No number is given twice.
    heads.last_operation = last_operation;
    heads.save(&folder, &log);
    folder.sync()?;
    exchange(state)?;
    clear(state)?;
    let folder = state.folder_or_create(HISTORY_FOLDER)?;
    let log = Log::open_or_create(&folder)?;
    Ok((folder, log, heads))
}

/// So many records are written at a time.
const BATCH: usize = 64;

fn rewrite(
    file: &mut FileRecord,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    heads: &Heads,
    segment: u64,
) {
    file.before = before.map(Digest::of);
    file.after = after.map(Digest::of);
    (file.base, file.delta) = heads.keep(&file.path, before, after, segment);
    file.tmp = None;
}

fn exchange(state: &Directory) -> Result<()> {
    match rename(state, OTHER_FOLDER, HISTORY_FOLDER, RenameFlags::EXCHANGE) {
        Err(Error::Io { source, .. }) if is_unsupported(&source) => {
            rename(state, HISTORY_FOLDER, GONE_FOLDER, RenameFlags::empty())?;
            state.sync()?;
            rename(state, OTHER_FOLDER, HISTORY_FOLDER, RenameFlags::empty())?;
        }
        exchanged => exchanged?,
    }
    state.sync()
}

fn is_unsupported(error: &std::io::Error) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn rename(state: &Directory, from: &str, to: &str, flags: RenameFlags) -> Result<()> {
    let handle = state.handle();
    retry_on_intr(|| rustix::fs::renameat_with(handle, from, handle, to, flags))
        .map_err(|error| Error::io("put into place", state.path_of(to), error))
}

fn remove(state: &Directory, name: &str) -> Result<()> {
    let path = state.path_of(name);
    match std::fs::remove_dir_all(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::io("remove", path, error)),
        _ => Ok(()),
    }
}
