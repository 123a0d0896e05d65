//! A home with a project in it, and memories of any age.

use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use memdir_testkit::{Outcome, Program, Sandbox};

/// A sandbox in which the memory directory is where it always is.
pub(crate) struct Fixture {
    pub(crate) sandbox: Sandbox,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture {
            sandbox: Sandbox::new().unwrap(),
        }
    }

    /// The memory directory of the sandbox's project.
    pub(crate) fn memory_dir(&self) -> PathBuf {
        let root = self.sandbox.project();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = root.to_string_lossy().chars().map(dashed).collect();
        self.sandbox
            .home()
            .join(".claude/projects")
            .join(slug)
            .join("memory")
    }

    /// A file of ours about the memory directory.
    pub(crate) fn state_file(&self, name: &str) -> PathBuf {
        let memory = self.memory_dir();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let key: String = memory.to_string_lossy().chars().map(dashed).collect();
        self.sandbox
            .home()
            .join(".claude/memdir")
            .join(key)
            .join(name)
    }

    /// Writes a file of the memory directory as it was this many days ago, unread since.
    pub(crate) fn file(&self, path: &str, days: u64, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.memory_dir().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        // As we make it ourselves, whatever the umask of whoever runs the tests.
        fs::set_permissions(self.memory_dir(), Permissions::from_mode(0o700)).unwrap();
        fs::write(&path, content).unwrap();
        set_age(&path, days);
        path
    }

    /// Writes a topic file; `metadata` are further lines beneath `metadata:`.
    pub(crate) fn topic(&self, path: &str, days: u64, kind: &str, description: &str, body: &str) {
        self.topic_with(path, days, kind, description, &[], body);
    }

    pub(crate) fn topic_with(
        &self,
        path: &str,
        days: u64,
        kind: &str,
        description: &str,
        metadata: &[&str],
        body: &str,
    ) {
        let name = path.trim_end_matches(".md").replace(['_', '/'], "-");
        let metadata: String = metadata.iter().map(|line| format!("  {line}\n")).collect();
        let text = format!(
            "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n{metadata}---\n\n{body}\n"
        );
        self.file(path, days, text);
    }

    /// A few ordinary memories with their index.
    pub(crate) fn with_some() -> Fixture {
        let fixture = Fixture::new();
        fixture.topic(
            "user_role.md",
            3,
            "user",
            "Writes Rust, reads Go",
            "Ten years of Rust, new to Go.",
        );
        fixture.topic_with(
            "feedback_no_push_on_friday.md",
            1,
            "feedback",
            "Never push to main on a Friday",
            &["source: user"],
            "Never push to main on a Friday.\n\n**Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].",
        );
        fixture.topic(
            "project_release.md",
            0,
            "project",
            "2.0 is out on 2026-12-01",
            "Release on 2026-12-01.",
        );
        fixture.file(
            "MEMORY.md",
            0,
            "- [Role](user_role.md) — writes Rust\n\
             - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix\n\
             - [Release](project_release.md) — the day of 2.0\n",
        );
        fixture
    }

    pub(crate) fn program(&self, arguments: &[&str]) -> Program {
        self.sandbox
            .program(env!("CARGO_BIN_EXE_memdir"))
            .args(arguments)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        self.program(arguments).run().unwrap()
    }
}

/// Makes a file look as if it had been written this many days ago, and not been read since.
pub(crate) fn set_age(path: &Path, days: u64) {
    // An hour more than whole days, so that a slow test is still on the same one.
    let hour = Duration::from_secs(60 * 60);
    let time = SystemTime::now() - hour * 24 * u32::try_from(days).unwrap() - hour;
    let times = FileTimes::new().set_accessed(time).set_modified(time);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_times(times)
        .unwrap();
}

/// Whether this machine lets us make namespaces of this sort; where it does not, it is said that a test is left out.
#[expect(
    clippy::print_stderr,
    reason = "whoever runs the tests should know what was left out"
)]
pub(crate) fn may_unshare(flags: &[&str]) -> bool {
    let tried = std::process::Command::new("unshare")
        .args(flags)
        .arg("true")
        .output();
    let may = tried.is_ok_and(|output| output.status.success());
    if !may {
        eprintln!(
            "left out: this machine does not permit `unshare {}`",
            flags.join(" ")
        );
    }
    may
}
