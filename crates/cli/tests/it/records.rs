//! What is said, asked and answered leaves no secret and nothing private in our own state, by whichever door it came.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, fire, wait_for_work};

/// Nobody's: a token, a key pair, a password and what is private.
fn seeds() -> Vec<String> {
    vec![
        format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
        format!("AKIA{}", "Q3EGRIZ7VKTH4XWB"),
        format!("kZ8v{}", "Q2xWn7RtY4uPb9LcD3sFgH6jKm1NqA5eT0oXiV"),
        format!("t7#Rq{}", "9!mZ2xLp"),
        "zanzibar-orchid".to_owned(),
        "quetzal-harbour".to_owned(),
    ]
}

fn words() -> String {
    let seeds = seeds();
    format!(
        "From now on always deploy with token {} and AWS_ACCESS_KEY_ID={} AWS_SECRET_ACCESS_KEY={} password = \"{}\" \
         <private>{}</private> ＜ｐｒｉｖａｔｅ＞{}",
        seeds[0], seeds[1], seeds[2], seeds[3], seeds[4], seeds[5]
    )
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path(), all),
            false => all.push(entry.path()),
        }
    }
}

/// Which file beneath the home holds which seed, transcripts apart.
fn leaks(home: &Path) -> Vec<String> {
    let mut all = Vec::new();
    files(home, &mut all);
    let mut found = Vec::new();
    for file in all {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let is_transcript =
            name.ends_with(".jsonl") && !file.to_string_lossy().contains("/memdir/");
        if is_transcript {
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        for seed in seeds() {
            if text.contains(&seed) || name.contains(&seed) {
                found.push(format!("{seed} in {}", file.display()));
            }
        }
    }
    found
}

#[test]
fn secrets_of_messages_in_our_own_state() {
    let fixture = Fixture::with_some();
    let words = words();
    for client in ["claude-code", "codex", "gemini", "opencode"] {
        let mut talk = Talk::new(&fixture, &format!("talk-{client}"));
        talk.client = client;
        talk.start();
        talk.prompt(&format!("{words} and may I push to main on a Friday?"));
        let name = if client == "gemini" {
            "BeforeAgent"
        } else {
            "UserPromptSubmit"
        };
        talk.fire(
            name,
            json!({"prompt": format!("May I push to main on Friday? {words}")}),
        );
        for event in ["PreToolUse", "PostToolUse", "BeforeTool", "AfterTool"] {
            talk.fire(
                event,
                json!({
                    "tool_name": "Bash", "tool_use_id": "toolu_1",
                    "tool_input": {"command": format!("echo '{words}'")},
                    "tool_response": {"output": words},
                }),
            );
        }
        talk.said(&words, &words);
        talk.fire(
            "PreCompact",
            json!({"trigger": "auto", "custom_instructions": words}),
        );
        talk.fire(
            "Stop",
            json!({"last_assistant_message": words, "prompt_response": words}),
        );
        talk.fire("AfterAgent", json!({"prompt_response": words}));
        talk.fire("SessionEnd", json!({"reason": "exit"}));
        fire(&fixture, client, &words);
        wait_for_work(&fixture);
    }
    // A client that hands its conversation over.
    let mut talk = Talk::new(&fixture, "handed");
    talk.client = "opencode";
    let mut event = talk.event(
        "Stop",
        json!({"messages": [
            {"id": "m1", "role": "user", "parts": [{"type": "text", "text": words}]},
            {"id": "m2", "role": "assistant", "parts": [{"type": "tool", "id": "t", "name": "bash",
                "input": {"command": words, "password": seeds()[3]}, "output": words}]},
        ]}),
    );
    event.as_object_mut().unwrap().remove("transcript_path");
    fire(&fixture, "opencode", &event.to_string());
    wait_for_work(&fixture);
    fixture.run(&["recall", &words]);
    fixture.run(&[
        "recall",
        "--conversation",
        "typed",
        &format!("may I push on a Friday {words}"),
    ]);
    fixture.run(&["remember", &words]);
    fixture.run(&["remember", "--set", "secrets.policy=redact", &words]);
    fixture.run(&["log", &words]);
    fixture.run(&["list", &words]);
    fixture.run(&["jobs", "run"]);
    let transcript = Talk::new(&fixture, "talk-codex").transcript();
    fixture.run(&["extract", transcript.to_str().unwrap()]);
    assert_eq!(leaks(&fixture.sandbox.home()), Vec::<String>::new());
    // Why tells which turn it was, without what was secret in it.
    let why = fixture.run(&["why", "--conversation", "typed"]).stdout();
    assert!(
        why.contains("may I push on a Friday") && why.contains("[redacted: "),
        "{why}"
    );
    assert!(seeds().iter().all(|seed| !why.contains(seed)), "{why}");
}

#[test]
fn records_of_earlier_versions_are_cleaned_once() {
    let fixture = Fixture::with_some();
    fixture.run(&[
        "recall",
        "--conversation",
        "old",
        "May I push to main on a Friday?",
    ]);
    fixture.run(&[
        "recall",
        "--conversation",
        "newer",
        "May I push to main on a Friday?",
    ]);
    let state = fixture
        .run(&["paths", "state"])
        .stdout()
        .trim_end()
        .to_owned();
    let folder = Path::new(&state).join("conversations");
    let mut records = Vec::new();
    files(&folder, &mut records);
    let of = |id: &str| {
        let mut all = records.iter();
        all.find(|file| file.to_string_lossy().contains(id))
            .unwrap()
            .clone()
    };
    let (old, newer) = (of("old"), of("newer"));
    let mut record: Value = serde_json::from_slice(&fs::read(&old).unwrap()).unwrap();
    record["value"]["turns"][0]["query"] = words().into();
    fs::write(&old, record.to_string()).unwrap();
    // A newer program's is left alone, whatever it holds.
    record["version"] = 99.into();
    record["key"] = "newer".into();
    record["value"]["turns"][0]["query"] = "unknown".into();
    fs::write(&newer, record.to_string()).unwrap();
    // One that was damaged, of another project.
    let other = Path::new(&state)
        .parent()
        .unwrap()
        .join("other/conversations");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("x.json.bad-1"), format!("{{{}", words())).unwrap();
    let doctor = |fixture: &Fixture| fixture.run(&["doctor"]).stdout();
    assert!(
        doctor(&fixture).contains("still to be cleaned"),
        "{}",
        doctor(&fixture)
    );
    fixture.run(&["jobs", "run"]);
    assert_eq!(leaks(&fixture.sandbox.home()), Vec::<String>::new());
    assert_eq!(fs::read_to_string(&newer).unwrap(), record.to_string());
    assert!(
        doctor(&fixture).contains("cleaned of secrets and private words"),
        "{}",
        doctor(&fixture)
    );
    let why = fixture.run(&["why", "--conversation", "old"]).stdout();
    assert!(why.contains("[redacted: "), "{why}");
    // Once: what is there from now on was written by this version.
    let marker = Path::new(&state).join("scrubbed");
    let mut before = Vec::new();
    files(&marker, &mut before);
    let at = |files: &[PathBuf]| {
        files
            .iter()
            .map(|file| fs::read(file).unwrap())
            .collect::<Vec<_>>()
    };
    let first = at(&before);
    fixture.run(&["jobs", "run"]);
    assert_eq!(at(&before), first);
}
