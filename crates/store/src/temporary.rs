//! New contents under a temporary name, and the moves that put them into place.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, RenameFlags, Timespec, Timestamps};
use rustix::io::{Errno, retry_on_intr};

use crate::directory::{Directory, PRIVATE_FILE, Stamp, stat_of};
use crate::error::{Error, Result};
use crate::limits::{RACE_ATTEMPTS, SMALL_FOLDER};
use crate::walk::temporaries_in;

/// A file that is written and synced under a temporary name, ready to go into place.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Held, and locked, for as long as the file is ours: a sweep removes only temporaries that nobody holds.
    file: File,
    pub(crate) name: String,
    pub(crate) stamp: Stamp,
}

impl Temporary {
    /// Syncs a file that was not when it was written.
    pub(crate) fn sync(&self, folder: &Directory) -> Result<()> {
        let failed = |error| Error::io("sync", folder.path_of(&self.name), error);
        self.file.sync_all().map_err(failed)
    }
}

impl Directory {
    /// Writes and syncs a temporary file beside the target it is meant for.
    pub(crate) fn temporary(
        &self,
        bytes: &[u8],
        mode: Option<u32>,
        mtime: Option<i64>,
    ) -> Result<Temporary> {
        let temporary = self.temporary_unsynced(bytes, mode, mtime)?;
        // A failed sync means that the data are lost: the file is given up, never synced again.
        match temporary.sync(self) {
            Ok(()) => Ok(temporary),
            Err(error) => {
                // The first error is the one to report; what cannot be removed the next sweep removes.
                let _ = self.remove(&temporary.name);
                Err(error)
            }
        }
    }

    /// As [`Directory::temporary`], for whoever syncs many at once before any goes into place.
    pub(crate) fn temporary_unsynced(
        &self,
        bytes: &[u8],
        mode: Option<u32>,
        mtime: Option<i64>,
    ) -> Result<Temporary> {
        loop {
            let name = temporary_name();
            match self.try_temporary(&name, bytes, mode, mtime) {
                Ok(Some(temporary)) => return Ok(temporary),
                // A sweep took it for an orphan in the instant before it was locked: make another.
                Ok(None) => {}
                Err(error) => {
                    // The first error is the one to report; what cannot be removed the next sweep removes.
                    let _ = self.remove(&name);
                    return Err(error);
                }
            }
        }
    }

