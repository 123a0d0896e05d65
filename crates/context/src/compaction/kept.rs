//! Which messages stay when the rest is summed up.

use std::collections::HashMap;

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Block, Edits, Kind, Message, MessageId, Reminded, Role, Source};

use super::weight;
use crate::limits::KeptLimits;

/// The first message that may stay: the one behind the last summary.
pub(super) fn floor(visible: &[&Message]) -> usize {
    let summary = visible
        .iter()
        .rposition(|message| message.source == Source::Summary);
    summary.map_or(0, |at| at + 1)
}

/// Where to begin so that no call is parted from its result and no reply from its thinking: `from` or a message before
/// it, but none before `floor`.
pub(super) fn whole_from(visible: &[&Message], from: usize, floor: usize) -> usize {
    let needs = needs(visible);
    let mut start = from.max(floor);
    let mut looked_at = visible.len();
    loop {
        start = reply_start(visible, start, floor);
        let needed = needs.get(start..looked_at).unwrap_or_default();
        let earliest = needed.iter().copied().filter(|need| *need >= floor).min();
        looked_at = start;
        match earliest {
            Some(earliest) if earliest < start => start = earliest,
            _ => return start,
        }
    }
}

/// Where the reply at `start` begins as it is sent: it may have come in several messages, and what stands between two of
/// them may be nothing that is sent.
fn reply_start(visible: &[&Message], mut start: usize, floor: usize) -> usize {
    let is_reply = |at: usize| visible.get(at).is_some_and(|m| m.role == Role::Assistant);
    let silent = |at: usize| {
        visible
            .get(at)
            .is_none_or(|m| !m.blocks.iter().any(|b| says(m, b)))
    };
    let is_result = |at: usize| {
        visible
            .get(at)
            .is_some_and(|m| m.blocks.iter().any(is_result))
    };
    let calls = |at: usize| {
        visible
            .get(at)
            .is_some_and(|m| m.blocks.iter().any(is_call))
    };
    while is_reply(start) && start > floor {
        let mut end = start - 1;
        let mut results = false;
        while !is_reply(end) && silent(end) && end > floor {
            results |= is_result(end);
            end -= 1;
        }
        if !is_reply(end) {
            break;
        }
        let mut first = end;
        let mut called = calls(end);
        while first > floor && (is_reply(first - 1) || (silent(first - 1) && !is_result(first - 1)))
        {
            first -= 1;
            called |= calls(first);
        }
        // Results stand behind the reply that called for them; without a call they are not sent.
        if results && called {
            break;
        }
        start = first;
    }
    start
}

/// Whether a block is sent in its own place.
fn says(message: &Message, block: &Block) -> bool {
    match block.kind() {
        Kind::Text => !block.is_blank(),
        Kind::ToolCall { .. } | Kind::Thinking => message.role == Role::Assistant,
        Kind::ToolResult { .. } => false,
        Kind::Image | Kind::Document | Kind::Other => message.role != Role::System,
    }
}

fn is_result(block: &Block) -> bool {
    matches!(block.kind(), Kind::ToolResult { .. })
}

fn is_call(block: &Block) -> bool {
    matches!(block.kind(), Kind::ToolCall { .. })
}

/// For each message the first one that it cannot stand without: itself, or the one with the call of a result.
fn needs(visible: &[&Message]) -> Vec<usize> {
    let mut calls: HashMap<&str, usize> = HashMap::new();
    let mut needs = Vec::with_capacity(visible.len());
    for (at, message) in visible.iter().enumerate() {
        let mut need = at;
        for block in &message.blocks {
            match block.kind() {
                Kind::ToolCall { id, .. } if message.role == Role::Assistant => {
                    calls.insert(id, at);
                }
                Kind::ToolResult { call, .. } if message.role == Role::User => {
                    need = need.min(calls.get(&**call).copied().unwrap_or(at));
                }
                _ => {}
            }
        }
        needs.push(need);
    }
    needs
}

/// Where to begin so that from `from` on there are enough tokens and messages with text, as far as there is room.
pub(super) fn extended(
    visible: &[&Message],
    from: usize,
    weights: &dyn Estimate,
    edits: &Edits,
    limits: KeptLimits,
) -> usize {
    let floor = floor(visible);
    let weigh = |messages: &[&Message]| {
        let stays = messages.iter().copied().filter(|message| stays(message));
        weight::messages(weights, edits, stays)
    };
    let count = |messages: &[&Message]| messages.iter().filter(|message| speaks(message)).count();
    let mut start = whole_from(visible, from, floor);
    let rest = visible.get(start..).unwrap_or_default();
    let (mut tokens, mut speaking) = (weigh(rest), count(rest));
    while start > floor && (tokens < limits.least || speaking < limits.messages) {
        let before = whole_from(visible, start - 1, floor);
        let more = visible.get(before..start).unwrap_or_default();
        let heavier = tokens + weigh(more);
        if heavier > limits.most {
            break;
        }
        start = before;
        tokens = heavier;
        speaking += count(more);
    }
    start
}

/// Whether somebody says something in it.
fn speaks(message: &Message) -> bool {
    matches!(message.source, Source::User | Source::Model)
        && message
            .blocks
            .iter()
            .any(|block| *block.kind() == Kind::Text && !block.is_blank())
}

/// Context of the host is made anew after a compaction; all else stays as it is.
pub(super) fn stays(message: &Message) -> bool {
    message.source != Source::Reminder(Reminded::Context)
}

/// The ids of the messages that stay, from `start` on.
pub(super) fn ids(visible: &[&Message], start: usize) -> Vec<MessageId> {
    visible
        .iter()
        .skip(start)
        .filter(|message| stays(message))
        .map(|message| message.id.clone())
        .collect()
}
