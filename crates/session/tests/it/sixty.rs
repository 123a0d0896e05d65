//! Sixty turns of one conversation, with everything that memory does on the way.

use std::fmt::Write as _;
use std::time::Duration;

use memdir_agent::dream::gates;
use memdir_context::compaction::Event as Room;
use memdir_session::{Ended, Event, Session};
use serde_json::{Value, json};

use crate::scene::{NAME, Scene};

const STATE: &str =
    "_What is being worked on at this moment, what is still pending, and the very next step_";

/// How the message begins that the fork is told which looks for what is worth keeping.
const FORK: &str = "This message does not come from the user";

/// A piece of a program, of some twelve hundred tokens.
fn part(number: usize) -> String {
    let line = |at: usize| format!("{at}: fn part_{number}_{at}() -> u32 {{ {at} }}\n");
    (0..60).map(line).collect()
}

/// A memory as a model writes it, citing what the user typed.
fn memory(name: &str, said: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {said}\nmetadata:\n  type: feedback\n  evidence: {said}\n---\n\n{said}.\n"
    )
}

/// What the user says in a turn.
fn said(turn: usize) -> String {
    match turn {
        // Too short to look for anything.
        7 => "yes".to_owned(),
        10 => "From now on, write commit messages in English.".to_owned(),
        20 => "Which language do commit messages have to be in?".to_owned(),
        30 => "Never push to main on a Friday. Please save that yourself.".to_owned(),
        _ => format!("Please read part number {turn} of the program now."),
    }
}

/// What happened in a turn, without its figures.
fn told(events: &[Event]) -> Vec<String> {
    let steps = events.iter().filter_map(|event| match event {
        Event::Recalled(turn) if turn.skipped.is_some() => {
            Some(format!("not looked up: {}", turn.skipped?))
        }
        Event::Recalled(turn) if !turn.given.is_empty() => {
            let names = turn.given.iter().map(|given| &given.path);
            let names = names.map(|path| path.rsplit('/').next().unwrap().to_owned());
            Some(format!("recalled {}", names.collect::<Vec<_>>().join(", ")))
        }
        Event::Room(room) => match &**room {
            Room::Cleared { .. } => Some("old results cleared".to_owned()),
            Room::Compacted { way, .. } => Some(format!("compacted by {}", way.as_str())),
            Room::Failed { what, .. } => Some(format!("failed: {what}")),
            _ => None,
        },
        Event::Work(work) if !work.saved.is_empty() => Some(work.to_string()),
        Event::Work(work) if work.kind == "notes" => Some(work.said.clone()),
        Event::Work(work) if work.kind == "dream" => Some(format!("dream: {}", work.said)),
        Event::Work(work) if work.ended != Ended::Done => {
            Some(format!("{}: {}", work.kind, work.said))
        }
        Event::Warning(what) => Some(format!("warning: {what}")),
        _ => None,
    });
    steps.collect()
}

fn play(scene: &Scene, session: &mut Session, all: &mut String) {
    let folder = scene.home().store.memory_directory().to_path_buf();
    for turn in 1..=60 {
        if turn == 50 {
            // Five others have talked meanwhile.
            for other in 0..5 {
                let name = format!("other-{other}");
                gates::turn_ended(&scene.home().store, &name, jiff::Timestamp::now()).unwrap();
            }
        }
        let tool = |name: &str, input: &Value| match name {
            "Write" => {
                let path = input["file_path"].as_str().unwrap();
                assert!(std::path::Path::new(path).starts_with(&folder));
                std::fs::write(path, input["content"].as_str().unwrap()).unwrap();
                "written".to_owned()
            }
            _ => part(turn),
        };
        let mut events = scene.turn(session, &said(turn), tool);
        events.extend(session.settle(Duration::from_secs(60)));
        for step in told(&events) {
            writeln!(all, "{turn:>2} {step}").unwrap();
        }
    }
}

/// What the model answers, whoever asks.
fn script(scene: &Scene) -> Value {
    let folder = scene.home().store.memory_directory().display().to_string();
    let name = memdir_store::PlainName::new(NAME).unwrap();
    let notes = scene.home().places.session(&name).notes();
    let commit = "write commit messages in English";
    let friday = "Never push to main on a Friday";
    json!([
        {"name": "fork-notes", "when": {"last_user": "Session Title"}, "reply": [{"tool": "Edit", "input": {
            "file_path": notes.display().to_string(),
            "old_string": STATE, "new_string": format!("{STATE}\n\nReading part after part."),
        }}]},
        {"name": "fork-saves", "when": {"last_user": FORK, "body": "From now on, write commit messages in English."}, "times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": format!("{folder}/feedback_commits.md"), "content": memory("commits", commit)}},
        ]},
        {"name": "fork", "when": {"last_user": FORK}, "reply": [{"text": "Nothing more."}]},
        {"when": {"last_user": "Please save that yourself"}, "reply": [
            {"tool": "Write", "input": {"file_path": format!("{folder}/feedback_friday.md"), "content": memory("friday", friday)}},
        ]},
        {"when": {"tool_result": "written"}, "reply": [{"text": "Saved."}]},
        {"when": {"tool_result": "fn part_"}, "reply": [{"text": "I have read it."}]},
        {"when": {"last_user": "Please read part"}, "reply": [{"tool": "Read", "input": {"file_path": "part.rs"}}]},
        {"reply": [{"text": "I see."}]},
    ])
}

#[test]
fn sixty_turns_break_no_rule_and_read_the_cache() {
    let mut scene = Scene::new();
    scene.takes_notes = true;
    scene.extracts = true;
    scene.facts.window = 64_000;
    scene.facts.bound_thinking = false;
    scene.variables = vec![("MEMDIR_DREAM_MIN_HOURS".to_owned(), "0".to_owned())];
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.script(script(&scene));
    let mut all = String::new();
    let mut session = scene.start();
    play(&scene, &mut session, &mut all);
    for step in told(&session.close().unwrap()) {
        writeln!(all, "   {step}").unwrap();
    }
    insta::assert_snapshot!(scene.plain(&all));

    let exchanges = scene.exchanges();
    let main = exchanges.iter().filter(|one| {
        let step = one.step.as_deref().unwrap_or_default();
        !step.starts_with("fork")
    });
    let (mut read, mut prompt, mut messages) = (0, 0, 0);
    for exchange in main {
        let now = exchange.json()["messages"].as_array().unwrap().len();
        // The first request, and the first after a compaction, have nothing to read.
        let is_first = now < messages || messages == 0;
        messages = now;
        if let Some(usage) = exchange.usage.filter(|_| !is_first) {
            assert!(usage.cache_read > 0, "{:?}", exchange.step);
            read += usage.cache_read;
            let written = usage.cache_write_5m + usage.cache_write_1h;
            prompt += usage.input + usage.cache_read + written;
        }
    }
    assert!(
        read * 100 >= prompt * 90,
        "{read} of {prompt} from the cache"
    );
}
