//! Conversations with memory, against a server that enforces the rules of the API.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod compacting;
mod gate;
mod kills;
mod long;
mod pausing;
mod resuming;
mod rules;
mod scene;
mod selecting;
mod sixty;
mod turns;
