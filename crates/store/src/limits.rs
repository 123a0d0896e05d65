//! Every number that bounds what the store reads, keeps or waits for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::SignedDuration;

/// The largest memory file that is read, kept in history or written.
pub const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;

/// The largest instruction file that is read.
pub const MAX_INSTRUCTION_BYTES: u64 = 1024 * 1024;

/// A folder with some hundreds of files is no larger, on the file systems that grow with their names.
pub(crate) const SMALL_FOLDER: u64 = 32 * 1024;

/// The largest transcript that is read. Those of very long conversations have some hundred million bytes.
pub const MAX_TRANSCRIPT_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// The most entries that a folder of rules may have.
pub const MAX_LISTED: usize = 10_000;

/// How deep folders may nest beneath a memory directory.
pub const MAX_DEPTH: usize = 16;

/// What one read of a topic file asks for; nearly every header fits.
pub const HEADER_READ: usize = 4096;

/// How long a change waits for another process to finish its own.
pub const LOCK_PATIENCE: Duration = Duration::from_secs(30);

/// The same in a process for which somebody's agent waits. Long enough that many conversations on a busy machine lose nothing to
/// one another; a process that stands still costs an agent no more.
pub const BRIEF_PATIENCE: Duration = Duration::from_secs(1);

static IS_BRIEF: AtomicBool = AtomicBool::new(false);

/// From now on this process waits for no lock longer than [`BRIEF_PATIENCE`]. Whoever answers an agent says so first thing:
/// there is one process for each answer, and no lock in it is worth more.
pub fn be_brief() {
    IS_BRIEF.store(true, Ordering::Relaxed);
}

/// How long this process waits for a lock.
#[must_use]
pub fn lock_patience() -> Duration {
    match IS_BRIEF.load(Ordering::Relaxed) {
        true => BRIEF_PATIENCE,
        false => LOCK_PATIENCE,
    }
}

/// How often a change is tried again because somebody wrote the same file at the same instant.
pub const RACE_ATTEMPTS: usize = 16;

/// The tail of the history that is read again at every start before the heads are saved anew.
pub const TAIL_BYTES: u64 = 128 * 1024;

/// From this length on a segment of the history gets no more lines: the next one is begun. Taking back a recent change
/// reads about this much.
pub const SEGMENT_BYTES: u64 = 256 * 1024;

/// How much content one record of outside changes carries before the next is begun.
pub const RECORD_BYTES: usize = 1024 * 1024;

/// The largest settings file that is read: far more than any in use.
pub const MAX_SETTINGS_BYTES: u64 = 1024 * 1024;

/// The largest file of the user's that is changed: clients keep much in theirs, and a program is one as well.
pub const MAX_USER_FILE_BYTES: u64 = 1024 * 1024 * 1024;

/// How many files that came out of their place are kept at most while somebody may still write to them.
pub const MAX_RETIRED: usize = 256;

/// After so long it is asked, and asked again, whether anybody still writes to a file that came out of its place.
pub const RETIRED_PATIENCE: SignedDuration = SignedDuration::from_secs(60);

/// How long such a file is kept where nobody can tell who writes to it.
pub const RETIRED_UNSEEN: SignedDuration = SignedDuration::from_hours(1);

/// How long such a file is kept at most, whoever has it open.
pub const RETIRED_UNTIL: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How long a command that a person types looks for such writers.
pub const WRITERS_TIME: Duration = Duration::from_millis(20);

/// How long such a command waits for one that it found.
pub const WRITERS_PATIENCE: Duration = Duration::from_secs(1);
