//! Handles: a directory opened once, everything reached beneath it without following a link.
//!
//! A name is resolved one component at a time, each opened with `O_NOFOLLOW` relative to the handle before
//! it. There is no path string that could be swapped between the check and the use, and no link is ever followed, so a
//! write cannot leave the directory. (`openat2` with `RESOLVE_NO_SYMLINKS` says the same in one call; nearly every
//! memory lies one component deep, where the two cost the same, and this form needs no second way for older kernels.)

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memdir_memory::MemoryPath;
use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, RenameFlags, Stat, Timespec, Timestamps,
};
use rustix::io::{Errno, retry_on_intr};

use crate::error::{Error, Result};

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
const PLAIN: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const PRIVATE_FOLDER: Mode = Mode::RWXU;

/// An open directory. Everything beneath it is reached through this handle.
#[derive(Debug)]
pub struct Directory {
    handle: OwnedFd,
    path: PathBuf,
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Modification time in nanoseconds since 1970.
    pub mtime: i64,
    /// Size in bytes.
    pub size: u64,
    /// Inode number.
    pub inode: u64,
}

/// A plain file's content with the stamp and mode it had.
#[derive(Debug, Clone)]
pub struct Found {
    /// The content.
    pub bytes: Vec<u8>,
    /// Its stamp, taken from the same handle.
    pub stamp: Stamp,
    /// Its permissions.
    pub mode: u32,
}

/// A file that is written and synced under a temporary name, ready to go into place.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Held, and locked, for as long as the file is ours: a sweep removes only temporaries that nobody holds.
    _file: File,
    pub(crate) name: String,
    pub(crate) stamp: Stamp,
}

impl Directory {
    /// Opens a directory, which may be reached through a link of the user's; `None` when there is none.
    pub fn open(path: &Path) -> Result<Option<Directory>> {
        match retry_on_intr(|| rustix::fs::openat(CWD, path, FOLDER, Mode::empty())) {
            Ok(handle) => Ok(Some(Directory {
                handle,
                path: path.to_path_buf(),
            })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(Error::io("open the folder", path, error)),
        }
    }

    /// Opens a directory and makes it, and those above it, where they are missing; ours are 0700.
    pub fn create(path: &Path) -> Result<Directory> {
        if let Some(directory) = Directory::open(path)? {
            return Ok(directory);
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Error::io("create the folder", path, Errno::NOENT));
        };
        let parent = Directory::create(parent)?;
        parent.make_folder(Path::new(name))?;
        Directory::open(path)?.ok_or_else(|| Error::io("open the folder", path, Errno::NOENT))
    }

