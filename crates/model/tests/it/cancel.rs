//! Whoever stops, stops: the server sees the connection close.

use std::time::{Duration, Instant};

use memdir_model::{Cancel, Error, Model};
use memdir_testkit::server::End;
use serde_json::json;

use crate::scene::{Scene, question};

fn silent() -> Scene {
    Scene::new(&[json!({
        "reply": [{"text": "A long answer that nobody hears to its end."}],
        "fault": {"silence": {"after_events": 3, "ms": 600_000}}
    })])
}

/// How long the server took to notice; it would have been silent for ten minutes.
fn noticed(scene: &Scene, since: Instant) -> Duration {
    let exchanges = scene.server.settled();
    let exchange = exchanges.last().unwrap();
    assert_eq!(exchange.end, Some(End::Disconnected));
    exchange.ended.unwrap().saturating_duration_since(since)
}

#[test]
fn by_the_handle_from_another_thread() {
    let scene = silent();
    let model = scene.anthropic("claude-sonnet-4-6");
    let cancel = Cancel::new();
    let mut answer = model.send(&question(&model), &cancel).unwrap();
    assert!(answer.next().unwrap().is_ok());
    let since = Instant::now();
    std::thread::spawn(move || cancel.cancel());
    let last = answer.find_map(Result::err);
    assert_eq!(last, Some(Error::Cancelled));
    println!("the server noticed after {:?}", noticed(&scene, since));
}

#[test]
fn although_nobody_reads() {
    let scene = silent();
    let model = scene.openai("gpt-5-mini");
    let cancel = Cancel::new();
    let mut answer = model.send(&question(&model), &cancel).unwrap();
    assert!(answer.next().unwrap().is_ok());
    let since = Instant::now();
    cancel.cancel();
    println!("the server noticed after {:?}", noticed(&scene, since));
    drop(answer);
}

#[test]
fn by_dropping_the_answer() {
    let scene = silent();
    let model = scene.anthropic("claude-sonnet-4-6");
    let mut answer = model.send(&question(&model), &Cancel::new()).unwrap();
    assert!(answer.next().unwrap().is_ok());
    let since = Instant::now();
    drop(answer);
    println!("the server noticed after {:?}", noticed(&scene, since));
}

#[test]
fn a_used_handle_sends_nothing_more() {
    let scene = silent();
    let model = scene.anthropic("claude-sonnet-4-6");
    let cancel = Cancel::new();
    cancel.cancel();
    let answer = model.send(&question(&model), &cancel).unwrap();
    assert_eq!(answer.whole().unwrap_err(), Error::Cancelled);
    assert_eq!(scene.server.exchanges().len(), 0);
}
