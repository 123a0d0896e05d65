//! `memdir models --try`: a real question to a model, metered as all background work is.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use memdir_store::ledger::Ledger;
use memdir_testkit::server::{Script, Server};
use memdir_testkit::{Outcome, Program};
use serde_json::{Value, json};

use crate::fixture::Fixture;

const KEY: &str = "sk-ant-api03-seeded-7Qx1";
/// Words that a provider says, and nobody repeats.
const WORDS: &str = "the heron nests at dawn";

struct Scene {
    server: Server,
    fixture: Fixture,
}

impl Scene {
    fn new(steps: &Value) -> Scene {
        let script = json!({"keys": [KEY], "step": steps});
        let server = Server::start(Script::from_value(script).unwrap()).unwrap();
        let fixture = Fixture::new();
        let home = fixture.sandbox.home().join(".claude");
        fs::create_dir_all(&home).unwrap();
        let settings = format!(
            "[models.small]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{0}\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n\n\
             [models.other]\nprovider = \"openai\"\nmodel = \"gpt-5-mini\"\naddress = \"{0}/v1\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n",
            server.url()
        );
        fs::write(home.join("memdir.toml"), settings).unwrap();
        Scene { server, fixture }
    }

    fn program(&self, words: &[&str]) -> Program {
        self.fixture
            .program(words)
            .env("ANTHROPIC_API_KEY", KEY)
            .env("RUST_BACKTRACE", "full")
            .env("RUST_LOG", "trace")
            .filter(r"127\.0\.0\.1:\d+", "[SERVER]")
    }

    fn run(&self, words: &[&str]) -> Outcome {
        self.program(words).run().unwrap()
    }

    fn ledger(&self) -> Ledger {
        Ledger::new(self.fixture.sandbox.home().join(".claude/memdir"))
    }
}

