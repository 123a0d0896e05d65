//! The notes of one conversation on disk: a file that is always whole, and never overwritten unseen.

use std::path::{Path, PathBuf};

use memdir_memory::MemoryPath;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::gate::{Gate, Notice, SecretPolicy};
use crate::place::{Placing, give_back, put};
use crate::records::RecordError;

/// The folder of the notes, in that of their conversation, and their file in it.
pub(crate) const NOTES_FOLDER: &str = "session-memory";
pub(crate) const NOTES_NAME: &str = "summary.md";
/// Notes have some ten thousand tokens; a larger file is not one of ours.
const MAX_NOTES_BYTES: u64 = 1024 * 1024;

/// The notes of one conversation.
///
/// ```
/// use memdir_store::{SecretPolicy, SessionNotes};
///
/// let folder = tempfile::tempdir()?;
/// let notes = SessionNotes::new(folder.path().join("5d1c4e3a"));
/// notes.write(None, "# Current State\n", SecretPolicy::Refuse)?;
/// let seen = notes.read()?.unwrap();
/// notes.write(Some(&seen.bytes), "# Current State\n\nDone.\n", SecretPolicy::Refuse)?;
/// // Whoever has not seen the second text cannot overwrite it.
/// assert!(notes.write(Some(&seen.bytes), "# Nothing\n", SecretPolicy::Refuse).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SessionNotes {
    folder: PathBuf,
}

impl SessionNotes {
    /// The notes of the conversation that has this folder.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Where they stand, or would stand.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        notes_path(&self.folder)
    }

    /// Their text as it is now; `None` when there are none.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn read(&self) -> Result<Option<Found>> {
        match self.open()? {
            Some(folder) => folder.read(NOTES_NAME, MAX_NOTES_BYTES),
            None => Ok(None),
        }
    }

    /// Puts a text in the place of the one that its author saw, `None` for no file at all. It is searched for secrets like
    /// a memory.
    ///
    /// # Errors
    ///
    /// When somebody else wrote meanwhile, it holds a secret, or the disk refuses. Then nothing has changed.
    pub fn write(
        &self,
        seen: Option<&[u8]>,
        text: &str,
        secrets: SecretPolicy,
    ) -> Result<Vec<Notice>, RecordError> {
        let name = MemoryPath::new(NOTES_NAME).map_err(Error::from)?;
        let gate = Gate {
            secrets,
            open: false,
        };
        let mut notices = Vec::new();
        let bytes = gate.admit(&name, seen, text.as_bytes().to_vec(), &mut notices)?;
        let folder = Directory::create(&self.folder)?.folder_or_create(NOTES_FOLDER)?;
        let mode = folder.read(NOTES_NAME, MAX_NOTES_BYTES)?;
        let mode = mode.map(|found| found.mode);
        folder.remove_orphans(&[]);
        let temporary = folder.temporary(&bytes, mode, None)?;
        let conflict = || RecordError::Conflict { path: self.path() };
        let placed = put(&folder, NOTES_NAME, &temporary.name, seen);
        match placed.inspect_err(|_| drop(folder.remove(&temporary.name)))? {
            Placing::Done(aside) => {
                if let Some(aside) = aside {
                    folder.remove(&aside)?;
                }
                folder.sync()?;
                Ok(notices)
            }
            Placing::Raced(race) => {
                // Where it cannot go back, what they wrote stays under its own name.
                let back = match &race.aside {
                    Some(aside) => give_back(&folder, NOTES_NAME, aside, Some(&bytes))?,
                    None => true,
                };
                if back {
                    folder.remove(&temporary.name)?;
                }
                Err(conflict())
            }
        }
    }

    /// Moves a file that is no notes to a free name beside its own, and says which.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn set_aside(&self) -> Result<Option<PathBuf>> {
        let Some(folder) = self.open()? else {
            return Ok(None);
        };
        for number in 1_u32.. {
            let name = format!("summary-{number}.md");
            match folder.place_new(NOTES_NAME, &name) {
                Ok(true) => {
                    folder.sync()?;
                    return Ok(Some(folder.path_of(&name)));
                }
                Ok(false) => {}
                Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn open(&self) -> Result<Option<Directory>> {
        match Directory::open(&self.folder)? {
            Some(folder) => folder.folder(NOTES_FOLDER),
            None => Ok(None),
        }
    }
}

/// Where the notes of a conversation stand that has this folder.
pub(crate) fn notes_path(folder: &Path) -> PathBuf {
    folder.join(NOTES_FOLDER).join(NOTES_NAME)
}
