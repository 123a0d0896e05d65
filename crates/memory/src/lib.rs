//! What a memory is: values and text formats.
//!
//! Topic files with their headers, the index, types and origins, paths, age, manifest lines and
//! links. Pure: no files, no clock, and nothing here fails on what a user wrote. Parsing yields a
//! value and its problems; an edit keeps every byte that it is not about.

pub mod age;
pub mod dates;
pub mod draft;
pub mod hidden;
pub mod index;
pub mod naming;
pub mod secrets;
pub mod words;

mod contain;
mod header;
mod kind;
mod lines;
mod links;
mod manifest;
mod path;
mod private;
mod reminder_tag;
mod scalar;
mod scrub;
mod topic;

pub use contain::{Panicked, contained};
pub use header::{HEADER_BYTES, HEADER_LINES, Header};
pub use index::{INDEX_NAME, Index};
pub use kind::{AgentScope, MemoryType, Source};
pub use lines::as_text;
pub use links::{Link, links};
pub use manifest::manifest_line;
pub use path::{MemoryPath, PathProblem};
pub use private::{PRIVATE_STAND_IN, PrivateSpans, private_spans, strip_private, without_private};
pub use reminder_tag::escaped;
pub use scrub::{scrub, scrub_away, scrub_to, without_hidden_or_private};
pub use topic::{EditError, NewTopic, Topic, TopicProblem};
