//! A model that selects what to recall.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use memdir_model::Cancel;
use serde_json::{Value, json};

use crate::gate::Silent;
use crate::scene::Scene;
use crate::turns::outline;

#[test]
fn what_a_model_selects_comes_when_it_is_ready_and_nothing_waits_for_it() {
    let mut scene = Scene::new();
    scene.selects = true;
    scene.variables = vec![("MEMDIR_RECALL_SELECTOR".to_owned(), "model".to_owned())];
    scene.memory("user_role.md", "---\nname: role\ndescription: Writes Rust\nmetadata:\n  type: user\n---\n\nTen years of Rust.\n");
    scene.script(json!([
        {"times": 1, "when": {"system": "selected_memories"}, "reply": [{"text": "{\"selected_memories\": [\"user_role.md\", \"made_up.md\"]}"}]},
        {"when": {"body": "Ten years of Rust"}, "reply": [{"text": "Done."}]},
        {"reply": [{"tool": "Read", "input": {"file_path": "a.rs"}}]},
    ]));
    let mut session = scene.start();
    // The model goes on reading until it comes.
    let read = |_: &str, _: &Value| "fn main() {}".to_owned();
    scene.turn(&mut session, "Rename the function main", read);
    session.close().unwrap();
    let bodies: Vec<Value> = scene.exchanges().iter().map(|one| one.json()).collect();
    // How many requests it took, and with that where the marks stand, is another matter.
    let last = scene
        .plain(&outline(bodies.last().unwrap()))
        .replace(" *", "");
    let lines: Vec<&str> = last.lines().collect();
    insta::assert_debug_snapshot!((lines.first(), lines.last()), @r#"
    (
        Some(
            "user: Rename the function main",
        ),
        Some(
            "user: <system-reminder> ⏎ Memory (saved today): ROOT/home/projects/-ROOT-work/memory/user_role.",
        ),
    )
    "#);
    assert_eq!(last.matches("Memory (saved").count(), 1);
}

#[test]
fn it_may_select_what_holds_everywhere() {
    let mut scene = Scene::new();
    scene.selects = true;
    scene.variables = vec![("MEMDIR_RECALL_SELECTOR".to_owned(), "model".to_owned())];
    let memory = |name: &str, body: &str| {
        format!(
            "---\nname: {name}\ndescription: Who the user is\nmetadata:\n  type: user\n---\n\n{body}\n"
        )
    };
    scene.memory("user_role.md", &memory("role", "Ten years of Rust."));
    let everywhere = scene.home().places.everywhere_dir();
    std::fs::create_dir_all(&everywhere).unwrap();
    // Of the same name: neither hides the other.
    std::fs::write(
        everywhere.join("user_role.md"),
        memory("role", "Left-handed."),
    )
    .unwrap();
    scene.script(json!([
        {"times": 1, "when": {"system": "selected_memories"}, "reply": [{"text": "{\"selected_memories\": [\"everywhere/user_role.md\"]}"}]},
        {"when": {"body": "Left-handed"}, "reply": [{"text": "Done."}]},
        {"reply": [{"tool": "Read", "input": {"file_path": "a.rs"}}]},
    ]));
    let mut session = scene.start();
    let read = |_: &str, _: &Value| "fn main() {}".to_owned();
    scene.turn(&mut session, "Rename the function main", read);
    session.close().unwrap();
    let bodies: Vec<Value> = scene.exchanges().iter().map(|one| one.json()).collect();
    let asked = bodies
        .iter()
        .find(|body| body["system"].to_string().contains("selected_memories"));
    let asked = asked.unwrap()["messages"].to_string();
    assert!(
        asked.contains("[user] user_role.md") && asked.contains("[user] everywhere/user_role.md"),
        "{asked}"
    );
    let last = scene.plain(&outline(bodies.last().unwrap()));
    let shown = last.lines().find(|line| line.contains("Memory (saved"));
    let path = "Memory (saved today): ROOT/home/memdir/everywhere/user_role.md:";
    assert!(shown.unwrap().contains(path), "{last}");
}

#[test]
fn what_it_has_not_said_when_the_next_message_comes_is_not_paid_for() {
    let mut scene = Scene::new();
    scene.variables = vec![("MEMDIR_RECALL_SELECTOR".to_owned(), "model".to_owned())];
    scene.memory("user_role.md", "---\nname: role\ndescription: Writes Rust\nmetadata:\n  type: user\n---\n\nTen years of Rust.\n");
    let asked: Arc<Mutex<Option<Cancel>>> = Arc::default();
    scene.selector = Some(Arc::new(Silent {
        model: scene.model(),
        asked: Arc::clone(&asked),
    }));
    scene.script(json!([{"reply": [{"text": "Done."}]}]));
    let mut session = scene.start();
    session.user_message("Rename the function main").unwrap();
    let begin = Instant::now();
    while asked.lock().unwrap().is_none() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it was not asked"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let first = asked.lock().unwrap().clone().unwrap();
    session.turn_ended().unwrap();
    // It has until the next message.
    session.user_message("And rename the other one").unwrap();
    assert!(first.is_cancelled());
    session.close().unwrap();
    let said = said(&scene);
    assert!(said[0].starts_with("nothing shown: "), "{said:?}");
}

/// What `why` knows of those who select, turn by turn.
fn said(scene: &Scene) -> Vec<String> {
    let home = scene.home();
    let records = memdir_recall::ConversationRecords::new(home.store.state_directory());
    let known = records.get(crate::scene::NAME).unwrap();
    let turns = known.turns().iter();
    turns
        .map(|turn| match &turn.selector {
            Some(one) => format!(
                "{}{}",
                one.said,
                if one.shown.is_some() { " *" } else { "" }
            ),
            None => "not asked".to_owned(),
        })
        .collect()
}

#[test]
fn in_a_turn_of_one_request_the_embedded_ranker_answers_and_what_was_selected_comes_with_the_next_message()
 {
    let mut scene = Scene::new();
    scene.selects = true;
    scene.variables = vec![("MEMDIR_RECALL_SELECTOR".to_owned(), "model".to_owned())];
    let memory = |name: &str, body: &str| {
        format!(
            "---\nname: {name}\ndescription: {body}\nmetadata:\n  type: feedback\n---\n\n{body}\n"
        )
    };
    scene.memory(
        "feedback_friday.md",
        &memory("friday", "Never push to main on a Friday."),
    );
    scene.memory(
        "user_role.md",
        &memory("role", "Ten years of Rust, new to Go."),
    );
    scene.script(json!([
        {"name": "selector", "when": {"system": "selected_memories"},
         "reply": [{"text": "{\"selected_memories\": [\"user_role.md\", \"feedback_friday.md\"]}"}]},
        {"name": "main", "reply": [{"text": "Done."}]},
    ]));
    let mut session = scene.start();
    let no_tool = crate::scene::no_tool;
    scene.turn(&mut session, "May I push to main on a Friday?", no_tool);
    // Nothing but the test waits for the model: it has until the next message, each time anew.
    let begin = Instant::now();
    let shown = |scene: &Scene| {
        let mut asked = scene.exchanges().into_iter();
        asked.any(|one| {
            let is_main = one.step.as_deref() == Some("main");
            is_main && String::from_utf8_lossy(&one.body).contains("Ten years of Rust, new to Go.")
        })
    };
    while !shown(&scene) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
        scene.turn(&mut session, "Thank you very much indeed", no_tool);
    }
    session.close().unwrap();
    let exchanges = scene.exchanges();
    let main = exchanges
        .iter()
        .filter(|one| one.step.as_deref() == Some("main"));
    let bodies: Vec<String> = main
        .map(|one| String::from_utf8_lossy(&one.body).into_owned())
        .collect();
    assert!(bodies[0].contains("Never push to main on a Friday."));
    let last = bodies.last().unwrap();
    // One set of what was shown: neither came twice.
    let times = |text: &str| last.matches(text).count();
    assert_eq!(times("feedback_friday.md:"), 1);
    assert_eq!(times("user_role.md:"), 1);
    let said = said(&scene);
    let is_late = |one: &String| one.starts_with("shown with the next") && one.ends_with('*');
    let late = said.iter().any(is_late);
    assert!(late, "{said:?}");
}
