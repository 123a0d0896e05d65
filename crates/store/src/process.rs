//! Which process a record speaks of. A PID alone is no identity: it is given out again.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

/// What the kernel's ticks are to programs, whatever its own clock does.
const TICKS_PER_SECOND: u64 = 100;

/// A process that no later one can be mistaken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIdentity {
    /// The process id.
    pub pid: u32,
    /// When it started, in the kernel's ticks since boot.
    pub start_ticks: u64,
    /// Which boot of the machine.
    pub boot_id: String,
    /// Which PID namespace the id counts in; 0 when unknown. In another one it says nothing.
    #[serde(default)]
    pub namespace: u64,
}

/// What is known of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessState {
    /// It runs.
    Alive,
    /// It is gone for certain.
    Dead,
    /// It cannot be told; whatever it held is still held.
    Unknown,
}

impl ProcessIdentity {
    /// This process; read once.
    #[must_use]
    pub fn current() -> Self {
        static CURRENT: OnceLock<ProcessIdentity> = OnceLock::new();
        CURRENT.get_or_init(Self::read_current).clone()
    }

    fn read_current() -> Self {
        let pid = std::process::id();
        Self {
            pid,
            start_ticks: Running::read(pid).map_or(0, |running| running.start_ticks),
            boot_id: boot_id().unwrap_or_default(),
            namespace: namespace(),
        }
    }

    /// Whether it can be told later that the process has ended.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.boot_id.is_empty() && self.namespace != 0 && self.start_ticks != 0
    }

    /// Whether the process still runs. Dead only on proof: another boot, no such process, or
    /// another process under the same id.
    #[must_use]
    pub fn state(&self) -> ProcessState {
        match boot_id() {
            Some(boot_id) if !self.boot_id.is_empty() => {
                if boot_id != self.boot_id {
                    return ProcessState::Dead;
                }
            }
            _ => return ProcessState::Unknown,
        }
        if self.namespace == 0 || self.namespace != namespace() {
            return ProcessState::Unknown;
        }
        match pid_state(self.pid) {
            ProcessState::Alive => match Running::read(self.pid) {
                Some(_) if self.start_ticks == 0 => ProcessState::Unknown,
                Some(running) if running.start_ticks == self.start_ticks => ProcessState::Alive,
                Some(_) => ProcessState::Dead,
                None => ProcessState::Unknown,
            },
            other => other,
        }
    }
}

/// Whether any process has this id; one that only waits to be reaped does not count.
pub(crate) fn pid_state(pid: u32) -> ProcessState {
    let Some(id) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
        return ProcessState::Dead;
    };
    match test_kill_process(id) {
        Err(Errno::SRCH) => ProcessState::Dead,
        // Not allowed to signal it: it is there.
        Ok(()) | Err(Errno::PERM) => match Running::read(pid) {
            Some(running) if running.ended => ProcessState::Dead,
            _ => ProcessState::Alive,
        },
        Err(_) => ProcessState::Unknown,
    }
}

/// When a process started, in seconds since 1970 and by the clock as it is now; good to a few
/// seconds only.
#[must_use]
pub fn started_at(pid: u32) -> Option<i64> {
    let now = i64::try_from(std::time::UNIX_EPOCH.elapsed().ok()?.as_secs()).ok()?;
    let running = Running::read(pid)?;
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let uptime: i64 = uptime.split('.').next()?.parse().ok()?;
    let since_boot = i64::try_from(running.start_ticks / TICKS_PER_SECOND).ok()?;
    now.checked_sub(uptime)?.checked_add(since_boot)
}

struct Running {
    start_ticks: u64,
    ended: bool,
}

impl Running {
    /// Reads `/proc/<pid>/stat`. The second field is the program's name in parentheses, in which anything may
    /// stand; the fields are counted from its end.
    fn read(pid: u32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(&stat)
    }

    fn parse(stat: &[u8]) -> Option<Self> {
        let end = stat.iter().rposition(|byte| *byte == b')')?;
        let rest = std::str::from_utf8(stat.get(end + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let state = fields.next()?;
        let start_ticks = fields.nth(18)?.parse().ok()?;
        Some(Self {
            start_ticks,
            ended: matches!(state, "Z" | "X" | "x"),
        })
    }
}

fn boot_id() -> Option<String> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned()).filter(|id| !id.is_empty())
}

fn namespace() -> u64 {
    fs::metadata("/proc/self/ns/pid").map_or(0, |metadata| metadata.ino())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_program_cannot_forge_its_start() {
        let stat = b"7 (a) S 1 (b)) R 1 7 7 0 -1 4 1 0 0 0 0 0 0 0 20 0 1 0 4242 9 9";
        let running = Running::parse(stat).unwrap();
        assert_eq!((running.start_ticks, running.ended), (4242, false));
    }

    #[test]
    fn this_process_is_alive() {
        assert_eq!(ProcessIdentity::current().state(), ProcessState::Alive);
    }

    #[test]
    fn death_needs_proof() {
        let own = ProcessIdentity::current();
        let states = [
            ProcessIdentity {
                boot_id: "another".into(),
                ..own.clone()
            },
            ProcessIdentity {
                start_ticks: own.start_ticks + 1,
                ..own.clone()
            },
            ProcessIdentity {
                pid: u32::MAX,
                ..own.clone()
            },
            ProcessIdentity {
                boot_id: String::new(),
                ..own.clone()
            },
            ProcessIdentity {
                namespace: own.namespace + 1,
                pid: u32::MAX,
                ..own.clone()
            },
            ProcessIdentity {
                start_ticks: 0,
                ..own
            },
        ]
        .map(|identity| identity.state());
        use ProcessState::{Dead, Unknown};
        assert_eq!(states, [Dead, Dead, Dead, Unknown, Unknown, Unknown]);
    }

    #[test]
    fn a_process_that_was_killed_but_not_reaped_is_dead() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let running = Running::read(child.id()).unwrap();
        let own = ProcessIdentity::current();
        let identity = ProcessIdentity {
            pid: child.id(),
            start_ticks: running.start_ticks,
            ..own
        };
        assert_eq!(identity.state(), ProcessState::Alive);
        child.kill().unwrap();
        while !Running::read(child.id()).unwrap().ended {
            std::thread::yield_now();
        }
        assert_eq!(identity.state(), ProcessState::Dead);
        child.wait().unwrap();
        assert_eq!(identity.state(), ProcessState::Dead);
    }
}
