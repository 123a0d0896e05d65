//! The lock of consolidation: one at a time, and a note of when the last one was.
//!
//! Two locks in one. Among memdir processes the OS lock on `<state>/consolidate-lock` decides; it ends with
//! the process, whatever kills it. `.consolidate-lock` in the memory directory speaks to Claude Code: its body
//! is the holder's PID, its mtime the last consolidation. What that mtime was before is kept in a record,
//! so that a run which failed or was killed leaves no trace and the next conversation tries again.

mod speaking;

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::directory::Directory;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::process::{ProcessIdentity, ProcessState, pid_state, started_at};
use crate::records::{Record, RecordError, Records};
use speaking::{Speaking, nanoseconds, timestamp};

/// How long a run of ours may take.
pub const TIME_BOX: Duration = Duration::from_secs(15 * 60);
/// How long a holder is believed; an older one has hung or is another process under the same PID.
pub const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// By how much a process may seem to have started after it took the lock: clocks are coarse.
const START_SLACK: i64 = 5;

/// The file in the memory directory.
pub const FILE_NAME: &str = ".consolidate-lock";
/// The lock among memdir processes, in the state folder. Never renamed, never removed.
const LOCK_NAME: &str = "consolidate-lock";
const RECORD_KEY: &str = "holder";

/// Why the lock could not be asked for.
#[derive(Debug, thiserror::Error)]
pub enum ConsolidateError {
    /// The disk.
    #[error(transparent)]
    Store(#[from] Error),
    /// The record of the holder.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The answer to [`acquire`].
#[derive(Debug)]
pub enum Acquired {
    /// It is ours until the guard is finished or dropped.
    Held(Held),
    /// Somebody else has it.
    Busy(Busy),
}

/// Who has the lock instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Busy {
    /// Another memdir process.
    #[error("memdir is consolidating these memories already{}", owner.as_ref().map(|owner| format!(" (process {})", owner.pid)).unwrap_or_default())]
    Memdir {
        /// The process, as far as it left its name.
        owner: Option<ProcessIdentity>,
    },
    /// Another program, alive and not too old.
    #[error("process {pid} is consolidating these memories since {since}")]
    Other {
        /// Its PID.
        pid: u32,
        /// Since when.
        since: Timestamp,
    },
    /// Another program took it at the same instant.
    #[error("another program began to consolidate these memories at the same instant")]
    Lost,
}

/// What is remembered of the holder, for whoever comes after it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Holder {
    /// Counts the runs; a holder whose number is not the last has lost its lock.
    fence: u64,
    /// The run that has not ended yet.
    run: Option<Run>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    owner: ProcessIdentity,
    /// The mtime that the run gave the file, in nanoseconds.
    acquired: i64,
    /// The mtime it had before; none: there was no file.
    previous: Option<i64>,
}

impl Run {
    /// Whether the run may go on although the OS lock is free: somebody removed the lock file under
    /// it, or the file system does not lock.
    fn may_go_on(&self, now: Timestamp) -> bool {
        self.owner != ProcessIdentity::current()
            && self.owner.state() != ProcessState::Dead
            && is_recent(self.acquired, now)
    }
}

impl Record for Holder {
    const KIND: &'static str = "consolidation";
    const VERSION: u64 = 1;
}

/// Consolidation is ours. Dropped without [`Held::succeed`], it counts as failed.
#[derive(Debug)]
pub struct Held {
    speaking: Speaking,
    records: Records,
    run: Run,
    fence: u64,
    state: Directory,
    lock: FileLock,
    finished: bool,
}

/// Asks for the lock of a memory directory, without waiting.
pub fn acquire(
    memory_dir: &Path,
    state_dir: &Path,
    now: Timestamp,
) -> Result<Acquired, ConsolidateError> {
    let state = Directory::create(state_dir)?;
    let records = Records::new(state_dir);
    let Some(lock) = FileLock::try_take(&state, LOCK_NAME)? else {
        let owner = holder(&records)
            .ok()
            .and_then(|holder| holder.run)
            .map(|run| run.owner);
        return Ok(Acquired::Busy(Busy::Memdir { owner }));
    };
    // What a killed one was just writing; it is in nobody's way.
    let _ = records.remove_orphans::<Holder>();
    let speaking = Speaking::open(Directory::create(memory_dir)?);
    let mut last = holder(&records)?;
    if let Some(run) = last.run.take() {
        if run.may_go_on(now) {
            return Ok(Acquired::Busy(Busy::Memdir {
                owner: Some(run.owner),
            }));
        }
        restore(&speaking, &run)?;
        save(&records, &last)?;
    }

    let before = speaking.read()?;
    if let Some(before) = &before
        && let Some(pid) = before.pid
        && is_held(pid, before.mtime, now)
    {
        return Ok(Acquired::Busy(Busy::Other {
            pid,
            since: timestamp(before.mtime),
        }));
    }
    let owner = ProcessIdentity::current();
    if !owner.is_known() {
        // Nobody could tell that it has ended, and it would be in the way for an hour.
        let reason = std::io::Error::other("it does not say who this process is");
        return Err(Error::io("read", "/proc/self", reason).into());
    }
    let run = Run {
        owner,
        acquired: nanoseconds(now),
        previous: before.as_ref().map(|before| before.mtime),
    };
    let fence = last.fence.wrapping_add(1);
    save(
        &records,
        &Holder {
            fence,
            run: Some(run.clone()),
        },
    )?;
    let written = speaking.replace(before.as_ref(), Some(run.owner.pid), run.acquired);
    let ours = written.and_then(|written| {
        Ok(written
            && speaking
                .read()?
                .is_some_and(|now| now.pid == Some(run.owner.pid)))
    });
    match ours {
        Ok(true) => Ok(Acquired::Held(Held {
            speaking,
            records,
            run,
            fence,
            state,
            lock,
            finished: false,
        })),
        Ok(false) => {
            save(&records, &Holder { fence, run: None })?;
            Ok(Acquired::Busy(Busy::Lost))
        }
        // Written or not, the record tells the next one what to put back.
        Err(error) => Err(error.into()),
    }
}

