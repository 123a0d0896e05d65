//! Recall over real directories: memories in, answers out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod freshness;
mod hostile;
mod ranking;
mod scene;
mod silence;
mod tokens;
mod turns;
