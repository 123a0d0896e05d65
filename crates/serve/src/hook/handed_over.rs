//! A conversation that comes with the event, because its client keeps no file that others can read: written down until it was
//! looked at, and then removed.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_memory::without_private;
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

/// The conversation in the form of Claude Code, without what is private.
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
        let (mut said, mut results) = (Vec::new(), Vec::new());
        for part in field("parts").as_array().into_iter().flatten() {
            let field = |name: &str| part.get(name).unwrap_or(&Value::Null);
            let text = |name: &str| without_private(field(name).as_str().unwrap_or_default());
            match field("type").as_str() {
                Some("text") => said.push(json!({"type": "text", "text": text("text")})),
                Some("tool") => {
                    let call = field("id");
                    said.push(json!({"type": "tool_use", "id": call, "name": field("name"), "input": field("input")}));
                    let failed = field("failed").as_bool().unwrap_or(false);
                    results.push(json!({"type": "tool_result", "tool_use_id": call, "is_error": failed, "content": text("output")}));
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
