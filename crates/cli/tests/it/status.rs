//! `memdir status`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::{Fixture, set_age};

#[test]
fn all_is_well() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["status"]), @"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory    ~/.claude/projects/[-PROJECT]/memory
    memories     3 (1 user, 1 feedback, 1 project)
    index        3 of 200 lines, 167 of 25,000 bytes [----------]
                 agrees with the files
    last change  #1 first seen, [TIME]
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["status", "--short"]), @"
    exit 0
    -- stdout
    3 memories, index 3/200
    -- stderr
    ");
}

#[test]
fn nothing_yet() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["status"]), @r#"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory  ~/.claude/projects/[-PROJECT]/memory

    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["status", "--everywhere"]), @r#"
    exit 0
    -- stdout
    Memory for all your projects
    directory  ~/.claude/memdir/everywhere

    No memories for all your projects yet. Begin with:
      memdir remember "Never push to main on a Friday" --everywhere
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["status", "--short"]), @"
    exit 0
    -- stdout
    0 memories, index 0/200
    -- stderr
    ");
    assert!(
        !fixture.sandbox.home().join(".claude").exists(),
        "looking creates nothing"
    );
}

#[test]
fn what_changed_outside_is_told_once() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    fixture.topic("user_new.md", 0, "user", "New", "New.");
    fixture.file("project_release.md", 2, "Only text now.\n");
    fs::remove_file(fixture.memory_dir().join("user_role.md")).unwrap();
    assert_snapshot!(fixture.run(&["status"]), @"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory    ~/.claude/projects/[-PROJECT]/memory
    memories     3 (1 user, 1 feedback, 1 without a type)
    index        3 of 200 lines, 167 of 25,000 bytes [----------]
                 1 memory has no line, 1 line leads nowhere: `memdir index --rebuild` mends it
    last change  #2 changed outside, [TIME]
    outside      project_release.md changed, user_new.md added, user_role.md removed (now in the history)
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["status", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "directory": "[HOME]/.claude/projects/[-PROJECT]/memory",
      "exists": true,
      "project": "[PROJECT]",
      "enabled": true,
      "reason": "built-in",
      "memories": {
        "total": 3,
        "user": 1,
        "feedback": 1,
        "project": 0,
        "reference": 0,
        "untyped": 1,
        "expired": 0
      },
      "index": {
        "exists": true,
        "lines": 3,
        "max_lines": 200,
        "bytes": 167,
        "max_bytes": 25000,
        "dead": 1,
        "missing": 1
      },
      "last_change": {
        "operation": 2,
        "at": "[TIME]",
        "who": "outside",
        "what": "changed outside"
      },
      "outside": [],
      "settings": [],
      "warnings": []
    }
    -- stderr
    "#);
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
        fixture
            .program(arguments)
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
            .run()
            .unwrap()
    };
    assert_snapshot!(off(&["status"]), @"
    exit 0
    -- stdout
    Memory of [PROJECT] is off (by CLAUDE_CODE_DISABLE_AUTO_MEMORY): agents do not see it, commands still work
    directory    ~/.claude/projects/[-PROJECT]/memory
    memories     3 (1 user, 1 feedback, 1 project)
    index        3 of 200 lines, 167 of 25,000 bytes [----------]
                 agrees with the files
    last change  #1 first seen, [TIME]
    -- stderr
    ");
    assert_snapshot!(off(&["status", "--short"]), @"
    exit 0
    -- stdout
    memory off, 3 memories, index 3/200
    -- stderr
    ");
    assert_snapshot!(off(&["status", "--short", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "enabled": false,
      "memories": 3,
      "index_lines": 3,
      "index_max_lines": 200
    }
    -- stderr
    "#);
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
    assert_snapshot!(fixture.run(&["status"]), @"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory    ~/.claude/projects/[-PROJECT]/memory
    memories     210 (210 user)
    index        210 of 200 lines, 6,709 of 25,000 bytes [##########]
                 agents see only the beginning of it; agrees with the files
    last change  #1 first seen, [TIME]
    -- stderr
    ");
}

#[test]
fn everything_that_deserves_a_warning() {
    let fixture = Fixture::with_some();
    fixture.topic_with(
        "past.md",
        9,
        "project",
        "Frozen",
        &["expires: 2020-02-29"],
        "Frozen.",
    );
    fixture.run(&["status"]);
    // A killed command's temporary, and a damaged line of history.
    fixture.file(".memdir-1-1-1.tmp", 0, "half");
    let history = fixture.run(&["paths", "history"]).stdout();
    let log = std::path::Path::new(history.trim_end()).join("log.jsonl");
    let mut lines = fs::read(&log).unwrap();
    lines.extend_from_slice(b"not a record\n");
    fs::write(&log, lines).unwrap();
    let settings = r#"{"autoMemoryDirectory": "/srv/other/memory"}"#;
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings)
        .unwrap();
    assert_snapshot!(fixture.run(&["status"]), @r#"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory    ~/.claude/projects/[-PROJECT]/memory
    memories     4 (1 user, 1 feedback, 2 project)
    index        3 of 200 lines, 167 of 25,000 bytes [----------]
                 1 memory has no line: `memdir index --rebuild` mends it
    last change  #1 first seen, [TIME]
    -- stderr
    warning: "/srv/other/memory" from autoMemoryDirectory in [PROJECT]/.claude/settings.json (project) is not used: a file that comes with the project may not choose a directory
    warning: a command was killed earlier; 1 leftover file is removed
    warning: 1 memory has expired: `memdir list --expired`
    warning: 1 line of the history cannot be read: `memdir doctor`
    "#);
}

#[test]
fn on_a_read_only_disk_it_is_a_warning_only() {
    let fixture = Fixture::with_some();
    // A file where the state folder should be stops every write, for root as well.
    fixture
        .sandbox
        .write("home/.claude/memdir", "in the way")
        .unwrap();
    assert_snapshot!(fixture.run(&["status"]), @"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory  ~/.claude/projects/[-PROJECT]/memory
    memories   3 (1 user, 1 feedback, 1 project)
    index      3 of 200 lines, 167 of 25,000 bytes [----------]
               agrees with the files
    -- stderr
    warning: what changed outside was not recorded: could not open the folder [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory: not a directory
    ");
}
