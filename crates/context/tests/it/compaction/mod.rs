//! How a conversation stays within its window, as scenarios and laws.

mod micro;
mod named_bugs;
mod needles;
mod notes;
mod order;
mod prefix;
mod record;
mod summary;

use memdir_context::compaction::{
    CachePrices, Fixed, Situation, Summarise, SummariseError, SummaryRequest, Thinking, Written,
};
use memdir_context::{Configured, Limits};
use memdir_conversation::tokens::{Bytes, Estimate};
use memdir_conversation::{Block, Conversation, Edits, Message, Trigger};

pub(super) const PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};

/// The sizes of a usual window.
pub(super) fn usual() -> Limits {
    Limits::new(200_000, 32_000, &Configured::default())
}

pub(super) fn conversation(messages: Vec<Message>) -> Conversation {
    let mut conversation = Conversation::new();
    for message in messages {
        conversation.append(message).unwrap();
    }
    conversation
}

/// A call and its result, with a result of so many tokens.
pub(super) fn pair(id: &str, tool: &str, input: &str, tokens: usize) -> [Message; 2] {
    let call = Block::tool_call(id, tool, input).unwrap();
    let result = Block::tool_result(id, &"out ".repeat(tokens), false);
    [
        Message::assistant(&format!("{id}-call"), vec![call]),
        Message::results(&format!("{id}-result"), vec![result]),
    ]
}

pub(super) fn read(id: &str, tokens: usize) -> [Message; 2] {
    pair(
        id,
        "Read",
        &format!(r#"{{"file_path":"src/{id}.rs"}}"#),
        tokens,
    )
}

pub(super) fn used(conversation: &Conversation) -> u64 {
    let visible = conversation.visible();
    visible.iter().map(|message| Bytes.message(message)).sum()
}

pub(super) fn situation<'a>(
    conversation: &'a Conversation,
    edits: &'a Edits,
    limits: &'a Limits,
) -> Situation<'a> {
    Situation {
        conversation,
        edits,
        weights: &Bytes,
        limits,
        used: used(conversation),
        fixed: Fixed::default(),
        thinking: Thinking::Free,
        transcript: Some("/home/ada/.claude/projects/-p/s1.jsonl"),
        trigger: Trigger::Auto,
    }
}

/// Answers what it was told to, last first, and keeps what it was asked.
#[derive(Default)]
pub(super) struct Scripted {
    pub(super) answers: Vec<Result<String, SummariseError>>,
    pub(super) asked: Vec<String>,
}

impl Summarise for Scripted {
    fn summarise(&mut self, request: &SummaryRequest<'_>) -> Result<Written, SummariseError> {
        let ids: Vec<&str> = request.messages.iter().map(|m| m.id.as_str()).collect();
        self.asked
            .push(format!("{} ({} dropped)", ids.join(" "), request.dropped));
        let answer = self
            .answers
            .pop()
            .unwrap_or_else(|| Ok("It was about tabs.".to_owned()));
        answer.map(|text| Written { text, usage: None })
    }
}
