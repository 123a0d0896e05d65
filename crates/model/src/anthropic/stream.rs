//! A streamed message, put together again as the bytes that the provider would have sent in one piece.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{failure, message};
use crate::error::Error;
use crate::http::Reading;
use crate::json::{Fields, Unescaping, escaped, items, set};
use crate::reply::{Event, Piece, RateLimits, Raw, What};
use crate::sse::Frame;

const DISORDER: Error = Error::BadAnswer("its events are out of order");

/// A message while it comes.
#[derive(Default)]
pub(crate) struct Stream {
    /// The message as it began, with what was said about it since.
    message: Option<String>,
    blocks: BTreeMap<u64, Growing>,
    whole: BTreeMap<u64, String>,
    unfinished: Vec<Arc<str>>,
    limits: RateLimits,
    done: bool,
}

/// A block while it comes.
struct Growing {
    /// As it began.
    start: String,
    /// Strings that were added to, still escaped, by the name of their field.
    strings: BTreeMap<String, String>,
    /// The arguments of a call so far: the text of a JSON.
    arguments: String,
    arguments_unescaping: Unescaping,
    /// Citations that were added, as JSON.
    citations: Vec<String>,
    unescaping: Unescaping,
}

impl Reading for Stream {
    fn frame(&mut self, frame: Frame, to: &mut Vec<Event>) -> Result<(), Error> {
        let data = Fields::of(&frame.data).ok_or(Error::BadAnswer("an event is not JSON"))?;
        let kind = data.string("type").or(frame.event).unwrap_or_default();
        let what = match kind.as_str() {
            "message_start" => self.begin(&data)?,
            "content_block_start" => self.begin_block(&data)?,
            "content_block_delta" => self.grow(&data)?,
            "content_block_stop" => self.end_block(&data)?,
            "message_delta" => self.amend(&data)?,
            "message_stop" => self.end()?,
            "error" => return Err(failure::in_stream(&data)),
            // Signs of life, and what this version does not know.
            _ => What::Other,
        };
        to.push(Event {
            what,
            raw: Some(Raw(frame.data.into())),
        });
        Ok(())
    }

    fn whole(&mut self, body: &str, to: &mut Vec<Event>) -> Result<(), Error> {
        let body = body.trim();
        let reply = message::reply(body, self.limits, Vec::new())?;
        self.done = true;
        to.extend(reply.blocks.iter().map(|block| Event {
            what: What::Block(block.clone()),
            raw: None,
        }));
        to.push(Event {
            what: What::Done(Box::new(reply)),
            raw: Some(Raw(body.into())),
        });
        Ok(())
    }

