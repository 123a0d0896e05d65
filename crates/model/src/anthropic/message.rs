//! A message of the API: its blocks, why it ended, what it cost.

use std::sync::Arc;

use memdir_conversation::wire::{Api, Wire};
use memdir_conversation::{Block, Usage};

use crate::error::Error;
use crate::json::{Fields, items};
use crate::price::Billed;
use crate::reply::{RateLimits, Reply, Stop};

/// A reply from a whole message.
pub(super) fn reply(
    json: &str,
    limits: RateLimits,
    unfinished: Vec<Arc<str>>,
) -> Result<Reply, Error> {
    const NONE: Error = Error::BadAnswer("it is no message");
    let fields = Fields::of(json).ok_or(NONE)?;
    if fields.string("type").as_deref() == Some("error") {
        return Err(super::failure::in_stream(&fields));
    }
    let content = fields.get("content").ok_or(NONE)?;
    let blocks = items(content)
        .ok_or(NONE)?
        .into_iter()
        .map(block)
        .collect::<Result<Vec<_>, _>>()?;
    let usage = fields.object("usage");
    let told = usage.is_some();
    let (usage, billed) = usage.as_ref().map(counted).unwrap_or_default();
    Ok(Reply {
        blocks,
        stop: stop(fields.string("stop_reason").as_deref()),
        usage,
        billed,
        counted: told,
        model: fields.string("model").map(Arc::from),
        unfinished,
        limits,
        wire: Wire {
            api: Api::Anthropic,
            json: json.into(),
        },
    })
}

/// A block, whatever it is.
pub(super) fn block(json: &str) -> Result<Block, Error> {
    Block::from_json(json).map_err(|_| Error::BadAnswer("a block is none"))
}

fn stop(reason: Option<&str>) -> Stop {
    match reason {
        Some("end_turn" | "stop_sequence") => Stop::End,
        Some("tool_use") => Stop::Tools,
        Some("max_tokens") => Stop::MostOutput,
        Some("model_context_window_exceeded") => Stop::WindowFull,
        Some("refusal") => Stop::Refusal,
        Some("pause_turn") => Stop::Pause,
        Some("compaction") => Stop::Compaction,
        other => Stop::Other(other.unwrap_or_default().to_owned()),
    }
}

/// What the conversation holds, and what is billed: where the provider took several passes, their sum.
pub(crate) fn counted(usage: &Fields<'_>) -> (Usage, Billed) {
    let own = one(usage);
    let passes = usage.get("iterations").and_then(items).unwrap_or_default();
    let mut sum: Option<Billed> = None;
    for pass in passes.into_iter().filter_map(Fields::of) {
        let pass = one(&pass);
        let sum = sum.get_or_insert_default();
        sum.usage.input += pass.usage.input;
        sum.usage.cache_read += pass.usage.cache_read;
        sum.usage.cache_write += pass.usage.cache_write;
        sum.usage.output += pass.usage.output;
        sum.cache_write_hour += pass.cache_write_hour;
    }
    (own.usage, sum.unwrap_or(own))
}

fn one(usage: &Fields<'_>) -> Billed {
    let hour = usage
        .object("cache_creation")
        .and_then(|writes| writes.number("ephemeral_1h_input_tokens"));
    Billed {
        usage: Usage {
            input: usage.number("input_tokens").unwrap_or(0),
            cache_read: usage.number("cache_read_input_tokens").unwrap_or(0),
            cache_write: usage.number("cache_creation_input_tokens").unwrap_or(0),
            output: usage.number("output_tokens").unwrap_or(0),
        },
        cache_write_hour: hour.unwrap_or(0),
    }
}
