//! A conversation that another process goes on with.

use serde_json::json;

use crate::scene::{Scene, no_tool};

#[test]
fn the_next_process_sends_the_same_bytes_and_what_came_since() {
    let scene = Scene::new();
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    scene.turn(&mut session, "Where is the parser written?", no_tool);
    // Not closed: the process is gone.
    drop(session);
    let mut session = scene.start();
    scene.turn(&mut session, "And who calls it?", no_tool);
    drop(session);
    let exchanges = scene.exchanges();
    let unmarked = |at: usize| {
        let body = String::from_utf8(exchanges[at].body.clone()).unwrap();
        body.replace(r#","cache_control":{"type":"ephemeral"}"#, "")
    };
    let (first, second) = (unmarked(0), unmarked(1));
    let said = first.find("Where is the parser written?").unwrap();
    assert_eq!(first[..said], second[..said]);
    assert!(second.contains("I see.") && second.contains("And who calls it?"));
}

#[test]
fn what_is_private_is_sent_and_not_written_down() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    scene.turn(
        &mut session,
        "My door code is <private>4711</private>, by the way.",
        no_tool,
    );
    let transcript = session.places().transcript.clone();
    drop(session);
    assert!(String::from_utf8_lossy(&scene.exchanges()[0].body).contains("4711"));
    assert!(
        !std::fs::read_to_string(transcript)
            .unwrap()
            .contains("4711")
    );
}

#[test]
fn one_process_at_a_time() {
    let scene = Scene::new();
    let session = scene.start();
    let root = scene.root();
    let transcript = session.places().transcript.clone();
    let error = memdir_store::TranscriptFile::open(&transcript).unwrap_err();
    let error = error.to_string().replace(root.to_str().unwrap(), "ROOT");
    assert!(error.ends_with("is in use by another process"), "{error}");
}
