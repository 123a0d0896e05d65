//! The fork: the conversation's own last request once more, byte for byte, with its reply and one message of ours behind
//! it. What the provider cached of the first is read for the second.

use memdir_context::ExtractionPrompt;
use memdir_conversation::wire::Api;
use memdir_conversation::{Message, Role};
use memdir_model::{Body, Cancel};
use memdir_tools::{Bench, End, Powers, Rooms, Run, as_sent};

use super::manifest::manifest;
use super::shelf::Gathering;
use super::{ExtractError, Extractor, Proposed, TURNS, Talk};
use crate::origin::Window;

/// The longest answer of a fork. The conversation may ask for far longer ones, which would have to be paid for in
/// advance.
const ANSWER_TOKENS: u64 = 16_000;

/// The first request of a fork: its parent's bytes, the reply, and our message. The marks for the cache stay where the
/// parent had them.
#[must_use]
pub fn body(api: Api, parent: &Body, reply: Option<&Message>, prompt: &str) -> Option<Body> {
    let asked = Message::user("fork", prompt);
    let behind: Vec<&Message> = reply.into_iter().chain([&asked]).collect();
    let written = as_sent(api, &behind)?;
    let body = parent.with_at_most(ANSWER_TOKENS);
    body.followed_by(&written)
}

/// What the fork is told.
pub(super) fn prompt(extractor: &Extractor<'_>, messages: usize) -> Result<String, ExtractError> {
    let store = extractor.keeper.store;
    let directory = store.memory_directory().to_string_lossy();
    let manifest = manifest(store)?;
    let prompt = ExtractionPrompt {
        directory: &directory,
        messages,
        turns: TURNS,
        manifest: &manifest,
        team: extractor.keeper.team,
        guidelines: extractor.guidelines,
    };
    Ok(prompt.for_fork()?)
}

pub(super) fn run(
    extractor: &Extractor<'_>,
    talk: &Talk<'_>,
    parent: &Body,
    cancel: &Cancel,
) -> Result<Proposed, ExtractError> {
    let unusable =
        || ExtractError::Answer("the conversation's last request has no messages".into());
    let api = extractor.model.api().ok_or_else(unusable)?;
    let reply = talk.visible.last().copied();
    let reply = reply.filter(|message| message.role == Role::Assistant);
    let prompt = prompt(extractor, talk.messages)?;
    let first = body(api, parent, reply, &prompt).ok_or_else(unusable)?;

    let store = extractor.keeper.store;
    let rooms = Rooms::new(extractor.folder, store.memory_directory())?;
    let mut shelf = Gathering::new(store, extractor.keeper.team);
    let mut bench = Bench::new(rooms, &mut shelf, Powers::Memory).with_withheld(extractor.withheld);
    let run = Run {
        api,
        most_turns: TURNS,
        ends_with_writes: true,
        cancel: cancel.clone(),
    };
    let ran = run.run(&mut bench, first, |body, cancel| {
        extractor.send(body, cancel)
    });
    let denied = bench.denied().to_vec();
    drop(bench);
    let ended = match ran.end {
        End::Done => "done",
        End::Written => "written",
        End::OutOfTurns => "out of turns",
        End::Cut(_) => "cut off",
        End::Cancelled => return Err(ExtractError::Cancelled),
        End::Failed(error) => return Err(error.into()),
    };
    // What the fork itself has read counts as shown to it, like all that its parent was.
    let shown = talk.visible.iter().copied().chain(&ran.messages);
    let window = Window::of(shown, extractor.trust, &|file| extractor.is_own(file));
    Ok(Proposed {
        suggestions: shelf.suggestions(talk.visible),
        window,
        denied,
        usage: ran.usage,
        ended: ended.to_owned(),
        unseen: 0,
    })
}
