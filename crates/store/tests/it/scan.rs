use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;

use crate::fixture::Fixture;

fn aged(fixture: &Fixture, name: &str, hours: u64) {
    fixture.outside(
        name,
        &format!("---\nname: {hours}\ntype: user\n---\n\nText.\n"),
    );
    let time = SystemTime::now() - Duration::from_secs(hours * 3600);
    fs::File::open(fixture.memory().join(name))
        .unwrap()
        .set_modified(time)
        .unwrap();
}

#[test]
fn topics_newest_first_without_indexes_logs_and_dot_files() {
    let fixture = Fixture::new();
    aged(&fixture, "old.md", 9);
    aged(&fixture, "new.md", 1);
    aged(&fixture, "team/middle.md", 5);
    for name in [
        "MEMORY.md",
        "memory.md",
        "team/Memory.md",
        "logs/2026/11/2026-11-15.md",
        ".hidden.md",
        "a.txt",
    ] {
        aged(&fixture, name, 1);
    }
    let scan = fixture.store.scan().unwrap();
    let lines: Vec<String> = scan
        .memories
        .iter()
        .map(|memory| {
            format!(
                "{} {}",
                memory.path,
                memory.header.name.as_deref().unwrap_or("?")
            )
        })
        .collect();
    assert_snapshot!(lines.join("\n"), @"
    new.md 1
    team/middle.md 5
    old.md 9
    ");
    assert!(scan.skipped.is_empty(), "{:?}", scan.skipped);
}

#[test]
fn what_is_not_a_plain_readable_file_is_skipped_and_said() {
    let fixture = Fixture::new();
    aged(&fixture, "fine.md", 1);
    let memory = fixture.memory();
    std::os::unix::fs::symlink("/etc/passwd", memory.join("link.md")).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(memory.join("fifo.md"))
            .status()
            .unwrap()
            .success()
    );
    fs::write(memory.join(std::ffi::OsStr::from_bytes(b"bad\xFF.md")), "x").unwrap();
    fs::write(memory.join("con.md"), "x").unwrap();
    let scan = fixture.store.scan().unwrap();
    assert_eq!(scan.memories.len(), 1);
    let mut lines: Vec<String> = scan
        .skipped
        .iter()
        .map(|skipped| format!("{}: {}", skipped.path.display(), skipped.reason))
        .collect();
    lines.sort();
    assert_snapshot!(lines.join("\n"), @"
    bad�.md: its name is not valid UTF-8
    con.md: the name is reserved for a device on other systems (con, nul, com1, ...)
    fifo.md: it is not a plain file
    link.md: it is a symbolic link
    ");
}

#[test]
fn a_long_header_is_read_to_its_end() {
    let fixture = Fixture::new();
    let long = "x".repeat(6000);
    fixture.outside(
        "a.md",
        &format!("---\ncomment: {long}\nname: late\n---\nText\n"),
    );
    let scan = fixture.store.scan().unwrap();
    assert_eq!(scan.memories[0].header.name.as_deref(), Some("late"));
}

#[test]
fn a_sparse_file_of_two_gigabytes_is_scanned_and_never_read_whole() {
    let fixture = Fixture::new();
    aged(&fixture, "big.md", 1);
    let file = fs::File::options()
        .write(true)
        .open(fixture.memory().join("big.md"))
        .unwrap();
    file.set_len(2 * 1024 * 1024 * 1024).unwrap();
    assert_eq!(fixture.store.scan().unwrap().memories.len(), 1);
    let sweep = fixture.store.sweep().unwrap();
    assert_eq!(sweep.skipped.len(), 1);
}
