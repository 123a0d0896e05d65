//! Putting one content in the place of another without overwriting anything unseen.
//!
//! Claude Code and editors take no lock of ours. So a new file goes in by an exchange, and what came out is compared
//! with what was expected there: if it differs, somebody wrote in that very instant and their content is still whole.

use rustix::io::Errno;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::limits::MAX_FILE_BYTES;
use crate::temporary::temporary_name;

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

/// Puts the content of a temporary where `expected` should stand.
pub(crate) fn put(
    folder: &Directory,
    name: &str,
    temporary: &str,
    expected: Option<&[u8]>,
) -> Result<Placing> {
    let Some(expected) = expected else {
        return match folder.place_new(temporary, name)? {
            true => Ok(Placing::Done(None)),
            false => raced(folder, name),
        };
    };
    match folder.exchange(temporary, name) {
        Ok(true) => came_out(folder, temporary, expected),
        Ok(false) => raced(folder, name),
        Err(error) if is_unsupported(&error) => {
            // No exchange on this file system: look, then rename. The window is small, not closed.
            match folder.read(name, MAX_FILE_BYTES)? {
                Some(found) if found.bytes == expected => folder
                    .rename_over(temporary, name)
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

/// Brings a place from one content to another, which may be there under the name `aside` already. What somebody else
/// wrote there stays.
pub(crate) fn change(
    folder: &Directory,
    name: &str,
    from: Option<&[u8]>,
    to: Option<&Found>,
    aside: Option<&str>,
) -> Result<()> {
    let made;
    let (placing, left) = match (to, aside) {
        (None, _) => {
            let gone = temporary_name();
            let taken = take(folder, name, &gone, from.unwrap_or_default())?;
            (taken, gone)
        }
        (Some(_), Some(aside)) => (put(folder, name, aside, from)?, aside.to_owned()),
        (Some(to), None) => {
            made = folder.temporary(&to.bytes, Some(to.mode), Some(to.stamp.mtime))?;
            (put(folder, name, &made.name, from)?, made.name.clone())
        }
    };
    let ours = to.map(|to| to.bytes.as_slice());
    if let Placing::Raced(Race { aside: Some(_), .. }) = placing
        && !give_back(folder, name, &left, ours)?
    {
        return Err(Error::io("put back", folder.path_of(name), Errno::BUSY));
    }
    folder.remove(&left)
}

/// Undoes a move into place, whether it was made or not: what came out under the name `aside` goes back in the place of
/// ours. `false` when somebody wrote there since: then `aside` still holds what is not ours.
pub(crate) fn give_back(
    folder: &Directory,
    name: &str,
    aside: &str,
    ours: Option<&[u8]>,
) -> Result<bool> {
    let holds = |name: &str| match folder.read(name, MAX_FILE_BYTES) {
        Ok(None) => Ok(Holds::Nothing),
        Ok(Some(found)) if Some(found.bytes.as_slice()) == ours => Ok(Holds::Ours),
        Ok(Some(_)) | Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => Ok(Holds::Theirs),
        Err(error) => Err(error),
    };
    match holds(aside)? {
        Holds::Nothing | Holds::Ours => Ok(true),
        Holds::Theirs => match holds(name)? {
            Holds::Nothing => folder.place_new(aside, name),
            Holds::Ours => Ok(folder.exchange(aside, name)? && holds(aside)? == Holds::Ours),
            Holds::Theirs => Ok(false),
        },
    }
}

/// Whose content a name holds.
#[derive(PartialEq)]
enum Holds {
    Nothing,
    Ours,
    Theirs,
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
