//! A turn of a conversation with memory: the code to copy for an agent of your own.
//!
//! The session has the memory, the window and the transcript; the bench has the tools and what they may do; the model
//! answers. What is left for a host is below: to send what it is given, to show what comes, and to hand it back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memdir_conversation::{Block, Kind};
use memdir_model::{Billed, Body, Cancel, Error, Event as Heard, Reply, Stop, What};
use memdir_session::{Event, Session};
use memdir_store::INBOX_FOLDER;
use memdir_tools::{Answer, Bench, Call};
use serde_json::json;

use super::spent::Spent;
use super::todos;

/// What is answered to calls that the user did not wait for.
const STOPPED: &str = "the user stopped the turn before this call";
/// What is answered to a call whose arguments did not arrive whole.
const BROKEN_OFF: &str =
    "the arguments of this call broke off, because the answer became too long: call again, shorter";

/// So many requests may a turn make: a model that calls tools for ever is stopped.
const MOST_REQUESTS: u64 = 200;
/// Why a turn ended that made as many.
pub(crate) const OUT_OF_REQUESTS: &str = "most_requests";
/// So many results of the largest size may come at once; behind them each has only so many bytes.
const RESULTS: usize = 2;
const LEAST_RESULT: usize = 1_000;

/// Whoever shows what happens in a turn.
pub(crate) trait Show {
    /// A request is about to be made.
    fn asking(&mut self, _compacts: bool) {}
    /// The provider asks to come back after this time; the request is sent again then.
    fn waiting(&mut self, _pause: Duration) {}
    /// The next words of the model.
    fn words(&mut self, piece: &str);
    /// The model has said all it wanted to say for now.
    fn said(&mut self) {}
    /// A tool is called.
    fn called(&mut self, call: &Call);
    /// It has answered.
    fn answered(&mut self, call: &Call, answer: &Answer);
    /// Memories were written by the model itself.
    fn wrote(&mut self, names: &[String]);
    /// Something happened beside what is said.
    fn events(&mut self, events: Vec<Event>);
}

/// What came of a turn.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    /// The model's last words.
    pub(crate) words: String,
    /// Why it said no more; none where the user stopped it.
    pub(crate) stop: Option<Stop>,
    /// How many requests were made.
    pub(crate) requests: u64,
    /// What the provider counted, also of what broke off.
    pub(crate) spent: Spent,
}

