//! A conversation that comes with the event, because its client keeps no file that others can read: written down until it was
//! looked at, and then removed.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_agent::private_words::{PrivateWords, without};
use memdir_memory::{PrivateSpans, hidden, scrub, secrets};
use memdir_store::{Directory, PlainName, Result};
use serde_json::{Value, json};

use super::scene::Scene;

/// The folder in the state of a memory directory.
const FOLDER: &str = "handed-over";
const SUFFIX: &str = ".jsonl";

/// Writes down the conversation of an event; where it is.
pub(super) fn write(scene: &Scene) -> Option<PathBuf> {
    let messages = scene.event.messages()?;
    let name = PlainName::new(&scene.event.conversation).ok()?;
    let name = format!("{name}{SUFFIX}");
    let folder = scene.home.store.state_directory().join(FOLDER);
    let text = lines(scene, messages);
    let written = Directory::create(&folder).and_then(|folder| {
        folder.replace_file(&name, text.as_bytes())?;
        Ok(())
    });
    scene.attempt("conversation", written)?;
    Some(folder.join(name))
}

/// Removes a conversation that was written down here, now that it was looked at. Whose transcript it is otherwise, it stays.
///
/// # Errors
///
/// When the disk refuses.
pub fn forget(state: &Path, transcript: &Path) -> Result<()> {
    let folder = state.join(FOLDER);
    let (Ok(beneath), Some(folder)) = (transcript.strip_prefix(&folder), Directory::open(&folder)?)
    else {
        return Ok(());
    };
    match beneath.to_str().map(PlainName::new) {
        Some(Ok(name)) => folder.remove(name.as_str()),
        _ => Ok(()),
    }
}

/// Takes out of every conversation that still waits here what may not be kept. A line that cannot be read goes.
///
/// # Errors
///
/// When the disk refuses.
pub fn scrub_all(state: &Path) -> Result<()> {
    let Some(folder) = Directory::open(&state.join(FOLDER))? else {
        return Ok(());
    };
    let mut names = Vec::new();
    folder.list(|entry| names.extend(String::from_utf8(entry.name.to_vec())))?;
    for name in names.iter().filter(|name| name.ends_with(SUFFIX)) {
        let Some(found) = folder.read(name, super::MAX_INPUT)? else {
            continue;
        };
        let text = String::from_utf8_lossy(&found.bytes);
        let line = |line: &str| {
            let value: Value = serde_json::from_str(line).ok()?;
            Some(format!("{}\n", scrubbed(&value)))
        };
        let lines: String = text.lines().filter_map(line).collect();
        if lines.as_bytes() != found.bytes {
            folder.replace_file(name, lines.as_bytes())?;
        }
    }
    Ok(())
}

