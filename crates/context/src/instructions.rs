//! Instruction files: which there are, in which order, and what of them the model sees.
//!
//! [`Discovery`] is a state machine. It yields one [`Request`] after another, each with who asks and why, and is fed an
//! [`Answer`]: bytes with the owners of everything on the way to them, a listing, or a refusal. It decides what is
//! loaded; whoever feeds it decides nothing. The result, [`Instructions`], has the files in order, the weakest first,
//! what was refused and why, and what a user should be warned of.
//!
//! ```
//! use memdir_context::instructions::{Answer, Discovery, Sources};
//!
//! let mut discovery = Discovery::new(Sources::new("/project", "/project", 1000));
//! while let Some(request) = discovery.request() {
//!     let answer = match request.path.to_str() {
//!         Some("/project/CLAUDE.md") => Answer::file("/project/CLAUDE.md", "Use tabs.", 1000),
//!         _ => Answer::Absent,
//!     };
//!     discovery.feed(answer);
//! }
//! let instructions = discovery.finish();
//! assert!(instructions.block().unwrap().contains("Use tabs."));
//! ```

mod block;
mod discovery;
mod file;
mod include;
mod markdown;
mod ownership;
mod path;
mod question;
mod refusal;
mod resume;
mod rule;
mod touched;

pub use discovery::Discovery;
pub use file::{Applies, Instructions, Kind, LoadedFile, Role};
pub use ownership::Owned;
pub use question::{Answer, Asker, Opened, Request, Sources, Want};
pub use refusal::{Refusal, RefusalReason, Warning};
pub use resume::Shown;

/// How deep includes may nest beneath a file that is read for its own sake.
pub const MAX_INCLUDE_DEPTH: usize = 5;
/// How deep folders of rules may nest.
const MAX_FOLDER_DEPTH: usize = 16;
/// Past this many characters a file deserves a warning.
pub const LARGE_FILE_CHARACTERS: usize = 40_000;
/// Past this many tokens all files together deserve a warning.
pub const LARGE_TOTAL_TOKENS: usize = 40_000;
/// How many things are asked for before the rest is left alone.
const MAX_REQUESTS: usize = 5_000;
/// How many bytes are taken in before the rest is left alone.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// How many tokens a text has, about: a quarter of its bytes.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}
