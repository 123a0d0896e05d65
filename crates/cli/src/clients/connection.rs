//! What was written for a client, kept under our home.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_store::records::Seen;
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::notes::Notes;
use super::{Client, Reach, Target};

/// A client that was set up.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Connection {
    /// When it was last set up.
    pub(crate) since: Option<Timestamp>,
    /// The home of the user who set it up.
    #[serde(default)]
    pub(crate) home: Option<PathBuf>,
    /// The program that the entries start.
    pub(crate) program: String,
    /// All programs that our entries have ever started.
    #[serde(default)]
    pub(crate) written: Vec<String>,
    /// Whether the user wanted our MCP server there.
    #[serde(default)]
    pub(crate) server: bool,
    /// Notes about each file, by its path.
    #[serde(default)]
    pub(super) files: BTreeMap<PathBuf, Notes>,
    /// Instruction files of projects that have our block.
    #[serde(default)]
    pub(super) instructions: Vec<PathBuf>,
    /// Folders that were made, the innermost last.
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
}

impl Record for Connection {
    const KIND: &'static str = "connections";
    const VERSION: u64 = 1;
}

impl Connection {
    /// Files and folders that it names and that are not this home's to change.
    pub(crate) fn out_of_reach(&self, reach: &Reach) -> Vec<PathBuf> {
        let named = self.files.keys().chain(&self.instructions);
        let mut files: Vec<PathBuf> = named.filter(|file| !reach.covers(file)).cloned().collect();
        files.sort();
        files.dedup();
        files
    }

    /// What is known of the files of another home holds for their copies in this one.
    pub(crate) fn carried_over(mut self, home: Option<&Path>) -> Connection {
        let (Some(old), Some(home)) = (self.home.clone(), home) else {
            return self;
        };
        let carried = |file: &PathBuf| Some(home.join(file.strip_prefix(&old).ok()?));
        for (file, notes) in self.files.clone() {
            if let Some(copy) = carried(&file) {
                self.files.entry(copy).or_insert(notes);
            }
        }
        for folder in self.folders.clone() {
            let copy = carried(&folder).filter(|copy| !self.folders.contains(copy));
            self.folders.extend(copy);
        }
        self
    }

    /// Leaves out what another home wrote, where this one is a copy of it; what stands among the `targets` stays known.
    pub(crate) fn without_foreign(mut self, reach: &Reach, targets: &[Target]) -> Connection {
        let is_own = |file: &PathBuf| {
            !reach.is_foreign()
                || reach.covers(file)
                || targets.iter().any(|target| target.file == *file)
        };
        self.files.retain(|file, _| is_own(file));
        self.instructions.retain(is_own);
        self.folders.retain(is_own);
        self
    }

    /// Leaves out the folders that are not this home's to remove.
    pub(crate) fn within(mut self, reach: &Reach) -> Connection {
        self.folders.retain(|folder| reach.covers(folder));
        self
    }

    /// The one of a client; `None` where it was not set up.
    pub(crate) fn read(
        own: &Path,
        client: Client,
    ) -> Result<Option<(Connection, Seen)>, RecordError> {
        Records::new(own).get::<Connection>(client.word())
    }

    /// Keeps it, before anything is written that it is about.
    pub(super) fn keep(&self, own: &Path, client: Client) -> Result<(), RecordError> {
        let records = Records::new(own);
        records
            .update::<Connection>(client.word(), |_| self.clone())
            .map(|_| ())
    }

    /// Forgets it, once nothing of it is left.
    pub(super) fn forget(own: &Path, client: Client) -> Result<(), RecordError> {
        let records = Records::new(own);
        match records.get::<Connection>(client.word())? {
            Some((_, seen)) => records.remove::<Connection>(client.word(), &seen),
            None => Ok(()),
        }
    }
}
