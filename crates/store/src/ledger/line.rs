//! One line of the ledger.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The format that this program writes, and the newest that it reads.
pub(super) const VERSION: u64 = 1;

/// A step in the life of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    v: u64,
    pub(super) id: String,
    pub(super) at: Timestamp,
    #[serde(flatten)]
    pub(super) step: Step,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Step {
    Reserved(Wanted),
    Settled(Spent),
}

/// A request that is to be made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// What for: `extraction`, `dream`, …
    pub purpose: String,
    /// For which project: its root.
    pub project: String,
    /// Whom it is asked of.
    pub provider: String,
    /// Which model.
    pub model: String,
    /// The most that it can cost, in billionths of a dollar.
    pub nano_usd: u64,
    /// Whether it is part of the user's own conversation: the day's cap is for what is done in the background.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own: bool,
}

/// What a request did cost. Nothing when nobody worked on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Tokens that were neither read from nor written to the cache.
    pub input: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the cache.
    pub cache_write: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// What they cost, in billionths of a dollar.
    pub nano_usd: u64,
    /// How much of the provider's rate limit was left, in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_per_mille: Option<u32>,
    /// When that limit is full again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resets: Option<Timestamp>,
    /// When this became known.
    #[serde(skip)]
    pub at: Option<Timestamp>,
}

/// Why a line is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    Damaged,
    Newer(u64),
}

#[derive(Deserialize)]
struct Version {
    v: u64,
}

impl Line {
    pub(super) fn new(id: &str, at: Timestamp, step: Step) -> Self {
        Self {
            v: VERSION,
            id: id.to_owned(),
            at,
            step,
        }
    }

    /// As it stands in the file, with its end.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        if let Ok(line) = serde_json::from_slice::<Self>(bytes)
            && line.v == VERSION
        {
            return Ok(line);
        }
        match serde_json::from_slice::<Version>(bytes) {
            Ok(Version { v }) if v > VERSION => Err(Unreadable::Newer(v)),
            _ => Err(Unreadable::Damaged),
        }
    }
}
