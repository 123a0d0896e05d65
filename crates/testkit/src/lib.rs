//! For tests only, and free of memdir's own types: temporary homes, running a program with a clean
//! environment and capturing all it says, faults injected through `strace`, judges of requests to
//! language models, and a server that stands in for those models.
//!
//! ```no_run
//! use memdir_testkit::Sandbox;
//!
//! let sandbox = Sandbox::new()?;
//! let outcome = sandbox.program("memdir").args(["list"]).run()?;
//! assert_eq!(outcome.to_string(), "exit 0\n-- stdout\n-- stderr\n");
//! # Ok::<(), std::io::Error>(())
//! ```

pub mod oracle;
mod outcome;
mod program;
pub mod pty;
mod sandbox;
pub mod server;
pub mod strace;
pub mod texts;
pub mod tree;

pub use outcome::{Filters, Outcome};
pub use program::Program;
pub use sandbox::{Sandbox, temporary_folder};