/// When these memories were last consolidated: one `stat`, as long as nobody is at it. A run that was
/// killed does not count; a moment in the future, by more than clocks differ, is none.
pub fn last_consolidated(memory_dir: &Path, state_dir: &Path, now: Timestamp) -> Option<Timestamp> {
    let file = memory_dir.join(FILE_NAME);
    let metadata = std::fs::symlink_metadata(file)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    let mut mtime = metadata
        .mtime()
        .saturating_mul(1_000_000_000)
        .saturating_add(metadata.mtime_nsec());
    if metadata.len() > 0
        && let Ok(Holder { run: Some(run), .. }) = holder(&Records::new(state_dir))
        && run.acquired == mtime
        && run.owner.state() == ProcessState::Dead
    {
        mtime = run.previous?;
    }
    let last = timestamp(mtime);
    (seconds_between(now, last) < seconds(MAX_AGE)).then_some(last)
}

impl Held {
    /// Which run this is; it grows with each.
    #[must_use]
    pub fn fence(&self) -> u64 {
        self.fence
    }

    /// Whether the lock is still ours: a run that was asleep for long, or whose lock file was
    /// removed, must ask before it applies anything.
    #[must_use]
    pub fn is_current(&self) -> bool {
        let ours = holder(&self.records).is_ok_and(|holder| {
            holder.fence == self.fence && holder.run.as_ref() == Some(&self.run)
        });
        ours && self.lock.is_in_place(&self.state, LOCK_NAME) && self.is_spoken_for()
    }

    /// Ends a run that did what it was for: the moment of acquiring is that of the last
    /// consolidation.
    pub fn succeed(mut self) -> Result<(), ConsolidateError> {
        self.finish(Some(self.run.acquired))
    }

    /// Ends a run that failed or was stopped: everything is as if it had not been.
    pub fn fail(mut self) -> Result<(), ConsolidateError> {
        self.finish(self.run.previous)
    }

    fn is_spoken_for(&self) -> bool {
        self.speaking
            .read()
            .is_ok_and(|now| now.is_some_and(|now| now.pid == Some(self.run.owner.pid)))
    }

    fn finish(&mut self, mtime: Option<i64>) -> Result<(), ConsolidateError> {
        self.finished = true;
        // Whoever holds it by now, it is theirs to end.
        if !self.is_current() {
            return Ok(());
        }
        put_back(&self.speaking, &self.run, mtime)?;
        save(
            &self.records,
            &Holder {
                fence: self.fence,
                run: None,
            },
        )
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if !self.finished {
            // Nobody is left to tell; the next one puts it back from the record.
            let _ = self.finish(self.run.previous);
        }
    }
}

/// Puts back what a run that was killed left behind, unless somebody else has written since.
fn restore(speaking: &Speaking, run: &Run) -> Result<(), ConsolidateError> {
    match speaking.read()? {
        Some(now) if now.pid == Some(run.owner.pid) && now.mtime == run.acquired => {
            put_back(speaking, run, run.previous)
        }
        _ => Ok(()),
    }
}

/// Empties the file and gives it this mtime; none: removes it.
fn put_back(speaking: &Speaking, run: &Run, mtime: Option<i64>) -> Result<(), ConsolidateError> {
    let Some(now) = speaking
        .read()?
        .filter(|now| now.pid == Some(run.owner.pid))
    else {
        return Ok(());
    };
    match mtime {
        Some(mtime) => speaking.replace(Some(&now), None, mtime).map(|_| ())?,
        None => speaking.remove()?,
    }
    Ok(())
}

/// Whether a PID in the file means that somebody is at it.
fn is_held(pid: u32, since: i64, now: Timestamp) -> bool {
    // We hold the OS lock and have not written yet: our own PID is an older process's.
    if pid == std::process::id() || pid_state(pid) == ProcessState::Dead {
        return false;
    }
    if !is_recent(since, now) {
        return false;
    }
    let since = since.div_euclid(1_000_000_000);
    started_at(pid).is_none_or(|started| started <= since.saturating_add(START_SLACK))
}

/// Whether a holder since then is believed. A moment far in the future is no more believable than one
/// long ago.
fn is_recent(since: i64, now: Timestamp) -> bool {
    seconds_between(now, timestamp(since)).abs() < seconds(MAX_AGE)
}

/// From one moment to a later one, in seconds.
fn seconds_between(from: Timestamp, to: Timestamp) -> i64 {
    to.as_second().saturating_sub(from.as_second())
}

fn seconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)
}

fn holder(records: &Records) -> Result<Holder, ConsolidateError> {
    match records.get::<Holder>(RECORD_KEY) {
        Ok(found) => Ok(found.map(|(holder, _)| holder).unwrap_or_default()),
        Err(RecordError::Damaged { .. }) => Ok(Holder::default()),
        Err(error) => Err(error.into()),
    }
}

/// Only ever called under the OS lock: nobody else writes this record.
fn save(records: &Records, holder: &Holder) -> Result<(), ConsolidateError> {
    records.update(RECORD_KEY, |_| holder.clone())?;
    Ok(())
}
