//! `memdir extract`: from transcripts to memories, without a model.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::remember::memories;

/// A session of Claude Code with these messages of the user, each answered.
pub(crate) fn session(fixture: &Fixture, name: &str, cwd: &str, said: &[&str]) -> PathBuf {
    let mut lines = String::new();
    let mut parent = Value::Null;
    for (number, text) in said.iter().enumerate() {
        let (asked, answered) = (format!("u{number}"), format!("a{number}"));
        let line = |kind: &str, uuid: &str, parent: &Value, message: Value| {
            json!({"type": kind, "uuid": uuid, "parentUuid": parent, "isSidechain": false, "sessionId": name,
                "cwd": cwd, "timestamp": "2026-10-01T10:00:00Z", "promptSource": "typed", "message": message})
        };
        let user = json!({"role": "user", "content": text});
        let reply = json!({"id": answered, "role": "assistant", "content": [{"type": "text", "text": "Done."}]});
        lines += &format!("{}\n", line("user", &asked, &parent, user));
        lines += &format!("{}\n", line("assistant", &answered, &json!(asked), reply));
        parent = json!(answered);
    }
    let path = format!("home/talks/{name}.jsonl");
    fixture.sandbox.write(&path, lines).unwrap()
}

fn here(fixture: &Fixture) -> String {
    fixture.sandbox.project().display().to_string()
}

