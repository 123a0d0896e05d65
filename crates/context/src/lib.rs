//! Deciding what the model sees, purely: what this crate needs from the disk it asks for and is fed.

pub mod instructions;
mod reminder_tags;

pub use reminder_tags::escape_reminder_tags;
