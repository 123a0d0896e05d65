//! Judges of requests: what the model providers' APIs refuse, found on plain JSON.
//!
//! Nothing here knows the types of the code under test, so that a mistake in those types cannot
//! hide itself. A judge returns every violation, not only the first, each with its place in the
//! request and the words the API itself uses.
//!
//! ```
//! use memdir_testkit::oracle::{anthropic, Rule};
//! use serde_json::json;
//!
//! let request = json!({
//!     "model": "claude-opus-4-8",
//!     "max_tokens": 1000,
//!     "messages": [
//!         {"role": "user", "content": "list the files"},
//!         {"role": "assistant", "content": [
//!             {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
//!         ]},
//!         {"role": "user", "content": "never mind"}
//!     ]
//! });
//! let violations = anthropic::check(&request);
//! assert_eq!(violations.len(), 1);
//! assert_eq!(violations[0].rule, Rule::UnansweredCall);
//! assert_eq!(violations[0].path, "messages.1");
//! ```
//!
//! Where an API's behaviour is not published, the judge takes the stricter reading, because the
//! code it judges should never depend on leniency:
//!
//! - Neighbours of one role are merged by the Messages API, and are allowed here; but a call and
//!   its results must stand in two messages that follow each other directly.
//! - Ids of tool calls are unique in the whole request, for OpenAI too.
//! - Thinking is bound to all that the model reads before it, other thinking included; see
//!   [`rendered`].

pub mod anthropic;
mod models;
pub mod openai;
mod render;
mod report;

pub use models::Traits;
pub use render::{Piece, Section, divergence, pieces, rendered};
pub use report::{Rule, Violation};
