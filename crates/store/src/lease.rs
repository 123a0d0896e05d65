//! The right to do background work for one memory directory: one holder at a time, across processes.
//!
//! The OS lock on a file that is never renamed is the authority; it ends with its holder, however that ends. What stands
//! in the file describes, for people.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::file_lock::FileLock;
use crate::lock::{LockState, Owner};
use crate::process::ProcessIdentity;

/// The folder of everything about background work.
pub const JOBS_FOLDER: &str = "jobs";
const LEASE_NAME: &str = ".lease";
/// Every description is padded to this, so that a shorter one leaves nothing of a longer one behind.
const BODY_BYTES: usize = 1024;
/// So long the lease is asked for: whoever only looks who has it is in the way for less.
const PATIENCE: Duration = Duration::from_millis(20);

/// A lease, held until dropped.
///
/// ```
/// use memdir_store::{Lease, LockState, lease_state};
///
/// let state = tempfile::tempdir().unwrap();
/// let lease = Lease::try_take(state.path(), "extraction").unwrap().unwrap();
/// assert!(Lease::try_take(state.path(), "dream").unwrap().is_none());
/// assert!(matches!(lease_state(state.path()).unwrap(), LockState::Held(Some(_))));
/// drop(lease);
/// assert!(matches!(lease_state(state.path()).unwrap(), LockState::Free));
/// ```
#[derive(Debug)]
pub struct Lease {
    lock: FileLock,
}

impl Lease {
    /// Takes the lease of a state folder, if nobody has it.
    ///
    /// # Errors
    ///
    /// When the lock cannot be made or taken.
    pub fn try_take(state: &Path, what: &str) -> Result<Option<Self>> {
        let folder = Directory::create(state)?.folder_or_create(JOBS_FOLDER)?;
        let Some(lock) = FileLock::take(&folder, LEASE_NAME, PATIENCE)? else {
            return Ok(None);
        };
        let lease = Self { lock };
        let owner = Owner {
            process: ProcessIdentity::current(),
            what: what.chars().take(80).collect(),
            since: Timestamp::now(),
        };
        let failed = |error| Error::io("write", folder.path_of(LEASE_NAME), error);
        let body = serde_json::to_vec(&owner).map_err(|error| failed(error.into()))?;
        lease.describe(body).map_err(failed)?;
        Ok(Some(lease))
    }

    fn describe(&self, mut body: Vec<u8>) -> std::io::Result<()> {
        body.resize(body.len().max(BODY_BYTES), b' ');
        self.lock.file().write_all_at(&body, 0)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Only a description: if this fails, the lock still says that nobody holds it.
        let _ = self.describe(Vec::new());
    }
}

/// Who has the lease of a state folder just now. Takes and changes nothing.
///
/// # Errors
///
/// When it cannot be looked at.
pub fn lease_state(state: &Path) -> Result<LockState> {
    let folder = match Directory::open(state)? {
        Some(state) => state.folder(JOBS_FOLDER)?,
        None => None,
    };
    let file = match folder {
        Some(folder) => folder.open_plain(LEASE_NAME)?,
        None => None,
    };
    let Some((file, _)) = file else {
        return Ok(LockState::Free);
    };
    if file.try_lock_shared().is_ok() {
        let _ = file.unlock();
        return Ok(LockState::Free);
    }
    let mut bytes = vec![0; 4 * BODY_BYTES];
    let owner = file.read_at(&mut bytes, 0).ok().and_then(|read| {
        let body = bytes.get(..read)?.trim_ascii_end();
        serde_json::from_slice(body).ok()
    });
    Ok(LockState::Held(owner))
}
