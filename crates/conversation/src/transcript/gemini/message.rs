//! One message of a chat, with the calls and answers that stand in it.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json as object};

use crate::transcript::json::{self, Count, Lenient, Text};
use crate::transcript::placed;
use crate::transcript::said::{self, Said};
use crate::{Block, Message, Reminded, Role, Source};

/// Ids of calls whose answer was given.
pub(super) type Answered = HashSet<Arc<str>>;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Raw<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    thoughts: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Text<'a>,
    tokens: Option<Lenient<Tokens>>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
struct Tokens {
    input: Count,
    output: Count,
    cached: Count,
    thoughts: Count,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Call<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    args: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    status: Text<'a>,
}

/// What a line of a chat holds. A reply comes with the answers to its calls.
pub(super) fn messages(
    raw: &RawValue,
    id: &str,
    answered: &mut Answered,
    bad: &mut dyn FnMut(String),
) -> Vec<Message> {
    let message: Raw<'_> = json::object(Some(raw));
    let at = said::time(message.timestamp.get());
    match message.r#type.get() {
        Some("user") => user(&message, id, at, answered, bad),
        Some("gemini") => reply(&message, id, at, answered, bad),
        _ => {
            let mut notice = Message::new(
                id,
                Role::System,
                Source::Notice,
                parts(message.content, bad),
            );
            notice.at = at;
            vec![notice]
        }
    }
}

fn user(
    message: &Raw<'_>,
    id: &str,
    at: Option<Timestamp>,
    answered: &mut Answered,
    bad: &mut dyn FnMut(String),
) -> Vec<Message> {
    let mut blocks = Vec::new();
    // The files that the user named stand behind everything else, in parts of their own.
    let mut files = false;
    for block in parts(message.content, bad) {
        match block.kind() {
            crate::Kind::ToolResult { call, .. } => {
                if answered.insert(Arc::clone(call)) {
                    blocks.push((Source::Tool, block));
                }
            }
            crate::Kind::Text if files => {
                blocks.push((Source::Reminder(Reminded::Context), block));
            }
            crate::Kind::Text => {
                let words = block.words().unwrap_or_default();
                files = placed::brings_files(&words);
                blocks.extend(split(&words));
            }
            _ => blocks.push((Source::User, block)),
        }
    }
    let said = Said {
        id: id.into(),
        role: Role::User,
        blocks,
        at,
    };
    said.messages()
}

/// What hooks said stands before or behind what the user did. A hook can print anything, also the mark that ends it, so it
/// goes on to the last one.
fn split(text: &str) -> Vec<(Source, Block)> {
    const OPEN: &str = "<hook_context>";
    const CLOSE: &str = "</hook_context>";
    let Some((before, inner)) = text.split_once(OPEN) else {
        return own(text);
    };
    let (inside, after) = inner.rsplit_once(CLOSE).unwrap_or((inner, ""));
    let mut pieces = own(before);
    let source = Source::Reminder(said::reminded(inside));
    pieces.push((source, Block::text(&format!("{OPEN}{inside}{CLOSE}"))));
    pieces.extend(own(after));
    pieces
}

fn own(text: &str) -> Vec<(Source, Block)> {
    let text = text.trim();
    match text {
        "" => Vec::new(),
        text if text.starts_with("<state_snapshot>") => vec![(Source::Summary, Block::text(text))],
        text => said::pieces(Block::text(text)),
    }
}

