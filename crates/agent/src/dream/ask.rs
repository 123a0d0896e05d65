//! The dream of a model: a fork of the conversation that set it off, or by hand a prompt of its own.

use std::path::{Component, Path};
use std::sync::Arc;

use memdir_context::DreamPrompt;
use memdir_conversation::wire::Api;
use memdir_conversation::{Block, Flattening, Kind, Message, Role, flatten};
use memdir_memory::private_spans;
use memdir_model::{Body, Cancel, Model, Request};
use memdir_tools::{Bench, Denied, End, Place, Powers, Rooms, Run, TOOLS};
use serde_json::Value;

use super::copy::Copy;
use super::draft::{Draft, Snapshot};
use super::progress::Teller;
use super::settle::Wishes;
use super::{DreamError, PURPOSE};
use crate::extract::{Talk, fork, manifest};
use crate::forking::{FOR_MEMORIES, offers};
use crate::origin::{Trust, Window};
use crate::{Meter, MeterError};

/// So many requests a dream makes at most.
pub const TURNS: usize = 40;
/// The longest answer.
const ANSWER_TOKENS: u64 = 16_000;
/// What a model is told before everything, where there is no conversation.
const SYSTEM: &str =
    "You keep the memories of another agent in order, with the tools that you are given.";

/// The model that dreams, and what it works with.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Who is asked.
    pub model: &'a dyn Model,
    /// What it may cost, and where that is written down.
    pub meter: &'a Meter,
    /// The folder in which the conversation works.
    pub folder: &'a Path,
    /// The conversation that set it off.
    pub talk: Option<Talk<'a>>,
    /// How strictly results of tools in it are judged.
    pub trust: Trust,
    /// Whether the project's repository tracks a file.
    pub is_tracked: &'a dyn Fn(&str) -> bool,
    /// The folders with transcripts of the project.
    pub transcripts: &'a [String],
    /// Whether a file tells of a conversation that was paused: no background model is shown it.
    pub withheld: &'a dyn Fn(&Path) -> bool,
    /// What the user's organisation adds.
    pub guidelines: Option<&'a str>,
}

impl std::fmt::Debug for Asked<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Asked")
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

/// What a model made of it.
pub(super) struct Answered<'a> {
    pub(super) wishes: Wishes<'a>,
    pub(super) denied: Vec<Denied>,
    /// How it ended, where that was not its own decision.
    pub(super) unfinished: Option<String>,
}

