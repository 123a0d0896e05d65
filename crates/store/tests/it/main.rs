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
mod client_facts;
mod consolidate;
mod fixture;
mod index;
mod instruction_reader;
mod late;
mod ledger;
mod moving;
mod operation;
mod places;
mod project;
mod purge;
mod purge_sequences;
mod race;
mod records;
mod recovery;
mod repository;
mod same_instant;
mod scan;
mod scene;
mod segments;
mod settings;
mod sweep;
mod tracked;
mod undo;
