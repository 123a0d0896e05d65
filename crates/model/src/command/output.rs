//! What an agent printed, as a reply.

use std::sync::Arc;

use memdir_conversation::wire::{Api, Wire};
use memdir_conversation::{Block, Usage};

use crate::anthropic::counted;
use crate::error::Error;
use crate::json::Fields;
use crate::price::Billed;
use crate::reply::{Event, RateLimits, Raw, Reply, Stop, What};

/// What an agent prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Its answer.
    Text,
    /// A JSON object with the answer in it.
    Claude,
}

impl Form {
    /// The events of a whole output.
    pub(super) fn read(self, printed: &str) -> Result<Vec<Event>, Error> {
        let (words, usage, billed) = match self {
            Self::Text => (
                printed.trim().to_owned(),
                Usage::default(),
                Billed::default(),
            ),
            Self::Claude => claude(printed)?,
        };
        let block = Block::text(&words);
        let reply = Reply {
            wire: Wire {
                api: Api::Anthropic,
                json: format!(r#"{{"role":"assistant","content":[{}]}}"#, block.json()).into(),
            },
            blocks: vec![block.clone()],
            stop: Stop::End,
            usage,
            billed,
            counted: self == Self::Claude,
            model: None,
            unfinished: Vec::new(),
            limits: RateLimits::default(),
        };
        Ok(vec![
            Event {
                what: What::Block(block),
                raw: None,
            },
            Event {
                what: What::Done(Box::new(reply)),
                raw: Some(Raw(Arc::from(printed))),
            },
        ])
    }
}

/// Claude Code's answer: words, or JSON where a schema was given.
fn claude(printed: &str) -> Result<(String, Usage, Billed), Error> {
    const NONE: Error = Error::BadAnswer("the agent printed no result");
    let fields = Fields::of(printed.trim()).ok_or(NONE)?;
    if fields.get("is_error") == Some("true") {
        return Err(Error::BadAnswer("the agent reports an error"));
    }
    let structured = fields
        .get("structured_output")
        .filter(|value| *value != "null");
    let words = match structured {
        Some(json) => json.to_owned(),
        None => fields.string("result").ok_or(NONE)?,
    };
    let usage = fields.object("usage");
    let (usage, billed) = usage.as_ref().map(counted).unwrap_or_default();
    Ok((words, usage, billed))
}
