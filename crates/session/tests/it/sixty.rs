//! Sixty turns of one conversation, with everything that memory does on the way: what happens, each request that the model
//! saw, and what of it came from the provider's cache, with memory and without.

mod cache;
mod requests;
mod rules;
mod script;

use std::time::Duration;

use memdir_agent::dream::gates;
use memdir_context::compaction::Event as Room;
use memdir_conversation::{Block, Kind};
use memdir_memory::MemoryPath;
use memdir_model::{Cancel, Error};
use memdir_recall::Gate;
use memdir_session::{Ended, Event, Session};
use memdir_store::{Author, Reason};
use memdir_testkit::server::Exchange;
use serde_json::Value;

use crate::scene::Scene;

const PATIENCE: Duration = Duration::from_secs(60);

/// What a conversation came to.
#[derive(Default)]
struct Story {
    /// What happened, by turn; 61 is the end.
    steps: Vec<(usize, String)>,
    /// Every request, with the turn in which it was sent.
    exchanges: Vec<(usize, Exchange)>,
    /// Before how many of the main thread's answered requests room was made: the cache cannot know them.
    anew: Vec<usize>,
    answered: usize,
}

impl Story {
    fn tell(&mut self, turn: usize, events: &[Event]) {
        let steps = events.iter().filter_map(told);
        self.steps.extend(steps.map(|step| (turn, step)));
        let makes_room = |event: &Event| match event {
            Event::Room(room) => matches!(**room, Room::Cleared { .. } | Room::Compacted { .. }),
            _ => false,
        };
        if events.iter().any(makes_room) {
            self.anew.push(self.answered);
        }
    }

    fn log(&self) -> String {
        let steps = self.steps.iter();
        let lines = steps.map(|(turn, step)| format!("{turn:>2} {step}\n"));
        lines.collect()
    }
}

/// What happened, without its figures.
fn told(event: &Event) -> Option<String> {
    let name = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    match event {
        Event::Recalled(turn) => {
            if let Some(skip) = turn.skipped {
                return Some(format!("not looked up: {skip}"));
            }
            let given = turn.given.iter().map(|given| name(&given.path));
            let held = turn
                .refused
                .iter()
                .filter(|refused| !matches!(refused.gate, Gate::NotRelevant | Gate::BeyondLimit));
            let held = held.map(|one| format!("{}: {}", name(&one.path), one.gate.words()));
            let (given, held): (Vec<_>, Vec<_>) = (given.collect(), held.collect());
            let mut said = Vec::new();
            if !given.is_empty() {
                said.push(format!("recalled {}", given.join(", ")));
            }
            if !held.is_empty() {
                said.push(format!("held back {}", held.join(", ")));
            }
            (!said.is_empty()).then(|| said.join("; "))
        }
        Event::Room(room) => match &**room {
            Room::Cleared { files, faded, .. } => Some(format!(
                "{} results cleared, {faded} reminders faded",
                files.len()
            )),
            Room::Compacted {
                way,
                trigger,
                requests,
                dropped,
                ..
            } => {
                let dropped = if *dropped > 0 {
                    ", the oldest dropped"
                } else {
                    ""
                };
                Some(format!(
                    "compacted by {} ({trigger:?}), {requests} requests{dropped}",
                    way.as_str()
                ))
            }
            Room::Failed { what, .. } => Some(format!("compaction failed: {what}")),
            _ => None,
        },
        Event::Restored { files, .. } => {
            let files: Vec<String> = files.iter().map(|(path, _)| name(path)).collect();
            Some(format!("shown again: {}", files.join(", ")))
        }
        Event::Work(work) if work.kind == "dream" && work.ended == Ended::Done => {
            // It is asked a few times, and what it changed can be taken back.
            assert!(
                work.bill.requests > 2 && work.operation.is_some(),
                "{work:?}"
            );
            Some(work.to_string())
        }
        // With its figures.
        Event::Work(work) if work.kind == "extraction" && work.ended == Ended::Done => {
            let said = work.to_string();
            Some(said.split(';').next().unwrap().to_owned())
        }
        Event::Work(work) => Some(work.to_string()),
        Event::Warning(what) => Some(format!("warning: {what}")),
    }
}

