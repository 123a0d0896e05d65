//! The log: one JSON line an operation, appended under the lock, never rewritten but by a purge.
//!
//! It is kept in segments, so that a change reads only the end of it however long it is. A segment's file name tells at
//! which byte of the log it begins. Every content that a segment names stands in it whole or can be made from what does:
//! none needs another segment. Lines are only ever appended to the last one.

use std::fs::{File, Metadata};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::record::{Record, Unreadable, VERSION};
use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::limits::SEGMENT_BYTES;

/// The first segment's file name in the history folder, and the only one in histories of older versions.
pub(crate) const LOG_NAME: &str = "log.jsonl";
const LATER_PREFIX: &str = "log-";
const LATER_SUFFIX: &str = ".jsonl";

/// The open log.
#[derive(Debug)]
pub(crate) struct Log {
    folder: Directory,
    /// Where each segment begins, ascending.
    segments: Vec<u64>,
    /// The last segment.
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
        let segments = segments(folder)?;
        let base = segments.last().copied().unwrap_or(0);
        let name = segment_name(base);
        let path = folder.path_of(&name);
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let open = || rustix::fs::openat(folder.handle(), name.as_str(), flags, mode);
        let handle = match retry_on_intr(open) {
            Ok(handle) => handle,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(Error::io("open", path, error)),
        };
        let failed = |error| Error::io("look at", &path, error);
        let file = File::from(handle);
        let length = base + file.metadata().map_err(failed)?.len();
        let folder = folder.same()?;
        let itself = folder.handle().try_clone_to_owned().map_err(failed)?;
        let identity = identity(&File::from(itself).metadata().map_err(failed)?);
        Ok(Some(Log {
            folder,
            segments: if segments.is_empty() {
                vec![0]
            } else {
                segments
            },
            file,
            path,
            identity,
            length,
        }))
    }

    /// Where the last segment begins.
    pub(crate) fn base(&self) -> u64 {
        self.segments.last().copied().unwrap_or(0)
    }

    /// How many segments there are.
    pub(crate) fn segment_count(&self) -> usize {
        self.segments.len()
    }

    /// Where the segment begins in which this offset ends a line.
    pub(crate) fn base_of(&self, end: u64) -> u64 {
        let after = self.segments.partition_point(|base| *base < end);
        let at = after.saturating_sub(1);
        self.segments.get(at).copied().unwrap_or(0)
    }

    /// The records from an offset on. A last line without its end is not there yet.
    pub(crate) fn read_from(&self, offset: u64) -> Result<Stretch> {
        let mut all = Stretch {
            end: offset,
            ..Stretch::default()
        };
        let first = self.segments.partition_point(|base| *base <= offset);
        for number in first.saturating_sub(1)..self.segments.len() {
            let stretch = self.read_segment(number, offset)?;
            all.records.extend(stretch.records);
            all.damaged += stretch.damaged;
            all.end = stretch.end.max(all.end);
        }
        Ok(all)
    }

    /// The records of one segment, from an offset on. One that a purge has just removed has none.
    pub(crate) fn read_segment(&self, number: usize, offset: u64) -> Result<Stretch> {
        let base = self.segments.get(number).copied().unwrap_or(self.length);
        let offset = offset.max(base);
        let mut stretch = Stretch {
            end: offset,
            ..Stretch::default()
        };
        let opened;
        let (file, end) = if base == self.base() {
            (&self.file, self.length)
        } else {
            let name = segment_name(base);
            let Some((file, stat)) = self.folder.open_plain(&name)? else {
                return Ok(stretch);
            };
            opened = file;
            (&opened, base + u64::try_from(stat.st_size).unwrap_or(0))
        };
        if offset >= end {
            return Ok(stretch);
        }
        let failed = |error| Error::io("read", self.folder.path_of(&segment_name(base)), error);
        let part = Part {
            file,
            at: offset - base,
        };
        let mut lines = BufReader::with_capacity(64 * 1024, part.take(end - offset));
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
                        path: self.folder.path_of(&segment_name(base)),
                        found,
                        known: VERSION,
                    });
                }
            }
        }
    }

    /// The records in the last so many bytes, from the first whole line on. What cannot be read is left out.
    pub(crate) fn tail(&self, bytes: u64) -> Result<Vec<Record>> {
        // The line that this offset cuts in two is no record.
        let stretch = match self.read_from(self.length.saturating_sub(bytes)) {
            Err(Error::Newer { .. }) => Stretch::default(),
            stretch => stretch?,
        };
        let records = stretch.records.into_iter();
        Ok(records.map(|(record, _)| record).collect())
    }

    /// The last bytes of the line that ends here; its checksum is among them.
    pub(crate) fn end_of_line(&self, end: u64) -> Result<Vec<u8>> {
        let base = self.base_of(end);
        let length = end.saturating_sub(base).min(32);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        let name = segment_name(base);
        let failed = |error| Error::io("read", self.folder.path_of(&name), error);
        let at = end.saturating_sub(length).saturating_sub(base);
        if base == self.base() {
            self.file.read_exact_at(&mut bytes, at).map_err(failed)?;
        } else if let Some((file, _)) = self.folder.open_plain(&name)? {
            file.read_exact_at(&mut bytes, at).map_err(failed)?;
        }
        Ok(bytes)
    }

    /// Begins a new segment where the last one has grown long. Whoever is killed here leaves the log as it was, or with an
    /// empty segment more.
    pub(crate) fn begin_segment_when_due(&mut self) -> Result<bool> {
        if self.length - self.base() < SEGMENT_BYTES {
            return Ok(false);
        }
        // Nothing may stand in a later segment while the end of this one can still be lost with the power.
        self.sync()?;
        let name = segment_name(self.length);
        self.folder.replace_file(&name, b"")?;
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(self.folder.handle(), name.as_str(), flags, Mode::empty());
        let path = self.folder.path_of(&name);
        let handle = retry_on_intr(open).map_err(|error| Error::io("open", &path, error))?;
        self.file = File::from(handle);
        self.path = path;
        self.segments.push(self.length);
        Ok(true)
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
        let kept = length.saturating_sub(self.base());
        retry_on_intr(|| rustix::fs::ftruncate(&self.file, kept))
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

/// One file from an offset on, without moving its position: the same handle may be read from twice.
struct Part<'a> {
    file: &'a File,
    at: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += u64::try_from(read).unwrap_or(0);
        Ok(read)
    }
}

fn segment_name(base: u64) -> String {
    match base {
        0 => LOG_NAME.to_owned(),
        base => format!("{LATER_PREFIX}{base:020}{LATER_SUFFIX}"),
    }
}

/// Where the segments in a folder begin, ascending.
fn segments(folder: &Directory) -> Result<Vec<u64>> {
    let mut segments = Vec::new();
    folder.list(|entry| {
        let name = std::str::from_utf8(entry.name).unwrap_or_default();
        let digits = name
            .strip_prefix(LATER_PREFIX)
            .and_then(|rest| rest.strip_suffix(LATER_SUFFIX));
        match digits {
            _ if name == LOG_NAME => segments.push(0),
            Some(digits) => segments.extend(digits.parse::<u64>().ok().filter(|base| *base > 0)),
            None => {}
        }
    })?;
    segments.sort_unstable();
    Ok(segments)
}

/// An inode's number is given out again once its file is gone; its time of birth is not.
fn identity(metadata: &Metadata) -> u64 {
    let born = metadata.created().ok();
    let since = born.and_then(|born| born.duration_since(UNIX_EPOCH).ok());
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    metadata.ino() ^ u64::try_from(nanoseconds).unwrap_or(0)
}
