//! Reading instruction files for whoever decides about them: what stands there, where it really is, and whose it is.
//!
//! A repository can name any path in an include, and put anything at a path that is looked at. So only regular files
//! are opened, nothing is waited for, and everything that is needed to decide is taken from the handle that was
//! read, not from the name.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, retry_on_intr};

use crate::limits::{MAX_INSTRUCTION_BYTES, MAX_LISTED};

/// The owner of a file or folder, and its permission bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ownership {
    /// The user's number.
    pub user: u32,
    /// The permission bits.
    pub mode: u32,
}

/// What stands at a path.
#[derive(Debug)]
pub enum Met {
    /// Nothing.
    Nothing,
    /// Something that is not opened, or cannot be; why, in words.
    Refused(String),
    /// A regular file.
    File {
        /// What stands in it.
        bytes: Vec<u8>,
        /// Where it is and whose.
        whereabouts: Whereabouts,
    },
    /// A folder.
    Folder {
        /// Names of its `*.md` files, links among them.
        files: Vec<PathBuf>,
        /// Names of the folders in it, links among them.
        folders: Vec<PathBuf>,
        /// Where it is and whose.
        whereabouts: Whereabouts,
    },
}

/// Where something is, and whose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// The path without any symbolic link in it.
    pub real: PathBuf,
    /// The owners of everything on the way: first the root, last the thing itself.
    pub owners: Vec<Ownership>,
}

/// Reads instruction files.
#[derive(Debug, Default)]
pub struct InstructionReader {
    /// Folders are above many files, and looked at once.
    folders: HashMap<PathBuf, Option<Ownership>>,
    /// Folders with files in them, opened once; `None` for one that cannot be.
    parents: Vec<(PathBuf, Option<Parent>)>,
}

/// An open folder. A file reached through its handle and through no link is where the folder is, whatever becomes of
/// the names above it.
#[derive(Debug)]
struct Parent {
    handle: OwnedFd,
    whereabouts: Whereabouts,
    /// Names of which its listing says that they are regular files, sorted: they need no look of their own before they are
    /// opened.
    regular: Vec<OsString>,
}

/// How many folders are kept open.
const MAX_PARENTS: usize = 64;
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOCTTY);

impl InstructionReader {
    /// The user on whose behalf files are read.
    #[must_use]
    pub fn user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// Reads a regular file whole.
    pub fn file(&mut self, path: &Path) -> Met {
        met(self.read_file(path))
    }

    /// Lists a folder.
    pub fn folder(&mut self, path: &Path) -> Met {
        met(self.read_folder(path))
    }

    fn read_file(&mut self, path: &Path) -> Result<Met, Trouble> {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name())
            && let Some(parent) = self.parent(folder, path)?
            && let Some(met) = parent.read_file(name)?
        {
            return Ok(met);
        }
        let stat = retry_on_intr(|| rustix::fs::stat(path))?;
        check_file(&stat)?;
        // Should it be swapped for a FIFO just now, opening it does not wait either.
        let handle = retry_on_intr(|| rustix::fs::open(path, FILE, Mode::empty()))?;
        let stat = retry_on_intr(|| rustix::fs::fstat(&handle))?;
        check_file(&stat)?;
        let whereabouts = self.whereabouts(path, &handle, &stat)?;
        let bytes = read_whole(&handle, &stat)?;
        Ok(Met::File { bytes, whereabouts })
    }

    /// The open folder of a path; `None` where it is to be reached by its name. Nearly no folder has files of ours, so that
    /// it is opened only once there is one.
    fn parent(&mut self, folder: &Path, path: &Path) -> Result<Option<&Parent>, Trouble> {
        let at = match self.parents.iter().position(|(known, _)| known == folder) {
            Some(at) => at,
            None => {
                retry_on_intr(|| rustix::fs::stat(path))?;
                if self.parents.len() >= MAX_PARENTS {
                    return Ok(None);
                }
                let opened = self.open_folder(folder).ok();
                self.parents.push((folder.to_path_buf(), opened));
                self.parents.len() - 1
            }
        };
        Ok(self.parents.get(at).and_then(|(_, parent)| parent.as_ref()))
    }

    fn open_folder(&mut self, path: &Path) -> Result<Parent, Trouble> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
        let stat = retry_on_intr(|| rustix::fs::fstat(&handle))?;
        let whereabouts = self.whereabouts(path, &handle, &stat)?;
        // It is above what is in it.
        let real = whereabouts.real.clone();
        self.folders.insert(real, Some(owner(&stat)));
        Ok(Parent {
            handle,
            whereabouts,
            regular: Vec::new(),
        })
    }

    fn read_folder(&mut self, path: &Path) -> Result<Met, Trouble> {
        let mut folder = self.open_folder(path)?;
        let whereabouts = folder.whereabouts.clone();
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for (number, entry) in Dir::read_from(&folder.handle)?.enumerate() {
            if number > MAX_LISTED {
                return Err(Trouble::Told(format!(
                    "the folder has more than {MAX_LISTED} entries"
                )));
            }
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name.starts_with(b".") {
                continue;
            }
            let name = PathBuf::from(OsStr::from_bytes(name));
            let kind = match entry.file_type() {
                FileType::Symlink | FileType::Unknown => rustix::fs::stat(path.join(&name))
                    .map_or(FileType::Unknown, |stat| {
                        FileType::from_raw_mode(stat.st_mode)
                    }),
                kind => kind,
            };
            if kind == FileType::RegularFile && entry.file_type() == kind {
                folder.regular.push(name.clone().into_os_string());
            }
            match kind {
                FileType::Directory => folders.push(name),
                _ if name.extension() == Some(OsStr::new("md")) => files.push(name),
                _ => {}
            }
        }
        if self.parents.len() < MAX_PARENTS {
            folder.regular.sort_unstable();
            self.parents.push((path.to_path_buf(), Some(folder)));
        }
        Ok(Met::Folder {
            files,
            folders,
            whereabouts,
        })
    }

    /// Where an opened thing is, by the kernel's own word, and whose everything on the way to it is.
    fn whereabouts(
        &mut self,
        path: &Path,
        handle: &OwnedFd,
        stat: &Stat,
    ) -> Result<Whereabouts, Trouble> {
        let link = format!("/proc/self/fd/{}", handle.as_raw_fd());
        let known = rustix::fs::readlink(link, Vec::new())
            .ok()
            .map(|target| PathBuf::from(OsStr::from_bytes(target.as_bytes())));
        let real = match known {
            Some(known) if known.is_absolute() && is_same(&known, stat) => known,
            _ => {
                let real = path.canonicalize()?;
                if !is_same(&real, stat) {
                    return Err(Trouble::Told(
                        "it was replaced while it was read".to_owned(),
                    ));
                }
                real
            }
        };
        let mut above: Vec<&Path> = real.ancestors().skip(1).collect();
        above.reverse();
        let mut owners = Vec::with_capacity(above.len() + 1);
        for folder in above {
            let look = || rustix::fs::lstat(folder).ok().map(|stat| owner(&stat));
            let known = *self
                .folders
                .entry(folder.to_path_buf())
                .or_insert_with(look);
            owners.extend(known);
        }
        owners.push(owner(stat));
        Ok(Whereabouts { real, owners })
    }
}

