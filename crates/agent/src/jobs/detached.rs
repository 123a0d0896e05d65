//! Work that outlives whoever asked for it: our own program, once more, with no ties to its parent.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::setsid;
use rustix::stdio::dup2_stdout;

/// How long it is waited until the new process has left; it takes a few milliseconds.
const PATIENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 250_000_000,
};

/// Starts our own program with these arguments and lets go of it, once it has left our session: whoever ends our process
/// group the moment we are gone does not meet it there. (A process group of its own from the start would not do: the
/// first of a group cannot leave its session.)
///
/// That it has left is told by the end of its output, which [`detach`] closes. The kernel could be asked instead, but
/// inside a container it knows no session that began outside of it.
///
/// # Errors
///
/// When it cannot be started.
pub fn start_detached<A: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> io::Result<u32> {
    let (ours, its_own) = io::pipe()?;
    let child = Command::new(program)
        .args(arguments)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(its_own)
        .stderr(Stdio::null())
        .spawn()?;
    // It runs: whoever cannot wait for it goes on.
    let _ = poll(&mut [PollFd::new(&ours, PollFlags::IN)], Some(&PATIENCE));
    Ok(child.id())
}

/// Leaves the session of whoever started this process, so that neither a terminal that is closed nor the end of a process
/// group ends it. Called first thing by a process that [`start_detached`] started; nobody reads what it prints from then on.
pub fn detach() {
    // One that leads a process group already was started by somebody else, and stays as it is.
    let _ = setsid();
    if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
        let _ = dup2_stdout(nowhere);
    }
}