    fn limits(&mut self, limits: RateLimits) {
        self.limits = limits;
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

impl Stream {
    fn begin(&mut self, data: &Fields<'_>) -> Result<What, Error> {
        let message = data.get("message").ok_or(DISORDER)?;
        let fields = Fields::of(message).ok_or(DISORDER)?;
        self.message = Some(message.to_owned());
        let usage = fields.object("usage");
        Ok(usage.map_or(What::Other, |usage| What::Usage(message::counted(&usage).0)))
    }

    fn begin_block(&mut self, data: &Fields<'_>) -> Result<What, Error> {
        let index = data.number("index").ok_or(DISORDER)?;
        let start = data.get("content_block").ok_or(DISORDER)?.to_owned();
        if Fields::of(&start).is_none() || self.message.is_none() {
            return Err(DISORDER);
        }
        let block = Growing {
            start,
            strings: BTreeMap::new(),
            arguments: String::new(),
            arguments_unescaping: Unescaping::default(),
            citations: Vec::new(),
            unescaping: Unescaping::default(),
        };
        self.blocks.insert(index, block);
        Ok(What::Other)
    }

    fn grow(&mut self, data: &Fields<'_>) -> Result<What, Error> {
        let index = data.number("index").ok_or(DISORDER)?;
        let block = self.blocks.get_mut(&index).ok_or(DISORDER)?;
        let delta = data.object("delta").ok_or(DISORDER)?;
        let kind = delta.string("type").unwrap_or_default();
        match kind.as_str() {
            "input_json_delta" => {
                let piece = delta.get("partial_json").and_then(escaped).unwrap_or("");
                let piece = block.arguments_unescaping.next(piece);
                let piece = piece.ok_or(Error::BadAnswer("arguments are not text"))?;
                block.arguments.push_str(&piece);
                return Ok(What::Other);
            }
            "citations_delta" => {
                block
                    .citations
                    .extend(delta.get("citation").map(str::to_owned));
                return Ok(What::Other);
            }
            _ => {}
        }
        // Every other delta, those to come included, adds to the strings of its block.
        for (name, value) in delta.iter().filter(|(name, _)| *name != "type") {
            if let Some(piece) = escaped(value) {
                let string = block.strings.entry(name.to_owned()).or_default();
                string.push_str(piece);
            }
        }
        let shown = match kind.as_str() {
            "text_delta" => delta.get("text"),
            "thinking_delta" => delta.get("thinking"),
            _ => None,
        };
        let Some(words) = shown.and_then(escaped) else {
            return Ok(What::Other);
        };
        let words = block.unescaping.next(words);
        let words = Piece(words.ok_or(Error::BadAnswer("words are not text"))?);
        Ok(match kind.as_str() {
            "text_delta" => What::Text(words),
            _ => What::Thinking(words),
        })
    }

    fn end_block(&mut self, data: &Fields<'_>) -> Result<What, Error> {
        let index = data.number("index").ok_or(DISORDER)?;
        let block = self.blocks.remove(&index).ok_or(DISORDER)?;
        let (json, finished) = block.end();
        let block = message::block(&json)?;
        if !finished {
            let fields = Fields::of(&json);
            let id = fields.and_then(|fields| fields.string("id"));
            self.unfinished.extend(id.map(Arc::from));
        }
        self.whole.insert(index, json);
        Ok(What::Block(block))
    }

    fn amend(&mut self, data: &Fields<'_>) -> Result<What, Error> {
        let message = self.message.as_mut().ok_or(DISORDER)?;
        for (name, value) in data.object("delta").iter().flat_map(Fields::iter) {
            set(message, name, value);
        }
        if let Some(context) = data.get("context_management") {
            set(message, "context_management", context);
        }
        let Some(usage) = data.object("usage") else {
            return Ok(What::Other);
        };
        // The sums so far: they replace what stood there.
        let before = Fields::of(message).and_then(|fields| fields.get("usage").map(str::to_owned));
        let mut sums = before.filter(|before| before != "null");
        let sums = sums.get_or_insert_with(|| "{}".to_owned());
        for (name, value) in usage.iter().filter(|(_, value)| *value != "null") {
            set(sums, name, value);
        }
        set(message, "usage", sums);
        let counted = Fields::of(sums).map(|sums| message::counted(&sums).0);
        Ok(What::Usage(counted.unwrap_or_default()))
    }

    fn end(&mut self) -> Result<What, Error> {
        let mut message = self.message.take().ok_or(DISORDER)?;
        if !self.blocks.is_empty() {
            return Err(Error::BadAnswer("a block has no end"));
        }
        let blocks: Vec<&str> = self.whole.values().map(String::as_str).collect();
        set(&mut message, "content", &format!("[{}]", blocks.join(",")));
        let unfinished = std::mem::take(&mut self.unfinished);
        let reply = message::reply(&message, self.limits, unfinished)?;
        self.done = true;
        Ok(What::Done(Box::new(reply)))
    }
}

impl Growing {
    /// The whole block, and whether its arguments are.
    fn end(self) -> (String, bool) {
        let mut block = self.start;
        for (name, more) in &self.strings {
            let before = Fields::of(&block).and_then(|fields| fields.get(name));
            let before = before.and_then(escaped).unwrap_or("");
            let value = format!("\"{before}{more}\"");
            set(&mut block, name, &value);
        }
        if !self.citations.is_empty() {
            let before = Fields::of(&block).and_then(|fields| items(fields.get("citations")?));
            let before = before.unwrap_or_default();
            let all: Vec<&str> = before
                .into_iter()
                .chain(self.citations.iter().map(String::as_str))
                .collect();
            let all = format!("[{}]", all.join(","));
            set(&mut block, "citations", &all);
        }
        if self.arguments.is_empty() {
            return (block, true);
        }
        // What broke off cannot be carried out; the empty object that the block began with stays.
        let whole = serde_json::from_str::<serde::de::IgnoredAny>(&self.arguments).is_ok();
        if whole {
            set(&mut block, "input", self.arguments.trim());
        }
        (block, whole)
    }
}
