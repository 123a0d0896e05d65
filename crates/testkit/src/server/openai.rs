//! Answers of Chat Completions: whole, or in chunks.

use serde_json::{Value, json};

use super::anthropic::Envelope;
use super::events::{Event, pieces};
use super::reply::Reply;

/// A time that does not change, so that runs can be compared.
const CREATED: u64 = 1_767_225_600;

fn kind(block: &Value) -> &str {
    block
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn text(reply: &Reply) -> Option<String> {
    let words: Vec<&str> = reply
        .content
        .iter()
        .filter(|block| kind(block) == "text")
        .filter_map(|block| block.get("text").and_then(Value::as_str))
        .collect();
    (!words.is_empty()).then(|| words.concat())
}

fn calls(reply: &Reply) -> Vec<Value> {
    reply
        .content
        .iter()
        .filter(|block| kind(block) == "tool_use")
        .map(|block| {
            let arguments = block.get("input").map(Value::to_string).unwrap_or_default();
            json!({
                "id": block.get("id"),
                "type": "function",
                "function": {"name": block.get("name"), "arguments": arguments}
            })
        })
        .collect()
}

fn finish(reply: &Reply) -> &str {
    match reply.stop_reason.as_str() {
        "end_turn" | "stop_sequence" => "stop",
        "tool_use" => "tool_calls",
        "max_tokens" => "length",
        "refusal" => "content_filter",
        other => other,
    }
}

/// The answer in one piece.
pub(super) fn whole(reply: &Reply, envelope: &Envelope<'_>) -> Value {
    let mut message = json!({"role": "assistant", "content": text(reply), "refusal": null});
    let calls = calls(reply);
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let mut answer = json!({
        "id": envelope.id,
        "object": "chat.completion",
        "created": CREATED,
        "model": envelope.model,
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish(reply)}],
        "usage": envelope.usage.openai()
    });
    if let Some(fields) = answer.as_object_mut() {
        fields.extend(envelope.extra.clone());
    }
    answer
}

/// The answer as a stream; the usage only if it was asked for.
pub(super) fn stream(
    reply: &Reply,
    envelope: &Envelope<'_>,
    characters: usize,
    with_usage: bool,
) -> Vec<Event> {
    let mut deltas = vec![json!({"role": "assistant", "content": "", "refusal": null})];
    if let Some(words) = text(reply) {
        let parts = pieces(&words, characters);
        deltas.extend(parts.into_iter().map(|part| json!({"content": part})));
    }
    for (index, call) in calls(reply).into_iter().enumerate() {
        let arguments = call["function"]["arguments"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let mut opening = call;
        opening["function"]["arguments"] = json!("");
        opening["index"] = json!(index);
        deltas.push(json!({"tool_calls": [opening]}));
        deltas.extend(pieces(&arguments, characters).into_iter().map(
            |part| json!({"tool_calls": [{"index": index, "function": {"arguments": part}}]}),
        ));
    }
    let count = deltas.len() as u64;
    let output = envelope.usage.output;
    let mut events: Vec<Event> = deltas
        .into_iter()
        .enumerate()
        .map(|(number, delta)| Event {
            name: None,
            data: chunk(envelope, delta, Value::Null, with_usage).to_string(),
            output: output * number as u64 / count.max(1),
            is_end: false,
        })
        .collect();
    let mut end = |data: String| {
        events.push(Event {
            name: None,
            data,
            output,
            is_end: true,
        });
    };
    end(chunk(envelope, json!({}), json!(finish(reply)), with_usage).to_string());
    if with_usage {
        let mut last = chunk(envelope, json!({}), Value::Null, true);
        last["choices"] = json!([]);
        last["usage"] = envelope.usage.openai();
        end(last.to_string());
    }
    end("[DONE]".to_owned());
    events
}

fn chunk(envelope: &Envelope<'_>, delta: Value, finish: Value, with_usage: bool) -> Value {
    let mut chunk = json!({
        "id": envelope.id,
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": envelope.model,
        "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]
    });
    if let Some(fields) = chunk.as_object_mut() {
        if with_usage {
            fields.insert("usage".to_owned(), Value::Null);
        }
        fields.extend(envelope.extra.clone());
    }
    chunk
}
