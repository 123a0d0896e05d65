//! Background work: what is worth keeping of a conversation, saved without being asked.
//!
//! [`rules`] is the part that needs no model.

pub mod rules;
