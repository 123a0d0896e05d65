//! The program as a user meets it: arguments and files in; exit code, standard output and standard error out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod agents;
mod audit;
mod chat;
mod compact;
mod compact_model;
mod config;
mod context;
mod copied_home;
mod cost;
mod diff;
mod doctor;
mod dream;
mod dream_proposal;
mod edit;
mod every_path;
mod extract;
mod fixture;
mod forget;
mod history;
mod hook;
mod hook_compaction;
mod hook_copies;
mod hook_fork;
mod hook_hostile;
mod hook_model;
mod hook_samples;
mod hook_talks;
mod hook_ways;
mod hook_writes;
mod hostile;
mod import;
mod import_killed;
mod import_twice;
mod inbox;
mod index;
mod instructions;
mod instructions_hostile;
mod jobs;
mod jobs_turns;
mod list;
mod log;
mod mcp;
mod mcp_client;
mod mcp_eras;
mod mcp_hostile;
mod mcp_memory_tool;
mod mcp_notices;
mod mcp_resources;
mod mcp_tools;
mod model;
mod models;
mod models_try;
mod r#move;
mod moved;
mod notes;
mod oversized;
mod paths;
mod private_ways;
mod prompt;
mod prompt_settings;
mod purge;
mod recall;
mod recall_large;
mod records;
mod reference;
mod remember;
mod remember_input;
mod remember_team;
mod rename;
mod setup;
mod setup_doctor;
mod setup_exact;
mod setup_files;
mod setup_model;
mod show;
mod status;
mod transcript;
mod trust;
mod r#try;
mod undo;
mod usage;
