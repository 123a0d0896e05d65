//! The two dialects that only clients speak which are tried end to end: OpenAI's Responses and Gemini's `generateContent`.
//! They are answered from the same script; their rules are not enforced.

use serde_json::{Value, json};

use super::events::Event;
use super::reply::Reply;

/// Whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Responses,
    Gemini,
}

/// The dialect that a place speaks, and whether it asks for a stream.
pub(super) fn of(method: &str, path: &str) -> Option<(Dialect, bool)> {
    match (method, path.rsplit([':', '/']).next()) {
        ("POST", Some("responses")) => Some((Dialect::Responses, true)),
        ("POST", Some("streamGenerateContent")) => Some((Dialect::Gemini, true)),
        ("POST", Some("generateContent")) => Some((Dialect::Gemini, false)),
        _ => None,
    }
}

impl Dialect {
    /// Its name in a script.
    pub(super) fn endpoint(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::Gemini => "gemini",
        }
    }
}

/// The answer as events.
pub(super) fn stream(dialect: Dialect, reply: &Reply, id: &str, input: u64) -> Vec<Event> {
    match dialect {
        Dialect::Responses => responses(reply, id, input),
        Dialect::Gemini => vec![event(None, &gemini(reply, input), reply.output, true)],
    }
}

fn event(name: Option<&'static str>, data: &Value, output: u64, is_end: bool) -> Event {
    Event {
        name,
        data: data.to_string(),
        output,
        is_end,
    }
}

fn field<'b>(block: &'b Value, name: &str) -> &'b str {
    block.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn responses(reply: &Reply, id: &str, input: u64) -> Vec<Event> {
    let created = json!({"type": "response.created", "response": {"id": id}});
    let mut events = vec![event(Some("response.created"), &created, 0, false)];
    for (index, block) in reply.content.iter().enumerate() {
        let item = match field(block, "type") {
            "tool_use" => {
                // Tools of a server are called by the name of the server and their own.
                let (server, tool) = match field(block, "name").rsplit_once("__") {
                    Some((server, tool)) => (Some(server), tool),
                    None => (None, field(block, "name")),
                };
                let mut call = json!({
                    "type": "function_call",
                    "id": format!("fc_{}", field(block, "id")),
                    "call_id": field(block, "id"),
                    "name": tool,
                    "arguments": block.get("input").map(Value::to_string).unwrap_or_default()
                });
                if let (Some(server), Some(fields)) = (server, call.as_object_mut()) {
                    fields.insert("namespace".to_owned(), json!(server));
                }
                call
            }
            "text" => json!({
                "type": "message",
                "id": format!("{id}_{index}"),
                "role": "assistant",
                "content": [{"type": "output_text", "text": field(block, "text"), "annotations": []}]
            }),
            _ => continue,
        };
        let done =
            json!({"type": "response.output_item.done", "output_index": index, "item": item});
        events.push(event(Some("response.output_item.done"), &done, 0, false));
    }
    let completed = json!({
        "type": "response.completed",
        "response": {"id": id, "usage": {
            "input_tokens": input,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": reply.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": input + reply.output
        }}
    });
    events.push(event(
        Some("response.completed"),
        &completed,
        reply.output,
        true,
    ));
    events
}

/// The answer in Gemini's form, which is the same whole and as the only event of a stream.
pub(super) fn gemini(reply: &Reply, input: u64) -> Value {
    let parts: Vec<Value> = reply
        .content
        .iter()
        .filter_map(|block| match field(block, "type") {
            "text" => Some(json!({"text": field(block, "text")})),
            "tool_use" => Some(json!({
                "functionCall": {"name": field(block, "name"), "args": block.get("input")}
            })),
            _ => None,
        })
        .collect();
    json!({
        "candidates": [{
            "index": 0,
            "content": {"role": "model", "parts": parts},
            "finishReason": "STOP"
        }],
        "usageMetadata": {
            "promptTokenCount": input,
            "candidatesTokenCount": reply.output,
            "totalTokenCount": input + reply.output
        },
        "modelVersion": "test"
    })
}
