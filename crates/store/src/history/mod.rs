//! History: every change with its earlier content, who made it and why.
//!
//! A log of operations (`log.rs`) is the truth; heads (`heads.rs`) are folded from it. A change is written to
//! the log before it is made, so that whoever comes after a crash can finish it (`recover.rs`).

mod ahead;
pub(crate) mod content;
pub(crate) mod heads;
pub(crate) mod journal;
pub(crate) mod log;
pub(crate) mod past;
pub(crate) mod record;
pub(crate) mod recover;
pub(crate) mod replace;
pub(crate) mod splice;
mod view;

pub use record::{Author, Reason};
pub use view::{Change, History, Operation};

/// The folder of the history in the state folder.
pub(crate) const HISTORY_FOLDER: &str = "history";
