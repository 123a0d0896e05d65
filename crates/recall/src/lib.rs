//! Finding: which few memories help with what the user just said, or that none does.
//!
//! A file becomes passages of terms ([`document`]), whoever keeps them answers as [`Postings`], and one scorer
//! ([`rank`]) puts the files in order or keeps silent. The scorer asks for posting lists and small numbers only, so
//! that it works alike over an index on disk and over [`Collection`], which lives in memory.

mod collection;
pub mod document;
mod error;
mod finder;
mod freshness;
mod index;
#[cfg(feature = "minilm")]
mod minilm;
mod postings;
mod rank;
mod reason;
mod segment;
mod selector;
mod session;
mod table;
pub mod tokens;

pub use collection::Collection;
pub use document::{Document, Draft, Passage, Weight};
pub use error::Error;
#[cfg(feature = "minilm")]
pub use finder::Prepared;
pub use finder::{
    Answer, Built, Finder, Found, MAX_QUERY_BYTES, OpenFinder, Question, Unread, Updated,
};
pub use freshness::{Scope, Watch};
#[cfg(feature = "minilm")]
pub use minilm::{Encoded, Installed, Model, ModelError, install, installed};
pub use postings::{Place, Posting, Postings, Totals};
pub use rank::{Hit, Light, Options, Ranked, Reason, Silence, rank};
pub use selector::{
    MANIFEST_LINES, MAX_SELECTED, Request, SELECTOR_DEADLINE, Selection, Selector, SelectorError,
    select,
};
pub use session::{
    BUDGET_BYTES, Block, Conversation, ConversationRecords, Gate, Given, HOST_LIMIT, MAX_BYTES,
    MAX_LINES, Memory, Message, Origin, Outcome, Partial, Piece, Refused, Selected, Skip,
    TURNS_KEPT, Turn, block, take_turn, take_turn_with,
};

/// Changes whenever terms, passages or weights do: an index that was made under another number is made anew.
pub const REVISION: u32 = 4;