    /// Where the directory was opened, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// Where `name` would stand, for messages.
    pub(crate) fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Opens a folder directly beneath; never through a link.
    pub fn folder(&self, name: &str) -> Result<Option<Directory>> {
        let path = self.path_of(name);
        let flags = FOLDER.union(OFlags::NOFOLLOW);
        match retry_on_intr(|| rustix::fs::openat(&self.handle, name, flags, Mode::empty())) {
            Ok(handle) => Ok(Some(Directory { handle, path })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => Err(Error::NotPlain {
                path,
                found: "not a folder",
            }),
            Err(error) => Err(Error::io("open the folder", path, error)),
        }
    }

    /// Opens a folder directly beneath and makes it where it is missing.
    pub fn folder_or_create(&self, name: &str) -> Result<Directory> {
        if let Some(folder) = self.folder(name)? {
            return Ok(folder);
        }
        self.make_folder(Path::new(name))?;
        let path = self.path_of(name);
        self.folder(name)?
            .ok_or_else(|| Error::io("open the folder", path, Errno::NOENT))
    }

    fn make_folder(&self, name: &Path) -> Result<()> {
        match retry_on_intr(|| rustix::fs::mkdirat(&self.handle, name, PRIVATE_FOLDER)) {
            Ok(()) => self.sync(),
            Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(Error::io("create the folder", self.path.join(name), error)),
        }
    }

    /// The folder that holds `path`; `None` when it does not exist.
    pub fn parent_of(&self, path: &MemoryPath) -> Result<Option<Directory>> {
        self.walk(path, |folder, name| folder.folder(name))
    }

    /// The folder that holds `path`, made where it is missing.
    pub fn parent_of_or_create(&self, path: &MemoryPath) -> Result<Directory> {
        let found = self.walk(path, |folder, name| folder.folder_or_create(name).map(Some))?;
        found.ok_or_else(|| Error::io("open the folder", self.path_of(path.as_str()), Errno::NOENT))
    }

    fn walk(
        &self,
        path: &MemoryPath,
        step: impl Fn(&Directory, &str) -> Result<Option<Directory>>,
    ) -> Result<Option<Directory>> {
        let mut folder = self.same()?;
        let mut components = path.components().peekable();
        while let Some(component) = components.next() {
            if components.peek().is_some() {
                let Some(next) = step(&folder, component)? else {
                    return Ok(None);
                };
                folder = next;
            }
        }
        Ok(Some(folder))
    }

    /// The same folder through a handle with a position of its own, for listing.
    pub(crate) fn reopened(&self) -> Result<Directory> {
        let handle = retry_on_intr(|| rustix::fs::openat(&self.handle, ".", FOLDER, Mode::empty()))
            .map_err(|error| Error::io("open the folder", &self.path, error))?;
        Ok(Directory {
            handle,
            path: self.path.clone(),
        })
    }

    pub(crate) fn same(&self) -> Result<Directory> {
        let handle = self
            .handle
            .try_clone()
            .map_err(|error| Error::io("open the folder", &self.path, error))?;
        Ok(Directory {
            handle,
            path: self.path.clone(),
        })
    }

    /// Opens a plain file directly beneath for reading; FIFOs and devices are never waited for.
    pub(crate) fn open_plain(&self, name: &str) -> Result<Option<(File, Stat)>> {
        let path = self.path_of(name);
        let handle =
            match retry_on_intr(|| rustix::fs::openat(&self.handle, name, PLAIN, Mode::empty())) {
                Ok(handle) => handle,
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::LOOP) => {
                    return Err(Error::NotPlain {
                        path,
                        found: "a symbolic link",
                    });
                }
                Err(Errno::NXIO) => {
                    return Err(Error::NotPlain {
                        path,
                        found: "a socket or device",
                    });
                }
                Err(error) => return Err(Error::io("open", path, error)),
            };
        let stat = stat_of(&handle).map_err(|error| Error::io("look at", &path, error))?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Ok(Some((File::from(handle), stat))),
            other => Err(Error::NotPlain {
                path,
                found: kind_name(other),
            }),
        }
    }

    /// Reads a plain file directly beneath, whole, up to `limit` bytes.
    pub fn read(&self, name: &str, limit: u64) -> Result<Option<Found>> {
        let Some((file, stat)) = self.open_plain(name)? else {
            return Ok(None);
        };
        let path = || self.path_of(name);
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if size > limit {
            return Err(Error::TooLarge {
                path: path(),
                bytes: size,
                limit,
            });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        (&file)
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::io("read", path(), error))?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if length > limit {
            return Err(Error::TooLarge {
                path: path(),
                bytes: length,
                limit,
            });
        }
        // Somebody may have been writing in place: the stamp must belong to these bytes.
        let stamp = if length == size {
            Stamp::of(&stat)
        } else {
            Stamp {
                mtime: 0,
                size: length,
                inode: 0,
            }
        };
        Ok(Some(Found {
            bytes,
            stamp,
            mode: stat.st_mode & 0o7777,
        }))
    }

    /// Writes and syncs a temporary file beside the target it is meant for.
    pub(crate) fn temporary(
        &self,
        bytes: &[u8],
        mode: Option<u32>,
        mtime: Option<i64>,
    ) -> Result<Temporary> {
        loop {
            let name = temporary_name();
            match self.try_temporary(&name, bytes, mode, mtime) {
                Ok(Some(temporary)) => return Ok(temporary),
                // A sweep took it for an orphan in the instant before it was locked: make another.
                Ok(None) => {}
                Err(error) => {
                    // The first error is the one to report; what cannot be removed the next sweep removes.
                    let _ = self.remove(&name);
                    return Err(error);
                }
            }
        }
    }

    fn try_temporary(
        &self,
        name: &str,
        bytes: &[u8],
        mode: Option<u32>,
        mtime: Option<i64>,
    ) -> Result<Option<Temporary>> {
        let failed = |action: &'static str| {
            move |error: io::Error| Error::io(action, self.path_of(name), error)
        };
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = retry_on_intr(|| rustix::fs::openat(&self.handle, name, flags, PRIVATE_FILE))
            .map_err(|error| failed("create")(error.into()))?;
        let mut file = File::from(handle);
        retry_on_intr(|| rustix::fs::flock(&file, FlockOperation::LockExclusive))
            .map_err(|error| failed("lock")(error.into()))?;
        file.write_all(bytes).map_err(failed("write"))?;
        if let Some(mode) = mode.filter(|mode| mode & 0o7777 != PRIVATE_FILE.as_raw_mode()) {
            retry_on_intr(|| rustix::fs::fchmod(&file, Mode::from_raw_mode(mode)))
                .map_err(|error| failed("set the permissions of")(error.into()))?;
        }
        if let Some(mtime) = mtime {
            retry_on_intr(|| rustix::fs::futimens(&file, &times(mtime)))
                .map_err(|error| failed("set the time of")(error.into()))?;
        }
        // A failed sync means that the data are lost: the file is given up, never synced again.
        file.sync_all().map_err(failed("sync"))?;
        let stat = stat_of(&file).map_err(|error| failed("look at")(error.into()))?;
        let stamp = Stamp::of(&stat);
        if stamp.size != u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
            return Err(failed("write")(io::Error::other(
                "the disk took fewer bytes than it said",
            )));
        }
        Ok((stat.st_nlink > 0).then(|| Temporary {
            _file: file,
            name: name.to_owned(),
            stamp,
        }))
    }

    /// Puts a temporary where nothing stands yet; `false` when something does.
    pub(crate) fn place_new(&self, temporary: &str, name: &str) -> Result<bool> {
        let placed = match self.rename(temporary, name, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag; a second link does the same, then the first goes.
            Err(Errno::INVAL | Errno::NOSYS) => self.link_and_remove(temporary, name),
            placed => placed,
        };
        match placed {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(Error::io("put into place", self.path_of(name), error)),
        }
    }

    fn link_and_remove(&self, temporary: &str, name: &str) -> Result<(), Errno> {
        let flags = AtFlags::empty();
        retry_on_intr(|| rustix::fs::linkat(&self.handle, temporary, &self.handle, name, flags))?;
        retry_on_intr(|| rustix::fs::unlinkat(&self.handle, temporary, flags))
    }

    /// Swaps a temporary with the file that stands there; `false` when none does.
    pub(crate) fn exchange(&self, temporary: &str, name: &str) -> Result<bool> {
        match self.rename(temporary, name, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(Error::io("put into place", self.path_of(name), error)),
        }
    }

    /// Puts one file in the place of another, whatever stands there.
    pub(crate) fn rename_over(&self, from: &str, name: &str) -> Result<()> {
        self.rename(from, name, RenameFlags::empty())
            .map_err(|error| Error::io("put into place", self.path_of(name), error))
    }

    /// Moves a file to a temporary name; `false` when there is none.
    pub(crate) fn move_aside(&self, name: &str, temporary: &str) -> Result<bool> {
        match self.rename(name, temporary, RenameFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(Error::io("remove", self.path_of(name), error)),
        }
    }

    fn rename(&self, from: &str, to: &str, flags: RenameFlags) -> Result<(), Errno> {
        retry_on_intr(|| rustix::fs::renameat_with(&self.handle, from, &self.handle, to, flags))
    }

    /// Replaces or creates a file of ours whole: temporary, sync, rename, sync of the directory.
    pub fn replace_file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.replace_unsynced(name, bytes)?;
        self.sync()
    }

    /// As [`Directory::replace_file`], but the rename may be lost with the power: for what can be derived again.
    pub(crate) fn replace_unsynced(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let temporary = self.temporary(bytes, None, None)?;
        self.rename_over(&temporary.name, name).inspect_err(|_| {
            let _ = self.remove(&temporary.name);
        })
    }

    /// Removes a file directly beneath; missing is fine.
    pub fn remove(&self, name: &str) -> Result<()> {
        match retry_on_intr(|| rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(Error::io("remove", self.path_of(name), error)),
        }
    }

    /// Makes renames and removals in this directory durable.
    pub fn sync(&self) -> Result<()> {
        retry_on_intr(|| rustix::fs::fsync(&self.handle))
            .map_err(|error| Error::io("sync the folder", &self.path, error))
    }

    /// Removes a temporary that its maker left behind; one that is still held stays.
    pub(crate) fn remove_orphan(&self, name: &str) -> Result<bool> {
        let Some((file, _)) = self.open_plain(name)? else {
            return Ok(false);
        };
        match retry_on_intr(|| rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => self.remove(name).map(|()| true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(Error::io("lock", self.path_of(name), error)),
        }
    }
}

