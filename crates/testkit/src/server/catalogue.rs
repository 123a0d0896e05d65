//! The list of models.

use serde_json::{Value, json};

use super::refusal::Api;
use super::script::Script;

/// Those that are listed if the script names none.
const USUAL: [&str; 5] = [
    "claude-fable-5-2",
    "claude-opus-5-5",
    "claude-opus-4-8",
    "claude-sonnet-5-5",
    "claude-haiku-4-5",
];

/// All models, or the one with this name.
pub(super) fn answer(script: &Script, api: Api, name: Option<&str>) -> Option<Value> {
    let names: Vec<&str> = if script.models.is_empty() {
        USUAL.to_vec()
    } else {
        script.models.keys().map(String::as_str).collect()
    };
    if let Some(name) = name {
        return names.contains(&name).then(|| one(script, api, name));
    }
    let list: Vec<Value> = names.iter().map(|name| one(script, api, name)).collect();
    Some(match api {
        Api::OpenAi => json!({"object": "list", "data": list}),
        Api::Anthropic => json!({
            "data": list,
            "has_more": false,
            "first_id": names.first(),
            "last_id": names.last()
        }),
    })
}

fn one(script: &Script, api: Api, name: &str) -> Value {
    let traits = script.traits(name);
    match api {
        Api::OpenAi => json!({"id": name, "object": "model", "created": 0, "owned_by": "test"}),
        Api::Anthropic => json!({
            "type": "model",
            "id": name,
            "display_name": name,
            "created_at": "2026-01-01T00:00:00Z",
            "max_input_tokens": traits.window,
            "max_tokens": traits.longest_output,
            "capabilities": {"context_management": {"compact_20260112": {"supported": false}}}
        }),
    }
}
