//! Faults at a chosen system call of a program, injected by `strace`.
//!
//! `strace` counts the calls of each name apart, so a fault is named by a call and an ordinal: "the
//! third `openat`". [`record`] lists the calls of a clean run; [`inject`] runs the program again
//! with one fault. Only the program's first thread is traced: its children, such as an editor, run
//! untouched.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::{Outcome, Program};

/// Calls that reach the file system, whichever of them a program uses.
#[rustfmt::skip]
pub const FILE_SYSTEM_CALLS: &[&str] = &[
    "access", "chdir", "chmod", "chown", "close", "copy_file_range", "creat", "faccessat",
    "faccessat2", "fallocate", "fchdir", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat",
    "fcntl", "fdatasync", "flock", "fstat", "fstatfs", "fsync", "ftruncate", "getcwd",
    "getdents64", "ioctl", "link", "linkat", "lseek", "lstat", "mkdir", "mkdirat", "mknod",
    "mknodat", "newfstatat", "open", "openat", "openat2", "pread64", "preadv", "pwrite64",
    "pwritev", "read", "readlink", "readlinkat", "readv", "rename", "renameat", "renameat2",
    "rmdir", "sendfile", "stat", "statfs", "statx", "symlink", "symlinkat", "sync_file_range",
    "syncfs", "truncate", "unlink", "unlinkat", "utimensat", "write", "writev",
];

/// std's runtime looks at the three standard streams with one of these before `main`: what comes
/// earlier is the dynamic loader's.
const FIRST_OWN_CALLS: &[&str] = &["poll", "ppoll"];

/// Calls that start a thread, or a process.
const THREAD_CALLS: &[&str] = &["clone", "clone3"];

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The program is killed as it enters the call.
    Kill,
    /// The call fails with this error, once: `"EIO"`.
    Error(&'static str),
    /// This call and all later ones of its name fail with this error.
    ErrorForGood(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kill => write!(out, "kill"),
            Self::Error(name) => write!(out, "{name} once"),
            Self::ErrorForGood(name) => write!(out, "{name} for good"),
        }
    }
}

/// One system call that a program made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Its name: `openat`.
    pub name: String,
    /// The how-manieth of that name in the program's life, from 1.
    pub ordinal: usize,
    /// The whole line that `strace` printed.
    pub line: String,
}

/// A clean run.
#[derive(Debug)]
pub struct Recording {
    /// What the program did.
    pub outcome: Outcome,
    /// Its own file-system calls, in order.
    pub calls: Vec<Call>,
    /// Whether it started threads, whose calls are not among these.
    pub threads: bool,
}

/// How a run with a fault went.
#[derive(Debug)]
pub struct Injected {
    /// What the program did.
    pub outcome: Outcome,
    /// The line of the call that was hit; `None` if the program never came so far.
    pub hit: Option<String>,
}

/// Whether `strace` is here and may trace; the error says what to do.
pub fn available() -> Result<(), String> {
    let run = Command::new("strace")
        .args(["-qq", "-e", "trace=none", "true"])
        .output();
    match run {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "strace may not trace here: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("strace is not installed (Debian: apt-get install strace)".to_owned())
        }
        Err(error) => Err(format!("strace cannot be started: {error}")),
    }
}

/// Runs the program without a fault and lists its own file-system calls, in order. `log` is a file
/// for strace to write.
pub fn record(program: &Program, log: &Path) -> io::Result<Recording> {
    let words = words(log, &["-e", &format!("trace={}", traced_calls())]);
    let outcome = program.finish(program.command_under("strace", &words))?;
    let log = std::fs::read_to_string(log)?;
    Ok(Recording {
        outcome,
        calls: own_calls(&log),
        threads: log.contains("CLONE_THREAD"),
    })
}

/// Runs the program with one fault at one call. `log` is a file for strace to write.
pub fn inject(
    program: &Program,
    call: &str,
    ordinal: usize,
    fault: Fault,
    log: &Path,
) -> io::Result<Injected> {
    let action = match fault {
        Fault::Kill => format!("signal=KILL:when={ordinal}"),
        Fault::Error(error) => format!("error={error}:when={ordinal}"),
        Fault::ErrorForGood(error) => format!("error={error}:when={ordinal}+"),
    };
    let words = words(
        log,
        &[
            "-e",
            &format!("trace={call}"),
            "-e",
            &format!("inject={call}:{action}"),
        ],
    );
    let outcome = program.finish(program.command_under("strace", &words))?;
    let lines = std::fs::read_to_string(log)?;
    let hit = match fault {
        Fault::Kill => killed_at(&lines, call, ordinal),
        _ => lines
            .lines()
            .find(|line| line.contains("(INJECTED)"))
            .map(str::to_owned),
    };
    Ok(Injected { outcome, hit })
}

