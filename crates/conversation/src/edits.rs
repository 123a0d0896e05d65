//! What is sent differently from how it was said, decided once and for good.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::{Block, Kind, Message, MessageId, Source};

/// What micro-compaction took out of a conversation. The messages themselves stay whole; these values say what goes in
/// their place, the same bytes in every request from then on.
///
/// A result goes by its message and its call: some clients give an id of a call twice, and the later result is another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// In the order in which they were cleared: a message has few.
    cleared: BTreeMap<MessageId, Vec<Marked>>,
    faded: BTreeMap<MessageId, Arc<str>>,
    thoughtless: BTreeSet<MessageId>,
}

/// A call, and what is sent in place of its result.
type Marked = (Arc<str>, Arc<str>);

impl Edits {
    /// Nothing is sent differently.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends `marker` in place of what a tool answered to this call in this message. The first marker stays.
    pub fn clear(&mut self, message: &MessageId, call: &str, marker: &str) {
        let calls = self.cleared.entry(message.clone()).or_default();
        if !calls.iter().any(|(known, _)| &**known == call) {
            calls.push((call.into(), marker.into()));
        }
    }

    /// Sends `marker` in place of a reminder. The first marker stays.
    pub fn fade(&mut self, reminder: &MessageId, marker: &str) {
        self.faded
            .entry(reminder.clone())
            .or_insert_with(|| marker.into());
    }

    /// Leaves the thinking of this message out, because what it was bound to has changed.
    pub fn forget_thinking(&mut self, message: &MessageId) {
        self.thoughtless.insert(message.clone());
    }

    /// What is sent in place of the result of this call in this message.
    #[must_use]
    pub fn cleared(&self, message: &MessageId, call: &str) -> Option<&str> {
        let mut calls = self.cleared.get(message)?.iter();
        calls.find_map(|(known, marker)| (&**known == call).then_some(&**marker))
    }

    /// What is sent in place of this reminder.
    #[must_use]
    pub fn faded(&self, reminder: &MessageId) -> Option<&str> {
        self.faded.get(reminder).map(AsRef::as_ref)
    }

    /// Whether the thinking of this message is left out.
    #[must_use]
    pub fn is_thoughtless(&self, message: &MessageId) -> bool {
        self.thoughtless.contains(message)
    }

    /// Whether everything is sent as it was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cleared.is_empty() && self.faded.is_empty() && self.thoughtless.is_empty()
    }

    /// The results that are cleared, by message and call, with what is sent in their place.
    pub fn all_cleared(&self) -> impl Iterator<Item = (&MessageId, &str, &str)> {
        self.cleared.iter().flat_map(|(message, calls)| {
            calls
                .iter()
                .map(move |(call, marker)| (message, &**call, &**marker))
        })
    }

    /// The reminders that are faded, with what is sent in their place.
    pub fn all_faded(&self) -> impl Iterator<Item = (&MessageId, &str)> {
        self.faded.iter().map(|(id, marker)| (id, &**marker))
    }

    /// The messages without their thinking.
    pub fn all_thoughtless(&self) -> impl Iterator<Item = &MessageId> {
        self.thoughtless.iter()
    }

    /// What is sent in place of a block: nothing, another one, or the block itself.
    pub(crate) fn apply(&self, message: &Message, block: &Block) -> Edited {
        match block.kind() {
            Kind::ToolResult { call, error } => match self.cleared(&message.id, call) {
                Some(marker) => Edited::Other(Block::tool_result(call, marker, *error)),
                None => Edited::Same,
            },
            Kind::Thinking if self.is_thoughtless(&message.id) => Edited::Gone,
            Kind::Text if matches!(message.source, Source::Reminder(_)) => {
                match self.faded(&message.id) {
                    Some(marker) => Edited::Other(Block::text(marker)),
                    None => Edited::Same,
                }
            }
            _ => Edited::Same,
        }
    }
}

/// What becomes of a block.
pub(crate) enum Edited {
    Same,
    Other(Block),
    Gone,
}
