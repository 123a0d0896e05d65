//! The transcript of a conversation, to which lines are appended by one process at a time.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::directory::Directory;
use crate::error::{Error, Result};

/// So much is read at once when the last whole line is looked for.
const STRETCH: u64 = 64 * 1024;

/// A transcript that is being written. Others read it whenever they like; nobody else appends to it meanwhile.
#[derive(Debug)]
pub struct TranscriptFile {
    file: File,
    path: PathBuf,
}

impl TranscriptFile {
    /// Opens a transcript, and makes it where it is missing. What a killed process wrote of a last line is taken off:
    /// nobody was told that it stands there.
    ///
    /// # Errors
    ///
    /// When the disk refuses, or another process is writing to it.
    pub fn open(path: &Path) -> Result<Self> {
        let missing = || Error::io("open", path, rustix::io::Errno::INVAL);
        let folder = Directory::create(path.parent().ok_or_else(missing)?)?;
        let name = path.file_name().ok_or_else(missing)?;
        let flags = OFlags::RDWR
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = retry_on_intr(|| rustix::fs::openat(folder.handle(), name, flags, mode))
            .map(File::from)
            .map_err(|error| Error::io("open", path, error))?;
        let failed = |error: std::io::Error| Error::io("read", path, error);
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(Error::NotPlain {
                path: path.to_path_buf(),
                found: "not a regular file",
            });
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::InUse {
                    path: path.to_path_buf(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path, error)),
        }
        let mut transcript = Self {
            file,
            path: path.to_path_buf(),
        };
        transcript.cut_torn_line().map_err(failed)?;
        Ok(transcript)
    }

    /// A second handle, to read all of it from the beginning.
    ///
    /// # Errors
    ///
    /// When the system has no handle left.
    pub fn reader(&self) -> Result<File> {
        let failed = |error: std::io::Error| Error::io("read", &self.path, error);
        let mut file = self.file.try_clone().map_err(failed)?;
        file.rewind().map_err(failed)?;
        Ok(file)
    }

    /// Appends whole lines.
    ///
    /// # Errors
    ///
    /// When the disk refuses. Then nothing of them stands there.
    pub fn append(&mut self, lines: &str) -> Result<()> {
        let failed = |error: std::io::Error| Error::io("write to", &self.path, error);
        let before = self.file.metadata().map_err(failed)?.len();
        if let Err(error) = self.file.write_all(lines.as_bytes()) {
            // Whether or not it works, whoever opens it next does it too.
            let _ = self.file.set_len(before);
            return Err(failed(error));
        }
        Ok(())
    }

    /// Waits until what was appended would survive a power cut.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn sync(&self) -> Result<()> {
        let failed = |error: std::io::Error| Error::io("sync", &self.path, error);
        self.file.sync_data().map_err(failed)
    }

    fn cut_torn_line(&mut self) -> std::io::Result<()> {
        let size = self.file.metadata()?.len();
        let mut end = size;
        while end > 0 {
            let start = end.saturating_sub(STRETCH);
            let mut stretch = Vec::new();
            self.file.seek(SeekFrom::Start(start))?;
            (&self.file).take(end - start).read_to_end(&mut stretch)?;
            if let Some(at) = stretch.iter().rposition(|byte| *byte == b'\n') {
                let whole = start + u64::try_from(at).unwrap_or(0) + 1;
                if whole < size {
                    self.file.set_len(whole)?;
                }
                return Ok(());
            }
            end = start;
        }
        match size {
            0 => Ok(()),
            _ => self.file.set_len(0),
        }
    }
}

impl Drop for TranscriptFile {
    fn drop(&mut self) {
        // Closing is not enough: a process that is being started has a copy of the handle for an instant.
        let _ = self.file.unlock();
    }
}
