//! Small versioned JSON files, by kind and key: the state that processes keep for one another.
//!
//! A record is read without a lock, since it is always replaced whole, and written only by whoever has
//! seen what it replaces. What a newer memdir wrote is left alone; what cannot be read is kept beside.

mod key;

use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::directory::Directory;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::limits::lock_patience;
use crate::temporary::is_temporary;
pub use key::KeyProblem;

/// Records are small; a larger file is not one of ours.
const MAX_RECORD: u64 = 4 * 1024 * 1024;
/// The lock of a kind's folder. Never renamed, never removed.
const LOCK_NAME: &str = ".lock";

/// A value that is kept as a record.
pub trait Record: Serialize + DeserializeOwned {
    /// The folder that holds all of its kind: one plain word.
    const KIND: &'static str;
    /// The format that this program writes, and the newest that it reads.
    const VERSION: u64;
}

/// The records in one folder, of all kinds.
///
/// ```
/// use memdir_store::{Record, RecordError, Records};
///
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Count { number: u32 }
/// impl Record for Count {
///     const KIND: &'static str = "counts";
///     const VERSION: u64 = 1;
/// }
///
/// let folder = tempfile::tempdir().unwrap();
/// let records = Records::new(folder.path());
/// let first = records.put("visits", &Count { number: 1 }, None).unwrap();
/// records.put("visits", &Count { number: 2 }, Some(&first)).unwrap();
/// // Whoever has not seen the second cannot overwrite it.
/// let late = records.put("visits", &Count { number: 9 }, Some(&first));
/// assert!(matches!(late, Err(RecordError::Conflict { .. })));
/// ```
#[derive(Debug, Clone)]
pub struct Records {
    folder: PathBuf,
    light: bool,
    waits: bool,
}

/// The content of a record that somebody saw: the ticket for replacing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen(Digest);

