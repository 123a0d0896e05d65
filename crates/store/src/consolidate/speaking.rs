//! `.consolidate-lock`, the file that speaks to Claude Code.

use std::io::Read;

use jiff::Timestamp;

use super::FILE_NAME;
use crate::directory::{Directory, Stamp};
use crate::error::{Error, Result};

/// A PID and some blanks.
const MAX_BODY: u64 = 64;

/// The file in its directory.
#[derive(Debug)]
pub(super) struct Speaking {
    memory: Directory,
}

/// What the file says at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The PID in its body; none: empty, or not a PID.
    pub(super) pid: Option<u32>,
    /// Its modification time in nanoseconds.
    pub(super) mtime: i64,
    mode: u32,
    inode: u64,
}

impl Speaking {
    pub(super) fn open(memory: Directory) -> Self {
        Self { memory }
    }

    /// Reads the file; none: there is none. Anything but a regular file is an error.
    pub(super) fn read(&self) -> Result<Option<Said>> {
        self.read_as(FILE_NAME)
    }

    fn read_as(&self, name: &str) -> Result<Option<Said>> {
        let Some((file, stat)) = self.memory.open_plain(name)? else {
            return Ok(None);
        };
        let mut body = String::new();
        let read = (&file).take(MAX_BODY).read_to_string(&mut body);
        let pid = match read {
            Ok(_) => body.trim().parse().ok(),
            // Not text: nobody's PID.
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => None,
            Err(error) => return Err(Error::io("read", self.memory.path_of(name), error)),
        };
        let Stamp { mtime, inode, .. } = Stamp::of(&stat);
        Ok(Some(Said {
            pid,
            mtime,
            mode: stat.st_mode & 0o7777,
            inode,
        }))
    }

    /// Writes a PID or nothing, with this mtime, in the place of what was read there. In one step, so that
    /// a kill leaves the old or the new; `false` when somebody else wrote in that instant, and then
    /// theirs stands.
    pub(super) fn replace(
        &self,
        expected: Option<&Said>,
        pid: Option<u32>,
        mtime: i64,
    ) -> Result<bool> {
        let body = pid.map(|pid| pid.to_string()).unwrap_or_default();
        let mode = expected.map(|said| said.mode);
        let temporary = self.memory.temporary(body.as_bytes(), mode, Some(mtime))?;
        let written = match expected {
            None => self.memory.place_new(&temporary.name, FILE_NAME),
            Some(expected) => self.exchange(&temporary.name, expected),
        };
        // In place it has left this name, or what came out bears it.
        let removed = self.memory.remove(&temporary.name);
        let written = written?;
        removed?;
        self.memory.sync()?;
        Ok(written)
    }

    fn exchange(&self, temporary: &str, expected: &Said) -> Result<bool> {
        if !self.memory.exchange(temporary, FILE_NAME)? {
            return Ok(false);
        }
        if self.read_as(temporary)?.as_ref() == Some(expected) {
            return Ok(true);
        }
        self.memory.exchange(temporary, FILE_NAME)?;
        Ok(false)
    }

    /// Removes the file.
    pub(super) fn remove(&self) -> Result<()> {
        self.memory.remove(FILE_NAME)?;
        self.memory.sync()
    }
}

/// A file's time as a moment.
pub(super) fn timestamp(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A moment as a file's time.
pub(super) fn nanoseconds(moment: Timestamp) -> i64 {
    i64::try_from(moment.as_nanosecond()).unwrap_or(i64::MAX)
}
