//! Everything that goes wrong with a provider, and what comes of it.

use std::time::Duration;

use memdir_model::{Anthropic, Catalogue, Key, Times};
use serde_json::{Value, json};

use crate::scene::{KEY, Scene, outcome, times};

fn well() -> Value {
    json!({"reply": [{"text": "Fine, merçi."}], "delta_characters": 4, "output_tokens": 9})
}

fn failing(fault: Value) -> Value {
    let mut step = well();
    step["fault"] = fault;
    step
}

fn once(mut step: Value) -> Value {
    step["times"] = json!(1);
    step
}

/// What both APIs make of a script, and how many requests it took.
fn outcomes(name: &str, steps: &[Value]) -> Vec<String> {
    let mut shown = Vec::new();
    for api in 0..2 {
        // A server for each: steps that answer once do so once.
        let scene = Scene::new(steps);
        let outcome = outcome(&*scene.both()[api]);
        let requests = scene.server.exchanges().len();
        shown.push(format!("{name}: {outcome} after {requests}"));
    }
    shown.dedup();
    shown
}

#[test]
fn refusals() {
    let status = |status: u16| failing(json!({"status": status}));
    let cases = [
        (
            "429, soon",
            vec![
                once(failing(json!({"status": 429, "retry_after_ms": 1}))),
                well(),
            ],
        ),
        (
            "429, by the second",
            vec![
                once(failing(json!({"status": 429, "retry_after": "0"}))),
                well(),
            ],
        ),
        (
            "429, in an hour",
            vec![failing(json!({"status": 429, "retry_after": "3600"}))],
        ),
        ("429, always", vec![status(429)]),
        ("529, once", vec![once(status(529)), well()]),
        ("529, always", vec![status(529)]),
        (
            "500, twice",
            vec![once(status(500)), once(status(500)), well()],
        ),
        ("500, always", vec![status(500)]),
        ("401", vec![status(401)]),
        ("403", vec![status(403)]),
        ("404", vec![status(404)]),
        ("413", vec![status(413)]),
        ("400", vec![status(400)]),
        ("too long", vec![failing(json!({"too_long": 100}))]),
    ];
    let shown: Vec<String> = cases
        .iter()
        .flat_map(|(name, steps)| outcomes(name, steps))
        .collect();
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "429, soon: \"Fine, merçi.\" 9 after 2",
        "429, by the second: \"Fine, merçi.\" 9 after 2",
        "429, in an hour: RateLimited { after: Some(3600s) } after 1",
        "429, always: RateLimited { after: None } after 3",
        "529, once: \"Fine, merçi.\" 9 after 2",
        "529, always: Overloaded after 3",
        "500, twice: \"Fine, merçi.\" 9 after 3",
        "500, always: Failed { status: 500, said: [21 bytes] } after 3",
        "401: Key after 1",
        "403: Refused([21 bytes]) after 1",
        "404: NotFound([21 bytes]) after 1",
        "413: TooLong { needed: None, limit: None } after 1",
        "400: Rejected { status: 400, said: [21 bytes] } after 1",
        "too long: TooLong { needed: Some(101), limit: Some(100) } after 1",
    ]
    "#);
}

#[test]
fn answers_that_break() {
    let cases = [
        ("cut", json!({"cut_after_events": 4})),
        ("cut at once", json!({"cut_after_bytes": 0})),
        ("cut in a word", json!({"cut_after_bytes": 300})),
        ("cut in a character", json!({"cut_in_character": true})),
        ("reset", json!({"cut_after_events": 4, "reset": true})),
        ("no end", json!({"no_end": true})),
        ("not JSON", json!({"invalid_json": true})),
        ("another shape", json!({"wrong_schema": true})),
        (
            "overloaded in the middle",
            json!({"error_event": {"after_events": 3, "kind": "overloaded_error", "message": "Overloaded"}}),
        ),
        ("an unknown event", json!({"unknown_event": true})),
        ("drop by drop", json!({"drip": {"bytes": 7, "every_ms": 0}})),
    ];
    let shown: Vec<String> = cases
        .iter()
        .flat_map(|(name, fault)| outcomes(name, &[failing(fault.clone())]))
        .collect();
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "cut: Cut after 1",
        "cut at once: Cut after 1",
        "cut in a word: Cut after 1",
        "cut in a character: Cut after 1",
        "reset: Cut after 1",
        "no end: Cut after 1",
        "not JSON: BadAnswer(\"an event is not JSON\") after 1",
        "another shape: BadAnswer(\"its events are out of order\") after 1",
        "another shape: BadAnswer(\"an event is no part of a completion\") after 1",
        "overloaded in the middle: Overloaded after 1",
        "an unknown event: \"Fine, merçi.\" 9 after 1",
        "drop by drop: \"Fine, merçi.\" 9 after 1",
    ]
    "#);
}

/// The same model with less patience.
fn hurried(scene: &Scene, times: Times) -> String {
    let key = Key::from_variable("ANTHROPIC_API_KEY", KEY).unwrap();
    let facts = Catalogue::built_in().facts("claude-sonnet-4-6");
    let url = scene.server.url();
    let model = Anthropic::new("claude-sonnet-4-6", &url, Some(&key), facts, times).unwrap();
    outcome(&model)
}

#[test]
fn silence() {
    let ten_minutes = 600_000;
    let soon = Duration::from_millis(200);
    let in_between = Scene::new(&[failing(
        json!({"silence": {"after_events": 3, "ms": ten_minutes}}),
    )]);
    let mut before = well();
    before["delay_ms"] = json!(ten_minutes);
    let before = Scene::new(&[before]);
    // Something comes all the time, and it never ends.
    let endless = Scene::new(&[failing(json!({"drip": {"bytes": 1, "every_ms": 50}}))]);
    let shown = [
        hurried(
            &in_between,
            Times {
                idle: soon,
                ..times()
            },
        ),
        hurried(
            &before,
            Times {
                first_byte: soon,
                ..times()
            },
        ),
        hurried(
            &endless,
            Times {
                whole: soon * 3,
                ..times()
            },
        ),
    ];
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "TimedOut(Idle)",
        "TimedOut(FirstByte)",
        "TimedOut(Whole)",
    ]
    "#);
    // None of them was asked twice: somebody may have worked on it.
    for scene in [in_between, before, endless] {
        assert_eq!(scene.server.exchanges().len(), 1);
    }
}

#[test]
fn nobody_is_there() {
    let scene = Scene::new(&[well()]);
    let url = scene.server.url();
    drop(scene);
    let facts = Catalogue::built_in().facts("x");
    let model = Anthropic::new("x", &url, None, facts, times()).unwrap();
    insta::assert_snapshot!(outcome(&model), @r#"Unreachable("no connection")"#);
}
