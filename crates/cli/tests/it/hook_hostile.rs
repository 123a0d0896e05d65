//! Hooks where everything is against them: whatever comes, the agent goes on as if there were no memory.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;

use crate::fixture::{Fixture, may_unshare};
use crate::hook::{Talk, context, fire, hooks_log, message, wait_for_work};

const NOTHING: &str = "exit 0\n-- stdout\n-- stderr\n";

#[test]
fn bad_arguments_and_unknown_clients_end_with_zero_and_say_nothing() {
    let fixture = Fixture::new();
    let event = Talk::new(&fixture, "talk").event("SessionStart", json!({"source": "startup"}));
    for arguments in [
        &["hook"][..],
        &["hook", ""],
        &["hook", "nobody"],
        &["hook", "--bogus"],
        &["hook", "claude-code2", "--flag", "-x"],
        &["hook", "--", "claude-code"],
        &["--bogus", "hook", "claude-code"],
        &["--bogus", "value", "hook", "claude-code"],
        &["--project", "/nowhere", "hook", "--bogus"],
    ] {
        let program = fixture.program(arguments).stdin(event.to_string());
        assert_eq!(program.run().unwrap().to_string(), NOTHING, "{arguments:?}");
    }
    assert!(!fixture.sandbox.home().join(".claude").exists());
    // What else an agent adds is no reason to say nothing.
    let program = fixture.program(&["hook", "claude-code", "--more", "words"]);
    let outcome = program.stdin(event.to_string()).run().unwrap();
    assert!(context(&outcome).starts_with("memdir looks after"));
}

#[test]
fn what_is_no_event_is_not_answered() {
    let fixture = Fixture::with_some();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = format!("{{\"hook_event_name\":\"Stop\",\"x\":{deep}}}");
    let endless = format!("{{\"hook_event_name\":\"{}", "x".repeat(1 << 20));
    for input in [
        "",
        " ",
        "null",
        "[]",
        "7",
        "{",
        "{}",
        "\u{feff}{}",
        "{\"hook_event_name\":5,\"session_id\":\"s\"}",
        "{\"hook_event_name\":\"Stop\"}",
        "{\"hook_event_name\":\"Stop\",\"session_id\":null,\"transcript_path\":7}",
        "{\"hook_event_name\":\"Stop\",\"session_id\":\"s\"} and more",
        "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"tool_name\":[],\"tool_input\":\"x\"}",
        "{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"s\",\"prompt\":{\"a\":1},\"cwd\":\"relative\"}",
        &deep,
        &nested,
        &endless,
    ] {
        for client in ["claude-code", "codex", "gemini", "opencode"] {
            let start: String = input.chars().take(60).collect();
            let outcome = fire(&fixture, client, input).to_string();
            assert_eq!(outcome, NOTHING, "{client} {start}");
        }
    }
    let bytes = fixture
        .program(&["hook", "codex"])
        .stdin(vec![0xff, 0xfe, 0]);
    assert_eq!(bytes.run().unwrap().to_string(), NOTHING);
}

#[test]
fn closed_pipes_are_no_failure() {
    let fixture = Fixture::with_some();
    let event = Talk::new(&fixture, "talk").event("SessionStart", json!({"source": "startup"}));
    let file = fixture.sandbox.root().join("event.json");
    fs::write(&file, event.to_string()).unwrap();
    let memdir = env!("CARGO_BIN_EXE_memdir");
    for script in [
        format!("exec {memdir} hook claude-code <&-"),
        format!("exec {memdir} hook claude-code < event.json >&-"),
        format!("exec {memdir} hook claude-code <&- >&- 2>&-"),
        format!("exec {memdir} hook claude-code < event.json > /dev/full"),
        format!("{memdir} hook claude-code < event.json | true; exit ${{PIPESTATUS[0]}}"),
    ] {
        let program = fixture.sandbox.program("bash").args(["-c", &script]);
        let program = program.current_folder(fixture.sandbox.root());
        assert_eq!(program.run().unwrap().to_string(), NOTHING, "{script}");
    }
}

