//! Finding: which few memories help with what the user just said, or that none does.
//!
//! A file becomes passages of terms ([`document`]), whoever keeps them answers as [`Postings`], and one scorer
//! ([`rank`]) puts the files in order or keeps silent. The scorer asks for posting lists and small numbers only, so
//! that it works alike over an index on disk and over [`Collection`], which lives in memory.

mod collection;
pub mod document;
mod postings;
mod rank;
pub mod tokens;

pub use collection::Collection;
pub use document::{Document, Draft, Passage, Weight};
pub use postings::{Place, Posting, Postings, Totals};
pub use rank::{Hit, Light, Options, Ranked, Reason, Silence, rank};

/// Changes whenever terms, passages or weights do: an index that was made under another number is made anew.
pub const REVISION: u32 = 1;
