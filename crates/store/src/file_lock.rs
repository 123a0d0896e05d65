//! An OS lock on a file of ours that is never renamed or removed.

use std::fs::{File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::directory::Directory;
use crate::error::{Error, Result};

/// So often a lock file is opened anew that was not the one in place any more.
const ATTEMPTS: usize = 100;

/// A locked file, unlocked when dropped.
#[derive(Debug)]
pub(crate) struct FileLock {
    file: File,
}

impl FileLock {
    /// Takes the lock if it is free.
    pub(crate) fn try_take(folder: &Directory, name: &str) -> Result<Option<Self>> {
        for _ in 0..ATTEMPTS {
            let file = open(folder, name)?;
            match file.try_lock() {
                Ok(()) => {
                    let lock = Self { file };
                    // Removed between opening and locking, it is not the one that others lock.
                    if lock.is_in_place(folder, name) {
                        return Ok(Some(lock));
                    }
                }
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error))
                    if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(error)) => {
                    return Err(Error::io("lock", folder.path().join(name), error));
                }
            }
        }
        // Somebody removes it again and again, or the disk does not say what stands there.
        let error = std::io::Error::other("it does not stay in its place");
        Err(Error::io("lock", folder.path().join(name), error))
    }

    /// Takes the lock, waiting up to `patience` for others; `None` when that was not enough.
    pub(crate) fn take(folder: &Directory, name: &str, patience: Duration) -> Result<Option<Self>> {
        let begin = Instant::now();
        let mut pause = Duration::from_micros(50);
        loop {
            if let Some(lock) = Self::try_take(folder, name)? {
                return Ok(Some(lock));
            }
            if begin.elapsed() >= patience {
                return Ok(None);
            }
            thread::sleep(pause);
            // Short holds are the rule; who takes long is not asked a thousand times a second.
            pause = (pause * 3 / 2).min(Duration::from_millis(5));
        }
    }

    /// The file, for whoever describes the holder in it.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Whether the locked file still stands under its name.
    pub(crate) fn is_in_place(&self, folder: &Directory, name: &str) -> bool {
        let Ok(Some((standing, _))) = folder.open_plain(name) else {
            return false;
        };
        match (self.file.metadata(), standing.metadata()) {
            (Ok(ours), Ok(standing)) => {
                (ours.dev(), ours.ino()) == (standing.dev(), standing.ino())
            }
            _ => false,
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing is not enough: a process that is being started has a copy of the handle for an
        // instant, and with it the lock.
        let _ = self.file.unlock();
    }
}

fn open(folder: &Directory, name: &str) -> Result<File> {
    let flags =
        OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mode = Mode::RUSR | Mode::WUSR;
    retry_on_intr(|| rustix::fs::openat(folder.handle(), name, flags, mode))
        .map(File::from)
        .map_err(|error| Error::io("open", folder.path().join(name), error))
}
