//! The crate as its users see it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod billing;
mod flatten;
mod tokens;
mod transcript;
mod transcript_broken;
mod transcript_speech;
mod transcript_written;
mod wire;