/// What a tool answers, from the disk.
fn tool(scene: &Scene, name: &str, input: &Value) -> String {
    let path = input["file_path"].as_str().unwrap_or_default();
    let path = scene.root().join("work").join(path);
    match name {
        "Read" => std::fs::read_to_string(path).unwrap(),
        "Write" => {
            // As a host does it that has a store, so that the history knows who it was.
            let store = scene.home().store;
            let name = path.strip_prefix(store.memory_directory()).unwrap();
            let name = MemoryPath::new(name.to_str().unwrap()).unwrap();
            let mut operation = store.operation(Reason::new(Author::Agent, "test"));
            operation.write(&name, None, input["content"].as_str().unwrap().into());
            operation.commit().unwrap();
            "written".to_owned()
        }
        "Grep" => "part_19.rs:1:0: fn part_19_0() -> u32 { 0 }".to_owned(),
        other => panic!("{other} was called"),
    }
}

/// One turn as a host has it.
fn turn(scene: &Scene, session: &mut Session, number: usize, story: &mut Story) {
    let said = session.user_message(&script::said(number)).unwrap();
    story.tell(number, &said);
    let mut prepared = session.before_request().unwrap();
    loop {
        story.tell(number, &prepared.events);
        let model = session.model().clone();
        let sent = model.send(&prepared.body, &Cancel::new());
        let reply = match sent.and_then(|answer| answer.whole()) {
            Err(Error::TooLong { .. }) => {
                prepared = session.after_too_long().unwrap();
                continue;
            }
            reply => reply.unwrap(),
        };
        story.answered += 1;
        let mut results = Vec::new();
        for block in &reply.blocks {
            if let Kind::ToolCall { id, name } = block.kind() {
                let input = serde_json::from_str(block.input().unwrap()).unwrap();
                results.push(Block::tool_result(id, &tool(scene, name, &input), false));
            }
        }
        session.replied(reply).unwrap();
        // So that what happens does not depend on who is faster; but a run that is held waits for more turns.
        if !matches!(number, 14 | 15) {
            story.tell(number, &session.settle(PATIENCE));
        }
        if results.is_empty() {
            break;
        }
        session.results(results).unwrap();
        prepared = session.before_request().unwrap();
    }
    let ended = session.turn_ended().unwrap();
    story.tell(number, &ended);
}

fn play(scene: &Scene) -> Story {
    script::plant(scene);
    scene.script(script::steps(scene));
    let mut story = Story::default();
    let mut session = scene.start();
    for number in 1..=60 {
        match number {
            13 => scene.gate.shut(),
            // Five others have talked meanwhile.
            50 => {
                for other in 0..5 {
                    let name = format!("other-{other}");
                    let store = scene.home().store;
                    gates::turn_ended(&store, &name, jiff::Timestamp::now()).unwrap();
                }
            }
            _ => {}
        }
        turn(scene, &mut session, number, &mut story);
        match number {
            // One run is under way while two more turns end.
            13 if scene.extracts => scene.gate.wait_for_one(),
            14 | 60 => {}
            15 => scene.gate.open(),
            46 => {
                story.tell(number, &session.settle(PATIENCE));
                let wish = ["Keep the names of all files.".to_owned()];
                let compacted = session.compact(&wish).unwrap();
                story.tell(number, &compacted);
            }
            _ => {}
        }
        if !matches!(number, 13 | 14 | 60) {
            story.tell(number, &session.settle(PATIENCE));
        }
        let known = story.exchanges.len();
        let new = scene.exchanges().into_iter().skip(known);
        story
            .exchanges
            .extend(new.map(|exchange| (number, exchange)));
    }
    story.tell(61, &session.close().unwrap());
    let known = story.exchanges.len();
    let new = scene.exchanges().into_iter().skip(known);
    story.exchanges.extend(new.map(|exchange| (61, exchange)));
    story
}

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.takes_notes = true;
    scene.extracts = true;
    scene.dreams = true;
    scene.facts.window = 200_000;
    scene.facts.bound_thinking = false;
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    scene.variables = vec![
        set("MEMDIR_DREAM_MIN_HOURS", "0"),
        // Of 184,000 tokens: results are cleared from 84,000 on, room is made from 101,200 on.
        set("MEMDIR_COMPACTION_WARNING_TOKENS", "100000"),
        set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "55"),
    ];
    scene
}

#[test]
fn sixty_turns_show_every_rule_and_read_the_cache() {
    let scene = scene();
    let on = play(&scene);
    insta::assert_snapshot!("steps", scene.plain(&on.log()));
    insta::assert_snapshot!("requests", scene.plain(&requests::shown(&on.exchanges)));
    rules::hold(&on);

    let mut without = self::scene();
    without
        .variables
        .push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned(), "1".to_owned()));
    without.extracts = false;
    let off = play(&without);
    println!("{}", cache::compare(&on, &off));
}