fn reply(
    message: &Raw<'_>,
    id: &str,
    at: Option<Timestamp>,
    answered: &mut Answered,
    bad: &mut dyn FnMut(String),
) -> Vec<Message> {
    let mut blocks = thoughts(message.thoughts);
    let said = parts(message.content, bad);
    blocks.extend(said.into_iter().filter(|block| !block.is_blank()));
    let mut results = Vec::new();
    for raw in json::array(message.tool_calls) {
        let call: Call<'_> = json::object(Some(raw));
        let Some(call_id) = call.id.get().filter(|id| !id.is_empty()) else {
            bad("a tool call without id".to_owned());
            continue;
        };
        let input = call.args.map_or("{}", RawValue::get);
        match Block::tool_call(call_id, call.name.get().unwrap_or_default(), input) {
            Ok(block) => blocks.push(block),
            Err(error) => bad(error.to_string()),
        }
        let failed = matches!(call.status.get(), Some("error" | "cancelled"));
        let outputs: Vec<String> = json::array(call.result)
            .into_iter()
            .filter_map(output)
            .collect();
        if (!outputs.is_empty() || failed) && answered.insert(call_id.into()) {
            results.push(Block::tool_result(call_id, &outputs.join("\n"), failed));
        }
    }
    let mut reply = Message::assistant(id, blocks);
    reply.at = at;
    reply.model = message.model.get().map(Into::into);
    reply.usage = message.tokens.map(|tokens| {
        let count = |count: Count| count.0.unwrap_or_default();
        let tokens = tokens.0;
        let output = count(tokens.output).saturating_add(count(tokens.thoughts));
        said::usage_within(count(tokens.input), count(tokens.cached), 0, output)
    });
    let mut messages = vec![reply];
    if !results.is_empty() {
        let mut message = Message::results(&format!("{id}.results"), results);
        message.at = at;
        messages.push(message);
    }
    messages
}

/// Thoughts as blocks of a kind that no provider takes: they were told, not signed.
fn thoughts(raw: Option<&RawValue>) -> Vec<Block> {
    json::array(raw)
        .into_iter()
        .filter_map(|raw| {
            let thought: Value = serde_json::from_str(raw.get()).ok()?;
            let block = object!({
                "type": "thought",
                "subject": thought.get("subject"),
                "description": thought.get("description"),
            });
            Block::from_json(&block.to_string()).ok()
        })
        .collect()
}

/// What a tool gave back, in words.
fn output(raw: &RawValue) -> Option<String> {
    let value: Value = serde_json::from_str(raw.get()).ok()?;
    let response = value.get("functionResponse")?.get("response")?;
    let words = ["output", "error", "content"]
        .iter()
        .find_map(|name| response.get(*name)?.as_str());
    Some(words.map_or_else(|| response.to_string(), str::to_owned))
}

/// Content as blocks: a string, or parts as the provider's API has them.
fn parts(content: Option<&RawValue>, bad: &mut dyn FnMut(String)) -> Vec<Block> {
    match content.and_then(|content| content.get().as_bytes().first()) {
        Some(b'[') => {
            let parts = json::array(content).into_iter();
            parts.filter_map(|raw| part(raw, bad)).collect()
        }
        _ => json::blocks(content, bad),
    }
}

fn part(raw: &RawValue, bad: &mut dyn FnMut(String)) -> Option<Block> {
    let value: Value = match serde_json::from_str(raw.get()) {
        Ok(value) => value,
        Err(error) => {
            bad(error.to_string());
            return None;
        }
    };
    if let Some(text) = value.as_str().or_else(|| value.get("text")?.as_str()) {
        return Some(Block::text(text));
    }
    if let Some(response) = value.get("functionResponse") {
        let call = response.get("id").and_then(Value::as_str)?;
        let failed = response
            .get("response")
            .is_some_and(|response| response.get("error").is_some());
        return Some(Block::tool_result(
            call,
            &output(raw).unwrap_or_default(),
            failed,
        ));
    }
    if let Some(data) = value.get("inlineData") {
        let source = object!({
            "type": "base64",
            "media_type": data.get("mimeType"),
            "data": data.get("data"),
        });
        let picture = object!({"type": "image", "source": source});
        return Block::from_json(&picture.to_string()).ok();
    }
    let whole = object!({"type": "part", "part": value});
    Block::from_json(&whole.to_string()).ok()
}
