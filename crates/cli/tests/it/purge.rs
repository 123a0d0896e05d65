//! `memdir purge`.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::tree::{self, Node};

use crate::fixture::Fixture;

const SECRET: &str = "The user lives at 17 Elm Street";

/// A memory that was renamed once, beside another, and a transcript that has its text.
fn with_address() -> Fixture {
    let fixture = Fixture::new();
    fixture.run(&["remember", SECRET, "--name", "address"]);
    fixture.run(&["remember", "Never push to main on a Friday"]);
    fixture.run(&["rename", "user_address", "user_home"]);
    let transcripts = fixture.memory_dir().parent().unwrap().to_owned();
    fs::write(
        transcripts.join("one.jsonl"),
        format!("{{\"text\":\"{SECRET}\"}}\n"),
    )
    .unwrap();
    fs::write(transcripts.join("two.jsonl"), "{\"text\":\"nothing\"}\n").unwrap();
    fixture
}

/// Files of ours that still contain the text.
fn remains(fixture: &Fixture) -> Vec<String> {
    let all = tree::read(&fixture.sandbox.home().join(".claude")).unwrap();
    let has = |node: &Node| match node {
        Node::File(bytes) => String::from_utf8_lossy(bytes).contains("Elm Street"),
        _ => false,
    };
    all.into_iter()
        .filter(|(path, node)| has(node) && !path.ends_with(".jsonl"))
        .map(|(path, _)| path)
        .collect()
}

#[test]
fn nothing_of_ours_keeps_the_text() {
    let fixture = with_address();
    assert!(!remains(&fixture).is_empty());
    assert_snapshot!(fixture.run(&["purge", "user_home", "--yes"]), @"
    exit 0
    -- stdout
    Purged 1 file and 2 versions in the history:
      user_address.md
      user_home.md
    These files of your agents still contain the text. They belong to the agents and are left:
      ~/.claude/projects/[-PROJECT]/one.jsonl
    -- stderr
    ");
    assert_eq!(remains(&fixture), [""; 0]);
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #2  [TIME]  user  remember  + feedback_never_push_main_friday.md, ~ MEMORY.md
    #1  [TIME]  user  remember  + MEMORY.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["index", "--check"]), @"
    exit 0
    -- stdout
    Index and files agree.
    -- stderr
    ");
}

#[test]
fn without_a_terminal_it_must_be_meant() {
    let fixture = with_address();
    assert_snapshot!(fixture.run(&["purge", "user_home"]), @"
    exit 1
    -- stdout
    Will purge 1 file and 2 versions in the history:
      user_address.md
      user_home.md
    -- stderr
    error: nobody is there to ask whether this is meant; nothing was done
      add `--yes` to do it without asking, or `--dry-run` to only look
    ");
    assert_snapshot!(fixture.run(&["purge", "user_home", "--dry-run"]), @"
    exit 0
    -- stdout
    Would purge 1 file and 2 versions in the history:
      user_address.md
      user_home.md
    These files of your agents still contain the text. They belong to the agents and are left:
      ~/.claude/projects/[-PROJECT]/one.jsonl
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["purge", "user_home", "--dry-run", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": true,
      "names": [
        "user_address.md",
        "user_home.md"
      ],
      "files": 1,
      "versions": 2,
      "left": [
        "[HOME]/.claude/projects/[-PROJECT]/one.jsonl"
      ],
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["purge"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <NAME>...

    Usage: memdir purge <NAME>...

    For more information, try '--help'.
    ");
    assert_snapshot!(fixture.run(&["purge", "MEMORY.md", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: MEMORY.md is the index, not a memory
      its lines go with their memories; `memdir index --rebuild` mends it
    ");
    assert_snapshot!(fixture.run(&["show", "user_home"]).code().unwrap(), @"0");
}

#[test]
fn what_is_only_in_the_history_goes_too() {
    let fixture = with_address();
    fixture.run(&["forget", "user_home"]);
    assert_snapshot!(fixture.run(&["purge", "user_home", "--yes", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "names": [
        "user_address.md",
        "user_home.md"
      ],
      "files": 0,
      "versions": 2,
      "left": [
        "[HOME]/.claude/projects/[-PROJECT]/one.jsonl"
      ],
      "warnings": []
    }
    -- stderr
    "#);
    assert_eq!(remains(&fixture), [""; 0]);
}

#[test]
fn a_text_that_an_edit_left_goes_too() {
    let fixture = with_address();
    let program = fixture
        .program(&["edit", "user_home"])
        .env("EDITOR", "sh -c 'echo >>\"$0\"; exit 1'");
    assert_eq!(program.run().unwrap().code(), Some(1));
    assert!(
        remains(&fixture)
            .iter()
            .any(|path| path.contains("/edits/"))
    );
    fixture.run(&["purge", "user_home", "--yes"]);
    assert_eq!(remains(&fixture), [""; 0]);
}

#[test]
fn all_of_it_can_go() {
    let fixture = with_address();
    fixture.run(&["forget", "user_home"]);
    assert_snapshot!(fixture.run(&["purge", "--all", "--yes"]), @"
    exit 0
    -- stdout
    Purged 2 files and 7 versions in the history, all there is in this directory:
      MEMORY.md
      feedback_never_push_main_friday.md
      user_address.md
      user_home.md
    These files of your agents still contain the text. They belong to the agents and are left:
      ~/.claude/projects/[-PROJECT]/one.jsonl
    -- stderr
    ");
    assert_eq!(remains(&fixture), [""; 0]);
    assert_snapshot!(fixture.run(&["list"]), @r#"
    exit 0
    -- stdout
    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    Nothing has been changed yet, as far as memdir knows.
    -- stderr
    ");
}
