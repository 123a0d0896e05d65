//! A request as the Messages API takes it.

use std::sync::Arc;

use memdir_conversation::wire::anthropic::messages;

use crate::facts::{Facts, Thinks};
use crate::json::Fields;
use crate::request::{Body, Request, Thinking, Writing, array};

/// What context editing is called while not every version of the API has it.
const EDITING: &str = "context-management-2025-06-27";

/// The bytes of a request: what stays the same from request to request first.
pub(super) fn write(model: &str, facts: &Facts, request: &Request<'_>) -> Body {
    let messages = messages(request.messages, request.marks);
    let mut json = Writing::new(messages.len() + 4096);
    json.text("model", model);
    json.field("max_tokens", &request.most_output.to_string());
    json.field("stream", "true");
    if !request.tools.is_empty() {
        json.field("tools", &array(request.tools.iter().map(AsRef::as_ref)));
    }
    if !request.system.is_empty() {
        json.field(
            "system",
            &array(request.system.iter().map(|block| block.json())),
        );
    }
    if let Some(thinking) = thinking(facts, request.thinking) {
        json.field("thinking", &thinking);
    }
    if let Some(config) = output_config(request) {
        json.field("output_config", &config);
    }
    if let Some(editing) = request.context_editing {
        json.field("context_management", editing);
    }
    json.field("messages", &messages);
    for (name, value) in request.more {
        json.field(name, value);
    }
    let mut betas: Vec<String> = request.betas.iter().map(|&beta| beta.to_owned()).collect();
    if request.context_editing.is_some() && !betas.iter().any(|beta| beta == EDITING) {
        betas.push(EDITING.to_owned());
    }
    Body::raw(Arc::from(json.end()), betas, request.most_output)
}

/// What is said about thinking: nothing where the model has no choice.
fn thinking(facts: &Facts, asked: Thinking) -> Option<String> {
    match (facts.thinking, asked) {
        (Thinks::None, _) | (_, Thinking::Default) | (Thinks::Always, Thinking::Off) => None,
        (Thinks::Optional, Thinking::Off) => Some(r#"{"type":"disabled"}"#.to_owned()),
        (_, Thinking::Adaptive) => Some(r#"{"type":"adaptive"}"#.to_owned()),
        (_, Thinking::Budget(tokens)) => {
            Some(format!(r#"{{"type":"enabled","budget_tokens":{tokens}}}"#))
        }
    }
}

fn output_config(request: &Request<'_>) -> Option<String> {
    if request.effort.is_none() && request.format.is_none() {
        return None;
    }
    let mut config = Writing::new(256);
    if let Some(effort) = request.effort {
        config.text("effort", effort.as_str());
    }
    if let Some(format) = &request.format {
        let mut form = Writing::new(256);
        form.text("type", "json_schema");
        form.field("schema", format.schema);
        config.field("format", &form.end());
    }
    Some(config.end())
}

/// A body without some of its fields, the others byte for byte.
pub(super) fn without(json: &str, names: &[&str]) -> String {
    let Some(fields) = Fields::of(json) else {
        return json.to_owned();
    };
    let mut rest = Writing::new(json.len());
    for (name, value) in fields.iter().filter(|(name, _)| !names.contains(name)) {
        rest.field(name, value);
    }
    rest.end()
}
