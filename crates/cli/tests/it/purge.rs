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
        // The agents' transcripts are theirs; a log of ours that ends alike is not.
        .filter(|(path, node)| {
            let is_transcript = path.starts_with("projects/") && path.ends_with(".jsonl");
            has(node) && !is_transcript
        })
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
      "shared": [],
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
      "shared": [],
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

/// Whether purging by this name leaves nothing of ours.
fn purged_by(fixture: &Fixture, name: &str) {
    assert!(!remains(fixture).is_empty());
    let purged = fixture.run(&["purge", name, "--yes"]);
    assert_eq!(purged.code(), Some(0), "{purged}");
    assert_eq!(remains(fixture), [""; 0]);
}

#[test]
fn a_rename_that_was_undone_leaves_nothing() {
    let fixture = with_address();
    fixture.run(&["undo"]);
    purged_by(&fixture, "user_address");
}

#[test]
fn the_old_name_of_what_was_forgotten_leaves_nothing() {
    let fixture = with_address();
    fixture.run(&["forget", "user_home"]);
    purged_by(&fixture, "user_address");
}

#[test]
fn a_move_by_hand_leaves_nothing() {
    let fixture = with_address();
    let memory = fixture.memory_dir();
    fs::rename(memory.join("user_home.md"), memory.join("user_house.md")).unwrap();
    purged_by(&fixture, "user_house");
}

#[test]
fn copies_that_a_dream_merged_leave_nothing() {
    let fixture = with_address();
    let memory = fixture.memory_dir();
    let text = fs::read_to_string(memory.join("user_home.md")).unwrap();
    let copy = text.replace("name: home", "name: house");
    fs::write(memory.join("user_house.md"), copy).unwrap();
    fixture.run(&["status"]);
    fixture.run(&["dream", "--no-spend"]);
    let left = ["user_home", "user_house"]
        .into_iter()
        .find(|name| memory.join(format!("{name}.md")).exists());
    purged_by(&fixture, left.unwrap());
}

