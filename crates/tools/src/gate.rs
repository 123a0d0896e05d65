//! What a model may do: one function, asked before every call of a tool.
//!
//! Background work and a conversation with the user have the same tools, because another list would miss the
//! provider's cache. They differ only in their [`Powers`].

use std::fmt;

use crate::place::is_of_kernel;
use crate::{Place, Program};

/// What a model may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Powers {
    /// Extraction and dream: read anywhere, run a few programs that only look, write memories.
    Memory,
    /// The notes of a conversation: edit that one file.
    Notes,
    /// A summary: nothing at all.
    Nothing,
    /// The conversation itself: whatever the user allows.
    Conversation,
}

/// What a call would do, its paths resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Read a file, search or list a folder.
    Look(Place),
    /// Change a part of a file.
    Edit(Place),
    /// Write a file whole.
    Write(Place),
    /// Run one of the programs that only look.
    Program(Program),
    /// Run a command, and why it is not one of those.
    Command(String),
    /// Keep the list of what is to be done.
    Todos,
    /// A tool that this program does not have.
    Unknown(String),
}

/// What is decided about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// The user is asked.
    Ask,
    /// It does not run; the model reads why.
    Deny(Denial),
}

/// Why a call does not run, in words that a model can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial(String);

impl Denial {
    /// A denial for this reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

/// Whether a call may run.
///
/// ```
/// use memdir_tools::{Act, Place, Powers, Verdict, decide};
///
/// let act = Act::Write(Place::Elsewhere("/etc/passwd".into()));
/// assert!(matches!(decide(Powers::Memory, &act), Verdict::Deny(_)));
/// ```
#[must_use]
pub fn decide(powers: Powers, act: &Act) -> Verdict {
    match powers {
        Powers::Memory => memory(act),
        Powers::Notes => notes(act),
        Powers::Nothing => deny("no tool is run here: write the text that you were asked for"),
        Powers::Conversation => conversation(act),
    }
}

fn memory(act: &Act) -> Verdict {
    match act {
        Act::Look(Place::Elsewhere(path) | Place::Open(path) | Place::Obeyed(path))
            if is_of_kernel(path) =>
        {
            deny("devices and processes are not read in this run: name a file or a folder of files")
        }
        Act::Look(_) | Act::Program(_) => Verdict::Allow,
        Act::Edit(Place::Memory(_)) | Act::Write(Place::Memory(_)) => Verdict::Allow,
        Act::Edit(_) | Act::Write(_) => {
            deny("this run may write only memories: name a .md file beneath the memory directory")
        }
        Act::Command(reason) => deny(format!(
            "this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: {reason}"
        )),
        Act::Todos => not_here("TodoWrite"),
        Act::Unknown(tool) => not_here(tool),
    }
}

fn not_here(tool: &str) -> Verdict {
    deny(format!(
        "{tool} is not allowed in this run: use Read, Grep and Glob, and Write or Edit for memories"
    ))
}

fn notes(act: &Act) -> Verdict {
    match act {
        Act::Edit(Place::Notes(_)) => Verdict::Allow,
        _ => deny("this run may only Edit the notes file; its whole text is in the message above"),
    }
}

fn conversation(act: &Act) -> Verdict {
    match act {
        // What lies elsewhere is not the project's: keys, mail, other people's work.
        Act::Look(Place::Elsewhere(_)) => Verdict::Ask,
        Act::Look(_) | Act::Program(_) | Act::Todos => Verdict::Allow,
        Act::Edit(place) | Act::Write(place) => match place {
            Place::Memory(_) | Place::Scratchpad(_) => Verdict::Allow,
            Place::MemoryFolder(_) => deny("this is a folder: name a file in it"),
            Place::Notes(_) => deny("the notes of a conversation are kept for it, not by it"),
            Place::Record(_) => deny(
                "this is a record of what was said, or waits for the user: it is read, not written",
            ),
            Place::Open(_) | Place::Obeyed(_) | Place::Elsewhere(_) => Verdict::Ask,
        },
        Act::Command(_) => Verdict::Ask,
        Act::Unknown(tool) => deny(format!("there is no tool {tool}")),
    }
}

fn deny(reason: impl Into<String>) -> Verdict {
    Verdict::Deny(Denial::new(reason))
}
