//! The lock, the history, and what killed commands left behind.

use std::time::Duration;

use jiff::Timestamp;
use memdir_agent::jobs::Jobs;
use memdir_memory::age;
use memdir_serve::hook::scrubbing;
use memdir_store::process::ProcessState;
use memdir_store::{Directory, Error, LockState, Sweep, consolidate, lock_state, read_regular};

use super::Check;
use crate::background;
use crate::moment;
use crate::table::count;
use crate::workplace::Workplace;

/// Whoever changes memories is done in milliseconds.
const LONG_HELD: Duration = Duration::from_secs(60);
/// A PID and a newline.
const MAX_BODY: u64 = 64;

pub(super) fn lock(workplace: &Workplace) -> Check {
    const CHECK: &str = "lock";
    let state = match Directory::open(workplace.store.state_directory()) {
        Ok(Some(state)) => state,
        Ok(None) => return Check::ok(CHECK, "free"),
        Err(error) => return Check::fail(CHECK, error.to_string(), "check who owns the folder"),
    };
    match lock_state(&state) {
        Ok(LockState::Free) => Check::ok(CHECK, "free"),
        Ok(LockState::Held(None)) => Check::ok(CHECK, "held by a process that left no name"),
        Ok(LockState::Held(Some(owner))) => {
            let pid = owner.process.pid;
            let since = moment::shown(owner.since);
            let held = Timestamp::now().duration_since(owner.since).unsigned_abs();
            let what = format!("held by process {pid} (`{}`) since {since}", owner.what);
            match owner.process.state() {
                _ if held < LONG_HELD => Check::ok(CHECK, what),
                ProcessState::Alive => Check::warn(
                    CHECK,
                    what,
                    format!("look at what process {pid} does; ending it frees the lock"),
                ),
                // The lock is the system's: whatever the record says, somebody who lives has it.
                ProcessState::Dead | ProcessState::Unknown => Check::warn(
                    CHECK,
                    format!("{what}, which cannot be seen from here"),
                    "look for memdir in other containers; ending it frees the lock",
                ),
            }
        }
        Err(error) => Check::fail(CHECK, error.to_string(), "check who owns the file"),
    }
}

/// Files that were too large to be read and were moved aside.
pub(super) fn set_aside(workplace: &Workplace) -> Vec<Check> {
    let files = workplace.store.set_aside().unwrap_or_default();
    let checks = files.into_iter().map(|(file, bytes)| {
        Check::warn(
            "set aside",
            format!(
                "{} was too large to be read: {bytes} bytes",
                workplace.shown(&file)
            ),
            "take from it what you need, then remove it",
        )
    });
    checks.collect()
}

/// Sweeps, and says what came of it.
pub(super) fn sweep(workplace: &Workplace) -> (Sweep, Check) {
    const CHECK: &str = "changes outside";
    match workplace.store.sweep() {
        Ok(sweep) => {
            background::tell_of_outside(workplace, &sweep);
            let check = match sweep.outside.len() {
                0 if sweep.first && workplace.store.memory_directory().is_dir() => Check::ok(
                    CHECK,
                    "the memories are seen for the first time; from now on changes are kept",
                ),
                0 => Check::ok(CHECK, "none since memdir last looked"),
                number => Check::ok(
                    CHECK,
                    format!("{}, now in the history", count(number, "file", "files")),
                ),
            };
            (sweep, check)
        }
        Err(error) => {
            let remedy = match &error {
                Error::Busy { .. } => "try again in a moment",
                Error::Newer { .. } => "update memdir",
                _ => "memories can be read, but what changes is not kept until this works",
            };
            let check = match error {
                Error::Busy { .. } => Check::warn(CHECK, error.to_string(), remedy),
                _ => Check::fail(CHECK, error.to_string(), remedy),
            };
            (Sweep::default(), check)
        }
    }
}

/// Whether what earlier versions wrote down of messages was cleaned.
pub(super) fn records(workplace: &Workplace) -> Option<Check> {
    const CHECK: &str = "records";
    let progress = scrubbing::progress(&workplace.places.own_dir());
    let check = match (progress.due, progress.last) {
        (0, Some(last)) => Check::ok(
            CHECK,
            format!(
                "cleaned of secrets and private words {}",
                moment::shown(last)
            ),
        ),
        (0, None) => return None,
        (due, _) => Check::ok(
            CHECK,
            format!(
                "{} still to be cleaned of secrets and private words: the next background job does it, or `memdir jobs run` now",
                count(due, "folder", "folders")
            ),
        ),
    };
    Some(check)
}

pub(super) fn history(workplace: &Workplace) -> Check {
    const CHECK: &str = "history";
    match workplace.store.history() {
        Ok(history) if history.damaged > 0 => Check::warn(
            CHECK,
            format!(
                "{} cannot be read; {} can",
                count(history.damaged, "line", "lines"),
                count(history.operations.len(), "operation", "operations")
            ),
            "the memories themselves are whole; what these lines told cannot be undone",
        ),
        Ok(history) if history.operations.is_empty() => Check::ok(CHECK, "nothing yet"),
        Ok(history) => Check::ok(
            CHECK,
            count(history.operations.len(), "operation", "operations"),
        ),
        Err(error @ Error::Newer { .. }) => Check::fail(CHECK, error.to_string(), "update memdir"),
        Err(error) => Check::fail(
            CHECK,
            error.to_string(),
            "restore it from a backup, or move it away to begin anew",
        ),
    }
}

/// Who consolidates, if anybody does, and when it was last done.
pub(super) fn consolidation(workplace: &Workplace) -> Check {
    const CHECK: &str = "consolidation";
    let store = &workplace.store;
    let file = store.memory_directory().join(consolidate::FILE_NAME);
    let body = read_regular(&file, MAX_BODY)
        .ok()
        .flatten()
        .unwrap_or_default();
    let pid: Option<u32> = std::str::from_utf8(&body)
        .ok()
        .and_then(|body| body.trim().parse().ok());
    if let Some(pid) = pid
        && is_running(pid)
    {
        return Check::ok(CHECK, format!("process {pid} says that it is at it"));
    }
    let now = Timestamp::now();
    let last =
        consolidate::last_consolidated(store.memory_directory(), store.state_directory(), now);
    let last = match last {
        Some(last) => format!("last {}", age::describe(age::days_between(last, now))),
        None => "never yet".to_owned(),
    };
    match pid {
        Some(pid) => Check::ok(
            CHECK,
            format!("{last}; process {pid} was killed at it, the next one goes on"),
        ),
        None => Check::ok(CHECK, last),
    }
}

/// What is wrong with the records of background work.
pub(super) fn jobs(workplace: &Workplace) -> Vec<Check> {
    const CHECK: &str = "background work";
    let standing = match Jobs::new(workplace.store.state_directory()).standing() {
        Ok(standing) => standing,
        Err(error) => {
            let remedy = "check who owns the folder; until then nothing is done in the background";
            return vec![Check::fail(CHECK, error.to_string(), remedy)];
        }
    };
    let problems = standing.problems.into_iter();
    let remedy = "nothing else is held up by it; look at the file or remove it";
    problems
        .map(|problem| Check::warn(CHECK, problem, remedy))
        .collect()
}

fn is_running(pid: u32) -> bool {
    let pid = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| {
        !matches!(
            rustix::process::test_kill_process(pid),
            Err(rustix::io::Errno::SRCH)
        )
    })
}