/// Why a record was not read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Somebody else changed the record meanwhile.
    #[error("{} was changed by another process meanwhile; nothing was overwritten", path.display())]
    Conflict {
        /// The record.
        path: PathBuf,
    },
    /// A newer memdir wrote it; it is left alone.
    #[error("{} was written by a newer memdir (format {found}, this one knows {known}); it is left alone", path.display())]
    Newer {
        /// The record.
        path: PathBuf,
        /// Its format.
        found: u64,
        /// The newest that this program knows.
        known: u64,
    },
    /// It is not what was written. The next write keeps it beside the new one.
    #[error("{} cannot be read: {problem}; it is kept and a new one is made when needed", path.display())]
    Damaged {
        /// The record.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The key cannot be one.
    #[error(transparent)]
    Key(#[from] KeyProblem),
    /// Another process has been writing records of this kind for too long.
    #[error("another process is writing in {}; gave up after {waited_seconds} s", path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long it was waited for.
        waited_seconds: u64,
    },
    /// The disk.
    #[error(transparent)]
    Store(#[from] Error),
}

#[derive(Serialize, Deserialize)]
struct Envelope<T> {
    version: u64,
    key: String,
    value: T,
}

#[derive(Deserialize)]
struct Version {
    version: u64,
}

/// What stands where a record belongs.
enum Standing<T> {
    Nothing,
    Record { key: String, value: T, seen: Seen },
    Damaged { problem: String },
}

impl Records {
    /// The records in a folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            light: false,
            waits: true,
        }
    }

    /// The same, without waiting for anybody: for what may as well stay unwritten.
    #[must_use]
    pub fn without_waiting(self) -> Self {
        Self {
            waits: false,
            ..self
        }
    }

    /// The same, without waiting for the disk: for state that a power cut may take back to what it was. A kill takes nothing.
    #[must_use]
    pub fn light(self) -> Self {
        Self {
            light: true,
            ..self
        }
    }

    /// Where the record of a key stands, or would stand.
    pub fn path_of<T: Record>(&self, key: &str) -> Result<PathBuf, RecordError> {
        Ok(self.folder.join(T::KIND).join(key::file_name(key)?))
    }

    /// Reads a record; creates and changes nothing.
    pub fn get<T: Record>(&self, key: &str) -> Result<Option<(T, Seen)>, RecordError> {
        let name = key::file_name(key)?;
        let Some(folder) = self.kind::<T>()? else {
            return Ok(None);
        };
        match look::<T>(&folder, &name)? {
            Standing::Nothing => Ok(None),
            Standing::Record { value, seen, .. } => Ok(Some((value, seen))),
            Standing::Damaged { problem } => Err(RecordError::Damaged {
                path: folder.path().join(name),
                problem,
            }),
        }
    }

    /// Writes a record in the place of the one that was seen, `None` for no record at all. A
    /// damaged one is moved aside, under a name of its own, whatever was seen.
    pub fn put<T: Record>(
        &self,
        key: &str,
        value: &T,
        seen: Option<&Seen>,
    ) -> Result<Seen, RecordError> {
        let name = key::file_name(key)?;
        let folder = Directory::create(&self.folder)?.folder_or_create(T::KIND)?;
        let _lock = self.lock(&folder)?;
        self.expect::<T>(&folder, &name, seen)?;
        let envelope = Envelope {
            version: T::VERSION,
            key: key.to_owned(),
            value,
        };
        let path = || folder.path().join(&name);
        let bytes = serde_json::to_vec(&envelope)
            .map_err(|error| Error::io("write", path(), std::io::Error::from(error)))?;
        match self.light {
            true => folder.replace_light(&name, &bytes)?,
            false => folder.replace_file(&name, &bytes)?,
        }
        Ok(Seen(Digest::of(&bytes)))
    }

    /// Changes a record, however many others do the same: `change` is given what stands there and
    /// called again when somebody else was faster.
    pub fn update<T: Record>(
        &self,
        key: &str,
        mut change: impl FnMut(Option<T>) -> T,
    ) -> Result<Seen, RecordError> {
        loop {
            let (value, seen) = match self.get::<T>(key) {
                Ok(Some((value, seen))) => (Some(value), Some(seen)),
                Ok(None) | Err(RecordError::Damaged { .. }) => (None, None),
                Err(error) => return Err(error),
            };
            match self.put(key, &change(value), seen.as_ref()) {
                Err(RecordError::Conflict { .. }) => {}
                other => return other,
            }
        }
    }

    /// Removes the record that was seen. One that is gone already is fine.
    pub fn remove<T: Record>(&self, key: &str, seen: &Seen) -> Result<(), RecordError> {
        let name = key::file_name(key)?;
        let Some(folder) = self.kind::<T>()? else {
            return Ok(());
        };
        let _lock = self.lock(&folder)?;
        match look::<T>(&folder, &name)? {
            Standing::Nothing => Ok(()),
            Standing::Record { seen: found, .. } if found == *seen => {
                folder.remove(&name)?;
                match self.light {
                    true => Ok(()),
                    false => Ok(folder.sync()?),
                }
            }
            _ => Err(RecordError::Conflict {
                path: folder.path().join(name),
            }),
        }
    }

    fn lock(&self, folder: &Directory) -> Result<FileLock, RecordError> {
        let patience = match self.waits {
            true => lock_patience(),
            false => Duration::ZERO,
        };
        FileLock::take(folder, LOCK_NAME, patience)?.ok_or_else(|| RecordError::Busy {
            path: folder.path().join(LOCK_NAME),
            waited_seconds: patience.as_secs(),
        })
    }

    /// All records of a kind by key, and what is wrong with those that cannot be read.
    pub fn list<T: Record>(&self) -> Result<Listed<T>, RecordError> {
        let mut listed = Listed {
            records: Vec::new(),
            problems: Vec::new(),
        };
        let Some(folder) = self.kind::<T>()? else {
            return Ok(listed);
        };
        for name in names(&folder)? {
            if name.starts_with('.') || !name.ends_with(key::SUFFIX) {
                continue;
            }
            match look::<T>(&folder, &name) {
                Ok(Standing::Record { key, value, seen }) => {
                    listed.records.push((key, value, seen));
                }
                Ok(Standing::Damaged { problem }) => {
                    let path = folder.path().join(name);
                    listed.problems.push(RecordError::Damaged { path, problem });
                }
                Ok(Standing::Nothing) => {}
                Err(error) => listed.problems.push(error),
            }
        }
        listed
            .records
            .sort_by(|(one, ..), (other, ..)| one.cmp(other));
        Ok(listed)
    }

    /// Removes what killed writers of this kind left behind, and says how much it was.
    pub fn remove_orphans<T: Record>(&self) -> Result<usize, RecordError> {
        let Some(folder) = self.kind::<T>()? else {
            return Ok(0);
        };
        remove_orphans(&folder)
    }

    /// The same of kinds that are known by name alone. Only folders of records: what lies beside memories is another matter,
    /// and nobody removes it before the journal has looked at it.
    pub fn remove_orphans_of(&self, kinds: &[&str]) -> Result<usize, RecordError> {
        let Some(all) = Directory::open(&self.folder)? else {
            return Ok(0);
        };
        let mut removed = 0;
        for kind in kinds {
            if let Some(folder) = all.folder(kind)? {
                removed += remove_orphans(&folder)?;
            }
        }
        Ok(removed)
    }

    fn kind<T: Record>(&self) -> Result<Option<Directory>, RecordError> {
        let Some(folder) = Directory::open(&self.folder)? else {
            return Ok(None);
        };
        Ok(folder.folder(T::KIND)?)
    }

    /// Makes sure, under the lock, that what stands there is what was seen.
    fn expect<T: Record>(
        &self,
        folder: &Directory,
        name: &str,
        seen: Option<&Seen>,
    ) -> Result<(), RecordError> {
        match look::<T>(folder, name)? {
            Standing::Nothing if seen.is_none() => Ok(()),
            Standing::Record { seen: found, .. } if Some(&found) == seen => Ok(()),
            Standing::Damaged { .. } => set_aside(folder, name),
            _ => Err(RecordError::Conflict {
                path: folder.path().join(name),
            }),
        }
    }
}

