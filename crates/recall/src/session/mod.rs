//! What one conversation is given, as values: what is skipped, what is shown and how, what was shown before.
//!
//! Nothing here reads a clock or a file but [`ConversationRecords`], which keeps a conversation between processes.

mod block;
mod conversation;
mod piece;
mod skip;
mod tool;
mod turn;

pub use block::{Block, HOST_LIMIT, block};
pub use conversation::{
    Conversation, ConversationRecords, Gate, Given, Partial, Refused, Selected, TURNS_KEPT, Turn,
};
pub use piece::{MAX_BYTES, MAX_LINES, Memory, Origin, Piece};
pub use skip::{BUDGET_BYTES, Skip};
pub use turn::{Message, Outcome, take_turn, take_turn_with};