fn words(log: &Path, options: &[&str]) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![
        "-qq".into(),
        "-s".into(),
        "200".into(),
        "-o".into(),
        log.into(),
    ];
    words.extend(options.iter().map(Into::into));
    words.push("--".into());
    words
}

/// `?` lets strace pass over a call that this machine's architecture does not have.
fn traced_calls() -> String {
    let names = FIRST_OWN_CALLS
        .iter()
        .chain(THREAD_CALLS)
        .chain(FILE_SYSTEM_CALLS);
    names
        .map(|name| format!("?{name}"))
        .collect::<Vec<_>>()
        .join(",")
}

/// The file-system calls of a log, numbered from the program's start, without the loader's. In the
/// log of a program that is not Rust's, which has no such beginning, all of them.
fn own_calls(log: &str) -> Vec<Call> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut calls = Vec::new();
    let mut begun = false;
    for line in log.lines() {
        let Some((name, _)) = line.split_once('(') else {
            continue;
        };
        if FIRST_OWN_CALLS.contains(&name) && !begun {
            begun = true;
            calls.clear();
        } else if FILE_SYSTEM_CALLS.contains(&name) {
            let count = counts.entry(name).or_default();
            *count += 1;
            calls.push(Call {
                name: name.to_owned(),
                ordinal: *count,
                line: line.to_owned(),
            });
        }
    }
    calls
}

/// The call that a killed program was entering, if it was this one.
fn killed_at(log: &str, call: &str, ordinal: usize) -> Option<String> {
    let killed = log
        .lines()
        .any(|line| line.contains("+++ killed by SIGKILL"));
    let entered: Vec<&str> = log
        .lines()
        .filter(|line| line.starts_with(&format!("{call}(")))
        .collect();
    if killed && entered.len() == ordinal {
        entered.last().map(ToString::to_string)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;

    #[test]
    fn the_loaders_calls_are_counted_but_not_listed() {
        let log = r#"
openat(AT_FDCWD, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3
close(3) = 0
poll([{fd=0}], 3, 0) = 0
openat(AT_FDCWD, "a.md", O_RDONLY) = 3
read(3, "text", 100) = 4
poll([{fd=0}], 3, 0) = 0
close(3) = 0
+++ exited with 0 +++
"#;
        let calls: Vec<String> = own_calls(log)
            .iter()
            .map(|call| format!("{} {}", call.name, call.ordinal))
            .collect();
        insta::assert_debug_snapshot!(calls, @r#"
        [
            "openat 2",
            "read 1",
            "close 2",
        ]
        "#);
    }

    /// Writes in two steps, so that a kill between them shows.
    const SCRIPT: &str = "echo one >a.tmp; mv a.tmp a.md; echo done";

    #[test]
    fn a_fault_hits_the_call_it_names_and_none_after_the_last() {
        if let Err(reason) = available() {
            println!("left out: {reason}");
            return;
        }
        let sandbox = Sandbox::new().unwrap();
        let log = sandbox.root().join("log");
        let script = sandbox.program("sh").args(["-c", SCRIPT]);

        let Recording {
            outcome,
            calls,
            threads,
        } = record(&script, &log).unwrap();
        assert_eq!((outcome.stdout().as_str(), threads), ("done\n", false));
        let writes = calls.iter().filter(|call| call.name == "write").count();
        assert_eq!(writes, 2, "{calls:#?}");

        let killed = inject(&script, "write", 2, Fault::Kill, &log).unwrap();
        assert_eq!(killed.outcome.signal(), Some(9));
        assert!(killed.hit.unwrap().starts_with("write(1, \"done"));

        let failed = inject(&script, "write", 1, Fault::Error("ENOSPC"), &log).unwrap();
        assert!(
            failed.outcome.stderr().contains("I/O error"),
            "{}",
            failed.outcome
        );
        assert!(failed.hit.unwrap().contains("ENOSPC"));

        let spared = inject(&script, "write", 3, Fault::Kill, &log).unwrap();
        assert_eq!(spared.hit, None);
        assert!(spared.outcome.success());
    }
}
