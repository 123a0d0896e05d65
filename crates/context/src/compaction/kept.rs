//! Which messages stay when the rest is summed up.

use std::collections::HashMap;

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{
    Block, Edits, Flattening, Kind, Message, Reminded, Role, Source, replies,
};

use super::weight;
use crate::limits::KeptLimits;

/// The first message that may stay: the one behind the last summary.
pub(super) fn floor(visible: &[&Message]) -> usize {
    let summary = visible
        .iter()
        .rposition(|message| message.source == Source::Summary);
    summary.map_or(0, |at| at + 1)
}

/// Where a conversation can be cut so that no call is parted from its result and no reply from its thinking.
pub(super) struct Cuts {
    /// For each message the one to begin with so that it can stay with all that it needs.
    whole: Vec<usize>,
    last_reply: Option<usize>,
}

impl Cuts {
    /// Those behind `floor`.
    pub(super) fn new(visible: &[&Message], edits: &Edits, floor: usize) -> Self {
        let mut needs = calls_needed(visible);
        let mut last_reply = None;
        // Whoever sends it may know messages of the host or not: a cut is good for both.
        for system_messages in [false, true] {
            let how = Flattening {
                edits: Some(edits),
                system_messages,
            };
            let replies = replies(visible, &how);
            last_reply = replies.last().map(|reply| *reply.start()).or(last_reply);
            for reply in replies {
                for need in needs.get_mut(reply.clone()).unwrap_or_default() {
                    *need = (*need).min(*reply.start());
                }
            }
        }
        // Whatever stays needs the earliest of what the messages behind it need.
        let mut earliest = visible.len();
        for (at, need) in needs.iter_mut().enumerate().rev() {
            if *need >= floor {
                earliest = earliest.min(*need);
            }
            *need = earliest.min(at);
        }
        let mut whole: Vec<usize> = Vec::with_capacity(needs.len());
        for (at, need) in needs.into_iter().enumerate() {
            whole.push(whole.get(need).copied().unwrap_or(at));
        }
        Self { whole, last_reply }
    }

    /// Where to begin so that all from `at` on is whole: there or before it.
    pub(super) fn whole_from(&self, at: usize) -> usize {
        self.whole.get(at).copied().unwrap_or(at)
    }

    /// Where the last reply begins.
    pub(super) fn last_reply(&self) -> Option<usize> {
        self.last_reply
    }
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

/// For each message the first one that it cannot stand without: itself, or the one with the call of a result.
fn calls_needed(visible: &[&Message]) -> Vec<usize> {
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
        let stays = messages.iter().copied().filter(|one| !is_context(one));
        weight::messages(weights, edits, stays)
    };
    let count = |messages: &[&Message]| messages.iter().filter(|message| speaks(message)).count();
    let cuts = Cuts::new(visible, edits, floor);
    let mut start = cuts.whole_from(from.max(floor));
    let rest = visible.get(start..).unwrap_or_default();
    let (mut tokens, mut speaking) = (weigh(rest), count(rest));
    while start > floor && (tokens < limits.least || speaking < limits.messages) {
        let before = cuts.whole_from(start - 1);
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

/// The messages that stay, from `start` on. Context of the host is made anew after a compaction and goes, but where it
/// alone stands between two replies: they must not become one.
pub(super) fn staying<'a>(visible: &[&'a Message], start: usize) -> Vec<&'a Message> {
    let mut staying: Vec<&Message> = Vec::new();
    for message in visible.iter().skip(start) {
        let separates = staying.last().is_some_and(|last| {
            last.role == Role::Assistant || !last.blocks.iter().any(|block| says(last, block))
        });
        if !is_context(message) || separates {
            staying.push(message);
        }
    }
    staying
}

fn is_context(message: &Message) -> bool {
    message.source == Source::Reminder(Reminded::Context)
}
