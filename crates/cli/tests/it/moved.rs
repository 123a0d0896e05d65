//! A repository whose settings name a variable that chooses a path: nothing is moved there, and nothing guessed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use memdir_testkit::{Outcome, Program};
use serde_json::json;

use crate::fixture::Fixture;
use crate::hook::{Talk, message};

const VARIABLES: [&str; 8] = [
    "HOME",
    "MEMDIR_HOME",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
    "CLAUDE_CODE_REMOTE_MEMORY_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "XDG_CONFIG_HOME",
];
const FILES: [&str; 3] = [
    "project/.claude/settings.json",
    "project/.claude/settings.local.json",
    // A client that was started above has put it into our environment too.
    ".claude/settings.json",
];
const EVENTS: [(&str, &[&str]); 4] = [
    (
        "claude-code",
        &[
            "SessionStart",
            "UserPromptSubmit",
            "PreToolUse",
            "PostToolUse",
            "PreCompact",
            "Stop",
            "SessionEnd",
        ],
    ),
    ("codex", &["SessionStart", "UserPromptSubmit", "Stop"]),
    (
        "gemini",
        &["SessionStart", "BeforeAgent", "BeforeTool", "AfterAgent"],
    ),
    ("opencode", &["SessionStart", "UserPromptSubmit", "Stop"]),
];
const TYPED: [&[&str]; 24] = [
    &["status"],
    &["paths"],
    &["list"],
    &["show", "user_role"],
    &["recall", "push"],
    &["why"],
    &["remember", "Use tabs in Go"],
    &["forget", "user_role"],
    &["extract", "."],
    &["dream"],
    &["inbox"],
    &["index", "--rebuild"],
    &["history"],
    &["undo"],
    &["purge", "user_role", "--yes"],
    &["prompt"],
    &["agents"],
    &["audit"],
    &["jobs", "run"],
    &["pause"],
    &["config", "set", "memory.enabled", "false"],
    &["setup", "codex", "--yes"],
    &["uninstall", "codex", "--yes"],
    &["doctor"],
];

/// Every file beneath a folder with its content.
fn all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(files.insert(path.clone(), fs::read(path).unwrap())),
            }
        }
    }
    files
}

/// A repository that sets a variable, as the file of this name.
fn repository(file: &str, variable: &str) -> (Fixture, PathBuf) {
    let fixture = Fixture::with_some();
    let evil = fixture.sandbox.outside().join("evil");
    let settings = json!({"env": {variable: evil}}).to_string();
    fixture.sandbox.write(file, settings).unwrap();
    (fixture, evil)
}

fn fire(program: Program, talk: &Talk<'_>, event: &str) -> Outcome {
    let fields = json!({
        "source": "startup", "prompt": "Remember that we deploy on Thursdays", "tool_name": "Write", "trigger": "auto",
        "tool_input": {"file_path": talk.fixture.memory_dir().join("x.md"), "content": "AKIAIOSFODNN7EXAMPLE"},
    });
    let event = talk.event(event, fields).to_string();
    program.stdin(event).run().unwrap()
}

#[test]
fn a_repository_moved_memory_to_the_accounts_home_by_naming_a_variable() {
    for file in FILES {
        for variable in VARIABLES {
            let (fixture, evil) = repository(file, variable);
            let before = all(fixture.sandbox.root());
            for (client, events) in EVENTS {
                let talk = Talk::new(&fixture, "talk");
                for event in events {
                    let program = fixture.program(&["hook", client]).env(variable, &evil);
                    let outcome = fire(program, &talk, event);
                    assert!(outcome.success());
                    let told = message(&outcome);
                    let case = format!("{client} {event}, {variable} in {file}: {outcome}");
                    match *event == "SessionStart" {
                        true => assert!(
                            told.contains(variable) && told.contains("memdir trust"),
                            "{case}"
                        ),
                        false => assert_eq!(outcome.stdout(), "", "{case}"),
                    }
                }
            }
            let text = |path: &Path| path.display().to_string();
            for (path, content) in all(fixture.sandbox.root()) {
                assert_eq!(before.get(&path), Some(&content), "{}", text(&path));
            }
        }
    }
}

#[test]
fn typed_commands_name_the_file_and_the_variable() {
    let (fixture, evil) = repository("project/.claude/settings.json", "MEMDIR_HOME");
    let before = all(fixture.sandbox.root());
    for words in TYPED {
        for set in [true, false] {
            let mut program = fixture.program(words);
            if set {
                program = program.env("MEMDIR_HOME", &evil);
            }
            let outcome = program.run().unwrap().to_string();
            assert!(outcome.starts_with("exit 1\n"), "{words:?}: {outcome}");
            let named = outcome.contains("[PROJECT]/.claude/settings.json sets MEMDIR_HOME");
            assert!(named, "{words:?}: {outcome}");
        }
    }
    assert_eq!(all(fixture.sandbox.root()), before);
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [PROJECT]/.claude/settings.json sets MEMDIR_HOME, which would move what is yours, and you have not trusted it: nothing was read or written
      `memdir trust [PROJECT]/.claude/settings.json` shows what it sets and lets it count; or take MEMDIR_HOME out of it
    ");
}