#[test]
fn the_answer_its_tokens_and_its_price() {
    let scene = Scene::new(&json!([{"reply": [{"text": "Here."}], "output_tokens": 3}]));
    insta::assert_snapshot!(scene.run(&["models", "--try", "small"]), @"
    exit 0
    -- stdout
    small  claude-haiku-4-5
      asked   Answer with the one word: here.
      answer  Here.
      tokens  12 in, 3 out
      cost    $0.0001
    -- stderr
    ");
    insta::assert_snapshot!(scene.run(&["models", "--try", "other", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "name": "other",
      "model": "gpt-5-mini",
      "asked": "Answer with the one word: here.",
      "answer": "Here.",
      "whole": true,
      "counted": true,
      "input": 15,
      "cache_read": 0,
      "cache_write": 0,
      "output": 3,
      "usd": 9.75e-6
    }
    -- stderr
    "#);
    insta::assert_snapshot!(scene.run(&["models", "--try", "none"]), @"
    exit 1
    -- stdout
    -- stderr
    error: no model is named `none`
      there are other, small
    ");
    // What the ledger says is what the server says.
    let (mut input, mut output) = (0, 0);
    for entry in scene.ledger().entries(None).unwrap().requests {
        let spent = entry.spent.unwrap();
        input += spent.input;
        output += spent.output;
    }
    let theirs = scene.server.totals().usage;
    assert_eq!((input, output), (theirs.input, theirs.output));
    let cost = scene.run(&["cost"]).to_string();
    assert!(cost.contains("trial    $0.0001         2"), "{cost}");
}

#[test]
fn without_leave_to_spend_nobody_is_asked() {
    let scene = Scene::new(&json!([{"reply": [{"text": "Here."}]}]));
    insta::assert_snapshot!(scene.run(&["models", "--try", "small", "--no-spend"]), @"
    exit 1
    -- stdout
    -- stderr
    error: small: nothing is spent: --no-spend
    ");
    assert_eq!(scene.server.exchanges().len(), 0);
    assert!(!scene.ledger().path().exists());
    insta::assert_snapshot!(scene.run(&["models", "--try", "small", "--set", "budget.daily_usd=0.001"]), @"
    exit 1
    -- stdout
    -- stderr
    error: small: the day's budget does not cover this: it may cost $0.0066, and $0.0000 of $0.0010 is spent
      `memdir cost` shows what was spent; budget.daily_usd is the most for a day
    ");
    assert_eq!(scene.server.exchanges().len(), 0);
}

#[test]
fn what_broke_off_stays_at_its_worst() {
    let scene = Scene::new(&json!([
        {"reply": [{"text": "Here."}], "fault": {"cut_after_events": 3}}
    ]));
    insta::assert_snapshot!(scene.run(&["models", "--try", "small"]), @"
    exit 1
    -- stdout
    -- stderr
    error: small: the answer broke off before its end
      try again
    ");
    let entries = scene.ledger().entries(None).unwrap().requests;
    assert!(entries[0].spent.is_none() && entries[0].nano_usd() > 5_000_000);
    let cost = scene.run(&["cost"]).to_string();
    assert!(
        cost.contains("1 request is counted at the worst case"),
        "{cost}"
    );
}

#[test]
fn sixteen_programs_at_once_stay_under_the_cap() {
    let scene = Scene::new(&json!([{"reply": [{"text": "Here."}], "output_tokens": 900}]));
    let cap = 30_000_000;
    let words = ["models", "--try", "small", "--set", "budget.daily_usd=0.03"];
    let running: Vec<_> = (0..16)
        .map(|_| {
            let mut command = scene.program(&words).command();
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
        })
        .collect();
    let ended = running.into_iter().map(|child| child.unwrap().wait());
    let done = ended
        .filter(|status| status.as_ref().unwrap().success())
        .count();
    let entries = scene.ledger().entries(None).unwrap().requests;
    let spent: u64 = entries.iter().map(|entry| entry.nano_usd()).sum();
    assert!(spent <= cap, "{spent} of {cap}");
    // Some got through, and not all could.
    assert!((1..16).contains(&done), "{done}");
    assert_eq!(entries.len(), done);
    assert_eq!(scene.server.totals().answered, done as u64);
}

/// Every file beneath a folder, as one text.
fn written(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.push_str(&written(&path)),
            false => all.push_str(&String::from_utf8_lossy(
                &fs::read(&path).unwrap_or_default(),
            )),
        }
    }
    all
}

#[test]
fn whatever_fails_no_key_and_no_word_is_left_anywhere() {
    let told = format!("{KEY} may not say {WORDS}");
    let mut faults: Vec<Value> = [400, 401, 402, 403, 404, 413, 429, 500, 529]
        .into_iter()
        .map(|status| json!({"status": status, "message": told, "retry_after_ms": 1}))
        .collect();
    faults.extend([
        json!({"too_long": 100}),
        json!({"invalid_json": true}),
        json!({"wrong_schema": true}),
        json!({"no_end": true}),
        json!({"cut_after_events": 5}),
        json!({"cut_after_events": 5, "reset": true}),
        json!({"cut_in_character": true}),
        json!({"error_event": {"after_events": 2, "kind": "api_error", "message": told}}),
    ]);
    for fault in faults {
        let scene =
            Scene::new(&json!([{"reply": [{"text": told}, {"text": "é"}], "fault": fault}]));
        for name in ["small", "other"] {
            let outcome = scene.run(&["models", "--try", name]).to_string();
            assert!(outcome.starts_with("exit 1"), "{fault}: {outcome}");
            assert!(outcome.contains("error: "), "{fault}: {outcome}");
            for secret in [KEY, WORDS, "7Qx1", "heron"] {
                assert!(
                    !outcome.contains(secret),
                    "{secret} after {fault}: {outcome}"
                );
            }
        }
        let home = written(scene.fixture.sandbox.home().as_ref());
        let project = written(scene.fixture.sandbox.project().as_ref());
        for secret in [KEY, WORDS, "7Qx1", "heron"] {
            assert!(!home.contains(secret), "{secret} in a file after {fault}");
            assert!(
                !project.contains(secret),
                "{secret} in the project after {fault}"
            );
        }
    }
}

#[test]
fn an_answer_is_shown_and_not_kept() {
    let scene = Scene::new(&json!([{"reply": [{"text": WORDS}]}]));
    let outcome = scene.run(&["models", "--try", "small"]);
    assert!(outcome.stdout().contains(WORDS));
    let home = written(scene.fixture.sandbox.home().as_ref());
    assert!(home.contains("\"trial\""));
    assert!(!home.contains("heron") && !home.contains("7Qx1"));
    // Where nothing can be printed the program says so, and nothing else.
    let mut command = scene.program(&["models", "--try", "small"]).command();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let outcome = command
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(!outcome.status.success() && !said.is_empty());
    assert!(
        !said.contains("panicked") && !said.contains("heron") && !said.contains("7Qx1"),
        "{said}"
    );
}
