//! Reading files that somebody else made and that stand outside of any handle of ours: settings,
//! git's pointers.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use crate::limits::MAX_TRANSCRIPT_BYTES;

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// A folder, FIFO, socket or device.
    #[error("not a regular file")]
    NotRegular,
    /// More than the caller wants to know.
    #[error("it has {size} bytes, more than the {limit} that memdir reads")]
    TooLarge {
        /// Its size, as far as it is known.
        size: u64,
        /// The most that would have been read.
        limit: u64,
    },
    /// The system said no.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads a regular file whole; `None` when there is none.
pub fn read_regular(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Unreadable> {
    let Some((file, size)) = open(path, limit)? else {
        return Ok(None);
    };
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if size > limit {
        return Err(Unreadable::TooLarge { size, limit });
    }
    Ok(Some(bytes))
}

/// Opens a regular file of any size for reading, such as a transcript; `None` when there is none.
pub fn open_regular(path: &Path) -> Result<Option<File>, Unreadable> {
    Ok(open(path, u64::MAX)?.map(|(file, _)| file))
}

/// Opens a transcript for reading; `None` when there is none. One that no conversation can have left is refused at once.
pub fn open_transcript(path: &Path) -> Result<Option<File>, Unreadable> {
    Ok(open(path, MAX_TRANSCRIPT_BYTES)?.map(|(file, _)| file))
}

/// Looked at before it is opened, because opening alone can have effects (a device) or never end (a
/// FIFO), and looked at again once it is open, because it may have been swapped in between.
fn open(path: &Path, limit: u64) -> Result<Option<(File, u64)>, Unreadable> {
    let stat = match retry_on_intr(|| rustix::fs::stat(path)) {
        Ok(stat) => stat,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(error) => return Err(Unreadable::Io(error.into())),
    };
    check(&stat, limit)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let handle = match retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty())) {
        Ok(handle) => handle,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(error) => return Err(Unreadable::Io(error.into())),
    };
    let stat = retry_on_intr(|| rustix::fs::fstat(&handle)).map_err(io::Error::from)?;
    let size = check(&stat, limit)?;
    Ok(Some((File::from(handle), size)))
}

fn check(stat: &rustix::fs::Stat, limit: u64) -> Result<u64, Unreadable> {
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Unreadable::NotRegular);
    }
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    if size > limit {
        Err(Unreadable::TooLarge { size, limit })
    } else {
        Ok(size)
    }
}

/// The canonical path of a folder that exists. The kernel knows it and is asked, since the usual way
/// looks at every component in turn, and this happens at each start of the program.
pub(crate) fn canonical_folder(path: &Path) -> io::Result<PathBuf> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let handle = retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?;
    let link = format!("/proc/self/fd/{}", handle.as_raw_fd());
    let known = rustix::fs::readlink(link, Vec::new())
        .ok()
        .map(|target| PathBuf::from(OsStr::from_bytes(target.as_bytes())));
    match known {
        // What was removed or is out of reach the kernel marks in words, which could be a name too.
        Some(known) if known.is_absolute() && !known.as_os_str().as_bytes().ends_with(b")") => {
            Ok(known)
        }
        _ => path.canonicalize(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_canonical_folder_is_the_one_that_the_usual_way_finds() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        for name in ["plain", "gone (deleted)", "(unreachable)"] {
            let folder = root.join(name);
            std::fs::create_dir(&folder).unwrap();
            assert_eq!(canonical_folder(&folder).unwrap(), folder);
        }
        let link = root.join("link");
        std::os::unix::fs::symlink("plain", &link).unwrap();
        assert_eq!(
            canonical_folder(&link.join("../link/.")).unwrap(),
            root.join("plain")
        );
        std::fs::write(root.join("file"), "").unwrap();
        for (name, kind) in [
            ("file", io::ErrorKind::NotADirectory),
            ("none", io::ErrorKind::NotFound),
        ] {
            assert_eq!(canonical_folder(&root.join(name)).unwrap_err().kind(), kind);
        }
    }
}