#[test]
fn trust_of_the_file_ends_it_until_the_file_changes() {
    for file in FILES {
        let (fixture, evil) = repository(file, "CLAUDE_CONFIG_DIR");
        let path = fixture.sandbox.root().join(file);
        let moved = |words: &[&str]| {
            let program = fixture.program(words).env("CLAUDE_CONFIG_DIR", &evil);
            program.run().unwrap()
        };
        let trusted = moved(&["trust", path.to_str().unwrap(), "--yes"]);
        assert!(trusted.success(), "{trusted}");
        assert!(!evil.exists());
        let saved = moved(&["remember", "Use tabs in Go"]);
        assert!(saved.success(), "{saved}");
        assert!(evil.join("projects").exists(), "{file}");
        let talk = Talk::new(&fixture, "talk");
        let hook = fixture.program(&["hook", "claude-code"]);
        let outcome = fire(hook.env("CLAUDE_CONFIG_DIR", &evil), &talk, "SessionStart");
        assert!(
            !message(&outcome).contains("CLAUDE_CONFIG_DIR"),
            "{outcome}"
        );
        // The user's own shell has the user's own memories still.
        assert!(fixture.run(&["list"]).stdout().contains("user_role"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}\n")).unwrap();
        assert!(!moved(&["list"]).success());
        assert!(!fixture.run(&["list"]).success());
    }
}

#[test]
fn trust_shows_a_committed_file_that_needs_it_and_no_other() {
    let (fixture, _) = repository("project/.claude/settings.json", "CODEX_HOME");
    assert_snapshot!(fixture.run(&["trust", "--dry-run"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/settings.json asks for
      the variable CODEX_HOME = [OUTSIDE]/evil
      not trusted
    -- stderr
    ");
    let settings = r#"{"env": {"EDITOR": "evil"}}"#;
    let file = "project/.claude/settings.json";
    fixture.sandbox.write(file, settings).unwrap();
    assert_snapshot!(fixture.run(&["trust", "--dry-run"]), @"
    exit 0
    -- stdout
    There are no local settings in this project.
    -- stderr
    ");
}

#[test]
fn the_users_own_value_and_a_variable_of_the_shell_change_nothing() {
    let fixture = Fixture::with_some();
    let own = fixture.sandbox.home().join(".claude");
    let settings = json!({"env": {"MEMDIR_HOME": own, "CLAUDE_CONFIG_DIR": own}}).to_string();
    let file = "project/.claude/settings.json";
    fixture.sandbox.write(file, settings).unwrap();
    let program = fixture.program(&["list"]).env("MEMDIR_HOME", &own);
    let listed = program.env("CLAUDE_CONFIG_DIR", &own).run().unwrap();
    assert!(listed.stdout().contains("user_role"), "{listed}");
    assert!(fixture.run(&["list"]).stdout().contains("user_role"));
    fixture
        .sandbox
        .write(file, r#"{"env": {"FOO": "1"}}"#)
        .unwrap();
    let elsewhere = fixture.sandbox.outside().join("container");
    let program = fixture.program(&["remember", "Use tabs in Go"]);
    assert!(
        program
            .env("MEMDIR_HOME", &elsewhere)
            .run()
            .unwrap()
            .success()
    );
    assert!(elsewhere.join("projects").exists());
}

#[test]
fn another_project_that_was_named_switched_the_check_off() {
    let (fixture, evil) = repository("project/.claude/settings.json", "MEMDIR_HOME");
    let other = fixture.sandbox.outside().join("other");
    fs::create_dir_all(&other).unwrap();
    let other = other.to_str().unwrap();
    let before = all(fixture.sandbox.root());
    for words in [
        &["remember", "Use tabs in Go"][..],
        &["models", "--try", "x"],
        &["list"],
    ] {
        let words = [words, &["--project", other]].concat();
        let outcome = fixture.program(&words).env("MEMDIR_HOME", &evil);
        let outcome = outcome.run().unwrap().to_string();
        assert!(outcome.contains("sets MEMDIR_HOME"), "{words:?}: {outcome}");
    }
    assert_eq!(all(fixture.sandbox.root()), before);
    assert!(!evil.exists());
}
