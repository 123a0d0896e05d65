//! The files of the index: read without a lock, replaced whole under one, and only by who has seen what stands there.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use memdir_store::Directory;
use rustix::fs::{Mode, OFlags};

use super::{Index, State};
use crate::segment::Segment;

const BASE: &str = "base";
const DELTA: &str = "delta";
const LOCK: &str = "lock";
const BUILDING: &str = "building";
const TEMPORARY: &str = ".tmp";

/// Which of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Takes the place of both.
    Base,
    /// Takes the place of the delta.
    Delta,
}

/// Which files were there: inode and time of each.
pub(crate) type Mark = [Option<(u64, i64, i64)>; 2];

/// Where the index of one memory directory is.
#[derive(Clone, Debug)]
pub(crate) struct IndexFiles {
    folder: PathBuf,
}

impl IndexFiles {
    pub(crate) fn new(folder: PathBuf) -> IndexFiles {
        IndexFiles { folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells whether the files are others than before, without reading them.
    pub(crate) fn mark(&self) -> Mark {
        [BASE, DELTA].map(|name| {
            let metadata = std::fs::symlink_metadata(self.folder.join(name)).ok()?;
            Some((metadata.ino(), metadata.mtime(), metadata.mtime_nsec()))
        })
    }

    /// Opens what is there. What is missing, cut off, damaged or of another format is not there.
    pub(crate) fn open(&self) -> Index {
        let delta = match open(&self.folder.join(DELTA), OFlags::RDONLY) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            opened => match opened.map(Segment::open) {
                Ok(Ok(delta)) => Some(delta),
                // What it said about overwritten files the base does not know: both are made anew.
                _ => return Index::default(),
            },
        };
        let base = open(&self.folder.join(BASE), OFlags::RDONLY).map(Segment::open);
        Index::new(base.ok().and_then(Result::ok), delta)
    }

    /// Replaces a file of the index, unless somebody else writes or has written since `seen`: then theirs stands, and
    /// who comes next brings it up to date. No sync: what a power cut takes is made anew.
    pub(crate) fn replace(&self, seen: State, kind: Kind, bytes: &[u8]) -> io::Result<bool> {
        // Made by the store, so that it is nobody else's to read.
        Directory::create(&self.folder).map_err(io::Error::other)?;
        let Some(_lock) = self.try_lock()? else {
            return Ok(false);
        };
        if self.open().state() != seen {
            return Ok(false);
        }
        self.remove_leftovers()?;
        let name = match kind {
            Kind::Base => BASE,
            Kind::Delta => DELTA,
        };
        let temporary = self.folder.join(format!("{name}{TEMPORARY}"));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let mut file = open(&temporary, flags)?;
        file.write_all(bytes)?;
        std::fs::rename(&temporary, self.folder.join(name))?;
        if kind == Kind::Base {
            // It belongs to the old base and is none from now on in any case.
            let _ = std::fs::remove_file(self.folder.join(DELTA));
        }
        Ok(true)
    }

    /// Removes the index; a query after this makes it anew.
    pub(crate) fn remove(&self) -> io::Result<()> {
        for name in [BASE, DELTA] {
            match std::fs::remove_file(self.folder.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// What the index takes on disk.
    pub(crate) fn bytes(&self) -> u64 {
        [BASE, DELTA]
            .iter()
            .filter_map(|name| std::fs::metadata(self.folder.join(name)).ok())
            .map(|metadata| metadata.len())
            .sum()
    }

    /// Temporaries of writers that were killed. Under the lock there can be no others.
    fn remove_leftovers(&self) -> io::Result<()> {
        for name in [BASE, DELTA] {
            match std::fs::remove_file(self.folder.join(format!("{name}{TEMPORARY}"))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The right to read what is left: whoever has it is the only one. `None` while somebody else does.
    pub(crate) fn try_build(&self) -> io::Result<Option<File>> {
        Directory::create(&self.folder).map_err(io::Error::other)?;
        self.try_lock_on(BUILDING)
    }

    /// Whether somebody is at it.
    pub(crate) fn is_being_built(&self) -> bool {
        // Nothing is made for a look.
        self.folder.join(BUILDING).exists() && matches!(self.try_lock_on(BUILDING), Ok(None))
    }

    fn try_lock(&self) -> io::Result<Option<File>> {
        self.try_lock_on(LOCK)
    }

    fn try_lock_on(&self, name: &str) -> io::Result<Option<File>> {
        let flags = OFlags::RDWR | OFlags::CREATE;
        let file = open(&self.folder.join(name), flags)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Opens a file of ours; never through a link, and a FIFO in its place is not waited for.
fn open(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a plain file")),
    }
}
