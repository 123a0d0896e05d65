//! `memdir doctor`.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::Fixture;

fn examine(fixture: &Fixture, arguments: &[&str]) -> Outcome {
    let all: Vec<&str> = std::iter::once("doctor").chain(arguments.iter().copied()).collect();
    let program = fixture.program(&all).filter(r"linux \w+", "[PLATFORM]");
    program.filter(r"memdir \d+\.\d+\.\d+|(version.: .)\d+\.\d+\.\d+", "memdir $1[VERSION]").run().unwrap()
}

fn state_dir(fixture: &Fixture) -> PathBuf {
    PathBuf::from(fixture.run(&["paths", "state"]).stdout().trim_end())
}

#[test]
fn a_healthy_house() {
    let fixture = Fixture::with_some();
    assert_snapshot!(examine(&fixture, &[]), @"");
    // The first look has made the state folder, in which an exchange can now be tried.
    assert_snapshot!(examine(&fixture, &[]), @"");
}

#[test]
fn nothing_yet() {
    let fixture = Fixture::new();
    assert_snapshot!(examine(&fixture, &[]), @"");
    assert!(!fixture.sandbox.home().join(".claude").exists(), "looking creates nothing");
}

#[test]
fn json() {
    let fixture = Fixture::new();
    fixture.sandbox.write("home/.claude", "in the way").unwrap();
    assert_snapshot!(examine(&fixture, &["--json"]), @"");
}

#[test]
fn everything_that_can_be_wrong_at_once() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    let memory = fixture.memory_dir();
    let state = state_dir(&fixture);
    // Leftovers of a killed command, and of a killed consolidation.
    fixture.file(".memdir-1-1-1.tmp", 0, "half");
    fixture.file(".consolidate-lock", 5, "4000000000");
    // Files that are none, twins, an index that is behind.
    symlink("/etc/passwd", memory.join("link.md")).unwrap();
    fixture.topic("User_Role.md", 0, "user", "A twin", "Twin.");
    fs::remove_file(memory.join("project_release.md")).unwrap();
    // A damaged history.
    let log = state.join("history/log.jsonl");
    let mut lines = fs::read(&log).unwrap();
    lines.extend_from_slice(b"not a record\n");
    fs::write(&log, lines).unwrap();
    // A repository that wants to choose, and a switch that is off.
    let settings = r#"{"autoMemoryDirectory": "/srv/other/memory", "autoMemoryEnabled": false}"#;
    fixture.sandbox.write("project/.claude/settings.json", settings).unwrap();
    assert_snapshot!(examine(&fixture, &[]), @"");
}

#[test]
fn others_who_can_read_are_named() {
    let fixture = Fixture::with_some();
    let memory = fixture.memory_dir();
    fs::set_permissions(fixture.sandbox.root(), Permissions::from_mode(0o755)).unwrap();
    for folder in memory.ancestors().take_while(|folder| *folder != fixture.sandbox.root()) {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    let warnings = |outcome: Outcome| {
        let stdout = outcome.stdout();
        let found: Vec<String> = stdout.lines().filter(|line| line.contains("can read")).map(str::to_owned).collect();
        found.join("\n").replace(&fixture.memory_dir().display().to_string(), "[MEMORY]")
    };
    let open = warnings(examine(&fixture, &[]));
    assert!(open.contains("everybody on this machine can read") && open.contains("(mode 755)"), "{open}");
    fs::set_permissions(&memory, Permissions::from_mode(0o700)).unwrap();
    assert_eq!(warnings(examine(&fixture, &[])), "");
}

#[test]
fn whoever_holds_the_lock_is_named() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    let path = state_dir(&fixture).join("lock");
    let lock = File::options().read(true).write(true).open(path).unwrap();
    lock.lock().unwrap();
    let outcome = examine(&fixture, &[]);
    drop(lock);
    let line = outcome.stdout().lines().find(|line| line.contains("lock  ")).unwrap().to_owned();
    assert_snapshot!(line, @"");
}

#[test]
fn a_second_project_in_one_directory_is_named() {
    let fixture = Fixture::with_some();
    // `a-b` and `a/b` have one slug.
    for folder in ["project/a/b", "project/a-b"] {
        fs::create_dir_all(fixture.sandbox.root().join(folder)).unwrap();
    }
    let remember = |folder: &str| {
        let folder = fixture.sandbox.root().join(folder);
        fixture.program(&["remember", &format!("Say hello to {}", folder.display())]).current_folder(folder).run()
    };
    remember("project/a/b").unwrap();
    remember("project/a-b").unwrap();
    let look = |arguments: &[&str]| {
        let folder = fixture.sandbox.root().join("project/a-b");
        fixture.program(arguments).current_folder(folder).run().unwrap().to_string()
    };
    let lines = |text: String| -> String {
        text.lines().filter(|line| line.contains("same slug")).map(str::to_owned).collect()
    };
    assert_snapshot!(lines(look(&["status"])), @"");
    assert_snapshot!(lines(look(&["doctor"])), @"");
}

#[test]
fn memories_of_a_project_that_moved_are_found() {
    let fixture = Fixture::new();
    for folder in ["old/app", "new/app"] {
        fs::create_dir_all(fixture.sandbox.root().join(folder)).unwrap();
    }
    let at = |folder: &str, arguments: &[&str]| {
        let folder = fixture.sandbox.root().join(folder);
        fixture.program(arguments).current_folder(folder).run().unwrap()
    };
    at("old/app", &["remember", "Deploy with make ship"]);
    fs::remove_dir(fixture.sandbox.root().join("old/app")).unwrap();
    let stdout = at("new/app", &["doctor"]).to_string();
    let lines: Vec<&str> = stdout.lines().skip_while(|line| !line.contains("is gone")).take(2).collect();
    assert_snapshot!(lines.join("\n"), @"");
}
