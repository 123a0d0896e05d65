//! Which model may do background work: asked once, before anything is written, until the answer is one.

use std::fs;

use memdir_testkit::pty::Pty;
use rustix::process::Signal;

use crate::fixture::Fixture;
use crate::setup::{MEMDIR, at_home, connect};

/// Sets a client up on a terminal and answers what is asked; all that was shown.
fn answered(fixture: &Fixture, client: &str, answers: &[(&str, &str)]) -> String {
    let words = ["setup", client, "--program", MEMDIR];
    let command = fixture.program(&words).command();
    let mut pty = Pty::start(command, 200, 200).unwrap();
    for (question, answer) in answers {
        let begins = pty.bytes().len();
        let is_asked = |pty: &Pty| String::from_utf8_lossy(&pty.bytes()).ends_with(question);
        assert!(pty.wait_until(is_asked), "{question}: {}", pty.all());
        pty.press(&format!("{answer}\n")).unwrap();
        assert!(pty.wait_until(|pty| pty.bytes().len() > begins));
    }
    let ended = pty.wait_for_end();
    assert!(ended.is_some_and(|ended| ended.success()), "{}", pty.all());
    pty.all()
}

const WRITE: &str = "Write this? [y/N] ";
const WHICH: &str = "Which model may be asked in the background? [none] ";
const DAILY: &str = "At most how many dollars a day? [1.00] ";

#[test]
fn what_is_no_model_is_asked_again_and_nobody_is_asked_twice() {
    let fixture = Fixture::new();
    let own = at_home(&fixture, ".claude/memdir.toml");
    let shown = answered(
        &fixture,
        "codex",
        &[
            (WRITE, "y"),
            (WHICH, "gpt-5"),
            (WHICH, "claude-haiku-4-5"),
            (DAILY, "much"),
            (DAILY, "0.5"),
        ],
    );
    assert!(
        shown.contains("\"gpt-5\" is neither claude, codex or fork"),
        "{shown}"
    );
    assert!(
        shown.contains("\"much\" is no amount of dollars."),
        "{shown}"
    );
    assert!(
        shown.contains("Codex runs no hook before you have trusted it"),
        "{shown}"
    );
    let text = fs::read_to_string(&own).unwrap();
    assert!(text.contains("model = \"claude-haiku-4-5\"") && text.contains("daily_usd = 0.5"));

    let fixture = Fixture::new();
    answered(&fixture, "claude-code", &[(WRITE, "y"), (WHICH, "none")]);
    let shown = answered(&fixture, "codex", &[(WRITE, "y")]);
    assert!(!shown.contains("Which model"), "{shown}");
    assert!(!at_home(&fixture, ".claude/memdir.toml").exists());
}

#[test]
fn whoever_leaves_at_the_question_has_changed_nothing() {
    let fixture = Fixture::new();
    let words = ["setup", "codex", "--program", MEMDIR];
    let mut pty = Pty::start(fixture.program(&words).command(), 200, 200).unwrap();
    assert!(pty.wait_until(|pty| pty.all().contains("Write this?")));
    pty.press("y\n").unwrap();
    assert!(pty.wait_until(|pty| pty.all().contains("Which model")));
    pty.signal(Signal::INT).unwrap();
    pty.wait_for_end();
    assert!(!at_home(&fixture, ".codex").exists());
}

#[test]
fn a_program_is_named_by_where_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let fixture = Fixture::new();
    let program = fixture
        .sandbox
        .write("home/.local/bin/claude", "#!/bin/sh\n")
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let words = [
        "setup",
        "claude-code",
        "--program",
        MEMDIR,
        "--yes",
        "--model",
        "claude",
    ];
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let outcome = fixture.program(&words).env("PATH", path).run().unwrap();
    assert_eq!((outcome.code(), outcome.stderr()), (Some(0), String::new()));
    let text = fs::read_to_string(at_home(&fixture, ".claude/memdir.toml")).unwrap();
    let home = fixture.sandbox.home().display().to_string();
    insta::assert_snapshot!(text.replace(&home, "[HOME]"), @r#"
    [models.background]
    provider = "claude"
    command = "[HOME]/.local/bin/claude"

    [model_for]
    extraction = "background"
    dream = "background"
    notes = "background"
    "#);
    insta::assert_snapshot!(connect(&Fixture::new(), "codex", &["--yes", "--model", "gpt-5"]), @r#"
    exit 1
    -- stdout
    -- stderr
    error: "gpt-5" is neither claude, codex or fork nor a model of Anthropic's (claude-…); `memdir help models` says how others are named
      no model was named; nothing was changed
    "#);
}
