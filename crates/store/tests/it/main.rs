//! The store as its users see it: files in, files out.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod agents;
mod consolidate;
mod fixture;
mod index;
mod operation;
mod places;
mod project;
mod purge;
mod race;
mod records;
mod recovery;
mod repository;
mod scan;
mod scene;
mod sweep;
mod undo;
