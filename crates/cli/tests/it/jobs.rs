//! `memdir jobs`: background work, in processes of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use crate::fixture::Fixture;
use memdir_store::{Directory, LockState, lock_state};
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

pub(crate) const TALK: &str = concat!(
    r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"talk","cwd":"/w","timestamp":"2026-11-16T08:00:00Z","message":{"role":"user","content":"From now on, use tabs in Makefiles."}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"talk","cwd":"/w","timestamp":"2026-11-16T08:00:00Z","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I will."}]}}"#,
    "\n",
);

pub(crate) fn talk(fixture: &Fixture) -> String {
    let path = fixture.sandbox.project().join("talk.jsonl");
    // Said just now, so that no test knows what day it is.
    let now = jiff::Timestamp::now().to_string();
    fs::write(&path, TALK.replace("2026-11-16T08:00:00Z", &now)).unwrap();
    path.display().to_string()
}

pub(crate) fn standing(fixture: &Fixture) -> Value {
    let outcome = fixture.run(&["jobs", "--json"]).to_string();
    let (_, printed) = outcome.split_once("-- stdout\n").unwrap();
    let (printed, _) = printed.split_once("-- stderr").unwrap();
    serde_json::from_str(printed).unwrap()
}

pub(crate) fn wait_for(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it never happened"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes of ours that work for this home, each with the leader of its session.
fn processes(fixture: &Fixture) -> Vec<(String, String)> {
    let home = fixture.sandbox.home().display().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let of_home = String::from_utf8_lossy(&environment).contains(&home);
        if of_home && String::from_utf8_lossy(&command).contains("jobs") {
            let pid = entry.file_name().to_string_lossy().into_owned();
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let session = stat.rsplit(')').next().unwrap().split_whitespace().nth(3);
            found.push((pid, session.unwrap_or_default().to_owned()));
        }
    }
    found
}

/// A home in which a model on this machine is named for extraction.
pub(crate) fn with_model(script: Value) -> (Fixture, Server) {
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let fixture = Fixture::new();
    let home = fixture.sandbox.home().join(".claude");
    fs::create_dir_all(&home).unwrap();
    let text = format!(
        "[models.small]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{}\"\nkey_file = \"~/key\"\n\n[model_for]\nextraction = \"small\"\n",
        server.url()
    );
    fs::write(home.join("memdir.toml"), text).unwrap();
    let key = fixture.sandbox.home().join("key");
    fs::write(&key, "sk-test\n").unwrap();
    fs::set_permissions(key, fs::Permissions::from_mode(0o600)).unwrap();
    (fixture, server)
}

pub(crate) fn answer() -> Value {
    let operations = json!({"operations": [{
        "action": "create", "type": "feedback", "name": "tabs-in-makefiles",
        "description": "Use tabs in Makefiles", "body": "Use tabs in Makefiles.",
        "evidence": "use tabs in Makefiles",
    }]});
    json!([{"text": operations.to_string()}])
}

pub(crate) fn saved(fixture: &Fixture) -> String {
    let name = "feedback_tabs_makefiles.md";
    fs::read_to_string(fixture.memory_dir().join(name)).unwrap_or_default()
}

