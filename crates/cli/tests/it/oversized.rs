//! Files that nobody should have made so large: everything goes on, and what was left out is named.

use std::fs::{self, File};

use crate::fixture::Fixture;

/// An index of ten million bytes, planted over the one that was there.
fn plant(fixture: &Fixture, content: &[u8]) {
    fixture.file("MEMORY.md", 0, content);
}

fn of_lines() -> Vec<u8> {
    b"- [Role](user_role.md) \xe2\x80\x94 writes Rust, and has done so for years\n".repeat(160_000)
}

#[test]
fn what_is_too_large_is_left_out_of_an_export_whole() {
    let fixture = Fixture::with_some();
    plant(&fixture, &of_lines());
    let outcome = fixture.run(&["export", "markdown", "out"]);
    assert_eq!(outcome.code(), Some(1), "{outcome}");
    assert!(outcome.stderr().contains("MEMORY.md"), "{outcome}");
    assert!(!fixture.sandbox.project().join("out/MEMORY.md").exists());
}

const COMMANDS: [&[&str]; 14] = [
    &["status"],
    &["index"],
    &["audit"],
    &["list"],
    &["show", "user_role.md"],
    &["recall", "push on friday"],
    &["prompt"],
    &["history"],
    &["diff"],
    &["doctor"],
    &["instructions"],
    &["dream", "--dry-run"],
    &["remember", "The staging database is called heron"],
    &["undo"],
];

#[test]
fn an_index_of_ten_megabytes_keeps_nothing_from_working() {
    for content in [of_lines(), vec![b'x'; 10_000_000], vec![0xff; 10_000_000]] {
        for command in COMMANDS {
            let fixture = Fixture::with_some();
            fixture.run(&["remember", "Deploys are announced in the channel first"]);
            plant(&fixture, &content);
            let outcome = fixture.run(command);
            let says = outcome.to_string();
            // What was overwritten may well be in the way of an undo; its size is not.
            let failure = match command {
                ["undo"] => "memory files up to",
                _ => "error:",
            };
            assert!(!says.contains(failure), "{command:?}: {says}");
            assert!(says.len() < 100_000, "{command:?}: {}", says.len());
        }
    }
}

#[test]
fn an_index_of_ten_megabytes_is_named_with_its_size_and_the_limit() {
    let fixture = Fixture::with_some();
    let content = of_lines();
    plant(&fixture, &content);
    for command in [&["status"][..], &["prompt"], &["index"]] {
        let says = fixture.run(command).to_string();
        let digits: String = says.chars().filter(|c| *c != ',').collect();
        assert!(
            digits.contains(&content.len().to_string()),
            "{command:?}: {says}"
        );
        assert!(digits.contains("4194304"), "{command:?}: {says}");
    }
}

#[test]
fn an_index_of_ten_megabytes_is_mended_and_kept_aside_whole() {
    for command in [
        &["index", "--rebuild"][..],
        &["remember", "Heron is the staging database"],
    ] {
        let fixture = Fixture::with_some();
        let content = of_lines();
        plant(&fixture, &content);
        let outcome = fixture.run(command);
        assert_eq!(outcome.code(), Some(0), "{outcome}");
        let index = fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
        assert!(index.len() < 26_000, "{}", index.len());
        let kept: Vec<_> = fs::read_dir(fixture.state_file("oversized"))
            .unwrap()
            .map(|entry| fs::read(entry.unwrap().path()).unwrap())
            .collect();
        assert!(kept == [content]);
        assert!(outcome.stderr().contains("oversized"), "{outcome}");
        let again = fixture.run(&["index", "--rebuild"]);
        assert_eq!(again.code(), Some(0), "{again}");
        for name in [
            "user_role.md",
            "feedback_no_push_on_friday.md",
            "project_release.md",
        ] {
            let index = fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
            assert_eq!(index.matches(name).count(), 1, "{name} {index}");
        }
    }
}

#[test]
fn a_memory_of_ten_megabytes_keeps_nothing_from_working() {
    for command in COMMANDS {
        let fixture = Fixture::with_some();
        fixture.run(&["remember", "Deploys are announced in the channel first"]);
        fixture.file("big.md", 0, b"a line of text\n".repeat(700_000));
        let outcome = fixture.run(command);
        let says = outcome.to_string();
        assert!(!says.contains("error:"), "{command:?}: {says}");
    }
}

#[test]
fn a_transcript_of_ten_gigabytes_is_refused_at_once() {
    let fixture = Fixture::with_some();
    let file = fixture.sandbox.root().join("huge.jsonl");
    File::create(&file)
        .unwrap()
        .set_len(10_000_000_000)
        .unwrap();
    let path = file.to_str().unwrap();
    for command in [
        &["extract", path][..],
        &["transcript", "check", path],
        &["transcript", "show", path],
        &["context", path],
        &["compact", path],
    ] {
        let outcome = fixture.run(command);
        assert_eq!(outcome.code(), Some(1), "{command:?}: {outcome}");
        let says = outcome.to_string();
        assert!(says.contains("10000000000 bytes"), "{command:?}: {says}");
        assert!(says.contains("2147483648"), "{command:?}: {says}");
    }
}

#[test]
fn temporaries_of_killed_processes_go_with_the_next_change() {
    let fixture = Fixture::with_some();
    fixture.run(&["remember", "Deploys are announced in the channel first"]);
    let name = ".memdir-1-2-3.tmp";
    let orphans = [
        fixture.memory_dir().join(name),
        fixture.state_file("history").join(name),
    ];
    for orphan in &orphans {
        fs::write(orphan, "left").unwrap();
    }
    // One that is in use.
    let held = fixture.memory_dir().join(".memdir-4-5-6.tmp");
    let file = File::create(&held).unwrap();
    file.lock().unwrap();
    fixture.run(&["remember", "The staging database is called heron"]);
    fixture.run(&["status"]);
    for orphan in &orphans {
        assert!(!orphan.exists(), "{}", orphan.display());
    }
    assert!(held.exists());
}

#[test]
fn temporaries_in_folders_that_the_next_change_leaves_alone_go_with_it() {
    let fixture = Fixture::with_some();
    fixture.run(&["remember", "Deploys are announced in the channel first"]);
    let folders = [
        fixture.memory_dir().join("team"),
        fixture.memory_dir().join("logs/2026/11"),
        fixture.state_file("consolidation"),
    ];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(".memdir-1-2-3.tmp"), "left").unwrap();
    }
    fixture.run(&["remember", "The staging database is called heron"]);
    for folder in &folders {
        let orphan = folder.join(".memdir-1-2-3.tmp");
        assert!(!orphan.exists(), "{}", orphan.display());
        fs::write(orphan, "left").unwrap();
    }
    // The doctor sees all of them.
    let told = fixture.run(&["doctor"]).to_string();
    assert!(
        told.contains("3 temporary files of a killed command removed"),
        "{told}"
    );
}
