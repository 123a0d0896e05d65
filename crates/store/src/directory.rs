//! Handles: a directory opened once, everything reached beneath it without following a link.
//!
//! A name is resolved one component at a time, each opened with `O_NOFOLLOW` relative to the handle before
//! it. There is no path string that could be swapped between the check and the use, and no link is ever followed, so a
//! write cannot leave the directory. (`openat2` with `RESOLVE_NO_SYMLINKS` says the same in one call; nearly every
//! memory lies one component deep, where the two cost the same, and this form needs no second way for older kernels.)

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use memdir_memory::MemoryPath;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, retry_on_intr};

use crate::error::{Error, NOT_A_FOLDER, Result};

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
const PLAIN: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);
pub(crate) const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const PRIVATE_FOLDER: Mode = Mode::RWXU;

/// An open directory. Everything beneath it is reached through this handle.
#[derive(Debug)]
pub struct Directory {
    handle: OwnedFd,
    path: PathBuf,
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

impl Found {
    /// Whether this is only the beginning of a file that is too large to be read.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.stamp.size > u64::try_from(self.bytes.len()).unwrap_or(u64::MAX)
    }
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
                found: NOT_A_FOLDER,
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
        let open =
            |flags| retry_on_intr(|| rustix::fs::openat(&self.handle, name, flags, Mode::empty()));
        // Reading leaves no trace, so that the access time tells when an agent or a person last read
        // a memory. Only the owner of a file may ask for that.
        let opened = match open(PLAIN.union(OFlags::NOATIME)) {
            Err(Errno::PERM) => open(PLAIN),
            opened => opened,
        };
        let not_plain = |found| Error::NotPlain {
            path: path.clone(),
            found,
        };
        let handle = match opened {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(not_plain("a symbolic link")),
            Err(Errno::NXIO) => return Err(not_plain("a socket or device")),
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
}

impl Stamp {
    /// The stamp in a file's metadata.
    pub(crate) fn of(stat: &Stat) -> Stamp {
        Stamp {
            mtime: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            inode: stat.st_ino,
        }
    }
}

/// A time of the file system as nanoseconds since 1970; the ends of time are cut off.
pub(crate) fn nanoseconds(seconds: i64, rest: u64) -> i64 {
    let rest = i64::try_from(rest).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

pub(crate) fn stat_of(handle: impl AsFd) -> Result<Stat, Errno> {
    retry_on_intr(|| rustix::fs::fstat(&handle))
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
