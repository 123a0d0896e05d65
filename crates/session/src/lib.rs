//! One conversation with memory, for every host.
//!
//! A host begins a [`Session`], hands in what the user says, sends what it is given, hands back what came, says when the turn
//! has ended, and closes it. Everything else happens here: the prompt and its cache, memories beside a message, room when the
//! window is full, what is saved afterwards, and state with which another process goes on.

mod after;
mod beginning;
mod error;
mod event;
mod files;
mod home;
mod host;
pub mod instructions;
mod opening;
mod pausing;
mod prefetch;
mod private;
mod recalling;
mod request;
mod resuming;
mod room;
mod rules;
mod session;
mod state;
mod turn;
mod writing;

pub use after::{
    Background, Extracted, Snapshot, Wanted, build_index, dream, dream_due, dream_job, extraction,
    index_job, selection_job,
};
pub use error::Error;
pub use event::{Ended, Event, Work as Worked};
pub use files::Files;
pub use home::Home;
pub use host::{Agent, Host, Work};
pub use memdir_agent::Bill;
pub use prefetch::{ASKED, Surfaced, surface};
pub use private::cut_private;
pub use session::{Prepared, Session, Setup};
pub use state::can_resume;
