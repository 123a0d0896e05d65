//! What the model sees, as scenarios and laws.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod block;
mod client_facts;
mod compaction;
mod disk;
mod hostile;
mod includes;
mod laws;
mod notes;
mod notes_repair;
mod ownership;
mod pairing;
mod prompt;
mod prompt_line;
mod prompt_style;
mod reminder;
mod restore;
mod restore_laws;
mod resume;
mod rules;
mod sections;
mod sources;
mod thresholds;
