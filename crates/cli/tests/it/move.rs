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
    "remedy": "`memdir move [ROOT]/old [ROOT]/new` brings them here"
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
    let address = "https://example.org/stranger.git";
    git(&stranger, &["remote", "set-url", "origin", address]);
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
            `memdir move [ROOT]/new [ROOT]/old` takes it back
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
    // One undo, in either place, brings everything back.
    run(
        &fixture,
        &new,
        &["rename", "project_deploys", "project_deploys_at_noon"],
    );
    assert!(run(&fixture, &new, &words).success());
    assert!(run(&fixture, &new, &["undo"]).success());
    assert!(run(&fixture, &old, &["list"]).stdout().contains("bees"));
    assert!(!run(&fixture, &new, &["list"]).stdout().contains("bees"));
}

/// Where the memories of a folder are, which may be gone, by the end of its name.
fn memory_folder(fixture: &Fixture, name: &str) -> PathBuf {
    let projects = fixture.sandbox.home().join(".claude/projects");
    let mut folders = fs::read_dir(projects).unwrap().flatten();
    let found = folders.find(|one| {
        let slug = one.file_name().to_string_lossy().into_owned();
        slug.ends_with(&format!("-{name}"))
    });
    found.unwrap().path().join("memory")
}

/// How many memories are there.
fn memories_of(fixture: &Fixture, name: &str) -> usize {
    let files = fs::read_dir(memory_folder(fixture, name)).unwrap();
    let files = files.flatten();
    files.filter(|file| file.file_name() != "MEMORY.md").count()
}