#[test]
fn saved_results_and_notes_leave_nothing() {
    let fixture = with_address();
    let session = fixture.memory_dir().parent().unwrap().join("one");
    for (file, text) in [
        ("tool-results/toolu_1.txt", format!("grep: {SECRET}\n")),
        (
            "session-memory/summary.md",
            format!("# Notes\n{SECRET}\nKept.\n"),
        ),
    ] {
        let file = session.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    purged_by(&fixture, "user_home");
    let notes = fs::read_to_string(session.join("session-memory/summary.md")).unwrap();
    assert_eq!(notes, "# Notes\nKept.\n");
}

#[test]
fn a_line_of_another_memory_is_listed_and_cut_only_if_told() {
    let fixture = with_address();
    let other = fixture
        .memory_dir()
        .join("feedback_never_push_main_friday.md");
    let text = fs::read_to_string(&other).unwrap();
    let shared = format!("{text}{SECRET}\n");
    fs::write(&other, &shared).unwrap();
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    let told = "feedback_never_push_main_friday.md: The user lives at 17 Elm Street";
    assert!(purged.stdout().contains(told), "{purged}");
    assert_eq!(fs::read_to_string(&other).unwrap(), shared);

    let fixture = with_address();
    let other = fixture
        .memory_dir()
        .join("feedback_never_push_main_friday.md");
    fs::write(&other, &shared).unwrap();
    fixture.run(&["purge", "user_home", "--yes", "--shared", "cut"]);
    assert_eq!(fs::read_to_string(&other).unwrap(), text);
    assert_eq!(remains(&fixture), [""; 0]);
}

#[test]
fn an_undo_that_needs_purged_text_says_so() {
    let fixture = with_address();
    fixture.run(&["purge", "user_home", "--yes"]);
    let undone = fixture.run(&["undo", "1"]);
    assert!(undone.stderr().contains("purged"), "{undone}");
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

/// Another memory that has the line of the purged one.
fn share(fixture: &Fixture) {
    let other = fixture
        .memory_dir()
        .join("feedback_never_push_main_friday.md");
    let text = fs::read_to_string(&other).unwrap();
    fs::write(&other, format!("{text}{SECRET}\n")).unwrap();
    fixture.run(&["status"]);
}

#[test]
fn a_kept_shared_line_does_not_bring_a_rejected_copy_back() {
    let fixture = with_address();
    let copies = fixture.sandbox.home().join("copies");
    fs::create_dir_all(&copies).unwrap();
    let copy = format!(
        "---\nname: imp\ndescription: {SECRET}\nmetadata:\n  type: user\n---\n\n{SECRET}\n"
    );
    fs::write(copies.join("imp.md"), copy).unwrap();
    fixture.run(&["import", "markdown", copies.to_str().unwrap()]);
    fixture.run(&["reject", "1"]);
    share(&fixture);
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    assert!(purged.stdout().contains("one.jsonl"), "{purged}");
    assert!(!purged.stdout().contains("long enough"), "{purged}");
    assert_ne!(fixture.run(&["accept", "1"]).code(), Some(0));
    let left = remains(&fixture);
    let is_inbox = |path: &String| path.contains("inbox") || path.contains("retired");
    assert!(!left.iter().any(is_inbox), "{left:?}");
    assert!(!left.is_empty());
}

#[test]
fn a_saved_result_goes_although_another_memory_shares_the_line() {
    let fixture = with_address();
    share(&fixture);
    let session = fixture.memory_dir().parent().unwrap().join("one");
    let saved = session.join("tool-results/toolu_1.txt");
    fs::create_dir_all(saved.parent().unwrap()).unwrap();
    fs::write(&saved, format!("grep: {SECRET}\n")).unwrap();
    fixture.run(&["purge", "user_home", "--yes"]);
    assert!(!saved.exists());
}

#[test]
fn a_transcript_is_found_whatever_letter_the_sentence_began_with() {
    let fixture = with_address();
    let transcripts = fixture.memory_dir().parent().unwrap().to_owned();
    let said = "Remember that the user lives at 17 Elm Street, please";
    let line = format!("{{\"text\":\"{said}\"}}\n");
    fs::write(transcripts.join("three.jsonl"), line).unwrap();
    let notes = transcripts.join("one/session-memory/summary.md");
    fs::create_dir_all(notes.parent().unwrap()).unwrap();
    fs::write(&notes, format!("# Notes\n{said}\nKept.\n")).unwrap();
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    assert!(purged.stdout().contains("three.jsonl"), "{purged}");
    assert_eq!(fs::read_to_string(&notes).unwrap(), "# Notes\nKept.\n");
}

#[test]
fn a_transcript_is_found_by_the_words_and_the_conversation_it_came_from() {
    let fixture = with_address();
    let memory = fixture.memory_dir().join("user_home.md");
    let conversation = "11111111-2222-3333-4444-555555555555";
    let text = fs::read_to_string(&memory).unwrap();
    let marks = format!(
        "metadata:\n  evidence: my place is number seventeen\n  originSessionId: {conversation}\n"
    );
    fs::write(&memory, text.replacen("metadata:\n", &marks, 1)).unwrap();
    fixture.run(&["status"]);
    let transcripts = fixture.memory_dir().parent().unwrap().to_owned();
    let line = "{\"text\":\"My place is number seventeen\"}\n";
    fs::write(transcripts.join("said.jsonl"), line).unwrap();
    fs::write(transcripts.join(format!("{conversation}.jsonl")), "{}\n").unwrap();
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    assert!(purged.stdout().contains("said.jsonl"), "{purged}");
    assert!(purged.stdout().contains(conversation), "{purged}");
}

#[test]
fn copies_in_other_directories_are_listed_with_what_removes_them() {
    let fixture = with_address();
    let home = fixture.sandbox.home().join(".claude");
    let other = home.join("projects/-other/memory");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("copy.md"), format!("{SECRET}\n")).unwrap();
    let gone = home.join("memdir/-gone-memory/history");
    fs::create_dir_all(&gone).unwrap();
    fs::write(gone.join("log.jsonl"), format!("{{\"t\":\"{SECRET}\"}}\n")).unwrap();
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    let told = purged.stdout();
    assert!(told.contains("-other/memory/copy.md"), "{purged}");
    assert!(told.contains("purge copy"), "{purged}");
    assert!(told.contains("rm -r "), "{purged}");
    assert!(told.contains("-gone-memory"), "{purged}");
    let at = other.to_str().unwrap();
    fixture.run(&["--memory-dir", at, "purge", "copy", "--yes"]);
    assert!(!other.join("copy.md").exists());
}

#[test]
fn a_file_too_large_to_be_searched_is_named() {
    let fixture = with_address();
    let large = fixture.memory_dir().parent().unwrap().join("large.jsonl");
    let file = fs::File::create(large).unwrap();
    file.set_len(3 * 1024 * 1024 * 1024).unwrap();
    let purged = fixture.run(&["purge", "user_home", "--yes"]);
    assert!(
        purged.stdout().contains("too large to be searched"),
        "{purged}"
    );
    assert!(purged.stdout().contains("large.jsonl"), "{purged}");
}
