//! Bringing the index up to date with the files, at the price of what changed.
//!
//! - Nothing changed: one look at each folder's modification time, none at any file.
//! - A folder gained, lost or exchanged a name: it is listed, names and inode numbers are compared with those of the last
//!   listing, and what is new is read.
//! - A file was overwritten in place: its folder does not tell. In a folder of ordinary size that is listed anyway each
//!   file's time and size are looked at; in any other a sweep finds it, and whoever would show it.

mod changes;
mod diff;
mod intake;
mod listing;
mod names;
mod note;
mod read;
mod refresh;

pub(crate) use changes::Refreshed;
pub use note::Watch;
pub(crate) use note::{note, watch};
pub(crate) use refresh::{Look, Reach, refresh};

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use memdir_store::Directory;

use crate::Error;

/// Where memories are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The memory directory.
    Project,
    /// What waits for the user's decision.
    Inbox,
    /// The memories that hold for all projects.
    Everywhere,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 3] = [Scope::Project, Scope::Inbox, Scope::Everywhere];

    /// The number by which the index knows it.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    pub(crate) fn of(number: u8) -> Option<Scope> {
        Scope::ALL
            .into_iter()
            .find(|scope| scope.number() == number)
    }
}

/// A directory of memories.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) scope: Scope,
    pub(crate) path: PathBuf,
}

impl Root {
    pub(crate) fn open(&self) -> Result<Option<Directory>, Error> {
        Ok(Directory::open(&self.path)?)
    }

    /// The part of a path beneath it, where the path begins as this one is written.
    pub(crate) fn beneath<'a>(&self, path: &'a Path) -> Option<&'a str> {
        let path = path.as_os_str().as_bytes();
        let beneath = path.strip_prefix(self.path.as_os_str().as_bytes())?;
        std::str::from_utf8(beneath.strip_prefix(b"/")?).ok()
    }

    /// The same for a path with superfluous signs.
    pub(crate) fn beneath_however_written<'a>(&self, path: &'a Path) -> Option<&'a str> {
        path.strip_prefix(&self.path).ok()?.to_str()
    }
}

/// Opens a folder beneath a root, step by step and through no link; `None` when it is gone.
pub(crate) fn open_folder(
    root: &Directory,
    path: &str,
) -> Result<Option<Directory>, memdir_store::Error> {
    let mut folder = None;
    for name in path.split('/').filter(|name| !name.is_empty()) {
        folder = folder.as_ref().unwrap_or(root).folder(name)?;
        if folder.is_none() {
            break;
        }
    }
    Ok(folder)
}

/// Folder and name of a path.
pub(crate) fn split(path: &str) -> (&str, &str) {
    match path.rfind('/') {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    }
}
