//! Waiting until a transcript has come to rest: a client says that a turn has ended before all of it stands in the file.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use jiff::{SignedDuration, Timestamp};
use memdir_agent::jobs::Job;
use memdir_model::Cancel;

/// A transcript that did not change for so long is whole.
const QUIET: Duration = Duration::from_millis(500);
/// It is waited for no longer than this: a client that writes on and on has its next turn.
const LONGEST: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until the transcript of a job rests. Only what is seen to change counts, by this process's own clock: the times of
/// files may be another machine's.
pub(crate) fn until_at_rest(job: &Job, cancel: &Cancel) {
    let Some(transcript) = &job.transcript else {
        return;
    };
    let age = Timestamp::now().duration_since(job.since);
    let longest = SignedDuration::try_from(LONGEST).unwrap_or(SignedDuration::ZERO);
    if age >= longest {
        // It had its time.
        return;
    }
    let begin = Instant::now();
    let (mut last, mut changed) = (look(transcript), begin);
    while begin.elapsed() < LONGEST && !cancel.is_cancelled() {
        if last.is_some() && changed.elapsed() >= QUIET {
            return;
        }
        thread::sleep(PAUSE);
        let now = look(transcript);
        if now != last {
            (last, changed) = (now, Instant::now());
        }
    }
}

fn look(transcript: &Path) -> Option<(u64, Option<SystemTime>)> {
    let found = fs::metadata(transcript).ok()?;
    Some((found.len(), found.modified().ok()))
}
