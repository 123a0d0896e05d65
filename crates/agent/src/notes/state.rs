//! How far the notes of conversations go, when they are due, and whether somebody is at them.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use memdir_context::NotesLimits;
use memdir_context::compaction::wait_for_notes;
use memdir_context::notes::{Due, Progress, due as due_by};
use memdir_conversation::{Conversation, Kind, Message, MessageId, Role, Source};
use memdir_store::process::{ProcessIdentity, ProcessState};
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::NotesError;
use crate::jobs::TIME_BOX;

/// How often it is looked whether an update has ended.
const LOOK: Duration = Duration::from_millis(50);

/// What is known of the notes of one conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The last message that they cover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covered: Option<String>,
    /// How many tokens the conversation had when a model was last asked for them, whatever came of it.
    pub tokens: u64,
    /// The last message that there was then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<String>,
    /// When they were last written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The update that is under way, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<Began>,
}

/// An update that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Began {
    /// When.
    pub at: Timestamp,
    /// By whom.
    process: ProcessIdentity,
}

impl Record for State {
    const KIND: &'static str = "notes";
    const VERSION: u64 = 1;
}

impl State {
    /// How long ago an update began that may still be under way.
    fn under_way(&self, now: Timestamp) -> Option<Duration> {
        let began = self.began.as_ref()?;
        let age = Duration::try_from(now.duration_since(began.at)).unwrap_or_default();
        let is_dead = || began.process.state() == ProcessState::Dead;
        (age < TIME_BOX && !is_dead()).then_some(age)
    }

    /// Remembers that a model was asked.
    pub(super) fn look(&mut self, tokens: u64, last: Option<&Message>) {
        self.tokens = tokens;
        self.looked = last.map(|last| last.id.to_string());
    }

    /// How far the conversation has come since: what the trigger looks at, after each reply.
    #[must_use]
    pub fn progress(&self, conversation: &Conversation, tokens: u64) -> Progress {
        let looked = self.looked.as_deref().map(MessageId::new);
        let place = looked.and_then(|looked| conversation.place(&looked));
        let after = place.map_or(0, |place| place + 1);
        let since = conversation.messages().get(after..).unwrap_or_default();
        // The compaction after the last update, if there was one: what it left is where it grows from.
        let compacted = since
            .iter()
            .rev()
            .find_map(|message| match &message.source {
                Source::Boundary(boundary) => Some(boundary.tokens_after.unwrap_or(0)),
                _ => None,
            });
        let tokens_then = match (compacted, place) {
            (Some(tokens), _) => tokens,
            (None, Some(_)) => self.tokens,
            // The branch that they are about was left.
            (None, None) => 0,
        };
        let visible = conversation.visible();
        let last = visible.iter().rev().find(|one| one.role == Role::Assistant);
        Progress {
            tokens,
            written: self.looked.is_some(),
            tokens_then,
            tool_calls: since.iter().map(calls).sum(),
            replied_with_tool_call: last.is_some_and(|last| calls(last) > 0),
        }
    }
}

/// Whether the notes of a conversation are due.
#[must_use]
pub fn due(
    state: Option<&State>,
    conversation: &Conversation,
    tokens: u64,
    limits: &NotesLimits,
) -> Due {
    let nothing = State::default();
    let state = state.unwrap_or(&nothing);
    due_by(&state.progress(conversation, tokens), limits)
}

fn calls(message: &Message) -> u64 {
    let mut calls = 0;
    for block in &message.blocks {
        calls += u64::from(matches!(block.kind(), Kind::ToolCall { .. }));
    }
    calls
}