impl Asked<'_> {
    /// Lets the model work on a copy of the draft.
    pub(super) fn run<'s>(
        &self,
        draft: &Draft,
        snapshot: &'s Snapshot,
        logs: &[String],
        dream: (&'s Path, Option<&'s str>, u64),
        teller: &Teller<'_>,
        cancel: &Cancel,
    ) -> Result<Answered<'s>, DreamError> {
        let (directory, conversation, max_loss) = dream;
        let api = self.model.api().ok_or(DreamError::NoTools)?;
        let parent = self.parent();
        let prompt = DreamPrompt {
            directory: &directory.to_string_lossy(),
            fork: parent.is_some(),
            manifest: &manifest_of(draft),
            logs,
            transcripts: self.transcripts,
            turns: TURNS,
            max_loss,
            guidelines: self.guidelines,
        };
        let first = self.first(api, parent, &prompt.render()?)?;
        let rooms = Rooms::new(self.folder, directory)?;
        let mut copy = Copy::of(draft, &snapshot.others, teller);
        let mut bench =
            Bench::new(rooms.clone(), &mut copy, Powers::Memory).with_withheld(self.withheld);
        let run = Run {
            api,
            most_turns: TURNS,
            ends_with_writes: false,
            cancel: cancel.clone(),
        };
        let price = self.model.facts().price;
        let ran = run.run(&mut bench, first, |body, cancel| {
            if cancel.is_cancelled() {
                return Err(MeterError::from(memdir_model::Error::Cancelled));
            }
            let sent = self.meter.send(self.model, PURPOSE, body, cancel)?;
            let reply = sent.whole()?;
            teller.answered(&reply, price);
            Ok(reply)
        });
        let denied = bench.denied().to_vec();
        drop(bench);
        let unfinished = match ran.end {
            End::Done | End::Written => None,
            End::OutOfTurns => Some(format!("it wanted more than {TURNS} requests")),
            End::Cut(_) => Some("its answer was cut off".to_owned()),
            End::Cancelled => return Err(DreamError::Stopped),
            End::Failed(error) => return Err(error.into()),
        };
        let mixed_by = self
            .heard(parent.is_some(), directory)
            .or_else(|| looked_elsewhere(&ran.messages, &rooms));
        Ok(Answered {
            wishes: Wishes {
                wishes: copy.wishes(),
                mixed_by,
                others: &snapshot.others,
                conversation,
            },
            denied,
            unfinished,
        })
    }

    /// The request that is repeated, if one can be: by the same model, with the tools, and with nothing private in it.
    fn parent(&self) -> Option<(&Body, Option<&Message>)> {
        let talk = self.talk.as_ref()?;
        let parent = talk.parent?;
        let private = |message: &&&Message| !private_spans(&message.words()).is_empty();
        if parent.model().as_deref() != Some(self.model.name())
            || !offers(parent, &FOR_MEMORIES)
            || talk.visible.iter().any(|message| private(&message))
        {
            return None;
        }
        let reply = talk.visible.last().copied();
        Some((parent, reply.filter(|last| last.role == Role::Assistant)))
    }

    fn first(
        &self,
        api: Api,
        parent: Option<(&Body, Option<&Message>)>,
        prompt: &str,
    ) -> Result<Body, DreamError> {
        let unusable = memdir_model::Error::BadAnswer("its request has no messages");
        if let Some((parent, reply)) = parent {
            let body = fork::body(api, parent, reply, prompt);
            return Ok(body.ok_or(unusable).map_err(MeterError::from)?);
        }
        let system = [Block::text(SYSTEM)];
        let tools: Vec<Arc<str>> = TOOLS.iter().map(|tool| tool.json().into()).collect();
        let asked = Message::user("dream", prompt);
        let flat = flatten(&[&asked], &Flattening::default());
        let request = Request {
            system: &system,
            tools: &tools,
            // What every further request repeats is read from the provider's cache.
            marks: &[0],
            ..Request::new(&flat, ANSWER_TOKENS.min(self.model.facts().output.max(1)))
        };
        Ok(self.model.body(&request).map_err(MeterError::from)?)
    }

    /// What in the conversation may be somebody else's word.
    fn heard(&self, forked: bool, memory: &Path) -> Option<String> {
        let talk = self.talk.as_ref().filter(|_| forked)?;
        let goes_up = |part: Component<'_>| part == Component::ParentDir;
        let is_own = |file: &str| match Path::new(file).strip_prefix(memory) {
            _ if Path::new(file).components().any(goes_up) => false,
            Ok(beneath) => !beneath.starts_with("team"),
            Err(_) => (self.is_tracked)(file),
        };
        let window = Window::of(talk.visible.iter().copied(), self.trust, &is_own);
        window.mixed_by().map(str::to_owned)
    }
}

/// The memories that there are, a line each, the newest first.
fn manifest_of(draft: &Draft) -> String {
    let mut files: Vec<_> = draft
        .files
        .iter()
        .filter(|(path, _)| !path.is_index())
        .collect();
    files.sort_by_key(|(_, item)| std::cmp::Reverse(item.mtime.unwrap_or(i64::MAX)));
    let lines = files.iter().take(memdir_recall::MANIFEST_LINES);
    let line = lines.map(|(path, item)| {
        let header = memdir_memory::Header::read(&item.text);
        manifest::line(path, &header, item.mtime.unwrap_or_default())
    });
    line.collect::<Vec<_>>().join("\n")
}

/// By which tool the model looked at something that is neither a memory nor a log.
fn looked_elsewhere(messages: &[Message], rooms: &Rooms) -> Option<String> {
    let blocks = messages.iter().flat_map(|message| &message.blocks);
    for block in blocks {
        let Kind::ToolCall { name, .. } = block.kind() else {
            continue;
        };
        let input = block
            .input()
            .and_then(|input| serde_json::from_str::<Value>(input).ok());
        let path = |key| input.as_ref()?.get(key)?.as_str();
        let path = match &**name {
            "Write" | "Edit" => continue,
            "Read" => path("file_path"),
            "Grep" | "Glob" => path("path"),
            _ => None,
        };
        let place = path.and_then(|path| rooms.place(path).ok());
        match place {
            Some(Place::Memory(path)) if !path.as_str().starts_with("team/") => {}
            Some(Place::MemoryFolder(_)) => {}
            _ => return Some(name.to_string()),
        }
    }
    None
}
