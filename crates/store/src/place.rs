//! Putting one content in the place of another without overwriting anything unseen.
//!
//! Claude Code and editors take no lock of ours. So a new file goes in by an exchange, and what came out is compared
//! with what was expected there: if it differs, somebody wrote in that very instant and their content is still whole.

use rustix::io::Errno;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::limits::MAX_FILE_BYTES;
use crate::temporary::{Temporary, temporary_name};

/// How putting a content into place went.
#[derive(Debug)]
pub(crate) enum Placing {
    /// It stands there. What stood there before is kept under a temporary name, if anything did.
    Done(Option<String>),
    /// Somebody else was faster. Nothing of theirs is lost.
    Raced(Race),
}

/// What somebody else left in the place.
#[derive(Debug)]
pub(crate) struct Race {
    /// Their content; `None`: they removed the file.
    pub(crate) found: Option<Found>,
    /// Our content stands in the place, and theirs under this name; else theirs stands in the place.
    pub(crate) aside: Option<String>,
}

/// Puts a content where `expected` should stand.
pub(crate) fn put(
    folder: &Directory,
    name: &str,
    content: &Temporary,
    expected: Option<&[u8]>,
) -> Result<Placing> {
    let Some(expected) = expected else {
        return match folder.place_new(&content.name, name)? {
            true => Ok(Placing::Done(None)),
            false => raced(folder, name),
        };
    };
    match folder.exchange(&content.name, name) {
        Ok(true) => came_out(folder, &content.name, expected),
        Ok(false) => raced(folder, name),
        Err(error) if is_unsupported(&error) => {
            // No exchange on this file system: look, then rename. The window is small, not closed.
            match folder.read(name, MAX_FILE_BYTES)? {
                Some(found) if found.bytes == expected => folder
                    .rename_over(&content.name, name)
                    .map(|()| Placing::Done(None)),
                found => Ok(Placing::Raced(Race { found, aside: None })),
            }
        }
        Err(error) => Err(error),
    }
}

/// Takes away the file where `expected` should stand, to another name first.
pub(crate) fn take(
    folder: &Directory,
    name: &str,
    aside: &str,
    expected: &[u8],
) -> Result<Placing> {
    if folder.move_aside(name, aside)? {
        came_out(folder, aside, expected)
    } else {
        Ok(Placing::Done(None))
    }
}

/// Puts back what stood in a place before, best from where it was kept aside.
pub(crate) fn restore(
    folder: &Directory,
    name: &str,
    aside: Option<&str>,
    before: Option<&Found>,
) -> Result<()> {
    match (before, aside) {
        (None, _) => {
            let gone = temporary_name();
            if folder.move_aside(name, &gone)? {
                folder.remove(&gone)?;
            }
            Ok(())
        }
        (Some(_), Some(aside)) => folder.rename_over(aside, name),
        (Some(before), None) => {
            let temporary =
                folder.temporary(&before.bytes, Some(before.mode), Some(before.stamp.mtime))?;
            folder.rename_over(&temporary.name, name)
        }
    }
}

/// Undoes a move into place whose result could not be looked at; `false` when that failed as well.
pub(crate) fn take_back(folder: &Directory, name: &str, aside: &str, ours: Option<&[u8]>) -> bool {
    let read = |name: &str| {
        folder
            .read(name, MAX_FILE_BYTES)
            .map(|found| found.map(|found| found.bytes))
    };
    let (Ok(in_place), Ok(set_aside)) = (read(name), read(aside)) else {
        return false;
    };
    let moved = in_place.as_deref() == ours && set_aside.is_some() && set_aside.as_deref() != ours;
    match ours {
        _ if !moved => true,
        Some(_) => folder.exchange(aside, name).is_ok_and(|done| done),
        None => folder.place_new(aside, name).is_ok_and(|done| done),
    }
}

fn came_out(folder: &Directory, aside: &str, expected: &[u8]) -> Result<Placing> {
    match folder.read(aside, MAX_FILE_BYTES)? {
        Some(found) if found.bytes != expected => Ok(Placing::Raced(Race {
            found: Some(found),
            aside: Some(aside.to_owned()),
        })),
        _ => Ok(Placing::Done(Some(aside.to_owned()))),
    }
}

fn raced(folder: &Directory, name: &str) -> Result<Placing> {
    let found = folder.read(name, MAX_FILE_BYTES)?;
    Ok(Placing::Raced(Race { found, aside: None }))
}

fn is_unsupported(error: &Error) -> bool {
    let Error::Io { source, .. } = error else {
        return false;
    };
    let code = source.raw_os_error();
    [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP]
        .iter()
        .any(|errno| code == Some(errno.raw_os_error()))
}
