//! Neither a key nor a word of the conversation is in anything that can be printed.

use std::fmt::Write;
use std::process::Command as Process;

use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Agent, Cancel, Catalogue, Command, Format, Key, Model, Request};
use serde_json::{Value, json};

use crate::scene::{KEY, Scene, WORDS, question, times};

const SECRETS: [&str; 4] = [KEY, WORDS, "heron", "7Qx1"];
/// What tells this very test that it is to panic with all it has.
const PANIC: &str = "PANIC_WITH_SECRETS";

/// Everything that a log at its most talkative could hold.
fn printed(model: &dyn Model) -> String {
    let mut all = request(model);
    let body = question(model);
    let mut answer = match model.send(&body, &Cancel::new()) {
        Ok(answer) => answer,
        Err(error) => return all + &format!("{error} {error:?}"),
    };
    let _ = write!(all, "{model:?} {model:#?} {body:?} {answer:?} ");
    for event in &mut answer {
        match event {
            Ok(event) => write!(all, "{event:?} {event:#?} {:?} ", event.raw).unwrap(),
            Err(error) => {
                write!(all, "{error} {error:?} {error:#?} {} ", error.advice()).unwrap();
                let source = std::error::Error::source(&error);
                write!(all, "{source:?} {:?}", error.provider_text()).unwrap();
            }
        }
    }
    all
}

/// A request that says it everywhere.
fn request(model: &dyn Model) -> String {
    let said = Message::user("1", WORDS);
    let flat = flatten(&[&said], &Flattening::default());
    let system = [Block::text(WORDS)];
    let tool = format!(r#"{{"name":"Read","description":"{WORDS}","input_schema":{{}}}}"#);
    let quoted = format!("\"{WORDS}\"");
    let request = Request {
        system: &system,
        tools: &[tool.into()],
        format: Some(Format {
            name: "answer",
            schema: &quoted,
        }),
        context_editing: Some(&quoted),
        more: &[("metadata", &quoted)],
        ..Request::new(&flat, 100)
    };
    let refused = model.body(&request).map(|body| format!("{body:?}"));
    format!("{request:?} {request:#?} {refused:?} ")
}

fn check(all: &str, after: &str) {
    assert!(all.len() > 100);
    for secret in SECRETS {
        assert!(!all.contains(secret), "{secret} after {after}: {all}");
    }
}

/// Every way in which a provider fails, each time with all that it was sent in its mouth.
fn faults() -> Vec<Value> {
    let told = format!("{KEY} may not say {WORDS}");
    let mut faults: Vec<Value> = [400, 401, 402, 403, 404, 413, 422, 429, 500, 529]
        .into_iter()
        .map(|status| json!({"status": status, "message": told, "retry_after": "3600"}))
        .collect();
    faults.extend([
        json!({}),
        json!({"too_long": 100}),
        json!({"invalid_json": true}),
        json!({"wrong_schema": true}),
        json!({"unknown_event": true}),
        json!({"no_end": true}),
        json!({"cut_after_bytes": 0}),
        json!({"cut_after_events": 5}),
        json!({"cut_after_events": 5, "reset": true}),
        json!({"cut_in_character": true}),
        json!({"drip": {"bytes": 11, "every_ms": 0}}),
        json!({"error_event": {"after_events": 2, "kind": "api_error", "message": told}}),
    ]);
    let reply = json!([{"text": told}, {"thinking": told}, {"text": "é"}]);
    let step = |fault| json!({"reply": reply, "fault": fault});
    faults.into_iter().map(step).collect()
}

#[test]
fn nothing_that_is_printed_tells_a_secret() {
    for step in faults() {
        let scene = Scene::new(std::slice::from_ref(&step));
        for model in scene.both() {
            check(&printed(&*model), &step.to_string());
        }
    }
}

/// An agent that holds the key in its variables and arguments, and fails with the question in its mouth.
fn agent(script: &str) -> Command {
    let agent = Agent::Other {
        program: "/bin/sh".to_owned(),
        arguments: vec!["-c".to_owned(), script.to_owned(), KEY.to_owned()],
    };
    let environment = [("PATH", "/usr/bin:/bin"), ("ANTHROPIC_API_KEY", KEY)];
    let facts = Catalogue::built_in().facts("");
    Command::new(agent, None, facts, times(), environment)
}

#[test]
fn an_agent_of_the_users_is_not_quoted_either() {
    for script in [
        "cat",
        "cat >&2; exit 3",
        "cat; printf '\\377'",
        "kill -9 $$",
    ] {
        check(&printed(&agent(script)), script);
    }
}

/// A panic prints its message and where it came from, and its backtrace names no value.
#[test]
fn a_panic_tells_no_secret() {
    let scene = Scene::new(&[json!({"reply": [{"text": WORDS}]})]);
    if std::env::var_os(PANIC).is_some() {
        let key = Key::from_variable("ANTHROPIC_API_KEY", KEY).unwrap();
        let [one, other] = scene.both();
        let parts = [printed(&*one), printed(&*other), printed(&agent("cat"))];
        panic!("{key:?} {parts:?}");
    }
    let outcome = Process::new(std::env::current_exe().unwrap())
        .args(["--exact", "secrets::a_panic_tells_no_secret", "--nocapture"])
        .env(PANIC, "1")
        .env("RUST_BACKTRACE", "full")
        .env("RUST_LOG", "trace")
        .output()
        .unwrap();
    assert!(!outcome.status.success());
    let all = [outcome.stdout, outcome.stderr].concat();
    let all = String::from_utf8_lossy(&all);
    assert!(all.contains("the variable ANTHROPIC_API_KEY") && all.contains("stack backtrace"));
    check(&all, "a panic");
}
