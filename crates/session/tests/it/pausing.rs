//! A while without memory.

use memdir_session::Event;
use serde_json::json;

use crate::scene::{Scene, no_tool, shown};

#[test]
fn what_is_said_in_a_pause_is_not_saved_also_where_the_turn_was_stopped() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let saved = |events: &[Event]| {
        let mut events = events.iter();
        events.any(|event| matches!(event, Event::Work(work) if !work.saved.is_empty()))
    };
    for says_nothing_more in [false, true] {
        let mut session = scene.start();
        // Before anything is said, too.
        session.pause(true);
        session
            .user_message("From now on always use tabs in Makefiles.")
            .unwrap();
        session.before_request().unwrap();
        // Stopped here: no reply, and the turn does not end.
        let mut events = match says_nothing_more {
            true => Vec::new(),
            false => session.pause(false),
        };
        if !says_nothing_more {
            events.extend(scene.turn(&mut session, "Where is the parser written?", no_tool));
        }
        events.extend(session.close().unwrap());
        assert!(!saved(&events), "{}", shown(&events));
        let mut session = scene.start();
        let mut events = scene.turn(&mut session, "And who calls it?", no_tool);
        events.extend(session.close().unwrap());
        assert!(!saved(&events), "{}", shown(&events));
    }
    let mut session = scene.start();
    scene.turn(
        &mut session,
        "From now on, indent with two spaces.",
        no_tool,
    );
    assert!(saved(&session.close().unwrap()));
}

#[test]
fn no_background_model_sees_what_was_said_in_a_pause() {
    let mut scene = Scene::new();
    scene.extracts = true;
    scene.script(json!([
        {"name": "summary", "when": {"last_user": "Stop here and write a summary"}, "reply": [{"text": "<summary>The user earns 4711.</summary>"}]},
        {"name": "extraction", "when": {"system": "operations"}, "reply": [{"text": "{\"operations\": []}"}]},
        {"name": "extraction", "when": {"last_user": "This message does not come from the user"}, "reply": [{"text": "Nothing."}]},
        {"name": "main", "reply": [{"text": "I see."}]},
    ]));
    let mut session = scene.start();
    scene.turn(&mut session, "The build takes four minutes.", no_tool);
    session.settle(std::time::Duration::from_secs(60));
    session.pause(true);
    scene.turn(&mut session, "I earn 4711 a month.", no_tool);
    session.pause(false);
    scene.turn(&mut session, "The tests take nine minutes.", no_tool);
    session.close().unwrap();
    // Another process, and out of sight.
    let mut session = scene.start();
    scene.turn(&mut session, "The linter takes one minute.", no_tool);
    session.settle(std::time::Duration::from_secs(60));
    session.compact(&[]).unwrap();
    scene.turn(&mut session, "The network is slow.", no_tool);
    session.close().unwrap();
    let exchanges = scene.exchanges();
    let tells = |step: &str| {
        let of = exchanges
            .iter()
            .filter(|one| one.step.as_deref() == Some(step));
        let tell = of.map(|one| String::from_utf8_lossy(&one.body).contains("4711"));
        tell.collect::<Vec<bool>>()
    };
    assert_eq!(tells("extraction"), [false; 4]);
    assert_eq!(tells("main"), [false, true, true, true, true]);
}