/// What is known of the notes of a conversation, by its name.
///
/// # Errors
///
/// When the record cannot be read. One that is damaged counts as none: then nothing is known to be covered.
pub fn get(records: &Records, conversation: &str) -> Result<Option<State>, RecordError> {
    match records.get::<State>(conversation) {
        Ok(found) => Ok(found.map(|(state, _)| state)),
        Err(RecordError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Notes that results were cleared out of a conversation: what that left is where it grows from.
///
/// # Errors
///
/// When the record cannot be read or written.
pub fn cleared(records: &Records, conversation: &str, tokens: u64) -> Result<(), RecordError> {
    let known = get(records, conversation)?;
    if known.is_none_or(|state| state.tokens <= tokens) {
        return Ok(());
    }
    let lower = |state: Option<State>| {
        let state = state.unwrap_or_default();
        State {
            tokens: state.tokens.min(tokens),
            ..state
        }
    };
    records.update(conversation, lower).map(drop)
}

/// How long compaction waits for an update that is under way; `None` where it need not: none is, it began too long ago, or
/// its process is gone.
///
/// # Errors
///
/// When that cannot be read.
pub fn patience(
    records: &Records,
    conversation: &str,
    now: Timestamp,
) -> Result<Option<Duration>, RecordError> {
    let state = get(records, conversation)?;
    Ok(state
        .and_then(|state| state.under_way(now))
        .and_then(wait_for_notes))
}

/// Waits for an update that is under way, as long as [`patience`] says. What is known of the notes then.
///
/// # Errors
///
/// When that cannot be read.
pub fn waited_for(
    records: &Records,
    conversation: &str,
    now: Timestamp,
) -> Result<Option<State>, RecordError> {
    let begin = Instant::now();
    let most = patience(records, conversation, now)?.unwrap_or_default();
    loop {
        let state = get(records, conversation)?;
        let elapsed = begin.elapsed();
        let later = jiff::SignedDuration::try_from(elapsed).unwrap_or_default();
        let then = now.checked_add(later).unwrap_or(now);
        let is_under_way = state
            .as_ref()
            .is_some_and(|state| state.under_way(then).is_some());
        if !is_under_way || elapsed >= most {
            return Ok(state);
        }
        std::thread::sleep(LOOK);
    }
}

/// The right to update the notes of one conversation; given back when dropped.
#[derive(Debug)]
pub(super) struct UnderWay<'a> {
    records: &'a Records,
    conversation: &'a str,
    began: Began,
}

impl<'a> UnderWay<'a> {
    /// Takes it, unless somebody has it who is still at it.
    pub(super) fn begin(
        records: &'a Records,
        conversation: &'a str,
        now: Timestamp,
    ) -> Result<Self, NotesError> {
        let began = Began {
            at: now,
            process: ProcessIdentity::current(),
        };
        loop {
            let (state, seen) = match records.get::<State>(conversation) {
                Ok(Some((state, seen))) => (state, Some(seen)),
                Ok(None) | Err(RecordError::Damaged { .. }) => (State::default(), None),
                Err(error) => return Err(error.into()),
            };
            if let (Some(_), Some(other)) = (state.under_way(now), &state.began) {
                return Err(NotesError::UnderWay { since: other.at });
            }
            let begun = State {
                began: Some(began.clone()),
                ..state
            };
            match records.put(conversation, &begun, seen.as_ref()) {
                // Somebody was faster.
                Err(RecordError::Conflict { .. }) => {}
                put => {
                    put?;
                    return Ok(Self {
                        records,
                        conversation,
                        began,
                    });
                }
            }
        }
    }

    /// Ends it, and says what is known now.
    pub(super) fn end(self, change: impl FnOnce(&mut State)) -> Result<(), RecordError> {
        let mut ended = get(self.records, self.conversation)?.unwrap_or_default();
        change(&mut ended);
        ended.began = None;
        self.records
            .update(self.conversation, |_| ended.clone())
            .map(drop)
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let Ok(Some(state)) = get(self.records, self.conversation) else {
            return;
        };
        if state.began.as_ref() == Some(&self.began) {
            // Who cannot say so leaves a mark that is not believed after the time that work may take.
            let free = State {
                began: None,
                ..state
            };
            let _ = self.records.update(self.conversation, |_| free.clone());
        }
    }
}
