//! A run: a model asks for tools, reads what they answered, and goes on until it is done.

use std::borrow::Cow;

use memdir_conversation::wire::{Api, anthropic, openai};
use memdir_conversation::{Block, Flat, FlatMessage, Kind, Message, Role, Usage};
use memdir_memory::escaped;
use memdir_model::{Body, Cancel, Error, Reply, Stop};

use crate::{Answer, Bench, Call};

/// What a call is answered whose arguments did not arrive whole.
pub(crate) const BROKEN_OFF: &str =
    "the arguments of this call broke off, because the answer became too long: call again, shorter";
/// What is answered to a call that is no longer carried out.
const STOPPED: &str = "the run was stopped before this call";

/// A model at work on a bench.
#[derive(Debug, Clone)]
pub struct Run {
    /// In whose form messages are sent.
    pub api: Api,
    /// So many requests are made at most.
    pub most_turns: usize,
    /// Whether a reply of nothing but writes, all of which succeed, is the last: there is nothing left to say.
    pub ends_with_writes: bool,
    /// Stops it from anywhere.
    pub cancel: Cancel,
}

/// What became of a run.
#[derive(Debug)]
pub struct Ran<E> {
    /// How it ended.
    pub end: End<E>,
    /// What the provider counted, request by request.
    pub usage: Vec<Usage>,
    /// What was said behind the first request: the model's replies and the results of its tools.
    pub messages: Vec<Message>,
}

/// How a run ended.
#[derive(Debug)]
pub enum End<E> {
    /// The model had nothing more to do.
    Done,
    /// Its last reply held nothing but writes, and all succeeded.
    Written,
    /// It would have gone on, but had no turn left.
    OutOfTurns,
    /// Its answer was cut off, refused or taken over by the provider.
    Cut(Stop),
    /// Somebody asked to stop.
    Cancelled,
    /// A request failed.
    Failed(E),
}

impl<E> Ran<E> {
    /// Whether the model got to where it wanted.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.end, End::Done | End::Written)
    }
}

impl Run {
    /// Runs to its end. `send` makes a request and waits for the whole reply; whoever hands it in pays for it.
    pub fn run<E: From<Error>>(
        &self,
        bench: &mut Bench<'_>,
        first: Body,
        mut send: impl FnMut(&Body, &Cancel) -> Result<Reply, E>,
    ) -> Ran<E> {
        let mut ran = Ran {
            end: End::OutOfTurns,
            usage: Vec::new(),
            messages: Vec::new(),
        };
        let mut body = first;
        for turn in 1..=self.most_turns {
            if self.cancel.is_cancelled() {
                ran.end = End::Cancelled;
                return ran;
            }
            let reply = match send(&body, &self.cancel) {
                Ok(reply) => reply,
                Err(error) => {
                    ran.end = match self.cancel.is_cancelled() {
                        true => End::Cancelled,
                        false => End::Failed(error),
                    };
                    return ran;
                }
            };
            ran.usage.push(reply.billed.usage);
            let stop = reply.stop.clone();
            let unfinished = reply.unfinished.clone();
            let said = reply.into_message(&format!("run-{turn}"), None);
            let worked = self.work(bench, &said, &unfinished);
            let results = worked.results;
            ran.messages.push(said);
            if !results.is_empty() {
                let id = format!("run-{turn}-results");
                ran.messages.push(Message::results(&id, results));
            }
            if let Some(end) = self.end(&stop, worked.calls, worked.only_writes) {
                ran.end = end;
                return ran;
            }
            match followed(&body, self.api, &ran.messages, worked.calls > 0) {
                Some(next) => body = next,
                None => {
                    ran.end = End::Failed(Error::BadAnswer("it cannot be sent back").into());
                    return ran;
                }
            }
        }
        ran
    }

    /// Whether this was the last reply.
    fn end<E>(&self, stop: &Stop, calls: usize, only_writes: bool) -> Option<End<E>> {
        if self.cancel.is_cancelled() {
            return Some(End::Cancelled);
        }
        match stop {
            Stop::Refusal | Stop::WindowFull | Stop::Compaction => {
                return Some(End::Cut(stop.clone()));
            }
            // It goes on when its own words are sent back to it.
            Stop::Pause if calls == 0 => return None,
            Stop::MostOutput if calls == 0 => return Some(End::Cut(stop.clone())),
            _ => {}
        }
        match calls {
            0 => Some(End::Done),
            _ if only_writes && self.ends_with_writes => Some(End::Written),
            _ => None,
        }
    }

    /// Carries out the calls of a reply, in their order.
    fn work(
        &self,
        bench: &mut Bench<'_>,
        said: &Message,
        unfinished: &[impl AsRef<str>],
    ) -> Worked {
        let mut worked = Worked {
            results: Vec::new(),
            calls: 0,
            only_writes: true,
        };
        for block in &said.blocks {
            let Kind::ToolCall { id, name } = block.kind() else {
                continue;
            };
            worked.calls += 1;
            let answer = if self.cancel.is_cancelled() {
                Answer::error(STOPPED)
            } else if unfinished.iter().any(|broken| broken.as_ref() == &**id) {
                let broken = Call::new(name, serde_json::Value::Null);
                bench.log(
                    &broken,
                    "",
                    "the answer became too long, and its arguments broke off",
                );
                Answer::error(BROKEN_OFF)
            } else {
                bench.call(&Call::of(name, block))
            };
            worked.only_writes &= !answer.error && matches!(&**name, "Write" | "Edit");
            // What a tool has read must not speak as a host does.
            let text = escaped(&answer.text);
            worked
                .results
                .push(Block::tool_result(id, &text, answer.error));
        }
        worked
    }
}

struct Worked {
    results: Vec<Block>,
    calls: usize,
    only_writes: bool,
}

/// The request that goes on: the last reply and, if it called tools, their results behind what was sent.
fn followed(body: &Body, api: Api, messages: &[Message], answered: bool) -> Option<Body> {
    let new = match answered {
        true => messages.len().checked_sub(2)?,
        false => messages.len().checked_sub(1)?,
    };
    let behind: Vec<&Message> = messages.get(new..)?.iter().collect();
    body.followed_by(&as_sent(api, &behind)?)
}

/// Messages as a provider takes them, each as its JSON. A reply goes back as it came.
#[must_use]
pub fn as_sent(api: Api, messages: &[&Message]) -> Option<Vec<String>> {
    let flat: Vec<FlatMessage<'_>> = messages.iter().map(|message| flat(message)).collect();
    Some(match api {
        Api::Anthropic => flat.iter().map(anthropic::message).collect(),
        Api::OpenAi => {
            let all = openai::messages(&Flat {
                messages: flat,
                repairs: Vec::new(),
            });
            let inner = all.strip_prefix('[')?.strip_suffix(']')?;
            vec![inner.to_owned()]
        }
    })
}

fn flat(message: &Message) -> FlatMessage<'_> {
    // Providers send empty words now and then, and take none back.
    let said = message.blocks.iter().filter(|block| !block.is_blank());
    let blocks: Vec<_> = said.map(Cow::Borrowed).collect();
    let whole = message.role == Role::Assistant && blocks.len() == message.blocks.len();
    FlatMessage {
        role: message.role,
        blocks,
        alone: whole.then_some(message),
    }
}
