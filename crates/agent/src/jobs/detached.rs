//! Work that outlives whoever asked for it: our own program, once more, with no ties to its parent.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, getsid, setsid};

/// How long it is waited until the new process has left; it takes a few milliseconds.
const PATIENCE: Duration = Duration::from_millis(250);

/// Starts our own program with these arguments and lets go of it, once it has left our session: whoever ends our process
/// group the moment we are gone does not meet it there. (A process group of its own from the start would not do: the
/// first of a group cannot leave its session.)
///
/// # Errors
///
/// When it cannot be started.
pub fn start_detached<A: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> io::Result<u32> {
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let begin = Instant::now();
    let has_left = || pid.is_some_and(|pid| getsid(Some(pid)) == Ok(pid));
    while !has_left() && begin.elapsed() < PATIENCE && child.try_wait()?.is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(child.id())
}

/// Leaves the session of whoever started this process, so that neither a terminal that is closed nor the end of a process
/// group ends it. Called first thing by a process that [`start_detached`] started.
pub fn detach() {
    // One that leads a process group already was started by somebody else, and stays as it is.
    let _ = setsid();
}