#[test]
fn nothing_was_done() {
    let fixture = Fixture::new();
    insta::assert_snapshot!(fixture.run(&["jobs"]), @"
    exit 0
    -- stdout
    Nothing is under way.
    -- stderr
    ");
    insta::assert_snapshot!(fixture.run(&["jobs", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "running": null,
      "due": [],
      "past": [],
      "problems": []
    }
    -- stderr
    "#);
    insta::assert_snapshot!(fixture.run(&["jobs", "stop"]), @"
    exit 0
    -- stdout
    Nothing is under way.
    -- stderr
    ");
    assert!(!fixture.sandbox.home().join(".claude/memdir").exists());
}

#[test]
fn without_a_model_by_the_rules_and_only_once() {
    let fixture = Fixture::new();
    let talk = talk(&fixture);
    for _ in 0..2 {
        fixture.run(&["jobs", "run", &talk]);
    }
    let past = standing(&fixture)["past"].clone();
    let said: Vec<&Value> = past
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["said"])
        .collect();
    insta::assert_debug_snapshot!(said, @r#"
    [
        String("nothing was said since"),
        String("saved 1 memory"),
    ]
    "#);
    insta::assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    feedback_use_tabs_makefiles.md  feedback  today  From now on, use tabs in Makefiles.
    -- stderr
    ");
    assert!(processes(&fixture).is_empty());
}

#[test]
fn with_a_model_in_one_request() {
    let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
    let talk = talk(&fixture);
    for _ in 0..2 {
        fixture.run(&["jobs", "run", &talk]);
    }
    let lines: Vec<String> = server.settled().iter().map(|one| one.line()).collect();
    assert_eq!(lines.len(), 1, "{lines:?} {}", standing(&fixture));
    let past = standing(&fixture)["past"].clone();
    let said: Vec<String> = past
        .as_array()
        .unwrap()
        .iter()
        .map(|run| format!("{}: {}", run["outcome"], run["said"]))
        .collect();
    insta::assert_debug_snapshot!(said, @r#"
    [
        "\"skipped\": \"nothing was said since\"",
        "\"done\": \"saved 1 memory; 818 in, 82 out, 0.0 % from the cache\"",
    ]
    "#);
    insta::assert_snapshot!(saved(&fixture), @"
    ---
    name: tabs-in-makefiles
    description: Use tabs in Makefiles
    metadata:
      type: feedback
      source: user
      originSessionId: talk
      message: u1
      evidence: use tabs in Makefiles
    ---

    Use tabs in Makefiles.
    ");
}

#[test]
fn a_detached_process_that_is_killed_leaves_nothing_but_what_is_due() {
    let (fixture, server) = with_model(json!({"step": [
        {"times": 1, "reply": answer(), "fault": {"silence": {"after_events": 1, "ms": 600_000}}},
        {"reply": answer()},
    ]}));
    let talk = talk(&fixture);
    fixture.run(&["jobs", "run", "--detach", &talk]);
    wait_for(|| !server.exchanges().is_empty());
    let [(process, session)] = &processes(&fixture)[..] else {
        panic!("{:?}", processes(&fixture));
    };
    assert_eq!(process, session, "it leads a session of its own");
    let now = standing(&fixture);
    assert_eq!(now["running"]["process"].to_string(), *process);
    assert_eq!(now["running"]["conversation"], "talk");

    let killed = std::process::Command::new("kill")
        .args(["-9", process])
        .status();
    assert!(killed.unwrap().success());
    wait_for(|| processes(&fixture).is_empty());
    let now = standing(&fixture);
    assert_eq!(
        (&now["running"], now["due"].as_array().unwrap().len()),
        (&Value::Null, 1)
    );
    assert_eq!(saved(&fixture), "");

    fixture.run(&["jobs", "run", "--detach"]);
    wait_for(|| !saved(&fixture).is_empty() && processes(&fixture).is_empty());
    let past = standing(&fixture)["past"].clone();
    let outcomes: Vec<&Value> = past
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["outcome"])
        .collect();
    insta::assert_debug_snapshot!(outcomes, @r#"
    [
        String("done"),
        String("killed"),
    ]
    "#);
}

#[test]
fn who_is_asked_to_stop_does_and_who_is_ended_comes_back() {
    let silent = json!({"step": [{"reply": answer(), "fault": {"silence": {"after_events": 1, "ms": 600_000}}}]});
    let (fixture, server) = with_model(silent);
    let talk = talk(&fixture);
    fixture.run(&["jobs", "run", "--detach", &talk]);
    wait_for(|| server.exchanges().len() == 1);
    let process = processes(&fixture)[0].0.clone();
    std::process::Command::new("kill")
        .arg(process)
        .status()
        .unwrap();
    wait_for(|| processes(&fixture).is_empty());
    assert_eq!(standing(&fixture)["past"][0]["outcome"], "interrupted");

    fixture.run(&["jobs", "run", "--detach"]);
    wait_for(|| server.exchanges().len() == 2);
    insta::assert_snapshot!(fixture.run(&["jobs", "stop"]), @"
    exit 0
    -- stdout
    Asked to stop; it ends at the next opportunity.
    -- stderr
    ");
    wait_for(|| processes(&fixture).is_empty());
    let now = standing(&fixture);
    assert_eq!(now["past"][0]["outcome"], "stopped");
    assert_eq!(now["due"].as_array().unwrap().len(), 0);
}

#[test]
fn a_transcript_is_looked_through_by_the_model_when_asked_to() {
    let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
    let talk = talk(&fixture);
    let project = fixture.sandbox.project().display().to_string();
    let extract = |more: &[&str]| {
        let words = ["extract", &talk, "--model", "--project", &project];
        fixture.run(&[&words[..], more].concat())
    };
    insta::assert_snapshot!(extract(&["--dry-run"]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    ~/.claude/projects/[-PROJECT]/memory: would save 1 memory
      + feedback_tabs_makefiles.md (feedback): "Use tabs in Makefiles"
    -- stderr
    "#);
    assert_eq!(saved(&fixture), "");
    insta::assert_snapshot!(extract(&[]), @r#"
    exit 0
    -- stdout
    Looked through 1 conversation.
    ~/.claude/projects/[-PROJECT]/memory: saved 1 memory
      + feedback_tabs_makefiles.md (feedback): "Use tabs in Makefiles"
      `memdir undo --project [PROJECT]` takes it back
    -- stderr
    "#);
    insta::assert_snapshot!(extract(&[]), @"
    exit 0
    -- stdout
    Looked through 0 conversations, 1 other known already (--again looks again).
    -- stderr
    ");
    assert!(saved(&fixture).contains("source: user"));
    assert_eq!(server.settled().len(), 2);
    insta::assert_snapshot!(Fixture::new().run(&["extract", &talk, "--model"]), @"
    exit 1
    -- stdout
    -- stderr
    error: no model is named for extraction
      name one in memdir.toml: `memdir models` says how; without --model the rules do it
    ");
}

#[test]
fn without_money_nothing_more_is_asked() {
    let (fixture, server) = with_model(json!({"step": [{"fault": {"status": 401}}]}));
    let talk = talk(&fixture);
    let other = fixture.sandbox.project().join("other.jsonl");
    fs::write(&other, TALK.replace("talk", "other")).unwrap();
    // The oldest comes first; two files of one instant would have no order.
    let earlier = std::time::SystemTime::now() - Duration::from_secs(60);
    let file = fs::File::options().write(true).open(&talk).unwrap();
    file.set_modified(earlier).unwrap();
    let project = fixture.sandbox.project().display().to_string();
    let words = [
        "extract",
        &talk,
        other.to_str().unwrap(),
        "--model",
        "--project",
        &project,
    ];
    insta::assert_snapshot!(fixture.run(&words), @"
    exit 1
    -- stdout
    Looked through 0 conversations.
    ~/.claude/projects/[-PROJECT]/memory: nothing new
    -- stderr
    warning: [PROJECT]/talk.jsonl: the provider does not accept the key
    ");
    assert_eq!(server.settled().len(), 1);
}

#[test]
fn without_money_it_waits_and_is_done_at_last() {
    let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
    let talk = talk(&fixture);
    fixture.run(&["jobs", "run", "--no-spend", &talk]);
    fixture.run(&["jobs", "run", "--no-spend"]);
    let now = standing(&fixture);
    assert_eq!(now["due"][0]["attempts"], 2);
    assert_eq!(now["past"][0]["outcome"], "not_now");
    assert_eq!(now["past"][0]["said"], "nothing is spent: --no-spend");
    assert_eq!(server.settled().len(), 0);
    fixture.run(&["jobs", "run"]);
    assert!(!saved(&fixture).is_empty());
}

#[test]
fn a_damaged_record_is_told_and_nobody_keeps_a_lock() {
    let fixture = Fixture::new();
    let talk = talk(&fixture);
    let state = fixture.run(&["paths", "state"]);
    let state = std::path::PathBuf::from(state.stdout().trim_end());
    let running = state.join("jobs/running");
    fs::create_dir_all(&running).unwrap();
    fs::write(running.join("now.json"), "{").unwrap();
    let doctor = fixture.run(&["doctor"]).to_string();
    assert!(doctor.contains("warn  background work"), "{doctor}");
    for words in [
        &["jobs"][..],
        &["jobs", "run", &talk],
        &["jobs", "stop"],
        &["doctor"],
    ] {
        fixture.run(words);
        let lease = memdir_store::lease_state(&state).unwrap();
        assert!(matches!(lease, LockState::Free), "{words:?}: {lease:?}");
        let folder = Directory::open(&state).unwrap().unwrap();
        let lock = lock_state(&folder).unwrap();
        assert!(matches!(lock, LockState::Free), "{words:?}: {lock:?}");
    }
    assert_eq!(standing(&fixture)["past"][0]["outcome"], "done");
    let doctor = fixture.run(&["doctor"]).to_string();
    assert!(!doctor.contains("background work"), "{doctor}");
}

#[test]
fn where_memory_is_off_nothing_is_extracted() {
    let off = |committed: &str, flags: &[&str]| {
        let fixture = Fixture::new();
        let talk = talk(&fixture);
        let settings = fixture.sandbox.project().join(".claude");
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("settings.json"), committed).unwrap();
        fixture.run(&[&["jobs", "run", talk.as_str()], flags].concat());
        let run = standing(&fixture)["past"][0].clone();
        format!("{} {}", run["outcome"], run["said"])
    };
    let shown = [
        off("{}", &[]),
        off(r#"{"autoMemoryEnabled": false}"#, &[]),
        off("{}", &["--set", "memory.enabled=false"]),
        off("{}", &["--set", "daily_log.enabled=true"]),
    ];
    insta::assert_snapshot!(shown.join("\n"), @r#"
    "done" "saved 1 memory"
    "skipped" "memory is off"
    "skipped" "memory is off"
    "skipped" "the daily log is kept instead"
    "#);
}

#[test]
fn what_a_program_asked_is_looked_at_only_where_the_user_says_so() {
    let run = |flags: &[&str]| {
        let fixture = Fixture::new();
        let path = fixture.sandbox.project().join("talk.jsonl");
        fs::write(
            &path,
            TALK.replace(r#""cwd":"#, r#""entrypoint":"sdk-cli","cwd":"#),
        )
        .unwrap();
        let path = path.display().to_string();
        fixture.run(&[&["jobs", "run", path.as_str()], flags].concat());
        let run = standing(&fixture)["past"][0].clone();
        format!("{} {}", run["outcome"], run["said"])
    };
    assert_eq!(run(&[]), r#""skipped" "nobody sits in front of it""#);
    let flags = ["--set", "extraction.non_interactive=true"];
    assert_eq!(run(&flags), r#""done" "saved 1 memory""#);
}
