//! What a compaction has to know, and what it leaves.

use std::collections::BTreeSet;

use memdir_conversation::tokens::{Estimate, Kinds};
use memdir_conversation::{
    Block, Boundary, Conversation, ConversationError, Edits, Kind, Message, MessageId, Role,
    Source, Trigger,
};

use super::budget::{Budget, Fixed};
use super::kept;
use super::micro::Thinking;
use super::record::Record;
use super::summary::Summary;
use super::weight;
use crate::limits::Limits;

/// A conversation that has become too long.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// All of it.
    pub conversation: &'a Conversation,
    /// What is sent differently from how it was said.
    pub edits: &'a Edits,
    /// How messages are counted, allowance for error included.
    pub weights: &'a dyn Estimate,
    /// Every size.
    pub limits: &'a Limits,
    /// How many tokens the next request has.
    pub used: u64,
    /// How many of them are outside the messages.
    pub fixed: Fixed,
    /// What becomes of thinking when something before it changes.
    pub thinking: Thinking,
    /// Where the whole conversation is, as the model can find it.
    pub transcript: Option<&'a str>,
    /// Why room is made.
    pub trigger: Trigger,
}

/// What stands in place of a conversation, ready to be appended to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compacted {
    /// The text of the summary.
    pub summary: String,
    /// The messages that stay, in their order.
    pub kept: Vec<MessageId>,
    /// What is sent differently from now on.
    pub edits: Edits,
    /// Why it was made.
    pub trigger: Trigger,
    /// Sections of notes that were cut, by their titles.
    pub cut: Vec<String>,
    /// The tokens of the request before.
    pub tokens_before: u64,
    /// What the request has now, against what it may have.
    pub budget: Budget,
    /// How many tokens there are for what is shown again.
    pub room_to_restore: u64,
}

impl Compacted {
    /// Makes it part of the conversation: a boundary, and the summary behind it.
    ///
    /// # Errors
    ///
    /// When a message has one of the two ids already.
    pub fn append_to(
        &self,
        conversation: &mut Conversation,
        boundary_id: &str,
        summary_id: &str,
    ) -> Result<(), ConversationError> {
        let taken = |id: &str| conversation.place(&MessageId::new(id)).is_some();
        if taken(summary_id) || boundary_id == summary_id {
            return Err(ConversationError::Twice(MessageId::new(summary_id)));
        }
        let last = conversation.messages().last();
        let boundary = Boundary {
            trigger: self.trigger,
            tokens_before: Some(self.tokens_before),
            tokens_after: Some(self.budget.tokens),
            kept: self.kept.clone(),
            anchor: Some(MessageId::new(summary_id)),
            after: last.map(|message| message.id.clone()),
        };
        let boundary = Source::Boundary(Box::new(boundary));
        conversation.append(Message::new(
            boundary_id,
            Role::System,
            boundary,
            Vec::new(),
        ))?;
        let text = vec![Block::text(&self.summary)];
        let mut summary = Message::new(summary_id, Role::User, Source::Summary, text);
        summary.parent = Some(MessageId::new(boundary_id));
        conversation.append(summary)?;
        Ok(())
    }
}

/// How strictly the limit is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// Each part has its own limit.
    Parts,
    /// All of it has to be within the limit, as far as that is possible.
    Whole,
}

impl Situation<'_> {
    /// The tokens of the request before a compaction and after it, by what they are for.
    #[must_use]
    pub fn kinds_of(&self, compacted: &Compacted) -> (Kinds, Kinds) {
        let visible = self.conversation.visible();
        let before = self.kinds(&visible, self.edits, self.used);
        let kept = compacted.kept.iter();
        let kept: Vec<&Message> = kept.filter_map(|id| self.conversation.get(id)).collect();
        let mut after = self.kinds(&kept, &compacted.edits, 0);
        after.summaries += self.weights.text(&compacted.summary);
        (before, after.up_to(compacted.budget.tokens))
    }

    /// The tokens of these messages and of what is outside of them by what they are for, so many in all.
    pub(super) fn kinds(&self, messages: &[&Message], edits: &Edits, tokens: u64) -> Kinds {
        let mut kinds = Kinds::of(messages.iter().copied(), edits, self.weights);
        kinds.system += self.fixed.system;
        kinds.tools += self.fixed.tools;
        kinds.attachments += self.fixed.instructions;
        kinds.up_to(tokens)
    }

    /// What remains when the messages from `start` on stay and `body` stands for the rest.
    pub(super) fn compacted(
        &self,
        visible: &[&Message],
        start: usize,
        title: &'static str,
        body: &str,
        fit: Fit,
    ) -> Compacted {
        let messages = kept::staying(visible, start);
        let ids: Vec<MessageId> = messages.iter().map(|message| message.id.clone()).collect();
        let staying: BTreeSet<&MessageId> = ids.iter().collect();
        let edits = self.edits_for(&messages);
        let record = Record::of(self.conversation.messages(), |id| staying.contains(id));
        let summary = Summary {
            title,
            body,
            record: &record,
            transcript: self.transcript,
        };
        let limit = self.limits.thresholds.compaction;
        let weigh = |text: &str| self.weights.text(text);
        let others =
            self.fixed.total() + weight::messages(self.weights, &edits, messages.iter().copied());
        let text = match fit {
            Fit::Parts => summary.text(self.weights, self.limits.record),
            Fit::Whole => {
                let room = limit.saturating_sub(others);
                summary.within(self.weights, self.limits.record, room)
            }
        };
        let budget = Budget::new(
            limit,
            self.fixed,
            &messages,
            weigh(&text),
            weigh(&summary.frame()),
            self.weights,
            &edits,
        );
        let room = limit.saturating_sub(budget.tokens);
        Compacted {
            summary: text,
            kept: ids,
            edits,
            trigger: self.trigger,
            cut: Vec::new(),
            tokens_before: self.used,
            room_to_restore: room.min(self.limits.restored.total),
            budget,
        }
    }

    /// Thinking that is bound to what stood before it cannot be sent behind a summary.
    fn edits_for(&self, kept: &[&Message]) -> Edits {
        let mut edits = self.edits.clone();
        if self.thinking != Thinking::Free {
            for message in kept.iter().filter(|message| thinks(message)) {
                edits.forget_thinking(&message.id);
            }
        }
        edits
    }
}

fn thinks(message: &Message) -> bool {
    message
        .blocks
        .iter()
        .any(|block| *block.kind() == Kind::Thinking)
}