#[test]
fn a_move_is_taken_back_although_the_old_folder_is_gone() {
    let fixture = Fixture::new();
    let old = project(&fixture, "old");
    run(&fixture, &old, &["remember", "Deploys happen on Thursdays"]);
    run(&fixture, &old, &["remember", "The build needs Postgres 15"]);
    let new = fixture.sandbox.root().join("new");
    fs::rename(&old, &new).unwrap();
    let both = || (memories_of(&fixture, "old"), memories_of(&fixture, "new"));
    let words = ["move", "../old", "."];
    assert!(run(&fixture, &new, &words).success());
    assert_eq!(both(), (0, 2));
    // With one undo, which can be undone.
    assert_snapshot!(run(&fixture, &new, &["undo"]), @"
    exit 0
    -- stdout
    Undid #1 (move from [ROOT]/old):
      - MEMORY.md  +0 -2
      - project_build_needs_postgres_15.md  +0 -9
      - project_deploys_happen_thursdays.md  +0 -9
    in ~/.claude/projects/[-ROOT]-old/memory:
      + MEMORY.md  +2 -0
      + project_build_needs_postgres_15.md  +9 -0
      + project_deploys_happen_thursdays.md  +9 -0
    `memdir undo 2` takes that back, `memdir diff 2` shows it
    -- stderr
    ");
    assert_eq!(both(), (2, 0));
    assert!(run(&fixture, &new, &["undo", "2"]).success());
    assert_eq!(both(), (0, 2));
    assert!(run(&fixture, &new, &["undo", "--to", "1h"]).success());
    assert_eq!(both(), (2, 0));
    assert!(run(&fixture, &new, &words).success());
    // With the command that the move itself names.
    assert!(run(&fixture, &new, &["move", ".", "../old"]).success());
    assert_eq!(both(), (2, 0));
    // A folder that never was is a slip.
    assert!(run(&fixture, &new, &words).success());
    assert_snapshot!(run(&fixture, &new, &["move", ".", "../odl"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no folder [ROOT]/odl
      name the folder in which the project is; one that is gone can only get back what it had
    ");
}

#[test]
fn a_move_keeps_every_byte() {
    let fixture = Fixture::new();
    let old = project(&fixture, "old");
    run(&fixture, &old, &["remember", "Deploys happen on Thursdays"]);
    let new = fixture.sandbox.root().join("it's new");
    let folder = memory_folder(&fixture, "old");
    let key = ["AKIA", "Z7QW3ERT5YUI9OPA"].concat();
    let text = format!("the key is {key}, hid\u{200b}den\u{e0041}\n");
    fs::write(folder.join("written_by_another.md"), &text).unwrap();
    fs::create_dir(folder.join("sub")).unwrap();
    fs::write(folder.join("sub/empty.md"), "").unwrap();
    fs::rename(&old, &new).unwrap();
    assert_snapshot!(run(&fixture, &new, &["move", "../old", "."]), @r"
    exit 0
    -- stdout
    Moved 3 memories from ~/.claude/projects/[-ROOT]-old/memory to ~/.claude/projects/[-ROOT]-it-s-new/memory
    `memdir move '[ROOT]/it'\''s new' [ROOT]/old` takes it back
    -- stderr
    ");
    let moved = memory_folder(&fixture, "it-s-new").join("written_by_another.md");
    assert_eq!(fs::read_to_string(moved).unwrap(), text);
}

#[test]
fn a_move_is_offered_after_git_has_forgotten_the_first_commit_and_for_subfolders_alone() {
    let fixture = Fixture::new();
    let old = project(&fixture, "old");
    git(&old, &["remote", "remove", "origin"]);
    run(&fixture, &old, &["remember", "Deploys happen on Thursdays"]);
    let folder = memory_folder(&fixture, "old");
    fs::create_dir(folder.join("sub")).unwrap();
    for file in fs::read_dir(&folder).unwrap().flatten() {
        if file.path().is_file() {
            fs::rename(file.path(), folder.join("sub").join(file.file_name())).unwrap();
        }
    }
    let new = fixture.sandbox.root().join("new");
    fs::rename(&old, &new).unwrap();
    let commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q"];
    git(
        &new,
        &[&commit[..], &["--allow-empty", "-m", "second"]].concat(),
    );
    let is_offered = || doctors_words(&fixture, &new).contains("memdir move");
    assert!(is_offered());
    git(&new, &["reflog", "expire", "--expire=now", "--all"]);
    assert!(is_offered());
    git(&new, &["gc", "-q", "--prune=now"]);
    assert!(is_offered());
    // Where it goes to since is no matter: it came from nowhere then.
    git(
        &new,
        &["remote", "add", "origin", "https://example.org/other.git"],
    );
    assert!(is_offered());
}

#[test]
fn a_move_that_was_killed_halfway_is_named_in_both_projects_until_it_is_finished() {
    let fixture = Fixture::new();
    let (old, new) = (project(&fixture, "old"), project(&fixture, "new"));
    run(&fixture, &old, &["remember", "Deploys happen on Thursdays"]);
    let words = ["move", old.to_str().unwrap(), new.to_str().unwrap()];
    run(&fixture, &new, &words);
    // As if killed before the second half: its files are back, and the notes of the move.
    let half = |folder: &Path| doctors_words(&fixture, folder).contains("finishes it");
    assert!(!half(&old) && !half(&new));
    let home = fixture.sandbox.home().join(".claude");
    let memory = |name: &str| {
        let found = fs::read_dir(home.join("projects")).unwrap();
        let mut found = found.map(|entry| entry.unwrap().path());
        found
            .find(|path| path.to_string_lossy().ends_with(name))
            .unwrap()
            .join("memory")
    };
    for file in fs::read_dir(memory("-new")).unwrap() {
        let file = file.unwrap();
        if file.file_type().unwrap().is_file() {
            fs::copy(file.path(), memory("-old").join(file.file_name())).unwrap();
        }
    }
    let note = serde_json::json!({"version": 1, "key": "move", "value": {"old": old, "new": new}});
    for state in fs::read_dir(home.join("memdir")).unwrap() {
        let notes = state.unwrap().path().join("moving");
        if notes.is_dir() {
            fs::write(notes.join("move.json"), note.to_string()).unwrap();
        }
    }
    assert!(half(&old), "{}", run(&fixture, &old, &["doctor"]));
    assert!(half(&new), "{}", run(&fixture, &new, &["doctor"]));
    run(&fixture, &new, &words);
    assert!(!half(&old) && !half(&new));
    assert!(
        run(&fixture, &old, &["list"])
            .stdout()
            .contains("No memories")
    );
}
