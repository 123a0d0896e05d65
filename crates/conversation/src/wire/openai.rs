//! Messages as Chat Completions take them.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::Api;
use crate::{Block, Flat, FlatMessage, Kind, Message, Part, Role};

/// What stands for a picture inside the result of a tool, which this API cannot send there.
const PICTURE: &str = "[A picture, in the message that follows.]";

/// The `messages` of a request: results of tools are messages of their own, thinking is left out. What came from such
/// an API and is untouched goes back as it came.
#[must_use]
pub fn messages(flat: &Flat<'_>) -> String {
    let mut written: Vec<Cow<'_, str>> = Vec::with_capacity(flat.messages.len());
    for message in &flat.messages {
        match message.alone.and_then(raw) {
            Some(raw) => written.push(Cow::Borrowed(raw)),
            None => push(&mut written, message),
        }
    }
    format!("[{}]", written.join(","))
}

fn raw(message: &Message) -> Option<&str> {
    let wire = message.wire.as_ref()?;
    (wire.api == Api::OpenAi).then_some(&*wire.json)
}

fn push(written: &mut Vec<Cow<'_, str>>, message: &FlatMessage<'_>) {
    let values = match message.role {
        Role::Assistant => vec![assistant(message)],
        Role::System => vec![json!({"role": "system", "content": words(message)})],
        Role::User => user(message),
    };
    written.extend(
        values
            .into_iter()
            .map(|value| Cow::Owned(value.to_string())),
    );
}

fn assistant(message: &FlatMessage<'_>) -> Value {
    let mut object = Map::new();
    object.insert("role".into(), "assistant".into());
    let words = words(message);
    let calls: Vec<Value> = message
        .blocks
        .iter()
        .filter_map(|block| call(block))
        .collect();
    let content = match words.is_empty() {
        true if !calls.is_empty() => Value::Null,
        _ => words.into(),
    };
    object.insert("content".into(), content);
    if !calls.is_empty() {
        object.insert("tool_calls".into(), calls.into());
    }
    object.into()
}

fn call(block: &Block) -> Option<Value> {
    let Kind::ToolCall { id, name } = block.kind() else {
        return None;
    };
    let arguments = block.input().unwrap_or("{}");
    Some(json!({
        "id": &**id,
        "type": "function",
        "function": {"name": &**name, "arguments": arguments},
    }))
}

fn user(message: &FlatMessage<'_>) -> Vec<Value> {
    let mut values = Vec::new();
    let mut content = Vec::new();
    for block in &message.blocks {
        match block.kind() {
            Kind::ToolResult { call, .. } => {
                values.push(json!({"role": "tool", "tool_call_id": &**call, "content": result(block, &mut content)}));
            }
            Kind::Text => {
                let words = block.words().unwrap_or_default();
                content.push(json!({"type": "text", "text": words}));
            }
            Kind::Image => content.extend(picture(block.json())),
            _ => content.push(json!({"type": "text", "text": block.json()})),
        }
    }
    if !content.is_empty() {
        values.push(json!({"role": "user", "content": plain(content)}));
    }
    values
}

/// The content of a message: its text where that is all there is, which every server takes. Some take no parts.
fn plain(content: Vec<Value>) -> Value {
    match content.as_slice() {
        [only] if only.get("type").is_some_and(|kind| kind == "text") => {
            only.get("text").cloned().unwrap_or_default()
        }
        _ => content.into(),
    }
}

/// The words of a result; its pictures go into the user's message behind it.
fn result(block: &Block, content: &mut Vec<Value>) -> String {
    let mut words = Vec::new();
    let parts = block.parts();
    for part in &parts {
        match part {
            Part::Text(text) => words.push(text.to_string()),
            Part::Other(json) => words.push((*json).to_owned()),
            Part::Picture(json) => match picture(json) {
                Some(picture) => {
                    words.push(PICTURE.to_owned());
                    content.push(picture);
                }
                None => words.push((*json).to_owned()),
            },
        }
    }
    words.join("\n")
}

/// A picture by its data or its address.
fn picture(block: &str) -> Option<Value> {
    let block: Value = serde_json::from_str(block).ok()?;
    let source = block.get("source")?;
    let url = match source.get("url").and_then(Value::as_str) {
        Some(url) => url.to_owned(),
        None => format!(
            "data:{};base64,{}",
            source.get("media_type")?.as_str()?,
            source.get("data")?.as_str()?
        ),
    };
    Some(json!({"type": "image_url", "image_url": {"url": url}}))
}

fn words(message: &FlatMessage<'_>) -> String {
    let words: Vec<_> = message
        .blocks
        .iter()
        .filter_map(|block| block.words())
        .collect();
    words.join("\n\n")
}
