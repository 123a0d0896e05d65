//! Huge results of tools, shortened for the model where the user wants that: the whole goes to a file that the rest names.

use memdir_context::escaped;
use memdir_memory::scrub;
use memdir_store::{Directory, PlainName};
use serde_json::Value;

use super::Client;
use super::answer::Reply;
use super::fragment::characters;
use super::scene::Scene;

/// Tools whose results are what the agent goes on to work with, letter by letter.
const EXACT: [&str; 5] = ["Read", "Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let over = scene.home.settings().hooks.shrink_over;
    let limit = usize::try_from(over).unwrap_or(usize::MAX);
    // Only of this client it is known that it takes another result.
    if limit == 0 || scene.client != Client::ClaudeCode || EXACT.contains(&scene.event.tool()) {
        return Reply::default();
    }
    Reply {
        output: shrunk(scene, limit),
        ..Reply::default()
    }
}

fn shrunk(scene: &Scene, limit: usize) -> Option<Value> {
    let mut response = scene.event.response()?.clone();
    let text = longest(&mut response)?;
    let all = characters(text);
    if all <= limit {
        return None;
    }
    let path = saved(scene, text)?;
    let half = limit / 2;
    let head: String = text.chars().take(half).collect();
    let tail: Vec<char> = text.chars().rev().take(half).collect();
    let tail: String = tail.into_iter().rev().collect();
    let left_out = all.saturating_sub(2 * half);
    let (head, tail) = (escaped(&head), escaped(&tail));
    *text = format!(
        "{head}\n\n[memdir left out {left_out} of {all} characters here; all of it is in {path}]\n\n{tail}"
    );
    Some(response)
}

/// The longest text of a result, wherever the tool puts it.
fn longest(value: &mut Value) -> Option<&mut String> {
    match value {
        Value::String(text) => Some(text),
        Value::Array(values) => values
            .iter_mut()
            .filter_map(longest)
            .max_by_key(|text| text.len()),
        Value::Object(fields) => fields
            .iter_mut()
            .filter_map(|(_, value)| longest(value))
            .max_by_key(|text| text.len()),
        _ => None,
    }
}

/// Keeps the whole, without secrets, beside the transcript, where cleared results are; its path.
fn saved(scene: &Scene, text: &str) -> Option<String> {
    let call = PlainName::new(scene.event.text("tool_use_id")).ok()?;
    let conversation = scene.event.transcript.as_ref()?.with_extension("");
    let folder = conversation.join("tool-results");
    let name = format!("{call}.txt");
    let kept = Directory::create(&folder)
        .and_then(|folder| folder.replace_file(&name, scrub(text).as_bytes()));
    scene.attempt("shrink", kept)?;
    Some(folder.join(name).to_string_lossy().into_owned())
}
