//! What a reader has to say about a file.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::Format;

/// So many problems are listed; the rest is counted.
pub const LISTED: usize = 1_000;
/// So many kinds of skipped lines are named; the rest is counted together.
const NAMED: usize = 64;

/// What was read, what was not, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How it was read.
    pub format: Format,
    /// Lines of the file, blank ones included; for a file that is one JSON text, its messages.
    pub lines: u64,
    /// Messages handed on.
    pub messages: u64,
    /// Lines that are no part of a conversation, by their type.
    pub skipped: BTreeMap<Arc<str>, u64>,
    /// Lines of branches that were left: a prompt that the user took back and wrote anew.
    pub abandoned: u64,
    /// Lines of sub-agents' conversations, where those were not asked for.
    pub sidechain: u64,
    /// What is wrong, by line; at most [`LISTED`].
    pub problems: Vec<Problem>,
    /// Problems beyond those.
    pub unlisted: u64,
    /// The conversation's name, where the file has it.
    pub session: Option<Arc<str>>,
    /// The conversations from which it was copied, where the file has them.
    pub forked_from: Vec<Arc<str>>,
    /// The folder in which it began.
    pub cwd: Option<Arc<str>>,
    /// Whether a program gave the prompts and nobody sat in front of it, as far as the client says.
    pub unattended: bool,
    /// The system prompt of a request, as its JSON.
    pub system: Option<Arc<str>>,
    /// The tools of a request, as their JSON.
    pub tools: Option<Arc<str>>,
    /// How many tokens its client said that the model takes.
    pub window: Option<u64>,
}

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1; for a file that is one JSON text, the number of the message.
    pub line: u64,
    /// What it is.
    pub trouble: Trouble,
}

/// What can be wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The last line is not whole: its writer is still writing, or was killed.
    Unfinished,
    /// No JSON.
    NotJson(String),
    /// Another line was cut off, and this one begins in the middle of it; the cut one is lost.
    Glued,
    /// Too long to be read.
    TooLong(u64),
    /// A message without content that could be read.
    NotMessage(String),
    /// A block that is none; the rest of the message is there.
    Block(String),
    /// The line that it follows is not in the file; the one before it was taken.
    NoParent,
    /// It follows itself, over others; what is before cannot be reached.
    Circle,
    /// Another line has the same id; the last one counts.
    Twice,
}

impl Trouble {
    /// Whether something that was said is lost by it.
    #[must_use]
    pub fn loses(&self) -> bool {
        match self {
            Self::Unfinished | Self::NoParent | Self::Twice => false,
            Self::NotJson(_)
            | Self::Glued
            | Self::TooLong(_)
            | Self::NotMessage(_)
            | Self::Block(_)
            | Self::Circle => true,
        }
    }

    /// A word for programs.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::NotJson(_) => "not-json",
            Self::Glued => "glued",
            Self::TooLong(_) => "too-long",
            Self::NotMessage(_) => "not-a-message",
            Self::Block(_) => "bad-block",
            Self::NoParent => "no-parent",
            Self::Circle => "circle",
            Self::Twice => "twice",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfinished => to.write_str("the last line is not finished"),
            Self::NotJson(why) => write!(to, "not JSON: {why}"),
            Self::Glued => {
                to.write_str("a line was cut off here, and the next one follows without a break")
            }
            Self::TooLong(bytes) => write!(to, "too long to be read: {bytes} bytes"),
            Self::NotMessage(why) => write!(to, "not a message: {why}"),
            Self::Block(why) => write!(to, "a block was left out: {why}"),
            Self::NoParent => {
                to.write_str("follows a line that is not here; the line before was taken")
            }
            Self::Circle => to.write_str("follows itself; what is before it cannot be reached"),
            Self::Twice => to.write_str("has the id of an earlier line, which it replaces"),
        }
    }
}

impl Report {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            lines: 0,
            messages: 0,
            skipped: BTreeMap::new(),
            abandoned: 0,
            sidechain: 0,
            problems: Vec::new(),
            unlisted: 0,
            session: None,
            forked_from: Vec::new(),
            cwd: None,
            unattended: false,
            system: None,
            tools: None,
            window: None,
        }
    }

    /// Notes a conversation that a line is of, or was copied from.
    pub(super) fn of_session(&mut self, session: Option<&str>) {
        let Some(session) = session else { return };
        let known = |one: &Arc<str>| one.as_ref() == session;
        if !self.session.as_ref().is_some_and(known) && !self.forked_from.iter().any(known) {
            self.forked_from.push(session.into());
        }
    }

    /// Whether something that was said is lost.
    #[must_use]
    pub fn loses(&self) -> bool {
        self.problems.iter().any(|problem| problem.trouble.loses())
    }

    pub(super) fn problem(&mut self, line: u64, trouble: Trouble) {
        if self.problems.len() < LISTED {
            self.problems.push(Problem { line, trouble });
        } else {
            self.unlisted += 1;
        }
    }

    pub(super) fn skip(&mut self, kind: &str) {
        // What a file calls its lines is not ours to trust with memory.
        let short = match kind.char_indices().nth(40) {
            Some((end, _)) => kind.get(..end).unwrap_or_default(),
            None => kind,
        };
        let known = self.skipped.len() < NAMED || self.skipped.contains_key(short);
        let name = if known { short } else { "others" };
        *self.skipped.entry(name.into()).or_default() += 1;
    }

    pub(super) fn field(&mut self, name: &str, json: &str) {
        match name {
            "system" => self.system = Some(json.into()),
            "tools" => self.tools = Some(json.into()),
            _ => {}
        }
    }

    pub(super) fn sort(&mut self) {
        self.problems.sort_by_key(|problem| problem.line);
    }
}
