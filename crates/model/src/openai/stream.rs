//! A streamed answer of Chat Completions.

use memdir_conversation::Usage;

use super::failure;
use super::merge::Part;
use super::message::{self, Around};
use crate::error::Error;
use crate::http::Reading;
use crate::json::{Fields, Unescaping, escaped, items};
use crate::reply::{Event, Piece, RateLimits, Raw, What};
use crate::sse::Frame;

/// What stands behind the last event.
const END: &str = "[DONE]";
/// Where servers put what a model thinks.
const THOUGHTS: [&str; 2] = ["reasoning_content", "reasoning"];

/// A message while it comes.
pub(crate) struct Stream {
    message: Part,
    around: Around,
    words: Unescaping,
    thoughts: Unescaping,
    done: bool,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            message: Part::object(),
            around: Around::default(),
            words: Unescaping::default(),
            thoughts: Unescaping::default(),
            done: false,
        }
    }
}

impl Reading for Stream {
    fn frame(&mut self, frame: Frame, to: &mut Vec<Event>) -> Result<(), Error> {
        let mut says = Vec::new();
        if frame.data.trim() == END {
            let json = self.message.json();
            self.done = true;
            says.push(What::Done(Box::new(message::reply(&json, &self.around))));
        } else {
            let data = Fields::of(&frame.data).ok_or(Error::BadAnswer("an event is not JSON"))?;
            if data.get("error").is_some_and(|error| error != "null") {
                return Err(failure::judge(status(&data), &frame.data, None));
            }
            self.chunk(&data, &mut says)?;
        }
        if says.is_empty() {
            says.push(What::Other);
        }
        let mut raw = Some(Raw(frame.data.into()));
        to.extend(says.into_iter().map(|what| Event {
            what,
            raw: raw.take(),
        }));
        Ok(())
    }

    fn whole(&mut self, body: &str, to: &mut Vec<Event>) -> Result<(), Error> {
        const NONE: Error = Error::BadAnswer("it is no completion");
        let body = body.trim();
        let data = Fields::of(body).ok_or(NONE)?;
        if data.get("error").is_some_and(|error| error != "null") {
            return Err(failure::judge(status(&data), body, None));
        }
        self.note(&data);
        let choices = data.get("choices").and_then(items).ok_or(NONE)?;
        let choice = choices.first().and_then(|choice| Fields::of(choice));
        let choice = choice.ok_or(NONE)?;
        self.around.finish = choice.string("finish_reason");
        let message = choice.get("message").ok_or(NONE)?;
        let reply = message::reply(message, &self.around);
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
        self.around.limits = limits;
    }

    fn is_done(&self) -> bool {
        self.done
    }
}

impl Stream {
    fn chunk(&mut self, data: &Fields<'_>, says: &mut Vec<What>) -> Result<(), Error> {
        let choices = data.get("choices").and_then(items);
        let choices = choices.ok_or(Error::BadAnswer("an event is no part of a completion"))?;
        // One answer was asked for: the first choice is it.
        if let Some(choice) = choices.first().and_then(|choice| Fields::of(choice)) {
            if let Some(delta) = choice.get("delta").filter(|delta| *delta != "null") {
                self.message.add(delta);
                self.shown(delta, says)?;
            }
            if let Some(finish) = choice.string("finish_reason") {
                self.around.finish = Some(finish);
            }
        }
        if let Some(usage) = self.note(data) {
            says.push(What::Usage(usage));
        }
        Ok(())
    }

    fn shown(&mut self, delta: &str, says: &mut Vec<What>) -> Result<(), Error> {
        let delta = Fields::of(delta).ok_or(Error::BadAnswer("a piece is not JSON"))?;
        let thought = THOUGHTS.iter().find_map(|name| escaped(delta.get(name)?));
        if let Some(thought) = thought.filter(|thought| !thought.is_empty()) {
            let thought = self.thoughts.next(thought);
            let thought = thought.ok_or(Error::BadAnswer("words are not text"))?;
            says.push(What::Thinking(Piece(thought)));
        }
        let words = delta.get("content").and_then(escaped);
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            let words = self.words.next(words);
            let words = words.ok_or(Error::BadAnswer("words are not text"))?;
            says.push(What::Text(Piece(words)));
        }
        Ok(())
    }

    /// What stands around the message; the count, if there is a new one.
    fn note(&mut self, data: &Fields<'_>) -> Option<Usage> {
        if self.around.model.is_none() {
            self.around.model = data.string("model");
        }
        let usage = message::counted(&data.object("usage")?);
        self.around.usage = Some(usage);
        Some(usage)
    }
}

/// The status that an error in the middle of a stream names, where it does.
fn status(data: &Fields<'_>) -> u16 {
    let error = data.object("error");
    let code = error.and_then(|error| error.number("code"));
    code.and_then(|code| u16::try_from(code).ok())
        .unwrap_or(500)
}
