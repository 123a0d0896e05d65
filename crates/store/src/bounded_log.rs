//! A small log for what goes wrong where nobody looks: lines at its end, the oldest gone once it is full.

use std::io::Write;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::file_lock::FileLock;
use crate::limits::lock_patience;

/// A log that never grows beyond its limit.
///
/// ```
/// use memdir_store::BoundedLog;
///
/// let folder = tempfile::tempdir().unwrap();
/// let log = BoundedLog::new(folder.path(), "hooks.log", 1000);
/// for number in 0..1000 {
///     log.add(&format!("line {number}")).unwrap();
/// }
/// let text = std::fs::read_to_string(log.path()).unwrap();
/// assert!(text.len() <= 1000 && text.ends_with("line 999\n") && text.starts_with("line "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundedLog {
    folder: PathBuf,
    name: &'static str,
    most: u64,
}

impl BoundedLog {
    /// A log in a folder; neither need exist.
    #[must_use]
    pub fn new(folder: &Path, name: &'static str, most: u64) -> Self {
        Self {
            folder: folder.to_path_buf(),
            name,
            most,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(self.name)
    }

    /// Adds a line. A full log is first cut to its newer half.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn add(&self, line: &str) -> Result<()> {
        let folder = Directory::create(&self.folder)?;
        let failed = |error: std::io::Error| Error::io("write to", self.path(), error);
        let line = format!("{}\n", line.replace(['\n', '\r'], " "));
        let room = self.most.saturating_sub(line.len() as u64);
        let flags = OFlags::WRONLY
            | OFlags::APPEND
            | OFlags::CREATE
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let open = || {
            let mode = Mode::RUSR | Mode::WUSR;
            retry_on_intr(|| rustix::fs::openat(folder.handle(), self.name, flags, mode))
                .map(std::fs::File::from)
                .map_err(|error| failed(error.into()))
        };
        // One at a time: what is added while somebody else cuts would go with the old half.
        let _lock = FileLock::take(&folder, &format!(".{}.lock", self.name), lock_patience())?;
        let mut file = open()?;
        if file.metadata().map_err(failed)?.len() > room {
            let kept = self.newer_half(&folder)?;
            folder.replace_light(self.name, &kept)?;
            file = open()?;
        }
        file.write_all(line.as_bytes()).map_err(failed)
    }

    /// Changes what every line says, where there is a log.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn rewrite(&self, change: impl Fn(&str) -> String) -> Result<()> {
        let Some(folder) = Directory::open(&self.folder)? else {
            return Ok(());
        };
        let _lock = FileLock::take(&folder, &format!(".{}.lock", self.name), lock_patience())?;
        let Some(found) = folder.read(self.name, self.most.saturating_mul(2))? else {
            return Ok(());
        };
        let text = String::from_utf8_lossy(&found.bytes);
        let lines: String = text.lines().map(|line| change(line) + "\n").collect();
        if lines.as_bytes() != found.bytes {
            folder.replace_file(self.name, lines.as_bytes())?;
        }
        Ok(())
    }

    fn newer_half(&self, folder: &Directory) -> Result<Vec<u8>> {
        let half = usize::try_from(self.most / 2).unwrap_or(usize::MAX);
        let found = folder.read(self.name, self.most.saturating_mul(2));
        let bytes = match found {
            Ok(found) => found.map(|found| found.bytes).unwrap_or_default(),
            // Somebody else's, by its size.
            Err(Error::TooLarge { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        let from = bytes.len().saturating_sub(half);
        let newer = bytes.get(from..).unwrap_or_default();
        let line = newer.iter().position(|byte| *byte == b'\n');
        let whole = line.and_then(|end| newer.get(end + 1..));
        Ok(whole.unwrap_or_default().to_vec())
    }
}
