//! One writer at a time: an OS lock on a file that is never renamed or removed.
//!
//! The lock itself is the authority. What stands in the file describes: who holds it, for people, and up to which
//! operation the history is known to be applied, so that the next holder can finish what a killed one began.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rustix::fs::{Mode, OFlags};
use rustix::io::retry_on_intr;
use serde::{Deserialize, Serialize};

use crate::directory::{Directory, stat_of};
use crate::error::{Error, Result};
use crate::process::ProcessIdentity;

pub(crate) const LOCK_NAME: &str = "lock";
/// Since 2 the log is kept in segments, and the offset counts through all of them.
const LOCK_VERSION: u64 = 2;
/// Every body is padded to this, so that a shorter one leaves nothing of a longer one behind.
const BODY_BYTES: usize = 1024;
/// Between two looks at a lock that is held, an eighth of the wait so far passes, within these bounds: short holds are
/// the rule, and a holder that takes long is not asked a thousand times a second.
const SHORTEST_PAUSE: Duration = Duration::from_micros(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// The lock of one memory directory, held until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    body: Body,
}

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Body {
    version: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    applied: Option<Applied>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<Owner>,
}

/// Up to where the log's operations are known to stand in the files.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Applied {
    pub(crate) operation: u64,
    /// The log's length right after it.
    pub(crate) offset: u64,
}

/// Who holds the lock, as a description.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Owner {
    /// The process.
    pub process: ProcessIdentity,
    /// What it does.
    pub what: String,
    /// Since when.
    pub since: Timestamp,
}

impl Lock {
    /// Takes the lock, waiting up to `patience` for another process; what can be done in the meantime is.
    pub(crate) fn acquire(
        state: &Directory,
        what: &str,
        patience: Duration,
        mut meanwhile: impl FnMut(),
    ) -> Result<Lock> {
        let path = state.path_of(LOCK_NAME);
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = loop {
            let open = || rustix::fs::openat(state.handle(), LOCK_NAME, flags, mode);
            let handle = retry_on_intr(open).map_err(|error| Error::io("open", &path, error))?;
            let file = File::from(handle);
            wait_for(&file, state, patience, &mut meanwhile)?;
            let stat = stat_of(&file).map_err(|error| Error::io("look at", &path, error))?;
            // Removed while we waited, it is not the one that others lock.
            if stat.st_nlink > 0 {
                break file;
            }
        };
        let mut body = read_body(&file).unwrap_or_default();
        if body.version > LOCK_VERSION {
            return Err(Error::Newer {
                path,
                found: body.version,
                known: LOCK_VERSION,
            });
        }
        body.version = LOCK_VERSION;
        let mut lock = Lock { file, body };
        lock.body.owner = Some(Owner {
            process: ProcessIdentity::current(),
            what: what.chars().take(80).collect(),
            since: Timestamp::now(),
        });
        lock.write_body()
            .map_err(|error| Error::io("write", &path, error))?;
        Ok(lock)
    }

    pub(crate) fn applied(&self) -> Option<Applied> {
        self.body.applied
    }

    /// Notes that everything in the log up to here stands in the files; written when the lock is released.
    pub(crate) fn set_applied(&mut self, applied: Applied) {
        self.body.applied = Some(applied);
    }

    /// As [`Lock::set_applied`], written at once where it is news.
    pub(crate) fn note_applied(&mut self, applied: Applied) {
        if self.body.applied != Some(applied) {
            self.body.applied = Some(applied);
            // If this fails, the next holder looks at more than it must.
            let _ = self.write_body();
        }
    }

    fn write_body(&self) -> std::io::Result<()> {
        let mut bytes = serde_json::to_vec(&self.body)?;
        bytes.resize(bytes.len().max(BODY_BYTES), b' ');
        self.file.write_all_at(&bytes, 0)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.body.owner = None;
        // If this fails, the next holder verifies the last operation again: slower, not wrong.
        let _ = self.write_body();
        let _ = self.file.unlock();
    }
}

/// Whether somebody changes memories just now.
#[derive(Debug, Clone)]
pub enum LockState {
    /// Nobody does.
    Free,
    /// Somebody does, and has left a name or has not yet.
    Held(Option<Owner>),
}

/// Who holds the lock of a state folder just now. Takes and changes nothing.
pub fn lock_state(state: &Directory) -> Result<LockState> {
    let Some((file, _)) = state.open_plain(LOCK_NAME)? else {
        return Ok(LockState::Free);
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(LockState::Free),
        Err(_) => Ok(LockState::Held(
            read_body(&file).and_then(|body| body.owner),
        )),
    }
}

fn wait_for(
    file: &File,
    state: &Directory,
    patience: Duration,
    meanwhile: &mut impl FnMut(),
) -> Result<()> {
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(std::fs::TryLockError::WouldBlock) if begin.elapsed() < patience => {
                meanwhile();
                thread::sleep((begin.elapsed() / 8).clamp(SHORTEST_PAUSE, LONGEST_PAUSE));
            }
            Err(std::fs::TryLockError::WouldBlock) => {
                let owner = read_body(file).and_then(|body| body.owner);
                return Err(Error::Busy {
                    owner: owner
                        .map_or_else(|| "it left no name".to_owned(), |owner| owner.to_string()),
                    waited_seconds: patience.as_secs(),
                });
            }
            Err(std::fs::TryLockError::Error(error)) => {
                if error.kind() != std::io::ErrorKind::Interrupted {
                    return Err(Error::io("lock", state.path_of(LOCK_NAME), error));
                }
            }
        }
    }
}

fn read_body(file: &File) -> Option<Body> {
    let mut bytes = vec![0; 4 * BODY_BYTES];
    let read = file.read_at(&mut bytes, 0).ok()?;
    serde_json::from_slice(bytes.get(..read)?.trim_ascii_end()).ok()
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "process {} has run `{}` since {}",
            self.process.pid, self.what, self.since
        )
    }
}
