//! `memdir edit`.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;
use memdir_testkit::{Outcome, tree};

use crate::fixture::Fixture;

/// Edits a memory with a shell script for an editor; `$1` is the file.
fn edit(fixture: &Fixture, script: &str, arguments: &[&str]) -> Outcome {
    let editor = fixture
        .sandbox
        .write("editor", format!("#!/bin/sh\n{script}\n"))
        .unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let program = fixture
        .program(&[&["edit"], arguments].concat())
        .env("EDITOR", &editor);
    program
        .filter(r"edits/\d+-\d+", "edits/[EDIT]")
        .run()
        .unwrap()
}

fn index(fixture: &Fixture) -> String {
    fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap()
}

/// What is left in the folder of copies, beneath memdir's own.
fn copies(fixture: &Fixture) -> Vec<String> {
    let own = tree::read(&fixture.sandbox.home().join(".claude/memdir")).unwrap();
    own.into_keys()
        .filter(|path| path.contains("/edits"))
        .collect()
}

#[test]
fn an_editor_is_not_looked_for_where_a_repository_says() {
    let fixture = Fixture::with_some();
    for (folder, words) in [("home/.local/bin", "Mine."), ("project/evil", "Theirs.")] {
        let script = format!("#!/bin/sh\necho '{words}' >>\"$1\"\n");
        let program = fixture.sandbox.write(&format!("{folder}/ed-it"), script);
        fs::set_permissions(program.unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let evil = fixture.sandbox.project().join("evil");
    let path = format!("{}:/usr/bin:/bin", evil.display());
    let settings = serde_json::json!({"env": {"PATH": path}}).to_string();
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings)
        .unwrap();
    let program = fixture.program(&["edit", "user_role"]);
    let program = program.env("EDITOR", "ed-it").env("PATH", path);
    assert_eq!(program.run().unwrap().code(), Some(0));
    let text = fs::read_to_string(fixture.memory_dir().join("user_role.md")).unwrap();
    assert!(text.ends_with("Mine.\n"), "{text}");
}

#[test]
fn an_edit_is_saved_and_leaves_no_copy() {
    let fixture = Fixture::with_some();
    assert_snapshot!(edit(&fixture, "echo 'Also some C.' >>\"$1\"", &["user_role"]), @"
    exit 0
    -- stdout
    Changed user_role.md (+1 -0 lines)
    `memdir diff` shows it, `memdir undo` takes it back
    -- stderr
    ");
    let text = fs::read_to_string(fixture.memory_dir().join("user_role.md")).unwrap();
    assert!(text.ends_with("new to Go.\nAlso some C.\n"));
    assert_eq!(copies(&fixture), [""; 0]);
    assert_snapshot!(fixture.run(&["diff"]), @"
    exit 0
    -- stdout
    #2  [TIME]  user  edit
    --- a/user_role.md
    +++ b/user_role.md
    @@ -6,3 +6,4 @@
     ---
     
     Ten years of Rust, new to Go.
    +Also some C.
    -- stderr
    ");
}

#[test]
fn json_and_dry_run() {
    let fixture = Fixture::with_some();
    let script = "echo 'Also some C.' >>\"$1\"";
    assert_snapshot!(edit(&fixture, script, &["user_role", "--dry-run"]), @"
    exit 0
    -- stdout
    Would change user_role.md:
    --- a/user_role.md
    +++ b/user_role.md
    @@ -6,3 +6,4 @@
     ---
     
     Ten years of Rust, new to Go.
    +Also some C.
    -- stderr
    ");
    assert_snapshot!(edit(&fixture, script, &["user_role", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "path": "user_role.md",
      "changed": true,
      "added": 1,
      "removed": 0,
      "diff": "--- a/user_role.md\n+++ b/user_role.md\n@@ -6,3 +6,4 @@\n ---\n \n Ten years of Rust, new to Go.\n+Also some C.\n",
      "operation": 2,
      "warnings": []
    }
    -- stderr
    "#);
}

#[test]
fn the_copy_is_private_and_named_like_the_memory() {
    let fixture = Fixture::with_some();
    let script = "stat -c '%a %n' \"$1\" \"$(dirname \"$1\")\" | sed 's,/[^ ]*/,…/,; s,[0-9]*-[0-9]*$,[EDIT],' >&2";
    assert_snapshot!(edit(&fixture, script, &["user_role"]), @"
    exit 0
    -- stdout
    Nothing was changed in user_role.md.
    -- stderr
    600 …/user_role.md
    700 …/[EDIT]
    ");
}

#[test]
fn the_index_follows_words_that_it_still_shows() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs", "--type", "feedback"]);
    edit(
        &fixture,
        "sed -i 's/^description:.*/description: Tabs in Go only/' \"$1\"",
        &["use-tabs"],
    );
    assert_snapshot!(index(&fixture), @"- [use-tabs](feedback_use_tabs.md) — Tabs in Go only");
    let fixture = Fixture::with_some();
    edit(
        &fixture,
        "sed -i 's/^description:.*/description: Reads Go/' \"$1\"",
        &["user_role"],
    );
    assert_snapshot!(index(&fixture), @"
    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    ");
}

#[test]
fn the_index_may_be_edited_too() {
    let fixture = Fixture::with_some();
    assert_snapshot!(edit(&fixture, "sed -i '1i # Memory' \"$1\"", &["MEMORY.md"]), @"
    exit 0
    -- stdout
    Changed MEMORY.md (+1 -0 lines)
    `memdir diff` shows it, `memdir undo` takes it back
    -- stderr
    ");
    assert!(index(&fixture).starts_with("# Memory\n"));
}

#[test]
fn nothing_changes_where_nothing_was_typed() {
    let fixture = Fixture::with_some();
    let before = tree::fingerprint(&fixture.memory_dir()).unwrap();
    assert_snapshot!(edit(&fixture, "true", &["user_role"]), @"
    exit 0
    -- stdout
    Nothing was changed in user_role.md.
    -- stderr
    ");
    assert_snapshot!(edit(&fixture, "exit 3", &["user_role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the editor ended badly (exit status: 3); nothing was changed
    ");
    assert_snapshot!(edit(&fixture, ": >\"$1\"", &["user_role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the text is empty; nothing was changed
      `memdir forget` removes a memory
    ");
    assert_eq!(copies(&fixture), [""; 0]);
    assert_eq!(tree::fingerprint(&fixture.memory_dir()).unwrap(), before);
}

#[test]
fn what_another_writes_meanwhile_is_merged() {
    let fixture = Fixture::with_some();
    let memory = fixture.memory_dir().join("user_role.md");
    let script = format!(
        "sed -i 's/^name:.*/name: role/' '{}'; echo 'Also some C.' >>\"$1\"",
        memory.display()
    );
    assert_snapshot!(edit(&fixture, &script, &["user_role"]), @"
    exit 0
    -- stdout
    Changed user_role.md (+1 -0 lines)
    `memdir diff` shows it, `memdir undo` takes it back
    -- stderr
    warning: somebody else changed it meanwhile; both changes are in it now
    ");
    assert_snapshot!(fs::read_to_string(memory).unwrap(), @"
    ---
    name: role
    description: Writes Rust, reads Go
    metadata:
      type: user
    ---

    Ten years of Rust, new to Go.
    Also some C.
    ");
}

#[test]
fn a_conflict_keeps_what_was_typed() {
    let fixture = Fixture::with_some();
    let memory = fixture.memory_dir().join("user_role.md");
    let change = |word: &str, file: &str| format!("sed -i 's/Ten years/{word} years/' {file}");
    let script = format!(
        "{}; {}",
        change("Eleven", &format!("'{}'", memory.display())),
        change("Twelve", "\"$1\"")
    );
    assert_snapshot!(edit(&fixture, &script, &["user_role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: user_role.md was changed by somebody else meanwhile, in the same lines; nothing was overwritten
      both versions:
      ---
      name: user-role
      description: Writes Rust, reads Go
      metadata:
        type: user
      ---
      
      <<<<<<< this change
      Twelve years of Rust, new to Go.
      =======
      Eleven years of Rust, new to Go.
      >>>>>>> the other change
      
      look at the file and try again
      your text is kept in ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/edits/[EDIT]/user_role.md
    ");
    assert!(fs::read_to_string(memory).unwrap().contains("Eleven years"));
    assert_eq!(copies(&fixture).len(), 3, "{:?}", copies(&fixture));
    assert_snapshot!(edit(&fixture, "true", &["user_role"]), @"
    exit 0
    -- stdout
    Nothing was changed in user_role.md.
    -- stderr
    warning: an earlier edit of user_role.md was not saved; its text is in ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/edits/[EDIT]/user_role.md until you remove that
    ");
}

#[test]
fn a_secret_is_refused_and_the_text_kept() {
    let fixture = Fixture::with_some();
    let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    let outcome = edit(
        &fixture,
        &format!("echo 'token {token}' >>\"$1\""),
        &["user_role"],
    );
    assert_snapshot!(outcome, @"
    exit 1
    -- stdout
    -- stderr
    error: user_role.md was not written: line 9 looks like a secret (rule github-personal-token: GitHub personal access token)
      say where the secret is kept instead of what it is; nothing was written
      your text is kept in ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/edits/[EDIT]/user_role.md
    ");
    let memory = fs::read_to_string(fixture.memory_dir().join("user_role.md")).unwrap();
    assert!(!memory.contains(&token));
}

#[test]
fn an_editor_that_breaks_off_loses_no_word() {
    let fixture = Fixture::with_some();
    let outcome = edit(
        &fixture,
        "echo 'typed before the crash' >>\"$1\"; kill -9 $$",
        &["user_role"],
    );
    assert_snapshot!(outcome, @"
    exit 1
    -- stdout
    -- stderr
    error: the editor ended badly (signal: 9 (SIGKILL)); nothing was changed
      your text is kept in ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/edits/[EDIT]/user_role.md
    ");
    assert_eq!(copies(&fixture).len(), 3);
}

#[test]
fn an_editor_has_arguments_but_no_shell() {
    let fixture = Fixture::with_some();
    let run = |editor: &str| {
        let program = fixture
            .program(&["edit", "user_role"])
            .env("EDITOR", editor)
            .env("PATH", "/usr/bin:/bin");
        program
            .filter(r"edits/\d+-\d+", "edits/[EDIT]")
            .run()
            .unwrap()
    };
    assert_snapshot!(run("sed -i -e 's/Ten years/Nine years/'"), @"
    exit 0
    -- stdout
    Changed user_role.md (+1 -1 lines)
    `memdir diff` shows it, `memdir undo` takes it back
    -- stderr
    ");
    assert_snapshot!(run("no-such-editor --wait"), @"
    exit 1
    -- stdout
    -- stderr
    error: the editor `no-such-editor` did not start: there is no such program
      set VISUAL or EDITOR to an editor that you have
    ");
    assert_snapshot!(run("sed 'open"), @"
    exit 1
    -- stdout
    -- stderr
    error: EDITOR is not a command with arguments: sed 'open
      check its quotes
    ");
    let visual = fixture
        .program(&["edit", "user_role"])
        .env("VISUAL", "true")
        .env("EDITOR", "false");
    assert_snapshot!(visual.run().unwrap(), @"
    exit 0
    -- stdout
    Nothing was changed in user_role.md.
    -- stderr
    ");
}

#[test]
fn the_project_does_not_choose_the_editor() {
    let fixture = Fixture::with_some();
    fixture
        .sandbox
        .write(
            "project/.claude/settings.json",
            r#"{"env": {"VISUAL": "false"}}"#,
        )
        .unwrap();
    let program = fixture
        .program(&["edit", "user_role"])
        .env("VISUAL", "false")
        .env("EDITOR", "true");
    assert_snapshot!(program.run().unwrap(), @"
    exit 0
    -- stdout
    Nothing was changed in user_role.md.
    -- stderr
    ");
}
