//! What a conversation is: messages, their blocks, tool calls with their results, ids, usage.
//!
//! A conversation is only ever appended to. What a provider sent is kept as the JSON that came and goes back as the same
//! bytes; [`flatten`] makes of it what may be sent, in which every call has its result and every result its call.
//! No files and no clock here: a transcript is read from a reader that is handed in.

mod block;
mod conversation;
mod edits;
mod flatten;
mod message;
mod surrogates;
pub mod tokens;
pub mod transcript;
pub mod wire;

pub use block::{Block, BlockError, Kind, Part};
pub use conversation::{Appended, Conversation, ConversationError};
pub use edits::Edits;
pub use flatten::{
    Flat, FlatBlock, FlatMessage, Flattening, NO_BEGINNING, NO_RESULT, Repair, flatten, replies,
};
pub use message::{Boundary, Message, MessageId, Reminded, Role, Source, Trigger, Usage};
pub use surrogates::mend_surrogates;
