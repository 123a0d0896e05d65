//! One line of the history: an operation, with everything needed to do it again.

use jiff::Timestamp;
use memdir_memory::MemoryPath;
use serde::{Deserialize, Serialize};

use super::splice::{Delta, Text};
use crate::digest::Digest;

/// The format that this program writes.
pub(crate) const VERSION: u64 = 2;

/// What an outside change is called in the history.
pub(crate) const CHANGED_OUTSIDE: &str = "changed outside";

/// What the contents of a directory that was never seen before are called in the history.
pub(crate) const FIRST_SIGHT: &str = "first seen";

/// Who made a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// A person, with a command.
    User,
    /// The agent that the user talks to.
    Agent,
    /// The fork that saves what is worth keeping.
    Extraction,
    /// Consolidation.
    Dream,
    /// Work without a model: rules, repairs.
    Rules,
    /// An import from another program.
    Import,
    /// The team's memory.
    Team,
    /// Somebody behind our back: an editor, another agent. Recorded when noticed.
    Outside,
}

impl Author {
    /// The word in records and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Author::User => "user",
            Author::Agent => "agent",
            Author::Extraction => "extraction",
            Author::Dream => "dream",
            Author::Rules => "rules",
            Author::Import => "import",
            Author::Team => "team",
            Author::Outside => "outside",
        }
    }
}

impl std::fmt::Display for Author {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Who does something, what it is, and where it came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Who.
    pub who: Author,
    /// What, in a word or two: "remember", "undo 12".
    pub what: String,
    /// The conversation it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The message in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Reason {
    /// The reason for a change that was made behind our back.
    pub(crate) fn outside() -> Reason {
        Reason::new(Author::Outside, CHANGED_OUTSIDE)
    }

    /// A reason without a conversation.
    pub fn new(who: Author, what: impl Into<String>) -> Reason {
        Reason {
            who,
            what: what.into(),
            conversation: None,
            message: None,
        }
    }
}

/// One operation: one command, one tool call, one job run, with all its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) v: u64,
    /// Counts up from 1; the name by which a user undoes it.
    pub(crate) op: u64,
    pub(crate) at: Timestamp,
    #[serde(flatten)]
    pub(crate) reason: Reason,
    /// The operation that this one takes back at the user's wish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undoes: Option<u64>,
    /// The operation that failed midway and that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) aborts: Option<u64>,
    /// Of how many files a purge has removed what this did to them, in whole or in part.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) purged: u64,
    pub(crate) files: Vec<FileRecord>,
}

/// What an operation did to one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileRecord {
    pub(crate) path: MemoryPath,
    /// The content it found; `None`: no file.
    pub(crate) before: Option<Digest>,
    /// The content it left; `None`: no file.
    pub(crate) after: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mtime_before: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mtime: Option<i64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) inode: u64,
    /// The temporary that a crash may leave, with what came out of the exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tmp: Option<String>,
    /// The content it found, whole, where this segment of the log does not have it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delta: Option<Delta>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Record {
    /// The record as a line of the log, with a checksum as its last field.
    pub(crate) fn to_line(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut line = serde_json::to_vec(self)?;
        line.pop();
        let sum = checksum(&line);
        line.extend_from_slice(format!("{SUM}{sum}\"}}\n").as_bytes());
        Ok(line)
    }

    /// Reads a line of the log, without its newline.
    pub(crate) fn from_line(line: &[u8]) -> Result<Record, Unreadable> {
        let record = serde_json::from_slice::<Record>(line);
        let known = matches!(&record, Ok(record) if record.v <= VERSION);
        if known && has_checksum(line) {
            return record.map_err(|_| Unreadable::Damaged);
        }
        match serde_json::from_slice::<Version>(line) {
            Ok(version) if version.v > VERSION => Err(Unreadable::Newer(version.v)),
            _ => Err(Unreadable::Damaged),
        }
    }
}

fn has_checksum(line: &[u8]) -> bool {
    let tail = line.len().saturating_sub(SUM.len() + 16 + 2);
    line.split_at_checked(tail)
        .is_some_and(|(body, sum)| sum == format!("{SUM}{}\"}}", checksum(body)).as_bytes())
}

/// Why a line of the log is not a record.
#[derive(Debug, PartialEq)]
pub(crate) enum Unreadable {
    /// Cut off, overwritten, or never ours.
    Damaged,
    /// Of a newer format.
    Newer(u64),
}

#[derive(Deserialize)]
struct Version {
    v: u64,
}

const SUM: &str = ",\"sum\":\"";

fn checksum(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes);
    hash.to_hex().as_str().chars().take(16).collect()
}
