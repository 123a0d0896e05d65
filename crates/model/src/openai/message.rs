//! A message of this API: its blocks, why it ended, what it cost.

use std::sync::Arc;

use memdir_conversation::wire::{Api, Wire};
use memdir_conversation::{Block, Usage};

use crate::json::{Fields, items};
use crate::price::Billed;
use crate::reply::{RateLimits, Reply, Stop};

/// Everything that belongs to an answer besides the message.
#[derive(Default)]
pub(super) struct Around {
    pub(super) finish: Option<String>,
    pub(super) model: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) limits: RateLimits,
}

/// A reply from a whole message.
pub(super) fn reply(json: &str, around: &Around) -> Reply {
    let fields = Fields::of(json);
    let mut blocks = Vec::new();
    let mut unfinished = Vec::new();
    if let Some(fields) = &fields {
        let words = fields.string("content").unwrap_or_default();
        if !words.is_empty() {
            blocks.push(Block::text(&words));
        }
        let calls = fields.get("tool_calls").and_then(items);
        for call in calls.unwrap_or_default() {
            let (block, finished) = tool_call(call);
            if !finished && let Some(id) = Fields::of(call).and_then(|call| call.string("id")) {
                unfinished.push(Arc::from(id));
            }
            blocks.extend(block);
        }
    }
    let refuses = fields.is_some_and(|fields| fields.string("refusal").is_some());
    let usage = around.usage.unwrap_or_default();
    Reply {
        blocks,
        stop: match around.finish.as_deref() {
            _ if refuses => Stop::Refusal,
            Some("stop") => Stop::End,
            Some("tool_calls" | "function_call") => Stop::Tools,
            Some("length") => Stop::MostOutput,
            Some("content_filter") => Stop::Refusal,
            other => Stop::Other(other.unwrap_or_default().to_owned()),
        },
        usage,
        billed: Billed {
            usage,
            cache_write_hour: 0,
        },
        counted: around.usage.is_some(),
        model: around.model.as_deref().map(Arc::from),
        unfinished,
        limits: around.limits,
        wire: Wire {
            api: Api::OpenAi,
            json: json.into(),
        },
    }
}

/// A call, and whether its arguments are whole.
fn tool_call(json: &str) -> (Option<Block>, bool) {
    let read = || {
        let call = Fields::of(json)?;
        let function = call.object("function")?;
        let arguments = function.string("arguments").unwrap_or_default();
        Some((call.string("id")?, function.string("name")?, arguments))
    };
    let Some((id, name, arguments)) = read() else {
        return (None, true);
    };
    let arguments = match arguments.trim() {
        "" => "{}",
        arguments => arguments,
    };
    match Block::tool_call(&id, &name, arguments) {
        Ok(block) => (Some(block), true),
        Err(_) => (Block::tool_call(&id, &name, "{}").ok(), false),
    }
}

/// What was counted: here the input includes what came from the cache.
pub(super) fn counted(usage: &Fields<'_>) -> Usage {
    let details = usage.object("prompt_tokens_details");
    let detail = |name: &str| {
        let found = details.as_ref().and_then(|details| details.number(name));
        found.unwrap_or(0)
    };
    let (read, write) = (detail("cached_tokens"), detail("cache_write_tokens"));
    let prompt = usage.number("prompt_tokens").unwrap_or(0);
    Usage {
        input: prompt.saturating_sub(read).saturating_sub(write),
        cache_read: read,
        cache_write: write,
        output: usage.number("completion_tokens").unwrap_or(0),
    }
}
