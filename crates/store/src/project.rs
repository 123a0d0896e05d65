//! Which project a folder belongs to.
//!
//! A repository says where its git data are, and a hostile one lies: with a `.git` file that points into
//! another project it would get that project's memory. So nothing is followed but one thing, a
//! worktree, and that only if the repository it points to points back to this very folder. The
//! configuration of a repository is never read.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use crate::reader::read_regular;

/// A path and some words: git's own pointers are far smaller.
const MAX_POINTER: u64 = 16 * 1024;

/// A project as seen from a folder in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// What identifies it: the main checkout's folder, for worktrees too.
    pub root: PathBuf,
    /// The topmost folder of the files around the start folder: a worktree's own folder.
    pub checkout: PathBuf,
    /// How it was recognised.
    pub kind: ProjectKind,
}

/// How a project was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectKind {
    /// Outside of git: the folder itself.
    Folder,
    /// The folder has a `.git` of its own.
    Checkout,
    /// A worktree, of a repository that knows it.
    Worktree,
    /// The folder's `.git` points elsewhere and is not followed: a project of its own.
    Own(Unfollowed),
}

/// Why a `.git` that points elsewhere is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfollowed {
    /// A submodule, which is a project of its own.
    Submodule,
    /// A symbolic link.
    Link,
    /// Not readable, too large, or not of git's form.
    Unreadable,
    /// Points to nothing.
    Dangling,
    /// Points to something that is not a worktree's folder: a repository kept apart.
    Elsewhere,
    /// The repository that it points to does not know this worktree.
    NotPointingBack,
    /// What it points to is not a repository.
    NotRepository,
}

impl fmt::Display for Unfollowed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Submodule => "it is a submodule",
            Self::Link => "its .git is a symbolic link",
            Self::Unreadable => "its .git file cannot be read",
            Self::Dangling => "its .git file points to nothing",
            Self::Elsewhere => "its .git file points to a repository kept elsewhere",
            Self::NotPointingBack => {
                "its .git file points to a repository that does not point back to it"
            }
            Self::NotRepository => "its .git file points to something that is not a repository",
        })
    }
}

impl Project {
    /// Finds the project of a folder, which has to be absolute and canonical. Never fails: where
    /// nothing can be made out, the folder is its own project.
    #[must_use]
    pub fn find(start: &Path) -> Self {
        start
            .ancestors()
            .find_map(Self::at)
            .unwrap_or_else(|| Self {
                root: start.to_path_buf(),
                checkout: start.to_path_buf(),
                kind: ProjectKind::Folder,
            })
    }

    /// Git's own folder for these files; none where its pointer is not followed.
    pub(crate) fn git_folder(&self) -> Option<PathBuf> {
        let pointer = self.checkout.join(".git");
        match self.kind {
            ProjectKind::Checkout => Some(pointer),
            ProjectKind::Worktree => private_of(&self.checkout, &pointer).ok(),
            ProjectKind::Folder | ProjectKind::Own(_) => None,
        }
    }

    fn at(folder: &Path) -> Option<Self> {
        let pointer = folder.join(".git");
        let own = |kind| Self {
            root: folder.into(),
            checkout: folder.into(),
            kind,
        };
        match kind_of(rustix::fs::lstat(&pointer))? {
            FileType::Directory => Some(own(ProjectKind::Checkout)),
            FileType::RegularFile => Some(match main_of(folder, &pointer) {
                Ok(root) => Self {
                    root,
                    checkout: folder.into(),
                    kind: ProjectKind::Worktree,
                },
                Err(unfollowed) => own(ProjectKind::Own(unfollowed)),
            }),
            FileType::Symlink => {
                // One that leads nowhere is no repository to git either.
                kind_of(rustix::fs::stat(&pointer))?;
                Some(own(ProjectKind::Own(Unfollowed::Link)))
            }
            _ => None,
        }
    }
}

fn kind_of(stat: rustix::io::Result<rustix::fs::Stat>) -> Option<FileType> {
    stat.ok().map(|stat| FileType::from_raw_mode(stat.st_mode))
}

/// Where a worktree's pointer leads.
fn private_of(folder: &Path, pointer: &Path) -> Result<PathBuf, Unfollowed> {
    let text = read_regular(pointer, MAX_POINTER)
        .ok()
        .flatten()
        .ok_or(Unfollowed::Unreadable)?;
    let target = text
        .strip_prefix(b"gitdir:")
        .and_then(as_path)
        .ok_or(Unfollowed::Unreadable)?;
    let private = folder.join(target).canonicalize();
    private.map_err(|_| Unfollowed::Dangling)
}

/// The root that a worktree shares with its main checkout. All comparing is done on canonical
/// paths: a link on the way cannot make one place look like another.
fn main_of(folder: &Path, pointer: &Path) -> Result<PathBuf, Unfollowed> {
    let private = private_of(folder, pointer)?;
    let (Some(worktrees), Some(common)) =
        (private.parent(), private.parent().and_then(Path::parent))
    else {
        return Err(Unfollowed::Elsewhere);
    };
    if worktrees.file_name() != Some(OsStr::new("worktrees")) {
        return Err(if is_submodule(&private) {
            Unfollowed::Submodule
        } else {
            Unfollowed::Elsewhere
        });
    }
    if resolved(&private, "gitdir").as_deref() != Some(pointer) {
        return Err(Unfollowed::NotPointingBack);
    }
    if resolved(&private, "commondir").as_deref() != Some(common) {
        return Err(Unfollowed::NotPointingBack);
    }
    if !looks_like_repository(common) {
        return Err(Unfollowed::NotRepository);
    }
    match common.parent() {
        Some(main) if common.file_name() == Some(OsStr::new(".git")) => Ok(main.to_path_buf()),
        _ => Ok(common.to_path_buf()),
    }
}

/// The canonical path that stands in the file `name` of git's private folder for a worktree.
fn resolved(private: &Path, name: &str) -> Option<PathBuf> {
    let text = read_regular(&private.join(name), MAX_POINTER)
        .ok()
        .flatten()?;
    private.join(as_path(&text)?).canonicalize().ok()
}

fn as_path(text: &[u8]) -> Option<&Path> {
    let text = text.trim_ascii();
    (!text.is_empty()).then(|| Path::new(OsStr::from_bytes(text)))
}

fn is_submodule(private: &Path) -> bool {
    let mut components = private.iter();
    while let Some(component) = components.next() {
        if component == ".git" && components.clone().next() == Some(OsStr::new("modules")) {
            return true;
        }
    }
    false
}

fn looks_like_repository(common: &Path) -> bool {
    let is = |name: &str, kind| kind_of(rustix::fs::stat(common.join(name))) == Some(kind);
    is("HEAD", FileType::RegularFile)
        && is("objects", FileType::Directory)
        && is("refs", FileType::Directory)
}
