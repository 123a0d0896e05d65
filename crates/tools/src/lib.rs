//! Letting a model act: tools, one a file, and the gate that every call passes.
//!
//! A call names paths; [`Rooms`] says where they really lead, [`decide`] whether the call may run with the [`Powers`] of
//! this run, and [`Bench::call`] runs it; [`Run`] is the loop between a model and its tools. Memories are read and written through a [`Shelf`], so that a job decides
//! what becomes of them: into the directory, into a copy, into the inbox.

mod bench;
mod edit;
mod file;
mod gate;
mod glob;
mod grep;
mod looked;
mod one_name;
mod place;
mod program;
mod read;
mod run;
mod shelf;
mod shell;
mod todo;
mod tool;
mod write;

pub use bench::{Asked, Bench, Denied};
pub use gate::{Act, Denial, Powers, Verdict, decide};
pub use one_name::{FileName, Origin};
pub use place::{Place, PlaceProblem, Rooms};
pub use program::Program;
pub use run::{End, Ran, Run, as_sent};
pub use shelf::{Shelf, StoreShelf};
pub use todo::{Progress, Todo};
pub use tool::{Answer, CONVERSATION_TOOLS, Call, TOOLS, Tool};
