//! Our own settings file, `<home>/memdir.toml`, as `memdir config` changes it.
//!
//! It belongs to the user, who may have it open in an editor, or keep it elsewhere and have a link here. So the link is
//! followed, and what went out is compared with what was read.

use std::io;
use std::path::{Path, PathBuf};

use crate::directory::Directory;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::limits::{LOCK_PATIENCE, MAX_SETTINGS_BYTES};
use crate::records::RecordError;

/// The name of our settings file, in home and in the folder `.claude` of a project.
pub const SETTINGS_NAME: &str = "memdir.toml";
/// The lock among memdir processes, in our folder under home.
const LOCK_NAME: &str = "settings-lock";

/// Reads the user's settings file; `None` when there is none.
pub fn read_settings_file(home: &Path) -> Result<Option<String>, Error> {
    let Some((folder, name)) = place(home)? else {
        return Ok(None);
    };
    let found = match Directory::open(&folder)? {
        Some(directory) => directory.read(&name, MAX_SETTINGS_BYTES)?,
        None => None,
    };
    let text = found.map(|found| String::from_utf8(found.bytes));
    text.transpose().map_err(|_| {
        let problem = io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
        Error::io("read", folder.join(name), problem)
    })
}

/// Puts a text in the place of the one that was read. If somebody else wrote meanwhile, theirs stays, and the caller is
/// told.
pub fn replace_settings_file(
    home: &Path,
    seen: Option<&str>,
    text: &str,
) -> Result<(), RecordError> {
    let own = Directory::create(&home.join("memdir"))?;
    let _lock =
        FileLock::take(&own, LOCK_NAME, LOCK_PATIENCE)?.ok_or_else(|| RecordError::Busy {
            path: own.path().join(LOCK_NAME),
            waited_seconds: LOCK_PATIENCE.as_secs(),
        })?;
    let (folder, name) = match place(home)? {
        Some(place) => place,
        None => (home.to_path_buf(), SETTINGS_NAME.to_owned()),
    };
    let directory = Directory::create(&folder)?;
    let standing = directory.read(&name, MAX_SETTINGS_BYTES)?;
    let conflict = || RecordError::Conflict {
        path: folder.join(&name),
    };
    let is_seen = |bytes: Option<&[u8]>| bytes == seen.map(str::as_bytes);
    if !is_seen(standing.as_ref().map(|found| found.bytes.as_slice())) {
        return Err(conflict());
    }
    let mode = standing.as_ref().map(|found| found.mode);
    let temporary = directory.temporary(text.as_bytes(), mode, None)?;
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

/// Exchanges the new text with the one that stands there, and takes that back when it is not the one that was read.
fn swap(
    directory: &Directory,
    temporary: &str,
    name: &str,
    is_seen: &dyn Fn(Option<&[u8]>) -> bool,
) -> Result<bool, Error> {
    if !directory.exchange(temporary, name)? {
        return Ok(false);
    }
    let out = directory.read(temporary, MAX_SETTINGS_BYTES)?;
    if is_seen(out.as_ref().map(|found| found.bytes.as_slice())) {
        return Ok(true);
    }
    directory.exchange(temporary, name)?;
    Ok(false)
}

/// The folder and the name of the file itself, behind a link of the user's; `None` when nothing stands there.
fn place(home: &Path) -> Result<Option<(PathBuf, String)>, Error> {
    let path = home.join(SETTINGS_NAME);
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let real = path
        .canonicalize()
        .map_err(|error| Error::io("follow the link", &path, error))?;
    let name = real.file_name().and_then(|name| name.to_str());
    match (real.parent(), name) {
        (Some(folder), Some(name)) => Ok(Some((folder.to_path_buf(), name.to_owned()))),
        _ => Err(Error::NotPlain {
            path,
            found: "something that has no name",
        }),
    }
}
