//! Reading files that somebody else made and that stand outside of any handle of ours: settings,
//! git's pointers.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// A folder, FIFO, socket or device.
    #[error("not a regular file")]
    NotRegular,
    /// More than the caller wants to know.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The most that would have been read.
        limit: u64,
    },
    /// The system said no.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads a regular file whole; `None` when there is none.
///
/// Looked at before it is opened, because opening alone can have effects (a device) or never end (a
/// FIFO), and looked at again once it is open, because it may have been swapped in between.
pub fn read_regular(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, Unreadable> {
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
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    File::from(handle).take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(Unreadable::TooLarge { limit });
    }
    Ok(Some(bytes))
}

fn check(stat: &rustix::fs::Stat, limit: u64) -> Result<u64, Unreadable> {
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(Unreadable::NotRegular);
    }
    let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
    if size > limit {
        Err(Unreadable::TooLarge { limit })
    } else {
        Ok(size)
    }
}
