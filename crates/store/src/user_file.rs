//! Files of the user's that others read as well: settings of ours and of the clients.
//!
//! The user may have one open in an editor, or keep it elsewhere and have a link here. So the link is followed, and what went
//! out is compared with what was read.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::directory::Directory;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::limits::{MAX_USER_FILE_BYTES, lock_patience};
use crate::records::RecordError;
use crate::temporary::temporary_name;

/// The lock among memdir processes, in our folder under home.
const LOCK_NAME: &str = "settings-lock";

/// Reads a file of the user's; `None` when there is none.
pub fn read_user_file(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let Some((folder, name)) = place(path)? else {
        return Ok(None);
    };
    let found = match Directory::open(&folder)? {
        Some(directory) => directory.read(&name, MAX_USER_FILE_BYTES)?,
        None => None,
    };
    Ok(found.map(|found| found.bytes))
}

/// The same as text.
pub fn read_user_text(path: &Path) -> Result<Option<String>, Error> {
    let text = read_user_file(path)?.map(String::from_utf8);
    text.transpose().map_err(|_| {
        let problem = io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
        Error::io("read", path, problem)
    })
}

/// Puts new content in the place of what was read; `None` takes the file away. If somebody else wrote meanwhile, theirs
/// stays, and the caller is told. A new file has this mode, or is the user's alone; `own` is our folder under home.
pub fn replace_user_file(
    own: &Path,
    path: &Path,
    seen: Option<&[u8]>,
    new: Option<&[u8]>,
    mode: Option<u32>,
) -> Result<(), RecordError> {
    let own = Directory::create(own)?;
    let _lock =
        FileLock::take(&own, LOCK_NAME, lock_patience())?.ok_or_else(|| RecordError::Busy {
            path: own.path().join(LOCK_NAME),
            waited_seconds: lock_patience().as_secs(),
        })?;
    let (folder, name) = match place(path)? {
        Some(place) => place,
        None => parts(path)?,
    };
    let directory = Directory::create(&folder)?;
    let standing = directory.read(&name, MAX_USER_FILE_BYTES)?;
    let conflict = || RecordError::Conflict {
        path: path.to_path_buf(),
    };
    let is_seen = |bytes: Option<&[u8]>| bytes == seen;
    if !is_seen(standing.as_ref().map(|found| found.bytes.as_slice())) {
        return Err(conflict());
    }
    let Some(new) = new else {
        let taken = seen.is_none() || take_away(&directory, &name, &is_seen)?;
        return match taken {
            true => Ok(directory.sync()?),
            false => Err(conflict()),
        };
    };
    let mode = standing.as_ref().map(|found| found.mode).or(mode);
    directory.remove_orphans(&[]);
    let temporary = directory.temporary(new, mode, None)?;
    let placed = match standing {
        None => directory.place_new(&temporary.name, &name),
        Some(_) => swap(&directory, &temporary.name, &name, &is_seen),
    };
    if !matches!(placed, Ok(true)) || seen.is_some() {
        directory.remove(&temporary.name)?;
    }
    match placed? {
        true => Ok(directory.sync()?),
        false => Err(conflict()),
    }
}

/// Removes a folder in which nothing is left; one with something in it stays.
pub fn remove_empty_folder(path: &Path) -> Result<bool, Error> {
    match rustix::fs::rmdir(path) {
        Ok(()) => Ok(true),
        Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(false),
        Err(error) => Err(Error::io("remove the folder", path, error)),
    }
}

/// Exchanges the new content with what stands there, and takes that back when it is not what was read.
fn swap(
    directory: &Directory,
    temporary: &str,
    name: &str,
    is_seen: &dyn Fn(Option<&[u8]>) -> bool,
) -> Result<bool, Error> {
    if !directory.exchange(temporary, name)? {
        return Ok(false);
    }
    if is_still(directory, temporary, is_seen)? {
        return Ok(true);
    }
    directory.exchange(temporary, name)?;
    Ok(false)
}

/// Removes a file, unless it is not the one that was read.
fn take_away(
    directory: &Directory,
    name: &str,
    is_seen: &dyn Fn(Option<&[u8]>) -> bool,
) -> Result<bool, Error> {
    let aside = temporary_name();
    if !directory.move_aside(name, &aside)? {
        return Ok(false);
    }
    if is_still(directory, &aside, is_seen)? {
        directory.remove(&aside)?;
        return Ok(true);
    }
    // Whoever has written a newer one by now keeps it; this one is theirs as well, and stays beside it.
    directory.place_new(&aside, name)?;
    Ok(false)
}

fn is_still(
    directory: &Directory,
    name: &str,
    is_seen: &dyn Fn(Option<&[u8]>) -> bool,
) -> Result<bool, Error> {
    let out = directory.read(name, MAX_USER_FILE_BYTES)?;
    Ok(is_seen(out.as_ref().map(|found| found.bytes.as_slice())))
}

/// The folder and the name of the file itself, behind a link of the user's; `None` when nothing stands there.
fn place(path: &Path) -> Result<Option<(PathBuf, String)>, Error> {
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let real = path
        .canonicalize()
        .map_err(|error| Error::io("follow the link", path, error))?;
    parts(&real).map(Some)
}

fn parts(path: &Path) -> Result<(PathBuf, String), Error> {
    let name = path.file_name().and_then(|name| name.to_str());
    match (path.parent(), name) {
        (Some(folder), Some(name)) => Ok((folder.to_path_buf(), name.to_owned())),
        _ => Err(Error::NotPlain {
            path: path.to_path_buf(),
            found: "something that has no name",
        }),
    }
}