/// The conversation in the form of Claude Code, without what is private, hidden or secret.
fn lines(scene: &Scene, messages: &[Value]) -> String {
    let mut lines = String::new();
    let mut parent = Value::Null;
    let mut add = |kind: &str, id: String, at: &Value, content: Value| {
        let at = at
            .as_i64()
            .and_then(|at| Timestamp::from_millisecond(at).ok());
        let line = json!({
            "type": kind,
            "uuid": id,
            "parentUuid": parent,
            "sessionId": scene.event.conversation,
            "cwd": scene.home.places.start_folder,
            "isSidechain": false,
            "timestamp": at.unwrap_or(scene.now),
            "message": {"id": id, "role": kind, "content": content},
        });
        parent = id.into();
        lines.push_str(&format!("{line}\n"));
    };
    let withheld = scene.home.pauses().of(&[&scene.event.conversation]);
    let mut turns = withheld.listen();
    // Whoever looks at it later finds no private word in it any more, and could not tell who repeats one.
    let private = said_in_private(messages);
    for (number, message) in messages.iter().enumerate() {
        let field = |name: &str| message.get(name).unwrap_or(&Value::Null);
        let id = match field("id").as_str() {
            Some(id) if !id.is_empty() => id.to_owned(),
            _ => format!("{}-{number}", scene.event.conversation),
        };
        let role = match field("role").as_str() {
            Some("assistant") => "assistant",
            _ => "user",
        };
        let time = field("time").as_i64();
        let time = time.and_then(|time| Timestamp::from_millisecond(time).ok());
        // What was said in a pause is not written down by us.
        if turns.is_withheld(role == "user", &id, time) {
            continue;
        }
        // What one part of a message opens another may close.
        let mut spans = PrivateSpans::default();
        let (mut said, mut results) = (Vec::new(), Vec::new());
        for part in field("parts").as_array().into_iter().flatten() {
            let field = |name: &str| part.get(name).unwrap_or(&Value::Null);
            let text = |name: &str| field(name).as_str().unwrap_or_default();
            let repeated = |name: &str| scrub(&without(text(name), &private)).into_owned();
            match field("type").as_str() {
                Some("text") => {
                    let text = match role {
                        "user" => typed(text("text"), &mut spans),
                        _ => repeated("text"),
                    };
                    said.push(json!({"type": "text", "text": text}));
                }
                Some("tool") => {
                    let call = field("id");
                    said.push(json!({"type": "tool_use", "id": call, "name": field("name"), "input": scrubbed(&unrepeated(field("input"), &private))}));
                    let failed = field("failed").as_bool().unwrap_or(false);
                    results.push(json!({"type": "tool_result", "tool_use_id": call, "is_error": failed, "content": repeated("output")}));
                }
                _ => {}
            }
        }
        if !said.is_empty() {
            add(role, id.clone(), field("time"), said.into());
        }
        if !results.is_empty() {
            add(
                "user",
                format!("{id}-results"),
                field("time"),
                results.into(),
            );
        }
    }
    lines
}

/// What the user typed in one part of a message, as it may be written down.
fn typed(text: &str, spans: &mut PrivateSpans) -> String {
    let seen = hidden::clean(text);
    let open = spans.cut(&seen.text);
    secrets::redact(&open).text.into_owned()
}

/// The words that the user said in private and nowhere else.
fn said_in_private(messages: &[Value]) -> HashSet<String> {
    let mut words = PrivateWords::default();
    let of = |value: &Value, name: &str| value.get(name).cloned().unwrap_or_default();
    for message in messages.iter().filter(|one| of(one, "role") != "assistant") {
        let mut spans = PrivateSpans::default();
        for part in of(message, "parts").as_array().into_iter().flatten() {
            let text = of(part, "text");
            let seen = hidden::clean(text.as_str().unwrap_or_default());
            words.hear(&seen.text, &spans.replace(&seen.text, "\n"));
        }
    }
    words.finish()
}

/// What a tool was called with, without what repeats a private word.
fn unrepeated(value: &Value, private: &HashSet<String>) -> Value {
    match value {
        Value::String(text) => without(text, private).into(),
        Value::Number(number) if without(&number.to_string(), private).is_empty() => Value::Null,
        Value::Array(values) => values.iter().map(|one| unrepeated(one, private)).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                (without(name, private), unrepeated(value, private))
            };
            fields.iter().map(field).collect()
        }
        other => other.clone(),
    }
}

/// What a tool was called with, every text in it as it may be written down. A secret may be one only by the name beside it.
fn scrubbed(value: &Value) -> Value {
    match value {
        Value::String(text) => scrub(text).into(),
        Value::Array(values) => values.iter().map(scrubbed).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let value = match value.as_str() {
                    Some(text) => named(name, text).into(),
                    None => scrubbed(value),
                };
                (scrub(name).into_owned(), value)
            };
            fields.iter().map(field).collect()
        }
        other => other.clone(),
    }
}

/// A text as it may be written down behind this name.
fn named(name: &str, text: &str) -> String {
    let start = format!("{name}: ");
    let line = format!("{start}{text}");
    match scrub(&line).strip_prefix(&start) {
        Some(text) => text.to_owned(),
        None => scrub(text).into_owned(),
    }
}
