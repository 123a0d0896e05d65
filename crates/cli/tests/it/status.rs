//! `memdir status`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::{Fixture, set_age};

#[test]
fn all_is_well() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["status"]), @"");
    assert_snapshot!(fixture.run(&["status", "--short"]), @"");
}

#[test]
fn nothing_yet() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["status"]), @"");
    assert_snapshot!(fixture.run(&["status", "--everywhere"]), @"");
    assert_snapshot!(fixture.run(&["status", "--short"]), @"");
    assert!(!fixture.sandbox.home().join(".claude").exists(), "looking creates nothing");
}

#[test]
fn what_changed_outside_is_told_once() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    fixture.topic("user_new.md", 0, "user", "New", "New.");
    fixture.file("project_release.md", 2, "Only text now.\n");
    fs::remove_file(fixture.memory_dir().join("user_role.md")).unwrap();
    assert_snapshot!(fixture.run(&["status"]), @"");
    assert_snapshot!(fixture.run(&["status", "--json"]), @"");
}

#[test]
fn a_touched_file_is_no_change() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    set_age(&fixture.memory_dir().join("user_role.md"), 1);
    let outcome = fixture.run(&["status", "--json"]);
    assert!(outcome.stdout().contains("\"outside\": []"), "{outcome}");
}

#[test]
fn memory_that_is_off_says_why() {
    let fixture = Fixture::with_some();
    let off = |arguments: &[&str]| {
        fixture.program(arguments).env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1").run().unwrap()
    };
    assert_snapshot!(off(&["status"]), @"");
    assert_snapshot!(off(&["status", "--short"]), @"");
    assert_snapshot!(off(&["status", "--short", "--json"]), @"");
}

#[test]
fn an_index_that_is_too_long() {
    let fixture = Fixture::new();
    let mut index = String::new();
    for number in 0..210 {
        fixture.topic(&format!("n{number}.md"), 0, "user", "A note", "Note.");
        index.push_str(&format!("- [Note {number}](n{number}.md) — a note\n"));
    }
    fixture.file("MEMORY.md", 0, index);
    assert_snapshot!(fixture.run(&["status"]), @"");
}

#[test]
fn everything_that_deserves_a_warning() {
    let fixture = Fixture::with_some();
    fixture.topic_with("past.md", 9, "project", "Frozen", &["expires: 2020-02-29"], "Frozen.");
    fixture.run(&["status"]);
    // A killed command's temporary, and a damaged line of history.
    fixture.file(".memdir-1-1-1.tmp", 0, "half");
    let history = fixture.run(&["paths", "history"]).stdout();
    let log = std::path::Path::new(history.trim_end()).join("log.jsonl");
    let mut lines = fs::read(&log).unwrap();
    lines.extend_from_slice(b"not a record\n");
    fs::write(&log, lines).unwrap();
    let settings = r#"{"autoMemoryDirectory": "/srv/other/memory"}"#;
    fixture.sandbox.write("project/.claude/settings.json", settings).unwrap();
    assert_snapshot!(fixture.run(&["status"]), @"");
}

#[test]
fn on_a_read_only_disk_it_is_a_warning_only() {
    let fixture = Fixture::with_some();
    // A file where the state folder should be stops every write, for root as well.
    fixture.sandbox.write("home/.claude/memdir", "in the way").unwrap();
    assert_snapshot!(fixture.run(&["status"]), @"");
}
