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

struct Call<'a> {
    id: Option<&'a Value>,
    name: Option<&'a Value>,
    arguments: String,
}

impl Call<'_> {
    fn whole(&self) -> Value {
        json!({
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments}
        })
    }

    /// The first delta has all but the arguments, which follow in pieces.
    fn deltas(&self, index: usize, characters: usize) -> Vec<Value> {
        let opening = json!({
            "index": index,
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": ""}
        });
        let parts = pieces(&self.arguments, characters)
            .into_iter()
            .map(|part| json!({"index": index, "function": {"arguments": part}}));
        std::iter::once(opening)
            .chain(parts)
            .map(|call| json!({"tool_calls": [call]}))
            .collect()
    }
}

fn calls(reply: &Reply) -> Vec<Call<'_>> {
    reply
        .content
        .iter()
        .filter(|block| kind(block) == "tool_use")
        .map(|block| Call {
            id: block.get("id"),
            name: block.get("name"),
            arguments: block.get("input").map(Value::to_string).unwrap_or_default(),
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
    let calls: Vec<Value> = calls(reply).iter().map(Call::whole).collect();
    if let Some(fields) = message.as_object_mut().filter(|_| !calls.is_empty()) {
        fields.insert("tool_calls".to_owned(), json!(calls));
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
    for (index, call) in calls(reply).iter().enumerate() {
        deltas.extend(call.deltas(index, characters));
    }
    let count = deltas.len() as u64;
    let output = envelope.usage.output;
    // Where usage is asked for, every chunk has the field, and only the last one fills it.
    let none = with_usage.then_some(Value::Null);
    let event = |choice: Option<Value>, usage: &Option<Value>, output, is_end| Event {
        name: None,
        data: chunk(envelope, choice, usage.clone()).to_string(),
        output,
        is_end,
    };
    let mut events: Vec<Event> = deltas
        .into_iter()
        .enumerate()
        .map(|(number, delta)| {
            let output = output * number as u64 / count.max(1);
            event(Some(choice(delta, None)), &none, output, false)
        })
        .collect();
    let last = choice(json!({}), Some(finish(reply)));
    events.push(event(Some(last), &none, output, true));
    if with_usage {
        let usage = Some(envelope.usage.openai());
        events.push(event(None, &usage, output, true));
    }
    events.push(Event {
        name: None,
        data: "[DONE]".to_owned(),
        output,
        is_end: true,
    });
    events
}

fn choice(delta: Value, finish: Option<&str>) -> Value {
    json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish})
}

fn chunk(envelope: &Envelope<'_>, choice: Option<Value>, usage: Option<Value>) -> Value {
    let mut chunk = json!({
        "id": envelope.id,
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": envelope.model,
        "choices": choice.into_iter().collect::<Vec<_>>()
    });
    if let Some(fields) = chunk.as_object_mut() {
        fields.extend(usage.map(|usage| ("usage".to_owned(), usage)));
        fields.extend(envelope.extra.clone());
    }
    chunk
}
