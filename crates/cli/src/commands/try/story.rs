//! The sample that is played.

use serde::Deserialize;

const TEXT: &str = include_str!("../../../samples/three_days.toml");

/// A conversation of some days, and what another agent wrote meanwhile.
#[derive(Debug, Deserialize)]
pub(super) struct Story {
    pub(super) day: Vec<Day>,
    pub(super) other: Vec<Other>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Day {
    pub(super) name: String,
    pub(super) turn: Vec<Turn>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Turn {
    pub(super) user: String,
    pub(super) agent: String,
    /// What a tool answers in between.
    pub(super) page: Option<String>,
}

/// A file that another agent wrote, whole or at its end.
#[derive(Debug, Deserialize)]
pub(super) struct Other {
    pub(super) file: String,
    pub(super) text: Option<String>,
    pub(super) append: Option<String>,
}

impl Story {
    pub(super) fn read() -> Result<Self, String> {
        toml::from_str(TEXT).map_err(|error| error.to_string())
    }
}
