//! The tokens of messages as they are sent, edits applied.

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Block, Edits, Kind, Message, Source};

/// The tokens of a message.
pub(super) fn message(weights: &dyn Estimate, edits: &Edits, message: &Message) -> u64 {
    let blocks = message.blocks.iter();
    blocks
        .map(|each| block(weights, edits, message, each))
        .sum()
}

/// The tokens of a block.
pub(super) fn block(
    weights: &dyn Estimate,
    edits: &Edits,
    message: &Message,
    block: &Block,
) -> u64 {
    let marker = match block.kind() {
        Kind::Thinking if edits.is_thoughtless(&message.id) => return 0,
        Kind::ToolResult { call, .. } => edits.cleared(&message.id, call),
        Kind::Text if matches!(message.source, Source::Reminder(_)) => edits.faded(&message.id),
        _ => None,
    };
    match marker {
        Some(marker) => weights.text(marker),
        None => weights.block(block),
    }
}

/// The tokens of several messages.
pub(super) fn messages<'a>(
    weights: &dyn Estimate,
    edits: &Edits,
    all: impl IntoIterator<Item = &'a Message>,
) -> u64 {
    all.into_iter()
        .map(|each| message(weights, edits, each))
        .sum()
}
