//! A conversation that outgrows its window.

use memdir_context::compaction::Event as Room;
use memdir_session::Event;
use serde_json::{Value, json};

use crate::scene::Scene;

/// About four thousand tokens of a file.
fn file(number: usize) -> String {
    let line = |at: usize| format!("{at}: fn part_{number}_{at}() -> u32 {{ {at} }}\n");
    (0..220).map(line).collect()
}

/// Steps that made a difference, without their figures.
fn told(events: &[Event]) -> Vec<String> {
    let steps = events.iter().filter_map(|event| match event {
        Event::Room(room) => match &**room {
            Room::Cleared { .. } => Some("cleared".to_owned()),
            Room::Compacted { way, .. } => Some(format!("compacted by {}", way.as_str())),
            _ => None,
        },
        Event::Restored { files, left_out } => Some(format!(
            "{} files shown again, {} not",
            files.len(),
            left_out.len()
        )),
        Event::Work(work) if work.kind == "notes" => Some(work.said.clone()),
        _ => None,
    });
    steps.collect()
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
        // What the user says cannot be cleared.
        let more = "Mind every detail of it, as before. ".repeat(100);
        let said = format!("Please read part number {number} of the program now. {more}");
        let mut events = scene.turn(&mut session, &said, read);
        events.extend(session.settle(std::time::Duration::from_secs(60)));
        for step in told(&events) {
            all.push(format!("turn {number}: {step}"));
        }
    }
    session.close().unwrap();
    insta::assert_snapshot!(all.join("\n"), @"
    turn 1: notes are up to date
    turn 3: notes are up to date
    turn 5: cleared
    turn 6: notes are up to date
    turn 7: cleared
    turn 8: notes are up to date
    turn 9: cleared
    turn 10: notes are up to date
    turn 11: cleared
    turn 12: notes are up to date
    turn 13: cleared
    turn 14: compacted by notes
    turn 14: 0 files shown again, 1 not
    turn 15: notes are up to date
    ");
    scene.exchanges();
}

#[test]
fn a_full_window_takes_no_message() {
    let mut scene = Scene::new();
    scene.facts.window = 64_000;
    scene.variables = vec![("DISABLE_COMPACT".to_owned(), "1".to_owned())];
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    let log = "worker idle, queue empty, nothing to do\n".repeat(6_000);
    scene.turn(
        &mut session,
        &format!("A log:\n{log}"),
        crate::scene::no_tool,
    );
    let said = session.conversation().messages().len();
    let error = session.user_message("And this?").unwrap_err();
    let error = error.to_string();
    let (_, error) = error.split_once(" of 48,000 ").unwrap();
    insta::assert_snapshot!(error, @"tokens are used, and from 45,000 on no message is taken. Compaction is off (DISABLE_COMPACT); /clear begins anew.");
    assert_eq!(session.conversation().messages().len(), said);
    session.close().unwrap();
}

#[test]
fn what_is_told_is_what_is_left() {
    let mut scene = Scene::new();
    scene.facts.window = 64_000;
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    scene.turn(
        &mut session,
        "Where is the parser written?",
        crate::scene::no_tool,
    );
    let prepared = {
        session.user_message("And who calls it?").unwrap();
        session.before_request().unwrap()
    };
    // What the host shows beside a request and what it shows when asked is one figure.
    assert_eq!(prepared.standing, session.standing());
    let exchanges = scene.exchanges();
    let usage = exchanges[0].usage.unwrap();
    let counted = usage.input + usage.cache_read + usage.cache_write_5m + usage.cache_write_1h;
    let used = prepared.standing.used;
    assert!(
        used > counted && used < counted + 100,
        "{used} after {counted}"
    );
    session.close().unwrap();
}

#[test]
fn files_are_shown_again_in_the_order_in_which_they_were_read() {
    let scene = Scene::new();
    scene.script(json!([
        {"when": {"last_user": "Stop here and write a summary"}, "reply": [{"text": "<summary>They read files.</summary>"}]},
        {"when": {"tool_result": "fn part_"}, "reply": [{"text": "I have read it."}]},
        {"times": 1, "when": {"last_user": "Read number 1"}, "reply": [{"tool": "Read", "input": {"file_path": "1.rs"}}]},
        {"times": 1, "when": {"last_user": "Read number 2"}, "reply": [{"tool": "Read", "input": {"file_path": "2.rs"}}]},
        {"times": 1, "when": {"last_user": "Read number 3"}, "reply": [{"tool": "Read", "input": {"file_path": "3.rs"}}]},
        {"reply": [{"text": "I see."}]},
    ]));
    let mut session = scene.start();
    for number in 1..=3 {
        std::fs::write(scene.root().join(format!("work/{number}.rs")), file(number)).unwrap();
        let read = |_: &str, _: &Value| file(number);
        scene.turn(&mut session, &format!("Read number {number}."), read);
    }
    let mut shown = Vec::new();
    for round in 0..3 {
        let events = session.compact(&[]).unwrap();
        let again = events.iter().find_map(|event| match event {
            Event::Restored { files, .. } => Some(files),
            _ => None,
        });
        let again = again.unwrap().iter().map(|(path, _)| path.as_str());
        shown.push(again.collect::<Vec<_>>().join(" "));
        let said = format!("This was round {round}, thank you.");
        scene.turn(&mut session, &said, crate::scene::no_tool);
    }
    // The one that was read last first, each time: where there is no room for all, it stays.
    assert_eq!(shown, ["3.rs 2.rs 1.rs"; 3]);
}
