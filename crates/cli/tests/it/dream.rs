//! `memdir dream`: memories tidied up.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use memdir_testkit::server::{Script, Server};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// A home with some memories in which a model on this machine is named for dreams; the script says `MEMORY` for the
/// memory directory.
pub(crate) fn with_model(steps: Value) -> (Fixture, Server) {
    let fixture = Fixture::with_some();
    fixture.topic(
        "feedback_short.md",
        2,
        "feedback",
        "Short answers",
        "Answer in short.",
    );
    let memory = fixture.memory_dir().display().to_string();
    let script = json!({ "step": steps })
        .to_string()
        .replace("MEMORY", &memory);
    let script = serde_json::from_str(&script).unwrap();
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let text = format!(
        "[models.small]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{}\"\nkey_file = \"~/key\"\n\n[model_for]\ndream = \"small\"\n",
        server.url()
    );
    fs::write(fixture.sandbox.home().join(".claude/memdir.toml"), text).unwrap();
    let key = fixture.sandbox.home().join("key");
    fs::write(&key, "sk-test\n").unwrap();
    fs::set_permissions(key, fs::Permissions::from_mode(0o600)).unwrap();
    (fixture, server)
}

/// A model that sharpens one memory and removes another.
pub(crate) fn tidy() -> Value {
    json!([
        {"times": 1, "reply": [
            {"text": "I read two."},
            {"tool": "Read", "input": {"file_path": "MEMORY/user_role.md"}},
            {"tool": "Read", "input": {"file_path": "MEMORY/project_release.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Edit", "input": {"file_path": "MEMORY/user_role.md",
                "old_string": "Ten years of Rust, new to Go.", "new_string": "New to Go, ten years of Rust."}},
            {"tool": "Write", "input": {"file_path": "MEMORY/project_release.md", "content": ""}},
            {"tool": "Write", "input": {"file_path": "MEMORY/../../x.md", "content": "x"}},
        ]},
        {"reply": [{"text": "Sharpened one, removed one."}]},
    ])
}

fn lock(fixture: &Fixture) -> std::path::PathBuf {
    fixture.memory_dir().join(".consolidate-lock")
}

fn wait_for(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it never happened"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn where_nothing_is_there_nothing_is_made() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["dream"]), @"
    exit 0
    -- stdout
    Nothing has to change.
    -- stderr
    ");
    assert!(!fixture.memory_dir().exists());
}

#[test]
fn a_model_tidies_up_and_undo_takes_it_back() {
    let (fixture, _server) = with_model(tidy());
    let before = fixture.run(&["list"]).to_string();
    assert_snapshot!(fixture.run(&["dream"]), @"
    exit 0
    -- stdout
    Tidied up: #2 changed 3 files.
      removed project_release.md
      changed MEMORY.md  +1 -1
      changed user_role.md  +1 -1
      rules   MEMORY.md: a line for feedback_short.md
      denied  Write [HOME]/.claude/projects/x.md: this run may write only memories: name a .md file beneath the memory directory
      it said Sharpened one, removed one.
      3 requests, 5 tool calls, $0.0062
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,3 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    -- [Release](project_release.md) — the day of 2.0
    +- [feedback-short](feedback_short.md) — Short answers
    --- a/project_release.md
    +++ /dev/null
    @@ -1,8 +0,0 @@
    ----
    -name: project-release
    -description: 2.0 is out on 2026-12-01
    -metadata:
    -  type: project
    ----
    -
    -Release on 2026-12-01.
    --- a/user_role.md
    +++ b/user_role.md
    @@ -5,4 +5,4 @@
       type: user
     ---
     
    -Ten years of Rust, new to Go.
    +New to Go, ten years of Rust.
    `memdir undo` takes all of it back
    -- stderr
    ");
    assert_eq!(fs::read_to_string(lock(&fixture)).unwrap(), "");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #2 (dream):
      ~ MEMORY.md  +1 -1
      + project_release.md  +8 -0
      ~ user_role.md  +1 -1
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    -- stderr
    ");
    assert_eq!(fixture.run(&["list"]).to_string(), before);
    assert!(fixture.run(&["cost"]).stdout().contains("dream"));
}

#[test]
fn only_shown_it_writes_nothing() {
    let (fixture, _server) = with_model(tidy());
    let outcome = fixture.run(&["dream", "--dry-run"]).to_string();
    assert_snapshot!(outcome.lines().take(8).collect::<Vec<_>>().join("\n"), @"
    exit 0
    -- stdout
    Would change 3 files.
      removed project_release.md
      changed MEMORY.md  +1 -1
      changed user_role.md  +1 -1
      rules   MEMORY.md: a line for feedback_short.md
      denied  Write [HOME]/.claude/projects/x.md: this run may write only memories: name a .md file beneath the memory directory
    ");
    assert!(!lock(&fixture).exists());
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #1  [TIME]  outside  first seen  + MEMORY.md, + feedback_no_push_on_friday.md, + feedback_short.md, + project_release.md and 1 more
    -- stderr
    ");
}

#[test]
fn the_logs_by_the_rules() {
    let fixture = Fixture::with_some();
    let day = fixture.memory_dir().join("logs/2026/11");
    fs::create_dir_all(&day).unwrap();
    fs::write(
        day.join("2026-11-15.md"),
        "- 09:00 From now on, use tabs in Makefiles.\n",
    )
    .unwrap();
    assert_snapshot!(fixture.run(&["dream", "--logs"]), @"
    exit 0
    -- stdout
    Tidied up: #2 changed 2 files.
      changed MEMORY.md  +1 -0
      new     feedback_use_tabs_makefiles.md
      rules   feedback_use_tabs_makefiles.md: kept from the logs
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,4 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
     - [Release](project_release.md) — the day of 2.0
    +- [use-tabs-makefiles](feedback_use_tabs_makefiles.md) — From now on, use tabs in Makefiles.
    --- /dev/null
    +++ b/feedback_use_tabs_makefiles.md
    @@ -0,0 +1,11 @@
    +---
    +name: use-tabs-makefiles
    +description: From now on, use tabs in Makefiles.
    +metadata:
    +  type: feedback
    +  source: rules
    +  message: logs/2026/11/2026-11-15.md#1
    +  evidence: From now on, use tabs in Makefiles.
    +---
    +
    +From now on, use tabs in Makefiles.
    `memdir undo` takes all of it back
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["dream", "--logs"]), @"
    exit 0
    -- stdout
    Nothing has to change.
    -- stderr
    ");
}

#[test]
fn a_model_that_fails_changes_nothing_and_the_rules_are_offered() {
    let (fixture, _server) = with_model(json!([{"fault": {"status": 401}}]));
    assert_snapshot!(fixture.run(&["dream"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the provider does not accept the key
      `memdir dream --rules` needs no model
    ");
    assert!(!lock(&fixture).exists());
    assert_snapshot!(fixture.run(&["dream", "--no-spend"]), @"
    exit 0
    -- stdout
    Tidied up: #2 changed 1 file.
      changed MEMORY.md  +1 -0
      rules   MEMORY.md: a line for feedback_short.md
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,4 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
     - [Release](project_release.md) — the day of 2.0
    +- [feedback-short](feedback_short.md) — Short answers
    `memdir undo` takes all of it back
    -- stderr
    ");
}

/// A dream that waits for its model.
fn silent() -> (Fixture, Server, std::process::Child) {
    let (fixture, server) = with_model(json!([
        {"times": 1, "reply": [{"text": "Let me see."}], "fault": {"silence": {"after_events": 1, "ms": 600_000}}},
        {"reply": [{"text": "Nothing to do."}]},
    ]));
    let mut command = fixture.program(&["dream"]).command();
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(|| !server.exchanges().is_empty());
    (fixture, server, child)
}

#[test]
fn whoever_stops_it_finds_everything_as_it_was() {
    for signal in [Signal::INT, Signal::TERM] {
        let (fixture, _server, child) = silent();
        assert!(lock(&fixture).exists());
        kill_process(Pid::from_child(&child), signal).unwrap();
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(said, "error: stopped; nothing was changed\n");
        assert!(!lock(&fixture).exists());
    }
}

#[test]
fn a_second_one_is_told_who_is_at_it_and_takes_over_when_that_is_killed() {
    let (fixture, _server, mut child) = silent();
    let second = fixture.run(&["dream", "--rules"]).to_string();
    assert_snapshot!(second.replace(&child.id().to_string(), "PID"), @"
    exit 1
    -- stdout
    -- stderr
    error: memdir is consolidating these memories already (process PID)
      try again when it has ended
    ");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_snapshot!(fixture.run(&["dream", "--rules"]), @"
    exit 0
    -- stdout
    Tidied up: #2 changed 1 file.
      changed MEMORY.md  +1 -0
      rules   MEMORY.md: a line for feedback_short.md
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,4 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
     - [Release](project_release.md) — the day of 2.0
    +- [feedback-short](feedback_short.md) — Short answers
    `memdir undo` takes all of it back
    -- stderr
    ");
    assert_eq!(fs::read_to_string(lock(&fixture)).unwrap(), "");
}

#[test]
fn by_itself_after_a_day_and_five_conversations() {
    let fixture = Fixture::with_some();
    let run = |number: usize| {
        let talk = format!("talk-{number}");
        let path = fixture.sandbox.project().join(format!("{talk}.jsonl"));
        let line = json!({"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": talk, "cwd": "/w",
            "timestamp": "2026-11-16T08:00:00Z", "message": {"role": "user", "content": "Hello."}});
        fs::write(&path, format!("{line}\n")).unwrap();
        fixture.run(&["jobs", "run", path.to_str().unwrap()]);
        let jobs = fixture.run(&["jobs", "--json"]).stdout();
        let jobs: Value = serde_json::from_str(&jobs).unwrap();
        let past = jobs["past"].as_array().unwrap().iter();
        let dreams: Vec<String> = past
            .filter(|run| run["kind"] == "dream")
            .map(|run| format!("{}: {}", run["outcome"], run["said"]))
            .collect();
        dreams.join("; ")
    };
    let told: Vec<String> = (1..=7).map(run).collect();
    assert_snapshot!(told.join("\n"), @r#"





    "done": "nothing had to change"
    "done": "nothing had to change"
    "#);
}

#[test]
fn in_an_empty_directory_no_dream_is_due_at_every_turn() {
    use crate::hook::{Talk, wait_for_work};
    let fixture = Fixture::new();
    let dreams = |fixture: &Fixture| {
        let jobs = fixture.run(&["jobs", "--json"]).stdout();
        let jobs: serde_json::Value = serde_json::from_str(&jobs).unwrap();
        let past = jobs["past"].as_array().unwrap().clone();
        past.iter().filter(|run| run["kind"] == "dream").count()
    };
    let turns = |fixture: &Fixture, number: usize| {
        for turn in 0..number {
            let talk = Talk::new(fixture, &format!("talk-{turn}"));
            talk.said("Where is the parser?", "In src.");
            talk.stop();
            wait_for_work(fixture);
        }
    };
    // Without a directory there is nothing to dream of.
    turns(&fixture, 7);
    assert_eq!(dreams(&fixture), 0);
    assert!(!fixture.memory_dir().exists());
    std::fs::create_dir_all(fixture.memory_dir()).unwrap();
    turns(&fixture, 7);
    let jobs = fixture.run(&["jobs"]);
    assert_eq!(dreams(&fixture), 1, "{jobs}");
    let lock = fixture.memory_dir().join(".consolidate-lock");
    assert_eq!(std::fs::read_to_string(lock).unwrap(), "");
}
