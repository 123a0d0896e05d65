//! Every switch of memdir: the texts of settings layers in, values with their origin out.
//!
//! The crate does no IO and reads no environment: whoever calls it hands in texts and values. A bad
//! file is a [`Problem`] with a place, never a failure, because a repository must not be able to
//! switch memory off by carrying a file that cannot be parsed.
//!
//! Deliberately absent: paths. What a directory value means, and whether it is refused, is decided
//! where paths are known (`memdir-store`, `places`).

mod assignment;
mod claude;
mod edit;
mod layer;
mod models;
mod nearest;
mod own;
mod position;
mod reference;
mod resolve;
mod switches;
mod tree;
mod value;
pub mod variables;

pub use assignment::{Assignment, AssignmentProblem};
pub use claude::{ClaudeSettings, NamedVariables, Setting};
pub use edit::{EditProblem, with_value, without_value};
pub use layer::{Layer, Problem, Severity, Trust};
pub use models::{Models, NamedModel, Provider, Purpose, Use};
pub use nearest::nearest;
pub use own::{Entry, OwnSettings};
pub use reference::reference;
pub use resolve::{Origin, Refused, Resolved, Sourced, Sources, resolve};
pub use switches::{
    CompactionDecisions, Decision, Reason, Switches, decide, decide_compaction, truth,
};
pub use tree::*;
pub use value::{Amount, Kind, Value};
