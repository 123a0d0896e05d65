//! When notes are due.

use std::fmt;

use crate::limits::NotesLimits;

/// How far a conversation has come since its notes were last written. Looked at after each reply of the main agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// How many tokens it has.
    pub tokens: u64,
    /// Whether notes were written already.
    pub written: bool,
    /// How many tokens it had after the last update or compaction, whichever was later.
    pub tokens_then: u64,
    /// How many tool calls there were since the last update.
    pub tool_calls: u64,
    /// Whether the last reply calls a tool: then the work is in the middle of something.
    pub replied_with_tool_call: bool,
}

/// Whether notes are due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// For the first time.
    First,
    /// Again.
    Again,
    /// Not yet.
    No(NotDue),
}

/// Why notes are not due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotDue {
    /// The conversation is too short.
    TooShort {
        /// How many tokens it has.
        tokens: u64,
        /// How many it needs.
        needed: u64,
    },
    /// It has not grown enough.
    TooLittle {
        /// By how many tokens it has grown.
        grown: u64,
        /// By how many it has to.
        needed: u64,
    },
    /// It is in the middle of something.
    TooFewCalls {
        /// How many tool calls there were.
        calls: u64,
        /// How many there have to be.
        needed: u64,
    },
}

impl fmt::Display for NotDue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { tokens, needed } => {
                write!(out, "the conversation has {tokens} tokens of {needed}")
            }
            Self::TooLittle { grown, needed } => {
                write!(out, "it has grown by {grown} tokens of {needed}")
            }
            Self::TooFewCalls { calls, needed } => write!(
                out,
                "there were {calls} tool calls of {needed}, and the last reply calls another"
            ),
        }
    }
}

/// Whether notes are due. Tokens are needed in any case; an update also waits for enough tool calls, or for a reply
/// that ends the work for now.
///
/// ```
/// use memdir_context::notes::{Due, Progress, due};
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 20_000, &Configured::default()).notes;
/// let progress = Progress {
///     tokens: 15_000,
///     written: true,
///     tokens_then: 10_000,
///     tool_calls: 0,
///     replied_with_tool_call: false,
/// };
/// assert_eq!(due(&progress, &limits), Due::Again);
/// ```
#[must_use]
pub fn due(progress: &Progress, limits: &NotesLimits) -> Due {
    if !progress.written {
        return match progress.tokens >= limits.first {
            true => Due::First,
            false => Due::No(NotDue::TooShort {
                tokens: progress.tokens,
                needed: limits.first,
            }),
        };
    }
    let grown = progress.tokens.saturating_sub(progress.tokens_then);
    if grown < limits.growth {
        return Due::No(NotDue::TooLittle {
            grown,
            needed: limits.growth,
        });
    }
    if progress.replied_with_tool_call && progress.tool_calls < limits.tool_calls {
        return Due::No(NotDue::TooFewCalls {
            calls: progress.tool_calls,
            needed: limits.tool_calls,
        });
    }
    Due::Again
}
