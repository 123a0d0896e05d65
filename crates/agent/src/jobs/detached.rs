//! Work that outlives whoever asked for it: our own program, once more, with no ties to its parent.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{getpgid, getppid, setpgid, setsid};

/// Starts our own program with these arguments and lets go of it. It gets a process group of its own, so that whoever
/// ends ours does not end it, and no handle of ours.
///
/// # Errors
///
/// When it cannot be started.
pub fn start_detached<A: AsRef<OsStr>>(
    program: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> io::Result<u32> {
    let child = Command::new(program)
        .args(arguments)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    Ok(child.id())
}

/// Leaves the session of whoever started this process, so that a terminal that is closed does not end it. Called first
/// thing by a process that [`start_detached`] started.
pub fn detach() {
    if setsid().is_ok() {
        return;
    }
    // The first of its process group cannot leave; back in its parent's for an instant, it can.
    let joined = getppid()
        .map(|parent| getpgid(Some(parent)))
        .and_then(Result::ok)
        .map(|group| setpgid(None, Some(group)));
    if let Some(Ok(())) = joined {
        let _ = setsid();
    }
}
