//! Background work: what is done without the user having asked for it.
//!
//! [`rules`] finds what is worth keeping without a model, [`by_rules`] in a whole conversation, from its [`cursor`] on;
//! [`origin`] decides whose word a memory is, and [`keep`] what becomes of it.
//! [`mend`] brings order into the memories that there are, [`dream`] does so when it is time, with a model or without.
//! [`extract`] does with a model what rules do without, [`notes`] keeps the notes of a conversation, [`summary`] sums it up; [`jobs`] sees to it that one piece of work is done at a time,
//! across processes. [`pauses`] knows what of a conversation is none of their business.
//! Every request to a model goes through the [`Meter`]: reserved in the ledger before it is sent, settled with what the
//! provider counted, and left at its worst case where nobody knows.

pub mod by_rules;
pub mod cursor;
pub mod dream;
pub mod extract;
mod forking;
pub mod jobs;
mod json_in;
pub mod keep;
pub mod mend;
mod meter;
pub mod notes;
pub mod origin;
pub mod pauses;
mod pieces;
pub mod private_words;
pub mod rules;
mod selector;
mod shown;
pub mod summary;
mod totals;
mod worst;

pub use meter::{Bill, Meter, MeterError, Metered, Tally};
pub use selector::ModelSelector;
