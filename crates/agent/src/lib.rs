//! Background work: what is worth keeping of a conversation, saved without being asked.
//!
//! [`rules`] is the part that needs no model; [`origin`] decides whose word a memory is.

pub mod origin;
pub mod rules;