/// The records of one kind.
#[derive(Debug)]
pub struct Listed<T> {
    /// Key, value and what was seen, in order of the keys.
    pub records: Vec<(String, T, Seen)>,
    /// Records that could not be read.
    pub problems: Vec<RecordError>,
}

fn look<T: Record>(folder: &Directory, name: &str) -> Result<Standing<T>, RecordError> {
    let bytes = match folder.read(name, MAX_RECORD) {
        Ok(Some(found)) => found.bytes,
        Ok(None) => return Ok(Standing::Nothing),
        Err(error @ (Error::NotPlain { .. } | Error::TooLarge { .. })) => {
            return Ok(Standing::Damaged {
                problem: error.to_string(),
            });
        }
        Err(error) => return Err(error.into()),
    };
    if let Ok(Version { version }) = serde_json::from_slice(&bytes)
        && version > T::VERSION
    {
        let path = folder.path().join(name);
        return Err(RecordError::Newer {
            path,
            found: version,
            known: T::VERSION,
        });
    }
    match serde_json::from_slice::<Envelope<T>>(&bytes) {
        Ok(envelope) if key::file_name(&envelope.key).is_ok_and(|own| own == name) => {
            let seen = Seen(Digest::of(&bytes));
            Ok(Standing::Record {
                key: envelope.key,
                value: envelope.value,
                seen,
            })
        }
        Ok(_) => Ok(Standing::Damaged {
            problem: "it is the record of another key".into(),
        }),
        Err(error) => Ok(Standing::Damaged {
            problem: error.to_string(),
        }),
    }
}

/// Keeps a damaged record under the first free name beside its own.
fn set_aside(folder: &Directory, name: &str) -> Result<(), RecordError> {
    for number in 1_u32.. {
        if folder.place_new(name, &format!("{name}.bad-{number}"))? {
            break;
        }
    }
    Ok(())
}

fn remove_orphans(folder: &Directory) -> Result<usize, RecordError> {
    let mut removed = 0;
    for name in names(folder)?
        .iter()
        .filter(|name| is_temporary(name.as_bytes()))
    {
        removed += usize::from(folder.remove_orphan(name)?);
    }
    Ok(removed)
}

fn names(folder: &Directory) -> Result<Vec<String>, RecordError> {
    let failed = |error| Error::io("list", folder.path(), error);
    let mut names = Vec::new();
    for entry in rustix::fs::Dir::read_from(folder.handle()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        names.extend(entry.file_name().to_str().ok().map(str::to_owned));
    }
    Ok(names)
}