impl Stamp {
    /// The stamp in a file's metadata.
    pub(crate) fn of(stat: &Stat) -> Stamp {
        Stamp {
            mtime: i64::try_from(stat.st_mtime)
                .unwrap_or(i64::MAX)
                .saturating_mul(1_000_000_000)
                .saturating_add(i64::try_from(stat.st_mtime_nsec).unwrap_or(0)),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            inode: stat.st_ino,
        }
    }
}

fn stat_of(handle: impl AsFd) -> Result<Stat, Errno> {
    retry_on_intr(|| rustix::fs::fstat(&handle))
}

fn times(mtime: i64) -> Timestamps {
    let time = Timespec {
        tv_sec: mtime.div_euclid(1_000_000_000),
        tv_nsec: mtime.rem_euclid(1_000_000_000),
    };
    Timestamps {
        last_access: time,
        last_modification: time,
    }
}

fn kind_name(kind: FileType) -> &'static str {
    match kind {
        FileType::Directory => "a folder",
        FileType::Symlink => "a symbolic link",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        _ => "something unknown",
    }
}

const TEMPORARY_PREFIX: &str = ".memdir-";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Whether a directory entry is a temporary of ours.
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    name.starts_with(TEMPORARY_PREFIX.as_bytes()) && name.ends_with(TEMPORARY_SUFFIX.as_bytes())
}

/// A name that no other process and no earlier one with the same PID has used.
pub(crate) fn temporary_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let since = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_nanos();
    let process = std::process::id();
    format!("{TEMPORARY_PREFIX}{process:x}-{since:x}-{count:x}{TEMPORARY_SUFFIX}")
}
