//! The blocks of an answer, from what the script says.

use serde_json::{Value, json};

use super::script::{Block, Step};
use super::{cache, tokens};
use crate::oracle::Traits;

/// An answer before it has the shape of an API. Its blocks are those of the Messages API.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) content: Vec<Value>,
    pub(super) stop_reason: String,
    pub(super) output: u64,
}

/// Numbers for ids and signatures, one after the other, so that runs can be compared.
#[derive(Debug, Default)]
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn next(&mut self, prefix: &str) -> String {
        self.0 += 1;
        format!("{prefix}{:06}", self.0)
    }
}

pub(super) fn make(
    step: &Step,
    request: &Value,
    traits: &Traits,
    factor: f64,
    call_prefix: &str,
    numbers: &mut Numbers,
) -> Reply {
    let limit = ["max_tokens", "max_completion_tokens"]
        .iter()
        .find_map(|key| request.get(*key).and_then(Value::as_u64))
        .unwrap_or(u64::MAX);
    let mut left = (limit as f64 / factor) as u64;
    let mut content = Vec::new();
    let mut used = 0;
    let mut is_cut = limit == 0;
    for block in &step.reply {
        if is_cut {
            break;
        }
        let Some(mut value) = shaped(block, request, traits, call_prefix, numbers) else {
            continue;
        };
        let cost = cost(&value);
        if cost > left {
            is_cut = true;
            // Words can be cut anywhere; the rest is left out whole.
            match value.get_mut("text") {
                Some(text) => {
                    let kept =
                        tokens::beginning(text.as_str().unwrap_or_default(), left).to_owned();
                    used += tokens::of_text(&kept);
                    *text = kept.into();
                    content.push(value);
                }
                None => break,
            }
        } else {
            left -= cost;
            used += cost;
            content.push(value);
        }
    }
    let calls = content
        .iter()
        .any(|block| block.get("type").and_then(Value::as_str) == Some("tool_use"));
    let stop_reason = match &step.stop_reason {
        _ if is_cut => "max_tokens",
        Some(reason) => reason,
        None if calls => "tool_use",
        None => "end_turn",
    };
    Reply {
        content,
        stop_reason: stop_reason.to_owned(),
        output: step
            .output_tokens
            .unwrap_or_else(|| cache::scaled(used, factor)),
    }
}

/// What a block costs as output.
pub(super) fn cost(block: &Value) -> u64 {
    ["text", "thinking", "name", "input"]
        .iter()
        .filter_map(|key| block.get(*key))
        .map(tokens::of_value)
        .sum()
}

fn shaped(
    block: &Block,
    request: &Value,
    traits: &Traits,
    call_prefix: &str,
    numbers: &mut Numbers,
) -> Option<Value> {
    let mode = request.get("thinking");
    let field = |key: &str| mode.and_then(|mode| mode.get(key)).and_then(Value::as_str);
    // Where nobody asked for thinking there is none, whatever the script says.
    let thinks = traits.binds_thinking || matches!(field("type"), Some("enabled" | "adaptive"));
    match block {
        Block::Text(text) => Some(json!({"type": "text", "text": text})),
        Block::Thinking(thinking) => thinks.then(|| {
            let shown = match field("display") {
                Some("omitted") => false,
                Some(_) => true,
                None => !traits.binds_thinking,
            };
            let shown = if shown { thinking.as_str() } else { "" };
            json!({
                "type": "thinking",
                "thinking": shown,
                "signature": signature(thinking, request, numbers)
            })
        }),
        Block::RedactedThinking => thinks
            .then(|| json!({"type": "redacted_thinking", "data": signature("", request, numbers)})),
        Block::Call { tool, input, id } => {
            let id = id.clone().unwrap_or_else(|| numbers.next(call_prefix));
            Some(json!({"type": "tool_use", "id": id, "name": tool, "input": input}))
        }
        Block::Raw(value) => Some(value.clone()),
    }
}

fn signature(thinking: &str, request: &Value, numbers: &mut Numbers) -> String {
    let model = request
        .get("model")
        .map(Value::to_string)
        .unwrap_or_default();
    let number = numbers.next("");
    let hash = blake3::hash(format!("{number}\n{model}\n{thinking}").as_bytes());
    format!("sig_{number}_{hash}")
}
