//! `memdir move`, and the offer of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use insta::assert_snapshot;

use crate::fixture::Fixture;

/// A repository with one commit, and memories.
fn project(fixture: &Fixture, name: &str) -> PathBuf {
    let folder = fixture.sandbox.root().join(name);
    fs::create_dir(&folder).unwrap();
    git(&folder, &["init", "-q"]);
    git(
        &folder,
        &[
            "remote",
            "add",
            "origin",
            "https://ada:hunter2@example.org/app.git",
        ],
    );
    git(
        &folder,
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            name,
        ],
    );
    folder
}

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .env("HOME", folder)
        .env_remove("GIT_DIR")
        .status();
    assert!(done.unwrap().success(), "git {words:?}");
}

fn run(fixture: &Fixture, folder: &Path, words: &[&str]) -> memdir_testkit::Outcome {
    fixture.program(words).current_folder(folder).run().unwrap()
}

fn doctors_words(fixture: &Fixture, folder: &Path) -> String {
    let told = run(fixture, folder, &["doctor", "--json"]).to_string();
    let lines = told
        .lines()
        .filter(|line| line.contains("was in [ROOT]") || line.contains("memdir move"));
    lines.map(str::trim).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_project_that_moved_is_offered_its_memories_and_takes_them_along() {
    let fixture = Fixture::new();
    let old = project(&fixture, "old");
    run(&fixture, &old, &["remember", "Deploys happen on Thursdays"]);
    run(
        &fixture,
        &old,
        &["remember", "Never push to main on a Friday"],
    );
    assert_eq!(doctors_words(&fixture, &old), "");
    let new = fixture.sandbox.root().join("new");
    fs::rename(&old, &new).unwrap();
    assert_snapshot!(doctors_words(&fixture, &new), @r#"
    "what": "this repository was in [ROOT]/old before and left its memories in ~/.claude/projects/[-ROOT]-old/memory",
    "remedy": "`memdir move '[ROOT]/old' '[ROOT]/new'` brings them here"
    "#);
    // At the start of a conversation, too.
    let event = serde_json::json!({"hook_event_name": "SessionStart", "source": "startup", "session_id": "s-1", "cwd": new, "transcript_path": ""});
    let told = fixture
        .program(&["hook", "claude-code"])
        .current_folder(&new)
        .stdin(event.to_string())
        .run()
        .unwrap();
    assert!(told.stdout().contains("brings them here"), "{told}");
    // Another repository is not offered them, whatever it is called.
    let stranger = project(&fixture, "stranger");
    assert_eq!(doctors_words(&fixture, &stranger), "");
    let words = ["move", old.to_str().unwrap(), new.to_str().unwrap()];
    assert_snapshot!(run(&fixture, &new, &[&words[..], &["--dry-run"]].concat()), @"
    exit 0
    -- stdout
    Would move 2 memories from ~/.claude/projects/[-ROOT]-old/memory to ~/.claude/projects/[-ROOT]-new/memory
    -- stderr
    ");
    assert!(
        run(&fixture, &new, &["list"])
            .stdout()
            .contains("No memories")
    );
    run(&fixture, &new, &["remember", "The build needs Postgres 15"]);
    assert_snapshot!(run(&fixture, &new, &words), @"
            exit 0
            -- stdout
            Moved 2 memories from ~/.claude/projects/[-ROOT]-old/memory to ~/.claude/projects/[-ROOT]-new/memory
            `memdir move '[ROOT]/new' '[ROOT]/old'` takes it back
            -- stderr
            ");
    assert_snapshot!(run(&fixture, &new, &["show", "MEMORY.md"]), @"
    exit 0
    -- stdout
    - [build-needs-postgres-15](project_build_needs_postgres_15.md) — The build needs Postgres 15
    - [deploys-happen-thursdays](project_deploys_happen_thursdays.md) — Deploys happen on Thursdays
    - [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday
    -- stderr
    ");
    assert_eq!(doctors_words(&fixture, &new), "");
    assert_snapshot!(run(&fixture, &new, &words), @"
    exit 1
    -- stdout
    -- stderr
    error: there are no memories in ~/.claude/projects/[-ROOT]-old/memory
      name the folder in which the project was; `memdir doctor` in the new one offers what it finds
    ");
    // And back again.
    let back = ["move", new.to_str().unwrap(), old.to_str().unwrap()];
    fs::rename(&new, &old).unwrap();
    assert!(run(&fixture, &old, &back).success());
    assert_eq!(
        run(&fixture, &old, &["list", "--json"])
            .stdout()
            .matches("\"path\"")
            .count(),
        3
    );
    // No credential of the remote is kept.
    let found = memdir_testkit::tree::files_with(&fixture.sandbox.home(), b"hunter2").unwrap();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn nothing_is_overwritten_by_a_move() {
    let fixture = Fixture::new();
    let (old, new) = (project(&fixture, "old"), project(&fixture, "new"));
    run(
        &fixture,
        &old,
        &[
            "remember",
            "Deploys happen on Thursdays",
            "--name",
            "deploys",
        ],
    );
    run(
        &fixture,
        &old,
        &["remember", "The user keeps bees", "--type", "user"],
    );
    run(
        &fixture,
        &new,
        &[
            "remember",
            "Deploys happen on Mondays at noon",
            "--name",
            "deploys",
        ],
    );
    let before =
        memdir_testkit::tree::fingerprint(&fixture.sandbox.home().join(".claude/projects"))
            .unwrap();
    let words = ["move", old.to_str().unwrap(), new.to_str().unwrap()];
    assert_snapshot!(run(&fixture, &new, &words), @"
    exit 1
    -- stdout
    -- stderr
    error: project_deploys.md is in the new folder already, with another text; nothing was moved
      rename one of the two first: `memdir rename project_deploys NAME`
    ");
    let after = memdir_testkit::tree::fingerprint(&fixture.sandbox.home().join(".claude/projects"))
        .unwrap();
    assert_eq!(before, after);
    // An undo in the new place and one in the old bring everything back.
    run(
        &fixture,
        &new,
        &["rename", "project_deploys", "project_deploys_at_noon"],
    );
    assert!(run(&fixture, &new, &words).success());
    assert!(run(&fixture, &new, &["undo"]).success());
    assert!(run(&fixture, &old, &["undo"]).success());
    assert!(run(&fixture, &old, &["list"]).stdout().contains("bees"));
    assert!(!run(&fixture, &new, &["list"]).stdout().contains("bees"));
}