impl Parent {
    fn is_known_regular(&self, name: &OsStr) -> bool {
        let found = self
            .regular
            .binary_search_by(|known| known.as_os_str().cmp(name));
        found.is_ok()
    }

    /// Reads a file of the folder; `None` where it is a link, which may lead anywhere.
    fn read_file(&self, name: &OsStr) -> Result<Option<Met>, Trouble> {
        if !self.is_known_regular(name) {
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            let stat = retry_on_intr(|| rustix::fs::statat(&self.handle, name, flags))?;
            if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
                return Ok(None);
            }
            check_file(&stat)?;
        }
        // Should it have been swapped since, opening it neither waits nor follows.
        let flags = FILE | OFlags::NOFOLLOW;
        let handle =
            match retry_on_intr(|| rustix::fs::openat(&self.handle, name, flags, Mode::empty())) {
                Err(Errno::LOOP) => return Ok(None),
                opened => opened?,
            };
        let stat = retry_on_intr(|| rustix::fs::fstat(&handle))?;
        check_file(&stat)?;
        let mut owners = self.whereabouts.owners.clone();
        owners.push(owner(&stat));
        Ok(Some(Met::File {
            bytes: read_whole(&handle, &stat)?,
            whereabouts: Whereabouts {
                real: self.whereabouts.real.join(name),
                owners,
            },
        }))
    }
}

/// What stands in a regular file, from its beginning. With one byte more room than it has, a file that did not grow is
/// read in one call: a read that leaves room has met the end.
fn read_whole(handle: &OwnedFd, stat: &Stat) -> Result<Vec<u8>, Trouble> {
    let size = usize::try_from(stat.st_size).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size + 1);
    loop {
        retry_on_intr(|| rustix::io::read(handle, spare_capacity(&mut bytes)))?;
        if bytes.len() as u64 > MAX_INSTRUCTION_BYTES {
            return Err(Trouble::large());
        }
        if bytes.len() < bytes.capacity() {
            return Ok(bytes);
        }
        bytes.reserve(bytes.len());
    }
}

/// Why something is not read.
enum Trouble {
    Absent,
    Told(String),
}

impl Trouble {
    fn large() -> Self {
        Self::Told(format!("it is larger than {MAX_INSTRUCTION_BYTES} bytes"))
    }
}

impl From<Errno> for Trouble {
    fn from(error: Errno) -> Self {
        match error {
            // A name that cannot be is that of no file.
            Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG => Self::Absent,
            Errno::ACCESS | Errno::PERM => Self::Told("it may not be read".to_owned()),
            Errno::LOOP => Self::Told("its symbolic links lead in a circle".to_owned()),
            _ => Self::Told(io::Error::from(error).to_string()),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Absent,
            _ => Self::Told(error.to_string()),
        }
    }
}

fn met(result: Result<Met, Trouble>) -> Met {
    match result {
        Ok(met) => met,
        Err(Trouble::Absent) => Met::Nothing,
        Err(Trouble::Told(reason)) => Met::Refused(reason),
    }
}

fn check_file(stat: &Stat) -> Result<(), Trouble> {
    let found = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_size.cast_unsigned() > MAX_INSTRUCTION_BYTES => {
            return Err(Trouble::large());
        }
        FileType::RegularFile => return Ok(()),
        FileType::Directory => "a folder",
        FileType::Fifo => "a FIFO",
        FileType::Socket => "a socket",
        FileType::CharacterDevice | FileType::BlockDevice => "a device",
        _ => "something else",
    };
    Err(Trouble::Told(format!("it is {found}, not a regular file")))
}

fn is_same(path: &Path, stat: &Stat) -> bool {
    rustix::fs::lstat(path)
        .is_ok_and(|found| (found.st_dev, found.st_ino) == (stat.st_dev, stat.st_ino))
}

fn owner(stat: &Stat) -> Ownership {
    Ownership {
        user: stat.st_uid,
        mode: stat.st_mode & 0o7777,
    }
}
