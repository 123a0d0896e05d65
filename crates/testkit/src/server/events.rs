//! Events of a stream, and what can be wrong with them.

use serde_json::json;

use super::script::Fault;

/// One server-sent event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// The line `event:`, which only the Messages API has.
    pub(super) name: Option<&'static str>,
    pub(super) data: String,
    /// The tokens of output once this has been sent.
    pub(super) output: u64,
    /// Whether it belongs to the end, which says that the stream is whole.
    pub(super) is_end: bool,
}

/// A stretch of a body that is sent at once.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    pub(super) bytes: Vec<u8>,
    pub(super) output: u64,
}

/// The events with the script's faults, as bytes.
pub(super) fn units(mut events: Vec<Event>, fault: &Fault) -> Vec<Unit> {
    if fault.no_end {
        events.retain(|event| !event.is_end);
    }
    let middle = events.len() / 2;
    if fault.wrong_schema {
        for event in &mut events {
            event.data = json!({"result": {"ok": true}}).to_string();
        }
    }
    if fault.invalid_json
        && let Some(event) = events.get_mut(middle)
    {
        event.data = "{\"type\": \"content_block_delta\", \"index\": ".to_owned();
    }
    let output = events.get(middle).map_or(0, |event| event.output);
    if fault.unknown_event {
        // Chat Completions have no names of events; there it is a comment.
        let named = events.iter().any(|event| event.name.is_some());
        events.insert(
            middle,
            Event {
                name: named.then_some("hologram"),
                data: if named {
                    json!({"type": "hologram", "depth": 3}).to_string()
                } else {
                    String::new()
                },
                output,
                is_end: false,
            },
        );
    }
    if let Some(error) = &fault.error_event {
        events.truncate(error.after_events);
        let output = events.last().map_or(0, |event| event.output);
        let detail = json!({"type": error.kind, "message": error.message});
        events.push(Event {
            name: Some("error"),
            data: json!({"type": "error", "error": detail}).to_string(),
            output,
            is_end: true,
        });
    }
    events
        .into_iter()
        .map(|event| Unit {
            bytes: rendered(&event).into_bytes(),
            output: event.output,
        })
        .collect()
}

fn rendered(event: &Event) -> String {
    match event.name {
        Some(name) => format!("event: {name}\ndata: {}\n\n", event.data),
        None if event.data.is_empty() => ": keep-alive\n\n".to_owned(),
        None => format!("data: {}\n\n", event.data),
    }
}

/// A text in pieces of so many characters; an empty one is one empty piece.
pub(super) fn pieces(text: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters
        .chunks(size.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}
