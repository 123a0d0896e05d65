//! The ledger's file: lines are added at its end and read from there backwards.

use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use jiff::Timestamp;
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::LEDGER_NAME;
use super::line::{Line, Unreadable, VERSION};
use crate::directory::Directory;
use crate::error::{Error, Result};

/// How much is read first; a day rarely has more.
const BLOCK: u64 = 64 * 1024;

pub(super) struct File {
    file: std::fs::File,
    path: PathBuf,
    length: u64,
}

impl File {
    pub(super) fn open(folder: &Directory) -> Result<Option<Self>> {
        Self::open_with(folder, OFlags::RDONLY)
    }

    pub(super) fn open_or_create(folder: &Directory) -> Result<Self> {
        let flags = OFlags::RDWR | OFlags::APPEND;
        if let Some(file) = Self::open_with(folder, flags)? {
            return Ok(file);
        }
        let made = Self::open_with(folder, flags | OFlags::CREATE)?;
        folder.sync()?;
        made.ok_or_else(|| Error::io("create", folder.path_of(LEDGER_NAME), Errno::NOENT))
    }

    fn open_with(folder: &Directory, flags: OFlags) -> Result<Option<Self>> {
        let path = folder.path_of(LEDGER_NAME);
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let opened =
            retry_on_intr(|| rustix::fs::openat(folder.handle(), LEDGER_NAME, flags, mode));
        let file = match opened {
            Ok(handle) => std::fs::File::from(handle),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => {
                return Err(Error::NotPlain {
                    path,
                    found: "a symbolic link",
                });
            }
            Err(error) => return Err(Error::io("open", path, error)),
        };
        let metadata = file
            .metadata()
            .map_err(|error| Error::io("look at", &path, error))?;
        if !metadata.is_file() {
            return Err(Error::NotPlain {
                path,
                found: "not a file",
            });
        }
        Ok(Some(Self {
            file,
            path,
            length: metadata.len(),
        }))
    }

    /// The lines from the first on that is as young as this, and how many are none of ours. They stand in the order of
    /// their times but for the little by which processes overtake one another.
    pub(super) fn read_since(&mut self, since: Timestamp) -> Result<(Vec<Line>, usize)> {
        let mut size = BLOCK;
        loop {
            let start = self.length.saturating_sub(size);
            let (lines, damaged) = self.read_from(start)?;
            let enough = lines.first().is_some_and(|first| first.at < since);
            if start == 0 || enough {
                return Ok((lines, damaged));
            }
            size = size.saturating_mul(4);
        }
    }

    /// The whole lines behind an offset. A last line without its end was never acknowledged.
    fn read_from(&self, start: u64) -> Result<(Vec<Line>, usize)> {
        let size = usize::try_from(self.length - start).unwrap_or(usize::MAX);
        let mut bytes = vec![0; size];
        self.file
            .read_exact_at(&mut bytes, start)
            .map_err(|error| Error::io("read", &self.path, error))?;
        let mut whole = bytes.split_inclusive(|byte| *byte == b'\n');
        if start > 0 {
            // Most likely the rest of a line.
            whole.next();
        }
        let (mut lines, mut damaged) = (Vec::new(), 0);
        for line in whole {
            let Some(line) = line.strip_suffix(b"\n") else {
                break;
            };
            match Line::from_bytes(line) {
                Ok(line) => lines.push(line),
                Err(Unreadable::Damaged) => damaged += 1,
                Err(Unreadable::Newer(found)) => {
                    return Err(Error::Newer {
                        path: self.path.clone(),
                        found,
                        known: VERSION,
                    });
                }
            }
        }
        Ok((lines, damaged))
    }

    /// Adds a line and makes it durable. A torn line before it is cut off first.
    pub(super) fn append(&mut self, line: &Line) -> Result<()> {
        let bytes = line
            .to_bytes()
            .map_err(|error| Error::io("write", &self.path, std::io::Error::from(error)))?;
        self.cut_torn()?;
        if let Err(error) = self.file.write_all(&bytes) {
            // If this fails too, the next writer finds a line without its end and cuts it off.
            let _ = self.shorten(self.length);
            return Err(Error::io("write", &self.path, error));
        }
        self.length += u64::try_from(bytes.len()).unwrap_or(0);
        self.file
            .sync_data()
            .map_err(|error| Error::io("sync", &self.path, error))
    }

    fn cut_torn(&mut self) -> Result<()> {
        let mut end = self.length;
        let mut block = vec![0; 4096];
        while end > 0 {
            let start = end.saturating_sub(4096);
            let size = usize::try_from(end - start).unwrap_or(0);
            let part = block.get_mut(..size).unwrap_or_default();
            self.file
                .read_exact_at(part, start)
                .map_err(|error| Error::io("read", &self.path, error))?;
            if let Some(place) = part.iter().rposition(|byte| *byte == b'\n') {
                end = start + u64::try_from(place).unwrap_or(0) + 1;
                break;
            }
            end = start;
        }
        match end == self.length {
            true => Ok(()),
            false => self.shorten(end),
        }
    }

    fn shorten(&mut self, length: u64) -> Result<()> {
        retry_on_intr(|| rustix::fs::ftruncate(&self.file, length))
            .map_err(|error| Error::io("shorten", &self.path, error))?;
        self.length = length;
        Ok(())
    }
}