/// Why a turn did not come to its end. What was said until then stands in the conversation.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    /// What the user said was not taken: the window is full, the disk refuses.
    #[error(transparent)]
    Unsaid(memdir_session::Error),
    /// Something that came later could not be written down.
    #[error(transparent)]
    Session(#[from] memdir_session::Error),
    /// The model gave no answer.
    #[error(transparent)]
    Model(#[from] Error),
}

/// Two sides of a conversation: what it remembers, and what it may do.
pub(crate) struct Talk<'a, 'b> {
    pub(crate) session: &'a mut Session,
    pub(crate) bench: &'a mut Bench<'b>,
}

impl Talk<'_, '_> {
    /// Says something, and lets the model work until it has said its last word, or until somebody stops it. What came of
    /// it is noted as it comes.
    pub(crate) fn turn(
        &mut self,
        said: &str,
        cancel: &Cancel,
        show: &mut dyn Show,
        turn: &mut Turn,
    ) -> Result<(), Problem> {
        let events = self.session.user_message(said).map_err(Problem::Unsaid)?;
        self.show_waiting(&events)?;
        show.events(events);
        self.go_on(cancel, show, turn)
    }

    /// The same from where the conversation stands, such as after a provider that was not there.
    pub(crate) fn go_on(
        &mut self,
        cancel: &Cancel,
        show: &mut dyn Show,
        turn: &mut Turn,
    ) -> Result<(), Problem> {
        self.session.stop_with(cancel);
        self.bench.stop_with(cancel);
        loop {
            let reply = self.reply(cancel, show, turn)?;
            turn.stop = reply.as_ref().map(|reply| reply.stop.clone());
            let Some(reply) = reply else {
                return Ok(());
            };
            let wanted = Wanted::of(&reply);
            let pauses = reply.stop == Stop::Pause;
            // Before anything is done: who goes on after a crash knows what was wanted.
            self.session.replied(reply)?;
            if wanted.is_empty() && !pauses {
                break;
            }
            if !wanted.is_empty() {
                let results = self.work(&wanted, cancel, show);
                self.session.results(results)?;
                self.session.host().work.todos = todos::known(self.bench.todos());
                self.tell_written(show);
            }
            if cancel.is_cancelled() {
                turn.stop = None;
                return Ok(());
            }
            if turn.requests >= MOST_REQUESTS {
                turn.stop = Some(Stop::Other(OUT_OF_REQUESTS.to_owned()));
                break;
            }
        }
        show.events(self.session.turn_ended()?);
        Ok(())
    }

    fn tell_written(&mut self, show: &mut dyn Show) {
        let written = self.bench.take_written();
        let names: Vec<String> = written.iter().map(|path| path.to_string()).collect();
        if !names.is_empty() {
            show.wrote(&names);
        }
    }

    /// The model's next reply; none where the user stopped it.
    fn reply(
        &mut self,
        cancel: &Cancel,
        show: &mut dyn Show,
        turn: &mut Turn,
    ) -> Result<Option<Reply>, Problem> {
        show.asking(self.session.standing().compaction_due);
        let mut prepared = self.session.before_request()?;
        let mut is_shorter = false;
        loop {
            show.events(prepared.events);
            if cancel.is_cancelled() {
                return Ok(None);
            }
            turn.requests += 1;
            turn.words.clear();
            let heard = self.hear(&prepared.body, cancel, show, turn);
            show.said();
            match heard {
                Ok(reply) => return Ok(Some(reply)),
                // The provider counts otherwise than we do; it is believed once.
                Err(Error::TooLong { .. }) if !is_shorter => {
                    is_shorter = true;
                    show.asking(true);
                    prepared = self.session.after_too_long()?;
                }
                Err(error) => {
                    self.keep_words(&turn.words)?;
                    return match error {
                        Error::Cancelled => Ok(None),
                        error => Err(error.into()),
                    };
                }
            }
        }
    }

    /// Sends a request and shows what comes.
    fn hear(
        &self,
        body: &Body,
        cancel: &Cancel,
        show: &mut dyn Show,
        turn: &mut Turn,
    ) -> Result<Reply, Error> {
        let price = self.session.model().facts().price;
        // What was counted of an answer that breaks off is billed all the same.
        let mut counted = Billed::default();
        let mut broke_off = Error::Cut;
        for heard in self.session.model().send(body, cancel)? {
            let what = match heard {
                Ok(Heard { what, .. }) => what,
                Err(error) => {
                    broke_off = error;
                    break;
                }
            };
            match what {
                What::Text(piece) => {
                    turn.words.push_str(&piece.0);
                    show.words(&piece.0);
                }
                What::Waiting(pause) => show.waiting(pause),
                What::Usage(usage) => counted.usage = usage,
                What::Done(reply) => {
                    // A program prints its answer at its end, and nothing before.
                    if turn.words.is_empty() {
                        turn.words = reply.words();
                        show.words(&turn.words);
                    }
                    let price = price.filter(|_| reply.counted);
                    turn.spent.add(&Spent::of(&reply.billed, price));
                    return Ok(*reply);
                }
                _ => {}
            }
        }
        turn.spent.add(&Spent::of(&counted, price));
        Err(broke_off)
    }

    /// Carries out what a reply asks for.
    fn work(&mut self, wanted: &[Wanted], cancel: &Cancel, show: &mut dyn Show) -> Vec<Block> {
        // Many calls of one reply have little more room than one of them.
        let mut room = RESULTS * self.bench.most_result();
        let answer = |Wanted { id, call, is_whole }: &Wanted| {
            let answer = match (cancel.is_cancelled(), is_whole) {
                (true, _) => Answer::error(STOPPED),
                (false, false) => Answer::error(BROKEN_OFF),
                (false, true) => {
                    show.called(call);
                    let answer = self.bench.call(call).within(room.max(LEAST_RESULT));
                    room = room.saturating_sub(answer.text.len());
                    show.answered(call, &answer);
                    answer
                }
            };
            Block::tool_result(id, &answer.text, answer.error)
        };
        wanted.iter().map(answer).collect()
    }

    /// What the user has read of an answer that broke off stays said, so that both know of it.
    fn keep_words(&mut self, words: &str) -> Result<(), Problem> {
        if !words.trim().is_empty() {
            let said = vec![Block::text(words)];
            self.session.replied_with(said, None)?;
        }
        Ok(())
    }

    /// Memories that wait for the user's word reach the model as what they are: something that a tool has read.
    fn show_waiting(&mut self, events: &[Event]) -> Result<(), Problem> {
        let state = self.session.home().store.state_directory();
        let inbox = state.join(INBOX_FOLDER);
        let given = events.iter().filter_map(|event| match event {
            Event::Recalled(turn) => Some(&turn.given),
            _ => None,
        });
        let paths = given.flatten().map(|given| given.path.as_str());
        let waiting: Vec<&str> = paths
            .filter(|path| Path::new(path).starts_with(&inbox))
            .collect();
        // A program that answers reads nothing; to it they are only named.
        if waiting.is_empty() || self.session.model().api().is_none() {
            return Ok(());
        }
        let said = self.session.conversation().messages().len();
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for (number, path) in waiting.into_iter().enumerate() {
            let id = format!("toolu_waiting_{said}_{number}");
            let input = json!({ "file_path": path });
            let answer = self.bench.call(&Call::new("Read", input.clone()));
            calls.extend(Block::tool_call(&id, "Read", &input.to_string()));
            results.push(Block::tool_result(&id, &answer.text, answer.error));
        }
        self.session.replied_with(calls, None)?;
        Ok(self.session.results(results)?)
    }
}

/// A call that a reply asks for.
struct Wanted {
    id: Arc<str>,
    call: Call,
    /// Whether its arguments arrived whole.
    is_whole: bool,
}

impl Wanted {
    fn of(reply: &Reply) -> Vec<Self> {
        let calls = reply.blocks.iter().filter_map(|block| match block.kind() {
            Kind::ToolCall { id, name } => Some(Self {
                id: Arc::clone(id),
                call: Call::of(name, block),
                is_whole: !reply.unfinished.contains(id),
            }),
            _ => None,
        });
        calls.collect()
    }
}
