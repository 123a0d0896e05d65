//! What can go wrong on disk: each error carries the path it happened to.

use std::io;
use std::path::{Path, PathBuf};

use memdir_memory::{MemoryPath, PathProblem};

use crate::digest::Digest;

/// The result of everything that touches the disk.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure of the store. Nothing is half done when one is returned: every file is whole.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("could not {action} {}: {}", path.display(), plain(source))]
    Io {
        /// What was tried, as a verb: "read", "create".
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The name cannot be that of a memory.
    #[error("{0}")]
    Path(#[from] PathProblem),
    /// A symbolic link, FIFO, device or folder stands where a plain file must be.
    #[error("{} is {found}; memdir {}", path.display(), only(found))]
    NotPlain {
        /// Where it stands.
        path: PathBuf,
        /// What it is: "a symbolic link", "a FIFO", …
        found: &'static str,
    },
    /// The file is larger than any memory may be.
    #[error("{} is {bytes} bytes; memdir reads memory files up to {limit} bytes", path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The most that is read.
        limit: u64,
    },
    /// A memory could not be read, so that an index without it would be wrong.
    #[error("the index was left alone, because {path} could not be read: {reason}")]
    Unread {
        /// What, relative to the memory directory.
        path: String,
        /// Why.
        reason: String,
    },
    /// Another process is writing to a file that only one may write to.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// Which file.
        path: PathBuf,
    },
    /// There is no such memory.
    #[error("there is no memory {0}")]
    NotFound(MemoryPath),
    /// The name is taken.
    #[error("{0} exists already")]
    Exists(MemoryPath),
    /// Somebody else changed the same lines of the file meanwhile.
    #[error(
        "{path} was changed by somebody else meanwhile, in the same lines; nothing was overwritten"
    )]
    Conflict {
        /// Which file.
        path: MemoryPath,
        /// Both versions of the lines in question, as a merge shows them.
        merged: String,
    },
    /// A memory that was to go was changed after that was suggested.
    #[error("{path} was changed after its removal was suggested; nothing was removed")]
    ChangedSince {
        /// Which file.
        path: MemoryPath,
    },
    /// The suggestion is a memory already.
    #[error(
        "suggestion {number} was accepted already, by operation {operation}; nothing was changed"
    )]
    Accepted {
        /// The suggestion.
        number: u64,
        /// The operation in the history.
        operation: u64,
    },
    /// A suggestion is not what was put into the inbox.
    #[error("{} {problem}; it was left where it is", path.display())]
    DamagedSuggestion {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The operation to undo was changed again later, in the same lines.
    #[error(
        "operation {operation} cannot be undone: {path} was changed again later, in the same lines"
    )]
    UndoConflict {
        /// The operation that was to be undone.
        operation: u64,
        /// Which file.
        path: MemoryPath,
        /// Later operations that touch it.
        later: Vec<u64>,
        /// Both versions of the lines in question, as a merge shows them.
        merged: String,
    },
    /// There is no such operation in the history.
    #[error("there is no operation {0} in the history")]
    NoOperation(u64),
    /// The operation is in the history no more.
    #[error("operation {0} is no longer in the history: what it changed was purged")]
    PurgedOperation(u64),
    /// The operation only recorded what was there already.
    #[error(
        "operation {0} recorded what was there when memdir first looked; there is nothing to take back"
    )]
    FirstSight(u64),
    /// The text contains what looks like a secret. The value is never carried.
    #[error("{path} was not written: line {line} looks like a secret (rule {rule}: {description})")]
    Secret {
        /// The file that was to be written.
        path: MemoryPath,
        /// The line of the text.
        line: usize,
        /// The rule that matched.
        rule: &'static str,
        /// What the rule finds.
        description: &'static str,
    },
    /// The name of a file contains what looks like a secret. Neither is carried.
    #[error(
        "nothing was written: the file's name looks like a secret (rule {rule}: {description})"
    )]
    SecretName {
        /// The rule that matched.
        rule: &'static str,
        /// What the rule finds.
        description: &'static str,
    },
    /// Another process holds the lock of this memory directory.
    #[error(
        "another process is changing these memories ({owner}); gave up after {waited_seconds} s"
    )]
    Busy {
        /// Who, as far as its record tells.
        owner: String,
        /// How long it was waited for.
        waited_seconds: u64,
    },
    /// A file of ours was written by a newer memdir; it is left alone.
    #[error("{} was written by a newer memdir (format {found}, this one knows {known}); update memdir", path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format version.
        found: u64,
        /// The newest that this program knows.
        known: u64,
    },
    /// A content that the history names is not in it, because a line of it is damaged.
    #[error("the history has lost the content {digest} of {path}: a line of it is damaged")]
    Unknown {
        /// Which file.
        path: MemoryPath,
        /// Which content.
        digest: Digest,
    },
    /// The change stands in the files, but the disk did not confirm that it is safe.
    #[error(
        "the change is made, but the disk did not confirm it ({source}); check with `memdir doctor`"
    )]
    Unconfirmed {
        /// What failed.
        source: Box<Error>,
    },
    /// The change failed midway and could not be taken back at once.
    #[error(
        "the change stopped midway ({source}); the next memdir command completes it, `memdir undo {operation}` takes it back"
    )]
    Interrupted {
        /// The operation in the history.
        operation: u64,
        /// What failed.
        source: Box<Error>,
    },
}

impl Error {
    /// An error of the operating system, with what was tried and on which file.
    pub fn io(action: &'static str, path: impl AsRef<Path>, source: impl Into<io::Error>) -> Self {
        Error::Io {
            action,
            path: path.as_ref().to_path_buf(),
            source: source.into(),
        }
    }

    /// Whether the operating system said that the file is not there.
    pub fn is_missing(&self) -> bool {
        matches!(self, Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// What stands where a folder must be: a link, mostly.
pub(crate) const NOT_A_FOLDER: &str = "not a folder";

/// What memdir does instead of taking anything else.
fn only(found: &str) -> &'static str {
    match found {
        NOT_A_FOLDER => "follows no link there",
        _ => "reads and writes plain files only",
    }
}

/// The system's words without the error number, which helps no one.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}