#[test]
fn what_was_said_outright_becomes_memories_as_old_as_the_words() {
    let fixture = Fixture::new();
    let said = [
        "Fix the login. And from now on, run the linter before you commit.",
        "Remember that the freeze starts next Friday.",
        "Why does the build never finish?",
    ];
    session(&fixture, "talk", &here(&fixture), &said);
    assert_snapshot!(fixture.run(&["extract", "../home/talks", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    [PROJECT]: would save 2 memories
      + feedback_run_linter_before_commit.md (feedback): "From now on, run the linter before you commit."
      + project_freeze_starts.md (project): "The freeze starts 2026-10-09."
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"");
    assert_snapshot!(fixture.run(&["extract", "../home/talks"]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    [PROJECT]: saved 2 memories
      + feedback_run_linter_before_commit.md (feedback): "From now on, run the linter before you commit."
      + project_freeze_starts.md (project): "The freeze starts 2026-10-09."
      `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [run-linter-before-commit](feedback_run_linter_before_commit.md) — From now on, run the linter before you commit.
      | - [freeze-starts](project_freeze_starts.md) — The freeze starts 2026-10-09.
    feedback_run_linter_before_commit.md
      | ---
      | name: run-linter-before-commit
      | description: From now on, run the linter before you commit.
      | metadata:
      |   type: feedback
      |   source: rules
      |   originSessionId: talk
      |   message: u0
      |   evidence: And from now on, run the linter before you commit.
      | ---
      |
      | From now on, run the linter before you commit.
    project_freeze_starts.md
      | ---
      | name: freeze-starts
      | description: The freeze starts 2026-10-09.
      | metadata:
      |   type: project
      |   source: rules
      |   originSessionId: talk
      |   message: u1
      |   evidence: Remember that the freeze starts next Friday.
      | ---
      |
      | The freeze starts 2026-10-09.
    ");
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #1  [TIME]  rules  extract  + feedback_run_linter_before_commit.md, + project_freeze_starts.md, + MEMORY.md
    -- stderr
    ");
    // What was looked through is not looked through again, and what is known is not saved twice.
    assert_snapshot!(fixture.run(&["extract", "../home/talks"]), @"
    exit 0
    -- stdout
    Looked through 0 conversations, 1 other known already (--again looks again).
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["extract", "../home/talks", "--again"]), @"
    exit 0
    -- stdout
    Looked through 1 conversation.
    [PROJECT]: nothing new, 2 known already
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #1 (extract):
      - feedback_run_linter_before_commit.md  +0 -12
      - project_freeze_starts.md  +0 -12
      - MEMORY.md  +0 -2
    `memdir undo 2` takes that back, `memdir diff 2` shows it
    -- stderr
    ");
}

#[test]
fn a_grown_conversation_is_looked_through_from_where_it_was_left() {
    let fixture = Fixture::new();
    let cwd = here(&fixture);
    session(&fixture, "talk", &cwd, &["I'm a nurse."]);
    fixture.run(&["extract", "../home/talks"]);
    fixture.run(&["forget", "user_nurse"]);
    session(
        &fixture,
        "talk",
        &cwd,
        &["I'm a nurse.", "I live in Lisbon."],
    );
    // What the user forgot since does not come back.
    assert_snapshot!(fixture.run(&["extract", "../home/talks"]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    [PROJECT]: saved 1 memory
      + user_live_lisbon.md (user): "I live in Lisbon."
      `memdir undo` takes it back
    -- stderr
    "#);
}

#[test]
fn each_conversation_goes_to_its_own_project() {
    let fixture = Fixture::new();
    let other = fixture.sandbox.outside().join("other");
    fs::create_dir_all(&other).unwrap();
    session(&fixture, "one", &here(&fixture), &["I'm a nurse."]);
    session(
        &fixture,
        "two",
        &other.display().to_string(),
        &["Never push to main on a Friday."],
    );
    session(&fixture, "three", "/gone/for/good", &["I live in Lisbon."]);
    fixture
        .sandbox
        .write("home/talks/notes.json", "{\"a\": 1}")
        .unwrap();
    fixture
        .sandbox
        .write("home/talks/broken.jsonl", "not a transcript\n")
        .unwrap();
    assert_snapshot!(fixture.run(&["extract", "../home/talks"]), @r#"
    exit 0
    -- stdout
    Looked through 2 conversations.
    [PROJECT]: saved 1 memory
      + user_nurse.md (user): "I'm a nurse."
      `memdir undo` takes it back
    [OUTSIDE]/other: saved 1 memory
      + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
      `memdir undo --project [OUTSIDE]/other` takes it back
    -- stderr
    warning: 1 conversation began in /gone/for/good, which is not there any more; --project says where they belong
    "#);
    assert_snapshot!(fixture.run(&["extract", "../home/talks", "--project", "."]), @r#"
    exit 0
    -- stdout
    Looked through 3 conversations.
    ~/.claude/projects/[-PROJECT]/memory: saved 2 memories, 1 known already
      + feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
      + user_live_lisbon.md (user): "I live in Lisbon."
      `memdir undo --project .` takes it back
    -- stderr
    "#);
}

#[test]
fn what_the_agent_saved_itself_is_left_to_it_and_nothing_else() {
    let fixture = Fixture::new();
    let path = session(
        &fixture,
        "talk",
        &here(&fixture),
        &["Remember that I'm a nurse.", "I live in Lisbon."],
    );
    let file = fixture.memory_dir().join("user_work.md");
    let text = fs::read_to_string(&path).unwrap();
    let call = json!({"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": file, "content": "x"}});
    let text = text.replacen(r#"{"type":"text","text":"Done."}"#, &call.to_string(), 1);
    let text = text.replacen(r#"{"text":"Done.","type":"text"}"#, &call.to_string(), 1);
    fs::write(&path, text).unwrap();
    // What it wrote does not say it.
    fixture.topic(
        "user_work.md",
        0,
        "user",
        "Works at night",
        "Works at night.",
    );
    let told = fixture.run(&["extract", path.to_str().unwrap(), "--dry-run"]);
    assert!(told.stdout().contains("would save 2 memories"), "{told}");
    // In other words it does.
    let said = "The user works as a nurse.";
    fixture.topic("user_work.md", 0, "user", said, said);
    assert_snapshot!(fixture.run(&["extract", path.to_str().unwrap()]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    [PROJECT]: saved 1 memory
      + user_live_lisbon.md (user): "I live in Lisbon."
      1 turn left to the agent, which saved something itself
      `memdir undo` takes it back
    -- stderr
    "#);
}

#[test]
fn json_has_all_of_it() {
    let fixture = Fixture::new();
    session(
        &fixture,
        "talk",
        &here(&fixture),
        &[
            "I'm a nurse.",
            "I prefer the login ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 for staging.",
        ],
    );
    let words = ["extract", "../home/talks", "--json"];
    let bytes = r#""bytes": \d+"#;
    assert_snapshot!(fixture.program(&words).filter(bytes, "\"bytes\": [BYTES]").run().unwrap(), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "transcripts": 1,
      "bytes": [BYTES],
      "unchanged": 0,
      "projects": [
        {
          "root": "[PROJECT]",
          "memory_dir": "[HOME]/.claude/projects/[-PROJECT]/memory",
          "conversations": 1,
          "saved": [
            {
              "path": "user_nurse.md",
              "change": "added",
              "type": "user",
              "description": "I'm a nurse.",
              "conversation": "talk",
              "because": null,
              "file": null
            }
          ],
          "waiting": [],
          "known": [],
          "refused": [
            "it looks like a secret (rule github-personal-token)"
          ],
          "left_to_agent": 0,
          "operations": [
            1
          ]
        }
      ],
      "problems": [],
      "warnings": []
    }
    -- stderr
    "#);
}

#[test]
fn what_is_no_transcript_is_said_where_it_was_named() {
    let fixture = Fixture::new();
    let path = fixture
        .sandbox
        .write("home/notes.txt", "Always use tabs.\n")
        .unwrap();
    assert_snapshot!(fixture.run(&["extract", path.to_str().unwrap()]), @"
    exit 1
    -- stdout
    Looked through 0 conversations.
    -- stderr
    warning: [HOME]/notes.txt: not a transcript of a known kind
    ");
    assert_snapshot!(fixture.run(&["extract", "nowhere"]), @"
    exit 1
    -- stdout
    -- stderr
    error: nowhere cannot be read: No such file or directory (os error 2)
    ");
}

#[test]
fn off_is_off() {
    let fixture = Fixture::new();
    session(&fixture, "talk", &here(&fixture), &["I'm a nurse."]);
    assert_snapshot!(fixture.run(&["extract", "../home/talks", "--set", "extraction.mode=off"]), @"
    exit 0
    -- stdout
    Looked through 0 conversations.
    -- stderr
    warning: 1 conversation of [PROJECT] left alone: extraction is off there; `--set extraction.mode=auto` does it once
    ");
}

#[test]
fn killed_at_any_time_and_started_again_it_does_nothing_twice() {
    let fixture = Fixture::new();
    let cwd = here(&fixture);
    for number in 0..60 {
        let said = format!("Never deploy service number {number} on a Friday.");
        session(
            &fixture,
            &format!("talk-{number}"),
            &cwd,
            &[&said, "I'm a nurse."],
        );
    }
    for milliseconds in [5, 20, 40, 60, 80, 100, 130, 160] {
        let mut command = fixture.program(&["extract", "../home/talks"]).command();
        let mut child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        let _ = child.kill();
        child.wait().unwrap();
    }
    fixture.run(&["extract", "../home/talks"]);
    let scanned: Value = serde_json::from_str(&fixture.run(&["list", "--json"]).stdout()).unwrap();
    let all = scanned.as_array().unwrap();
    let mut said: Vec<&str> = all
        .iter()
        .map(|one| one["description"].as_str().unwrap())
        .collect();
    let number = said.len();
    said.sort_unstable();
    said.dedup();
    assert_eq!((number, said.len()), (61, 61));
    // What a kill left lying about goes at the first look.
    fixture.run(&["doctor"]);
    let doctor = fixture.run(&["doctor"]).stdout();
    for well in [
        "lock              free",
        "leftovers         none",
        "Everything works.",
    ] {
        assert!(doctor.contains(well), "{doctor}");
    }
}