#[test]
fn an_agent_that_leaves_the_pipe_open_is_answered() {
    use std::io::{Read as _, Write as _};
    let fixture = Fixture::with_some();
    let event = Talk::new(&fixture, "talk").event("SessionStart", json!({"source": "startup"}));
    let mut command = fixture.program(&["hook", "claude-code"]).command();
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(event.to_string().as_bytes()).unwrap();
    pipe.flush().unwrap();
    let mut answer = String::new();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_to_string(&mut answer).unwrap();
    assert!(answer.contains("additionalContext"), "{answer}");
    assert!(child.wait().unwrap().success());
    drop(pipe);
}

#[test]
fn an_agent_that_never_says_anything_is_not_waited_for() {
    let fixture = Fixture::with_some();
    let mut command = fixture.program(&["hook", "claude-code"]).command();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take().unwrap();
    // It ends by itself, or the test does not.
    assert!(child.wait().unwrap().success());
    drop(pipe);
    let log = hooks_log(&fixture);
    assert!(log.contains("it took too long"), "{log}");
}

#[test]
fn locks_of_others_hold_no_agent_up() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    talk.start();
    let own = fixture.sandbox.home().join(".claude/memdir");
    let held = |path: PathBuf| {
        let file = fs::File::options().write(true).open(path).unwrap();
        file.lock().unwrap();
        file
    };
    let fired = held(own.join("fired/.lock"));
    assert!(context(&talk.prompt("May I push to main on a Friday?")).contains("Friday"));
    // Who keeps count of events is not even worth a line.
    assert_eq!(hooks_log(&fixture), "");
    drop(fired);
    let _states = held(fixture.state_file("hooks/.lock"));
    let other = Talk::new(&fixture, "other");
    assert!(context(&other.prompt("May I push to main on a Friday?")).contains("Friday"));
    let log = hooks_log(&fixture);
    assert!(log.contains("gave up after 1 s"), "{log}");
}

#[cfg(debug_assertions)]
#[test]
fn a_panic_inside_is_written_down_and_nobody_notices() {
    let fixture = Fixture::with_some();
    let event = Talk::new(&fixture, "talk").event("Stop", json!({}));
    let program = fixture.program(&["hook", "claude-code"]);
    let program = program.env("MEMDIR_TEST_HOOK_PANICS", "1");
    let outcome = program.stdin(event.to_string()).run().unwrap();
    assert_eq!(outcome.to_string(), NOTHING);
    let log = hooks_log(&fixture);
    assert!(log.contains("a mistake in memdir itself: "), "{log}");
    assert!(
        log.contains("hook.rs:") && !log.contains("as wanted"),
        "{log}"
    );
}

