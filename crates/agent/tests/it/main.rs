//! The crate as its users see it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod by_rules;
mod dream;
mod extract;
mod gauntlet;
mod inbox;
mod jobs;
mod keep;
mod mend;
mod meter;
mod notes;
mod notes_gauntlet;
mod origin;
mod processes;
mod rules;
mod scene;
mod selector;
mod sharing;
mod summary;
mod turns;
