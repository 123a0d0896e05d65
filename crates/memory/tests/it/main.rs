//! Tests of the memory crate from the outside, as data: a scenario in, a snapshot out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod client_facts;
mod dates;
mod header;
mod hidden;
mod index;
mod naming;
mod path;
mod private;
mod secrets;
mod topic;
mod words;
mod words_about;
