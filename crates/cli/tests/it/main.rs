//! The program as a user meets it: arguments and files in; exit code, standard output and standard error out.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    missing_docs
)]

mod audit;
mod doctor;
mod fixture;
mod list;
mod paths;
mod reference;
mod show;
mod status;
