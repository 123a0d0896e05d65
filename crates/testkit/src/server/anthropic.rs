//! Answers of the Messages API: whole, or as its events.

use serde_json::{Map, Value, json};

use super::Usage;
use super::events::{Event, pieces};
use super::reply::{Reply, cost};

/// What an answer says besides its blocks.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    pub(super) id: String,
    pub(super) model: &'a str,
    pub(super) usage: Usage,
    pub(super) extra: &'a Map<String, Value>,
}

/// The answer in one piece.
pub(super) fn whole(reply: &Reply, envelope: &Envelope<'_>) -> Value {
    message(
        envelope,
        json!(reply.content),
        json!(reply.stop_reason),
        envelope.usage.anthropic(),
    )
}

fn message(envelope: &Envelope<'_>, content: Value, stop: Value, usage: Value) -> Value {
    let mut message = json!({
        "id": envelope.id,
        "type": "message",
        "role": "assistant",
        "model": envelope.model,
        "content": content,
        "stop_reason": stop,
        "stop_sequence": null,
        "usage": usage
    });
    if let Some(fields) = message.as_object_mut() {
        fields.extend(envelope.extra.clone());
    }
    message
}

/// The answer as a stream.
pub(super) fn stream(reply: &Reply, envelope: &Envelope<'_>, characters: usize) -> Vec<Event> {
    let mut events = Row::default();
    let begun = Usage {
        output: envelope.usage.output.min(1),
        ..envelope.usage
    };
    events.sent = begun.output;
    let start = message(envelope, json!([]), Value::Null, begun.anthropic());
    events.add("message_start", json!({"message": start}));
    events.add("ping", json!({}));
    let whole: u64 = reply.content.iter().map(cost).sum();
    let mut done = 0;
    for (index, block) in reply.content.iter().enumerate() {
        let deltas = deltas(block, characters);
        events.add(
            "content_block_start",
            json!({"index": index, "content_block": opening(block)}),
        );
        let price = cost(block);
        let count = deltas.len() as u64;
        for (number, delta) in deltas.into_iter().enumerate() {
            // The bill grows with what has been said.
            let part = done + price * (number as u64 + 1) / count.max(1);
            events.sent = events.sent.max(
                (envelope.usage.output * part)
                    .checked_div(whole)
                    .unwrap_or(0),
            );
            events.add(
                "content_block_delta",
                json!({"index": index, "delta": delta}),
            );
        }
        done += price;
        events.add("content_block_stop", json!({"index": index}));
    }
    events.sent = envelope.usage.output;
    events.end(
        "message_delta",
        json!({
            "delta": {"stop_reason": reply.stop_reason, "stop_sequence": null},
            "usage": envelope.usage.anthropic()
        }),
    );
    events.end("message_stop", json!({}));
    events.list
}

/// A block before its deltas.
fn opening(block: &Value) -> Value {
    let mut opening = block.clone();
    let Some(fields) = opening.as_object_mut() else {
        return opening;
    };
    match block.get("type").and_then(Value::as_str) {
        Some("text") => {
            fields.insert("text".to_owned(), json!(""));
        }
        Some("thinking") => {
            fields.insert("thinking".to_owned(), json!(""));
            fields.insert("signature".to_owned(), json!(""));
        }
        Some("tool_use") => {
            fields.insert("input".to_owned(), json!({}));
        }
        _ => {}
    }
    opening
}

fn deltas(block: &Value, characters: usize) -> Vec<Value> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("type") {
        "text" => pieces(text("text"), characters)
            .into_iter()
            .map(|part| json!({"type": "text_delta", "text": part}))
            .collect(),
        "thinking" => {
            let mut deltas: Vec<Value> = pieces(text("thinking"), characters)
                .into_iter()
                .map(|part| json!({"type": "thinking_delta", "thinking": part}))
                .collect();
            deltas.push(json!({"type": "signature_delta", "signature": text("signature")}));
            deltas
        }
        "tool_use" => {
            let input = block.get("input").map(Value::to_string).unwrap_or_default();
            std::iter::once(String::new())
                .chain(pieces(&input, characters))
                .map(|part| json!({"type": "input_json_delta", "partial_json": part}))
                .collect()
        }
        // What is not known has no deltas: it comes whole.
        _ => Vec::new(),
    }
}

#[derive(Debug, Default)]
struct Row {
    list: Vec<Event>,
    sent: u64,
}

impl Row {
    fn add(&mut self, name: &'static str, fields: Value) {
        let mut data = json!({"type": name});
        if let (Some(data), Value::Object(fields)) = (data.as_object_mut(), fields) {
            data.extend(fields);
        }
        self.list.push(Event {
            name: Some(name),
            data: data.to_string(),
            output: self.sent,
            is_end: false,
        });
    }

    fn end(&mut self, name: &'static str, fields: Value) {
        self.add(name, fields);
        if let Some(event) = self.list.last_mut() {
            event.is_end = true;
        }
    }
}