    fn try_temporary(
        &self,
        name: &str,
        bytes: &[u8],
        mode: Option<u32>,
        mtime: Option<i64>,
    ) -> Result<Option<Temporary>> {
        let failed = |action: &'static str| {
            move |error: io::Error| Error::io(action, self.path_of(name), error)
        };
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = retry_on_intr(|| rustix::fs::openat(self.handle(), name, flags, PRIVATE_FILE))
            .map_err(|error| failed("create")(error.into()))?;
        let mut file = File::from(handle);
        retry_on_intr(|| rustix::fs::flock(&file, FlockOperation::LockExclusive))
            .map_err(|error| failed("lock")(error.into()))?;
        file.write_all(bytes).map_err(failed("write"))?;
        if let Some(mode) = mode.filter(|mode| mode & 0o7777 != PRIVATE_FILE.as_raw_mode()) {
            retry_on_intr(|| rustix::fs::fchmod(&file, Mode::from_raw_mode(mode)))
                .map_err(|error| failed("set the permissions of")(error.into()))?;
        }
        if let Some(mtime) = mtime {
            retry_on_intr(|| rustix::fs::futimens(&file, &times(mtime)))
                .map_err(|error| failed("set the time of")(error.into()))?;
        }
        let stat = stat_of(&file).map_err(|error| failed("look at")(error.into()))?;
        let stamp = Stamp::of(&stat);
        if stamp.size != u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
            return Err(failed("write")(io::Error::other(
                "the disk took fewer bytes than it said",
            )));
        }
        Ok((stat.st_nlink > 0).then(|| Temporary {
            file,
            name: name.to_owned(),
            stamp,
        }))
    }

    /// Puts a temporary where nothing stands yet; `false` when something does.
    pub(crate) fn place_new(&self, temporary: &str, name: &str) -> Result<bool> {
        let placed = match self.rename(temporary, name, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag; a second link does the same, then the first goes.
            Err(Errno::INVAL | Errno::NOSYS) => self.link_and_remove(temporary, name),
            placed => placed,
        };
        match placed {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => Err(Error::io("put into place", self.path_of(name), error)),
        }
    }

    fn link_and_remove(&self, temporary: &str, name: &str) -> Result<(), Errno> {
        let flags = AtFlags::empty();
        retry_on_intr(|| rustix::fs::linkat(self.handle(), temporary, self.handle(), name, flags))?;
        retry_on_intr(|| rustix::fs::unlinkat(self.handle(), temporary, flags))
    }

    /// Swaps a temporary with the file that stands there; `false` when none does.
    pub(crate) fn exchange(&self, temporary: &str, name: &str) -> Result<bool> {
        match self.rename(temporary, name, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(Error::io("put into place", self.path_of(name), error)),
        }
    }

    /// Puts one file in the place of another, whatever stands there.
    pub(crate) fn rename_over(&self, from: &str, name: &str) -> Result<()> {
        self.rename(from, name, RenameFlags::empty())
            .map_err(|error| Error::io("put into place", self.path_of(name), error))
    }

    /// Moves a file to a temporary name; `false` when there is none.
    pub(crate) fn move_aside(&self, name: &str, temporary: &str) -> Result<bool> {
        match self.rename(name, temporary, RenameFlags::empty()) {
            Ok(()) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(Error::io("remove", self.path_of(name), error)),
        }
    }

    fn rename(&self, from: &str, to: &str, flags: RenameFlags) -> Result<(), Errno> {
        retry_on_intr(|| rustix::fs::renameat_with(self.handle(), from, self.handle(), to, flags))
    }

    /// Replaces or creates a file of ours whole: temporary, sync, rename, sync of the directory.
    pub fn replace_file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.replace_unsynced(name, bytes)?;
        self.sync()
    }

    /// As [`Directory::replace_file`], but the rename may be lost with the power: for what can be derived again.
    pub(crate) fn replace_unsynced(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.remove_orphans(&[]);
        let temporary = self.temporary(bytes, None, None)?;
        self.rename_over(&temporary.name, name).inspect_err(|_| {
            let _ = self.remove(&temporary.name);
        })
    }

    /// As [`Directory::replace_file`], without waiting for the disk: whole whatever process is killed, but a power cut may take
    /// it back.
    pub(crate) fn replace_light(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.remove_orphans(&[]);
        for _ in 1..RACE_ATTEMPTS {
            match self.try_replace_light(name, bytes) {
                // Another process took the temporary for an orphan before it was held.
                Err(error) if error.is_missing() => {}
                replaced => return replaced,
            }
        }
        self.try_replace_light(name, bytes)
    }

    fn try_replace_light(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let temporary = self.temporary_unsynced(bytes, None, None)?;
        self.rename_over(&temporary.name, name).inspect_err(|_| {
            let _ = self.remove(&temporary.name);
        })
    }

    /// Removes what killed processes left under temporary names in this folder, those that are `kept` apart. A folder with very many
    /// files is left to a sweep.
    pub(crate) fn remove_orphans(&self, kept: &[String]) {
        let size = stat_of(self.handle()).map_or(u64::MAX, |stat| {
            u64::try_from(stat.st_size).unwrap_or(u64::MAX)
        });
        if size > SMALL_FOLDER {
            return;
        }
        for name in temporaries_in(self).unwrap_or_default() {
            if !kept.contains(&name) {
                // What cannot be removed now, a later sweep removes.
                let _ = self.remove_orphan(&name);
            }
        }
    }

    /// Removes a temporary that its maker left behind; one that is still held stays.
    pub(crate) fn remove_orphan(&self, name: &str) -> Result<bool> {
        let Some((file, _)) = self.open_plain(name)? else {
            return Ok(false);
        };
        match retry_on_intr(|| rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => self.remove(name).map(|()| true),
            Err(Errno::WOULDBLOCK) => Ok(false),
            Err(error) => Err(Error::io("lock", self.path_of(name), error)),
        }
    }
}

/// Removes what killed processes left under temporary names in a folder of the user's.
pub fn remove_orphans(folder: &Path) -> Result<()> {
    if let Some(folder) = Directory::open(folder)? {
        folder.remove_orphans(&[]);
    }
    Ok(())
}

fn times(mtime: i64) -> Timestamps {
    let time = Timespec {
        tv_sec: mtime.div_euclid(1_000_000_000),
        tv_nsec: mtime.rem_euclid(1_000_000_000),
    };
    Timestamps {
        last_access: time,
        last_modification: time,
    }
}

/// What the name of every temporary begins with. Whoever makes one by other means locks it while it is in use.
pub const TEMPORARY_PREFIX: &str = ".memdir-";
/// What it ends with.
pub const TEMPORARY_SUFFIX: &str = ".tmp";

/// Whether a directory entry is a temporary of ours.
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    name.starts_with(TEMPORARY_PREFIX.as_bytes()) && name.ends_with(TEMPORARY_SUFFIX.as_bytes())
}

/// What tells one temporary from another, without what all of them share.
pub(crate) fn bare_name(temporary: &str) -> &str {
    let name = temporary.strip_prefix(TEMPORARY_PREFIX);
    let name = name.and_then(|name| name.strip_suffix(TEMPORARY_SUFFIX));
    name.unwrap_or(temporary)
}

/// The name of which [`bare_name`] is a part.
pub(crate) fn full_name(bare: &str) -> String {
    format!("{TEMPORARY_PREFIX}{bare}{TEMPORARY_SUFFIX}")
}

/// A name that no other process and no earlier one with the same PID has used.
pub(crate) fn temporary_name() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let since = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_nanos();
    let process = std::process::id();
    full_name(&format!("{process:x}-{since:x}-{count:x}"))
}
