//! The log: one JSON line an operation, appended under the lock, never rewritten but by a purge.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::record::{Record, Unreadable, VERSION};
use crate::directory::Directory;
use crate::error::{Error, Result};

/// The log's file name in the history folder.
pub(crate) const LOG_NAME: &str = "log.jsonl";

/// The open log.
#[derive(Debug)]
pub(crate) struct Log {
    file: File,
    path: PathBuf,
    /// Tells this log from the one that a purge puts in its place.
    pub(crate) identity: u64,
    /// Where it ends.
    pub(crate) length: u64,
}

/// What a stretch of the log holds.
#[derive(Debug, Default)]
pub(crate) struct Stretch {
    /// Records with the offset at which each one ends.
    pub(crate) records: Vec<(Record, u64)>,
    /// Where the last whole line ends.
    pub(crate) end: u64,
    /// Whole lines that are not records.
    pub(crate) damaged: usize,
}

impl Log {
    /// Opens the log for reading; `None` when there is no history.
    pub(crate) fn open(folder: &Directory) -> Result<Option<Log>> {
        Log::open_with(folder, OFlags::RDONLY)
    }

    /// Opens the log for appending and makes it where it is missing.
    pub(crate) fn open_or_create(folder: &Directory) -> Result<Log> {
        let existing = Log::open_with(folder, OFlags::RDWR | OFlags::APPEND)?;
        if let Some(log) = existing {
            return Ok(log);
        }
        let made = Log::open_with(folder, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)?;
        folder.sync()?;
        made.ok_or_else(|| Error::io("create", folder.path_of(LOG_NAME), Errno::NOENT))
    }

    fn open_with(folder: &Directory, flags: OFlags) -> Result<Option<Log>> {
        let path = folder.path_of(LOG_NAME);
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let handle =
            match retry_on_intr(|| rustix::fs::openat(folder.handle(), LOG_NAME, flags, mode)) {
                Ok(handle) => handle,
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(Error::io("open", path, error)),
            };
        let file = File::from(handle);
        let metadata = file
            .metadata()
            .map_err(|error| Error::io("look at", &path, error))?;
        Ok(Some(Log {
            file,
            path,
            identity: identity(&metadata),
            length: metadata.len(),
        }))
    }

    /// The records from an offset on. A last line without its end is not there yet.
    pub(crate) fn read_from(&self, offset: u64) -> Result<Stretch> {
        let failed = |error| Error::io("read", &self.path, error);
        let mut stretch = Stretch {
            end: offset,
            ..Stretch::default()
        };
        if offset >= self.length {
            return Ok(stretch);
        }
        let mut file = &self.file;
        file.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let mut lines = BufReader::with_capacity(64 * 1024, file.take(self.length - offset));
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = lines.read_until(b'\n', &mut line).map_err(failed)?;
            if line.pop() != Some(b'\n') {
                return Ok(stretch);
            }
            stretch.end += u64::try_from(read).unwrap_or(0);
            match Record::from_line(&line) {
                Ok(record) => stretch.records.push((record, stretch.end)),
                Err(Unreadable::Damaged) => stretch.damaged += 1,
                Err(Unreadable::Newer(found)) => {
                    return Err(Error::Newer {
                        path: self.path.clone(),
                        found,
                        known: VERSION,
                    });
                }
            }
        }
    }

    /// The records in the last so many bytes, from the first whole line on. What cannot be read is left out.
    pub(crate) fn tail(&self, bytes: u64) -> Result<Vec<Record>> {
        let offset = self.length.saturating_sub(bytes);
        let mut buffer = vec![0; usize::try_from(self.length - offset).unwrap_or(0)];
        self.file
            .read_exact_at(&mut buffer, offset)
            .map_err(|error| Error::io("read", &self.path, error))?;
        let mut lines = buffer.split_inclusive(|byte| *byte == b'\n');
        if offset > 0 {
            // It began before.
            lines.next();
        }
        let whole = lines.filter_map(|line| line.strip_suffix(b"\n"));
        Ok(whole
            .filter_map(|line| Record::from_line(line).ok())
            .collect())
    }

    /// The last bytes of the line that ends here; its checksum is among them.
    pub(crate) fn end_of_line(&self, end: u64) -> Result<Vec<u8>> {
        let length = end.min(32);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        self.file
            .read_exact_at(&mut bytes, end - length)
            .map_err(|error| Error::io("read", &self.path, error))?;
        Ok(bytes)
    }

    /// Appends records in one write. What a failure leaves behind is cut off again.
    pub(crate) fn append(&mut self, records: &[Record]) -> Result<()> {
        let mut lines = Vec::new();
        for record in records {
            let line = record
                .to_line()
                .map_err(|error| Error::io("write", &self.path, error))?;
            lines.extend_from_slice(&line);
        }
        match self.file.write_all(&lines) {
            Ok(()) => {
                self.length += u64::try_from(lines.len()).unwrap_or(0);
                Ok(())
            }
            Err(error) => {
                // If this fails too, the next writer finds a line without its end and cuts it off.
                let _ = self.cut(self.length);
                Err(Error::io("write", &self.path, error))
            }
        }
    }

    /// Cuts off a torn last line.
    pub(crate) fn cut(&mut self, length: u64) -> Result<()> {
        retry_on_intr(|| rustix::fs::ftruncate(&self.file, length))
            .map_err(|error| Error::io("shorten", &self.path, error))?;
        self.length = length;
        Ok(())
    }

    /// Makes what was appended durable.
    pub(crate) fn sync(&self) -> Result<()> {
        self.file
            .sync_data()
            .map_err(|error| Error::io("sync", &self.path, error))
    }
}

/// An inode's number is given out again once its file is gone; its time of birth is not.
fn identity(metadata: &Metadata) -> u64 {
    let born = metadata.created().ok();
    let since = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    metadata.ino() ^ u64::try_from(nanoseconds).unwrap_or(0)
}