#[test]
fn where_memory_is_off_nothing_is_said_and_nothing_made() {
    let fixture = Fixture::new();
    fixture
        .sandbox
        .write(
            "home/.claude/settings.json",
            "{\"autoMemoryEnabled\": false}",
        )
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    for outcome in [talk.start(), talk.prompt("tabs in Makefiles?"), talk.stop()] {
        assert_eq!(outcome.to_string(), NOTHING);
    }
    assert!(!fixture.memory_dir().exists());
    wait_for_work(&fixture);
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn a_mistake_in_the_settings_is_told_at_the_start_and_memory_does_nothing() {
    let fixture = Fixture::with_some();
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", "[recall\nenabled = maybe\n")
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    let started = talk.start();
    assert_eq!(context(&started), "");
    insta::assert_snapshot!(started, @r#"
    exit 0
    -- stdout
    {"systemMessage":"memdir does nothing in this conversation, because its settings have a mistake: [HOME]/.claude/memdir.toml:1:8: not TOML (unclosed table, expected `]`). `memdir config list` shows every setting."}
    -- stderr
    "#);
    assert_eq!(talk.prompt("May I push on a Friday?").to_string(), NOTHING);
    // What has to stay out of memory stays out.
    let hidden =
        json!({"file_path": fixture.memory_dir().join("a.md"), "content": "Use tabs\u{E0041}."});
    let denied = talk.fire(
        "PreToolUse",
        json!({"tool_name": "Write", "tool_input": hidden}),
    );
    assert!(denied.stdout().contains("\"deny\""), "{denied}");
    assert_eq!(talk.stop().to_string(), NOTHING);
    assert!(
        hooks_log(&fixture).contains("memdir.toml"),
        "{}",
        hooks_log(&fixture)
    );
}

#[test]
fn variables_of_a_repository_are_ignored_and_told() {
    let fixture = Fixture::with_some();
    let settings = json!({"env": {"MEMDIR_RECALL_ENABLED": "false", "EDITOR": "evil"}});
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings.to_string())
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    let fire = |name: &str, fields| {
        let program = fixture.program(&["hook", "claude-code"]);
        let program = program.env("MEMDIR_RECALL_ENABLED", "false");
        let event = talk.event(name, fields).to_string();
        program.stdin(event).run().unwrap()
    };
    let started = fire("SessionStart", json!({"source": "startup"}));
    let root = fixture.sandbox.root().display().to_string();
    insta::assert_snapshot!(message(&started).replace(&root, "[ROOT]"), @"
    memdir does not believe the variable EDITOR, because [ROOT]/project/.claude/settings.json sets it
    memdir does not believe the variable MEMDIR_RECALL_ENABLED, because [ROOT]/project/.claude/settings.json sets it
    ");
    let prompt = json!({"prompt": "May I push to main on a Friday?"});
    assert!(context(&fire("UserPromptSubmit", prompt)).contains("feedback_no_push_on_friday.md"));
}

/// A program that writes down with which variables it was started, where it works, and that it is this one.
fn witness(fixture: &Fixture, file: &str, name: &str) -> PathBuf {
    let seen = fixture.sandbox.root().join(format!("seen-by-{name}"));
    let script = format!(
        "#!/bin/sh\n{{ /usr/bin/env; pwd; }} > {}\necho '{{\"result\": \"{{}}\"}}'\n",
        seen.display()
    );
    let program = fixture.sandbox.write(file, script).unwrap();
    fs::set_permissions(program, Permissions::from_mode(0o755)).unwrap();
    seen
}

#[test]
fn a_repository_chooses_neither_the_program_of_background_work_nor_its_address() {
    let block = |fixture: &Fixture| {
        let evil = fixture.sandbox.project().join("evil");
        let path = format!("{}:/usr/bin:/bin", evil.display());
        json!({
            "PATH": path, "TMPDIR": evil, "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_AUTH_TOKEN": "theirs",
        })
    };
    // As the client reads it, and as only a more forgiving one would.
    for (file, end) in [
        (".claude/settings.json", ""),
        (".claude/settings.local.json", ""),
        (".claude/settings.json", ","),
    ] {
        let fixture = Fixture::new();
        let model = "[models.own]\nprovider = \"claude\"\n[model_for]\nextraction = \"own\"\n";
        fixture
            .sandbox
            .write("home/.claude/memdir.toml", model)
            .unwrap();
        let own = witness(&fixture, "home/.local/bin/claude", "own");
        let theirs = witness(&fixture, "project/evil/claude", "theirs");
        let variables = block(&fixture);
        let settings = format!("{{\"env\": {variables}{end}}}");
        fixture
            .sandbox
            .write(&format!("project/{file}"), settings)
            .unwrap();
        let talk = Talk::new(&fixture, "talk");
        let fire = |name: &str, fields| {
            let mut program = fixture.program(&["hook", "claude-code"]);
            for (name, value) in variables.as_object().unwrap() {
                program = program.env(name, value.as_str().unwrap());
            }
            let event = talk.event(name, fields).to_string();
            program.stdin(event).run().unwrap()
        };
        let told = message(&fire("SessionStart", json!({"source": "startup"})));
        let root = fixture.sandbox.root().display().to_string();
        let told = told.replace(&root, "[ROOT]").replace(file, "[FILE]");
        match end {
            "" => {
                insta::allow_duplicates! {
                    insta::assert_snapshot!(told, @"programs that answer for memdir do not get ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL, PATH, TMPDIR, because [ROOT]/project/[FILE] sets them");
                }
            }
            _ => assert!(
                told.contains(
                    "get next to no variables, because [ROOT]/project/[FILE] cannot be read"
                ),
                "{told}"
            ),
        }
        talk.said("From now on, use tabs in Makefiles.", "I will.");
        fire("Stop", json!({}));
        wait_for_work(&fixture);
        assert!(!theirs.exists(), "{file}");
        let seen = fs::read_to_string(own).unwrap();
        for value in ["127.0.0.1:9", "theirs", "/evil"] {
            assert!(!seen.contains(value), "{file}: {value} in {seen}");
        }
    }
}

#[test]
fn a_transcript_does_not_lead_to_the_memory_of_another_project() {
    let fixture = Fixture::with_some();
    let hostile = fixture.sandbox.outside();
    let talk = Talk::new(&fixture, "talk");
    // In the folder of another project, but it says that it began in this one.
    let transcript = fixture
        .sandbox
        .home()
        .join(".claude/projects/-elsewhere/t.jsonl");
    fs::create_dir_all(transcript.parent().unwrap()).unwrap();
    let line = json!({"type": "user", "cwd": fixture.sandbox.project()});
    fs::write(&transcript, format!("{line}\n")).unwrap();
    let fields = json!({"cwd": hostile, "transcript_path": transcript, "prompt": "May I push to main on a Friday?"});
    assert_eq!(talk.fire("UserPromptSubmit", fields).to_string(), NOTHING);
}

#[test]
fn a_state_that_cannot_be_written_harms_nobody() {
    let fixture = Fixture::with_some();
    fixture
        .sandbox
        .write("home/.claude/memdir", "not a folder")
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    assert!(context(&talk.start()).starts_with("memdir looks after"));
    for outcome in [talk.prompt("May I push to main on a Friday?"), talk.stop()] {
        assert_eq!((outcome.code(), outcome.stderr()), (Some(0), String::new()));
    }
}

#[test]
fn in_a_container_the_session_of_whoever_started_it_is_unknown_and_no_trouble() {
    let namespace = ["--map-root-user", "--pid", "--fork", "--mount-proc"];
    if !may_unshare(&namespace) {
        return;
    }
    let fixture = Fixture::new();
    let talk = Talk::new(&fixture, "talk");
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    let event = fixture.sandbox.root().join("event.json");
    fs::write(&event, talk.event("Stop", json!({})).to_string()).unwrap();
    // The end of the first process ends all others of the container: it waits for them.
    let script = "\"$0\" hook claude-code < \"$1\"; \
        until [ \"$(\"$0\" jobs --json | grep -c outcome)\" = 1 ]; do sleep 0.05; done";
    let words = [
        &namespace[..],
        &["sh", "-c", script, env!("CARGO_BIN_EXE_memdir")],
        &[event.to_str().unwrap()],
    ];
    let program = fixture.sandbox.program("unshare").args(words.concat());
    assert_eq!(program.run().unwrap().to_string(), NOTHING);
    assert_eq!(hooks_log(&fixture), "");
    let listed = fixture.run(&["list"]).stdout();
    assert!(listed.contains("use_tabs_makefiles"), "{listed}");
}

#[test]
fn half_an_emoji_switched_the_gate_off() {
    let fixture = Fixture::with_some();
    let file = fixture.memory_dir().join("reference_ci.md");
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let event = json!({
        "hook_event_name": "PreToolUse", "session_id": "a", "cwd": fixture.sandbox.project(), "tool_name": "Write",
        "tool_use_id": "t", "tool_input": {"file_path": file, "content": format!("The token is {token} HALF")},
    });
    let event = event.to_string().replace("HALF", r"\ud83d");
    let outcome = fixture
        .program(&["hook", "claude-code"])
        .stdin(event)
        .run()
        .unwrap();
    assert!(outcome.stdout().contains("deny"), "{outcome}");
}
