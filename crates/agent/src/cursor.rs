//! Up to which message a conversation has been looked through.
//!
//! A cursor advances only after what was found is saved, so that a run that failed or was killed looks at the same messages
//! again; what it had saved already is then known and not saved twice.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_store::{Record, RecordError, Records, Store};
use serde::{Deserialize, Serialize};

/// So many transcripts of one folder are remembered; the oldest go first.
const MOST: usize = 10_000;

/// Where a conversation was left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The last message that was looked at.
    pub message: String,
    /// When it was said, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Timestamp>,
    /// When it was looked at.
    pub at: Timestamp,
    /// The transcript as it was then: one that is still the same need not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileMark>,
}

/// What tells one state of a transcript from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMark {
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed, in nanoseconds since 1970.
    pub mtime: i64,
}

impl Record for Cursor {
    const KIND: &'static str = "cursors";
    const VERSION: u64 = 1;
}

/// Where a conversation was left, by its name.
///
/// ```
/// use memdir_agent::cursor::{self, Cursor};
/// use memdir_store::Store;
///
/// # let folder = tempfile::tempdir()?;
/// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
/// let left = Cursor { message: "m7".to_owned(), said: None, at: "2026-11-16T08:00:00Z".parse()?, file: None };
/// cursor::set(&store, "talk", &left)?;
/// assert_eq!(cursor::get(&store, "talk")?, Some(left));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the record cannot be read. One that is damaged counts as none: the messages are looked at again.
pub fn get(store: &Store, conversation: &str) -> Result<Option<Cursor>, RecordError> {
    match Records::new(store.state_directory()).get::<Cursor>(conversation) {
        Ok(found) => Ok(found.map(|(cursor, _)| cursor)),
        Err(RecordError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Leaves a conversation here.
///
/// # Errors
///
/// When the record cannot be written.
pub fn set(store: &Store, conversation: &str, cursor: &Cursor) -> Result<(), RecordError> {
    let records = Records::new(store.state_directory());
    records.update(conversation, |_| cursor.clone()).map(drop)
}

/// Transcripts of one folder that were looked through, by their names.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Folder {
    transcripts: HashMap<String, Cursor>,
}

impl Record for Folder {
    const KIND: &'static str = "extracted";
    const VERSION: u64 = 1;
}

/// Which past transcripts were looked through. One record for each folder of them: a thousand files that are written one by
/// one take longer than everything else.
#[derive(Debug)]
pub struct Transcripts {
    records: Records,
    folders: HashMap<PathBuf, HashMap<String, Cursor>>,
}

impl Transcripts {
    /// Those whose records are kept in this folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            records: Records::new(folder),
            folders: HashMap::new(),
        }
    }

    /// Where a transcript was left.
    ///
    /// # Errors
    ///
    /// When the record cannot be read.
    pub fn get(&mut self, transcript: &Path) -> Result<Option<&Cursor>, RecordError> {
        let (folder, name) = parts(transcript);
        if !self.folders.contains_key(&folder) {
            let known = match self.records.get::<Folder>(&folder.to_string_lossy()) {
                Ok(known) => known.map(|(known, _)| known.transcripts),
                Err(RecordError::Damaged { .. }) => None,
                Err(error) => return Err(error),
            };
            let known = known.unwrap_or_default();
            self.folders.insert(folder.clone(), known);
        }
        Ok(self.folders.get(&folder).and_then(|known| known.get(&name)))
    }

    /// Leaves many transcripts, all at once.
    ///
    /// # Errors
    ///
    /// When a record cannot be written.
    pub fn set(&mut self, left: Vec<(PathBuf, Cursor)>) -> Result<(), RecordError> {
        let mut by_folder: HashMap<PathBuf, Vec<(String, Cursor)>> = HashMap::new();
        for (transcript, cursor) in left {
            let (folder, name) = parts(&transcript);
            by_folder.entry(folder).or_default().push((name, cursor));
        }
        for (folder, left) in by_folder {
            let key = folder.to_string_lossy();
            self.records.update(&key, |known: Option<Folder>| {
                let mut known = known.unwrap_or_default();
                known.transcripts.extend(left.iter().cloned());
                known.trim();
                known
            })?;
            self.folders.entry(folder).or_default().extend(left);
        }
        Ok(())
    }
}

impl Folder {
    fn trim(&mut self) {
        let Some(over) = self.transcripts.len().checked_sub(MOST) else {
            return;
        };
        let mut times: Vec<Timestamp> = self.transcripts.values().map(|one| one.at).collect();
        times.sort_unstable();
        let oldest = times.get(over).copied();
        self.transcripts
            .retain(|_, cursor| oldest.is_none_or(|oldest| cursor.at >= oldest));
    }
}

fn parts(transcript: &Path) -> (PathBuf, String) {
    let folder = transcript.parent().unwrap_or(transcript).to_path_buf();
    let name = transcript.file_name().unwrap_or_default();
    (folder, name.to_string_lossy().into_owned())
}
