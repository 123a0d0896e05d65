//! Models against a server that enforces the providers' rules, over real connections.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod asking;
mod cancel;
mod command;
mod faults;
mod keys;
mod prefix;
mod scene;
mod secrets;
