//! A conversation that outgrows its window.

use memdir_session::Event;
use serde_json::{Value, json};

use crate::scene::{Scene, shown};

/// About four thousand tokens of a file.
fn file(number: usize) -> String {
    let line = |at: usize| format!("{at}: fn part_{number}_{at}() -> u32 {{ {at} }}\n");
    (0..220).map(line).collect()
}

/// Events that made a difference.
fn told(events: &[Event]) -> String {
    let done = events.iter().filter(|event| match event {
        Event::Room(room) => !room.to_string().contains("not done"),
        Event::Recalled(_) => false,
        Event::Work(work) => work.done,
        _ => true,
    });
    shown(&done.cloned().collect::<Vec<_>>())
}

#[test]
fn old_results_are_cleared_and_then_notes_stand_in() {
    let mut scene = Scene::new();
    scene.takes_notes = true;
    scene.facts.window = 64_000;
    scene.facts.bound_thinking = false;
    let notes = scene
        .home()
        .places
        .session(&memdir_store::PlainName::new(crate::scene::NAME).unwrap())
        .notes();
    const STATE: &str =
        "_What is being worked on at this moment, what is still pending, and the very next step_";
    scene.script(json!([
        {"when": {"last_user": "Session Title"}, "reply": [{"tool": "Edit", "input": {
            "file_path": notes.display().to_string(),
            "old_string": STATE,
            "new_string": format!("{STATE}\n\nReading the parts, one by one."),
        }}]},
        {"when": {"tool_result": "fn part_"}, "reply": [{"text": "I have read it."}]},
        {"reply": [{"tool": "Read", "input": {"file_path": "part.rs"}}]},
    ]));
    let mut session = scene.start();
    let mut all = Vec::new();
    for number in 0..16 {
        let read = |_: &str, _: &Value| file(number);
        let said = format!("Please read part number {number} of the program now.");
        let events = scene.turn(&mut session, &said, read);
        let told = told(&events);
        if !told.is_empty() {
            all.push(format!("turn {number}: {told}"));
        }
    }
    all.push(told(&session.close().unwrap()));
    insta::assert_snapshot!(scene.plain(&all.join("\n")), @"
    turn 1: extraction: saved 0 memories
    turn 2: notes: notes are up to date
    turn 3: extraction: saved 0 memories
    turn 4: notes: notes are up to date
    turn 5: notes: notes are up to date
    extraction: saved 0 memories
    turn 6: notes: notes are up to date
    turn 7: extraction: saved 0 memories
    turn 8: notes: notes are up to date
    extraction: saved 0 memories
    compacted (notes): 36646 tokens became 14340, 11 messages stay
    shown again: 0 files, 1 left out
    turn 9: extraction: saved 0 memories
    turn 10: extraction: saved 0 memories
    turn 11: notes: notes are up to date
    turn 12: notes: notes are up to date
    extraction: saved 0 memories
    turn 13: extraction: saved 0 memories
    turn 14: notes: notes are up to date
    extraction: saved 0 memories
    compacted (notes): 37392 tokens became 14513, 11 messages stay
    shown again: 0 files, 1 left out
    turn 15: extraction: saved 0 memories
    extraction: saved 0 memories
    ");
    scene.exchanges();
}
