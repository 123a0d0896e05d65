//! Messages of Chat Completions. They have no ids: each is named by its place and what it says. Each keeps the JSON that it came as.

use std::borrow::Cow;
use std::io::{Read, Seek};
use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json as object};

use super::document::{self, Item};
use super::json::{self, Lenient, Text};
use super::said::{self, Following};
use super::{ReadError, Report, Sink, Trouble};
use crate::wire::{Api, Wire};
use crate::{Block, Message, Role, Source};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Sent<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    tool_calls: Option<&'a RawValue>,
    #[serde(borrow)]
    function_call: Option<Lenient<Function<'a>>>,
    #[serde(borrow)]
    tool_call_id: Text<'a>,
    #[serde(borrow)]
    refusal: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Call<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    function: Lenient<Function<'a>>,
    #[serde(borrow)]
    custom: Lenient<Function<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Function<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Text<'a>,
    #[serde(borrow)]
    input: Text<'a>,
}

pub(super) fn read(
    from: impl Read + Seek,
    report: &mut Report,
    to: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let mut following = Following::default();
    document::read(from, &["tools"], report, &mut |item, report| {
        let (number, raw) = match item {
            Item::Message(number, raw) => (number, raw),
            Item::Field(name, raw) => {
                report.field(name, raw.get());
                return ControlFlow::Continue(());
            }
        };
        let Some(mut message) = message(number, raw, report) else {
            return ControlFlow::Continue(());
        };
        following.follow(&mut message);
        report.messages += 1;
        to(message)
    })
}

fn message(number: u64, raw: &RawValue, report: &mut Report) -> Option<Message> {
    let sent: Sent<'_> = match serde_json::from_str(raw.get()) {
        Ok(sent) => sent,
        Err(error) => {
            report.problem(number, Trouble::NotMessage(error.to_string()));
            return None;
        }
    };
    let mut bad = |why| report.problem(number, Trouble::Block(why));
    let (role, blocks) = match sent.role.get() {
        Some("assistant") => (Role::Assistant, reply(&sent, number, &mut bad)),
        Some("system" | "developer") => (Role::System, parts(sent.content, &mut bad)),
        Some("user") => (Role::User, parts(sent.content, &mut bad)),
        Some("tool" | "function") => (Role::User, vec![result(&sent, number, &mut bad)]),
        _ => {
            let why = Trouble::NotMessage("no role that is known".to_owned());
            report.problem(number, why);
            return None;
        }
    };
    let words = || {
        let words: Vec<_> = blocks.iter().filter_map(Block::words).collect();
        words.join("\n\n")
    };
    let source = match (role, sent.role.get()) {
        (Role::Assistant, _) => Source::Model,
        (Role::System, _) => Source::Reminder(said::reminded(&words())),
        (Role::User, Some("user")) => {
            // One message has one source here, for its bytes go back whole: all of it must be the host's.
            let words = words();
            match !words.is_empty()
                && blocks
                    .iter()
                    .flat_map(|block| said::pieces(block.clone()))
                    .all(|(source, _)| source != Source::User)
            {
                true => Source::Reminder(said::reminded(&words)),
                false => Source::User,
            }
        }
        _ => Source::Tool,
    };
    let mut message = Message::new(&document::id(number, raw), role, source, blocks);
    message.wire = Some(Wire {
        api: Api::OpenAi,
        json: raw.get().into(),
    });
    Some(message)
}

fn reply(sent: &Sent<'_>, number: u64, bad: &mut dyn FnMut(String)) -> Vec<Block> {
    let mut blocks = parts(sent.content, bad);
    blocks.extend(sent.refusal.get().map(Block::text));
    for raw in json::array(sent.tool_calls) {
        let call: Call<'_> = json::object(Some(raw));
        let function = match call.function.0.name.get() {
            Some(_) => &call.function.0,
            None => &call.custom.0,
        };
        match call.id.get().filter(|id| !id.is_empty()) {
            Some(id) => blocks.extend(called(id, function, bad)),
            None => bad("a tool call without id".to_owned()),
        }
    }
    if let Some(function) = &sent.function_call {
        // The old form has no ids; there is one call in a message, and its answer is the next.
        blocks.extend(called(&format!("call_m{number}"), &function.0, bad));
    }
    blocks
}

fn called(id: &str, function: &Function<'_>, bad: &mut dyn FnMut(String)) -> Option<Block> {
    let name = function.name.get().unwrap_or_default();
    let input = input(
        function
            .arguments
            .get()
            .or(function.input.get())
            .unwrap_or("{}"),
    );
    Block::tool_call(id, name, &input)
        .map_err(|error| bad(error.to_string()))
        .ok()
}

/// Arguments as an object. A model that wrote no JSON keeps its words.
pub(super) fn input(arguments: &str) -> Cow<'_, str> {
    let trimmed = arguments.trim();
    let is_object = trimmed.starts_with('{') && serde_json::from_str::<&RawValue>(trimmed).is_ok();
    match (is_object, trimmed.is_empty()) {
        (true, _) => Cow::Borrowed(trimmed),
        (false, true) => Cow::Borrowed("{}"),
        (false, false) => Cow::Owned(object!({"input": arguments}).to_string()),
    }
}

fn result(sent: &Sent<'_>, number: u64, bad: &mut dyn FnMut(String)) -> Block {
    let call = match sent.tool_call_id.get().filter(|id| !id.is_empty()) {
        Some(id) => id.to_owned(),
        None => format!("call_m{}", number.saturating_sub(1)),
    };
    let words: Vec<String> = parts(sent.content, bad)
        .iter()
        .map(|block| match block.words() {
            Some(words) => words.into_owned(),
            None => block.json().to_owned(),
        })
        .collect();
    Block::tool_result(&call, &words.join("\n"), false)
}

/// Content in parts, as blocks.
fn parts(content: Option<&RawValue>, bad: &mut dyn FnMut(String)) -> Vec<Block> {
    let Some(content) = content else {
        return Vec::new();
    };
    match content.get().as_bytes().first() {
        Some(b'[') => array(content, bad),
        Some(b'"') => json::blocks(Some(content), bad),
        _ => Vec::new(),
    }
}

fn array(content: &RawValue, bad: &mut dyn FnMut(String)) -> Vec<Block> {
    let mut blocks = Vec::new();
    for raw in json::array(Some(content)) {
        let picture = serde_json::from_str::<Value>(raw.get())
            .ok()
            .filter(|part| part.get("type").and_then(Value::as_str) == Some("image_url"))
            .and_then(|part| Some(picture(part.get("image_url")?.get("url")?.as_str()?)));
        let made = match picture {
            Some(picture) => Block::from_json(&picture),
            None => Block::from_json(raw.get()),
        };
        match made {
            Ok(block) => blocks.push(block),
            Err(error) => bad(error.to_string()),
        }
    }
    blocks
}

/// A picture by its address, or by its data where the address holds it.
pub(super) fn picture(url: &str) -> String {
    let data = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    let source = match data {
        Some((kind, data)) => object!({"type": "base64", "media_type": kind, "data": data}),
        None => object!({"type": "url", "url": url}),
    };
    object!({"type": "image", "source": source}).to_string()
}
