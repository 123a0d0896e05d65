//! What discovery asks for, and what it is told.

use std::path::{Path, PathBuf};

use super::{Kind, Owned};

/// Where instruction files are looked for, and what the user allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sources {
    /// The folder of whoever administers the machine.
    pub managed: Option<PathBuf>,
    /// The user's own folder, with `CLAUDE.md` and `rules/`.
    pub home: Option<PathBuf>,
    /// The user's home directory, for `~`.
    pub user_home: Option<PathBuf>,
    /// The topmost folder of the project's files; absolute and canonical.
    pub project: PathBuf,
    /// Where the conversation began, in the project or the project itself; absolute and canonical.
    pub start_folder: PathBuf,
    /// The index of the memory directory, where it is to be sent with the instruction files.
    pub memory_index: Option<PathBuf>,
    /// Who the user is to the system.
    pub user: u32,
    /// Whether files of the project may include files outside of it: `claudeMd.allowExternalIncludes`.
    pub allow_external_includes: bool,
    /// Over this many tokens whole files are left out: `instructions.max_tokens`.
    pub max_tokens: Option<usize>,
}

impl Sources {
    /// A project and nothing else, with nothing allowed.
    pub fn new(project: impl Into<PathBuf>, start: impl Into<PathBuf>, user: u32) -> Self {
        Self {
            managed: None,
            home: None,
            user_home: None,
            project: project.into(),
            start_folder: start.into(),
            memory_index: None,
            user,
            allow_external_includes: false,
            max_tokens: None,
        }
    }
}

/// Something that discovery needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is wanted of the path.
    pub want: Want,
    /// An absolute path.
    pub path: PathBuf,
    /// On behalf of which source.
    pub kind: Kind,
    /// Who asks.
    pub asker: Asker,
}

/// What is wanted of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// The bytes of a regular file.
    File,
    /// The names of the `*.md` files and of the folders in a folder.
    Folder,
    /// The bytes of the memory index, reached as everything in a memory directory is.
    Index,
}

/// Who asks for a file, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asker {
    /// It is one of the places where instruction files are looked for.
    Source,
    /// A file includes it.
    Include {
        /// The file that does.
        file: PathBuf,
        /// In which line, from 1.
        line: usize,
    },
}

/// What a request is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// There is nothing of that name.
    Absent,
    /// There is something, but it is not opened or cannot be; why, in words.
    Refused(String),
    /// The file.
    File(Opened),
    /// What is in the folder; `bytes` is empty.
    Folder {
        /// The folder itself.
        opened: Opened,
        /// Names of its `*.md` files.
        files: Vec<PathBuf>,
        /// Names of the folders in it.
        folders: Vec<PathBuf>,
    },
}

impl Answer {
    /// A file that is where it was asked for, and that only its user can write, like every folder above it.
    pub fn file(path: impl AsRef<Path>, text: impl AsRef<[u8]>, user: u32) -> Self {
        let path = path.as_ref();
        let folders = path.ancestors().skip(1).count();
        let folder = Owned { user, mode: 0o755 };
        let mut owners = vec![folder; folders];
        owners.push(Owned { user, mode: 0o644 });
        Self::File(Opened {
            bytes: text.as_ref().to_vec(),
            real: path.to_path_buf(),
            owners,
        })
    }
}

/// Something that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// What stands in it.
    pub bytes: Vec<u8>,
    /// Where it really is, once every symbolic link is followed.
    pub real: PathBuf,
    /// The owners of everything on the way to `real`: first the root, last the thing itself.
    pub owners: Vec<Owned>,
}
