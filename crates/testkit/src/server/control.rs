//! `/_test/…`: looking at the server and moving its clock from outside, by any client.

use std::time::Duration;

use serde_json::{Value, json};

use super::delivery::Outgoing;
use super::events::Unit;
use super::http::Incoming;
use super::script::Fault;
use super::state::Shared;

/// Where all of it lives.
pub(super) const PREFIX: &str = "/_test/";

pub(super) fn answer(shared: &Shared, incoming: &Incoming) -> Outgoing {
    let action = incoming.path.strip_prefix(PREFIX).unwrap_or_default();
    let (status, body) = match (incoming.method.as_str(), action) {
        ("GET", "totals") => (200, shared.totals().json()),
        ("GET", "requests") => {
            let state = shared.lock();
            let list: Vec<Value> = state.exchanges.iter().map(|one| one.summary()).collect();
            (200, json!(list))
        }
        ("POST", "clock") => clock(shared, &incoming.body),
        _ => {
            let places = [
                "GET totals",
                "GET requests",
                "POST clock {\"advance_ms\": N}",
            ];
            (
                404,
                json!({"error": "there is no such place", "places": places}),
            )
        }
    };
    Outgoing {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        units: vec![Unit {
            bytes: body.to_string().into_bytes(),
            output: 0,
        }],
        is_stream: false,
        delay: Duration::ZERO,
        fault: Fault::default(),
        plan: None,
        model: String::new(),
    }
}

fn clock(shared: &Shared, body: &[u8]) -> (u16, Value) {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(time) = body.get("advance_ms").and_then(Value::as_u64) else {
        return (400, json!({"error": "the body is {\"advance_ms\": N}"}));
    };
    let mut state = shared.lock();
    state.skipped += Duration::from_millis(time);
    let now = shared.now(&state);
    (200, json!({"now_ms": now.as_millis() as u64}))
}
