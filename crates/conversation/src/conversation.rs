//! A conversation: messages in the order they came, never changed, only added to.

use std::collections::HashMap;

use crate::{Boundary, Message, MessageId, Source};

/// A conversation. What was appended stays as it is; compaction adds a boundary and changes only what is
/// [visible](Conversation::visible).
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    messages: Vec<Message>,
    places: HashMap<MessageId, usize>,
    boundary: Option<usize>,
}

/// Why a message cannot be appended.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConversationError {
    /// Another message has this id.
    #[error("a message {0} is in the conversation already")]
    Twice(MessageId),
}

/// Where a message was appended.
pub type Appended = usize;

impl Conversation {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message at the end.
    ///
    /// # Errors
    ///
    /// When a message with this id is there already.
    pub fn append(&mut self, message: Message) -> Result<Appended, ConversationError> {
        let place = self.messages.len();
        if self.places.contains_key(&message.id) {
            return Err(ConversationError::Twice(message.id));
        }
        self.places.insert(message.id.clone(), place);
        if matches!(message.source, Source::Boundary(_)) {
            self.boundary = Some(place);
        }
        self.messages.push(message);
        Ok(place)
    }

    /// Every message, from the first on, whether or not a model still sees it.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// A message by its id.
    #[must_use]
    pub fn get(&self, id: &MessageId) -> Option<&Message> {
        self.messages.get(self.place(id)?)
    }

    /// Where a message stands.
    #[must_use]
    pub fn place(&self, id: &MessageId) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// The last compaction, and where it stands.
    #[must_use]
    pub fn boundary(&self) -> Option<(usize, &Boundary)> {
        let place = self.boundary?;
        match &self.messages.get(place)?.source {
            Source::Boundary(boundary) => Some((place, boundary)),
            _ => None,
        }
    }

    /// The model that replied last. Words that a host put into a model's mouth name none, and were never counted.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        let mut replies = self.messages.iter().rev().filter(|message| {
            message.source == Source::Model && message.usage.is_none_or(|usage| usage.prompt() > 0)
        });
        replies.find_map(|message| message.model.as_deref())
    }

    /// The messages that a model sees: those after the last boundary, with the kept ones behind the summary.
    #[must_use]
    pub fn visible(&self) -> Vec<&Message> {
        let Some((place, boundary)) = self.boundary() else {
            return self.messages.iter().filter(|m| m.is_sent()).collect();
        };
        let after = self.messages.get(place..).unwrap_or_default();
        let anchor = boundary
            .anchor
            .as_ref()
            .and_then(|id| after.iter().position(|message| &message.id == id))
            .unwrap_or(0);
        let (summary, rest) = after.split_at_checked(anchor + 1).unwrap_or((after, &[]));
        let kept = boundary.kept.iter().filter_map(|id| {
            let kept = self.place(id)?;
            (kept < place).then(|| self.messages.get(kept))?
        });
        let all = summary.iter().chain(kept).chain(rest);
        all.filter(|message| message.is_sent()).collect()
    }
}
