//! Which files a project's repository tracks.
//!
//! Git keeps a list of them, its index. It is read here and git is not run: a repository's configuration can name programs
//! for git to start. A library for the index would bring thirty crates along for this one question.

mod git_index;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::project::Project;
use crate::reader::read_regular;
use git_index::GitIndex;

/// Room for two million files.
const MAX_INDEX: u64 = 256 * 1024 * 1024;

/// The files that a repository tracks, as far as its index can be read.
#[derive(Debug, Default)]
pub struct Tracked {
    checkout: PathBuf,
    files: HashSet<Vec<u8>>,
    problem: Option<String>,
}

impl Tracked {
    /// Those of a project. Where there is no repository, or its index cannot be read, there are none.
    #[must_use]
    pub fn of(project: &Project) -> Self {
        let (files, problem) = match project.git_folder().map(|folder| files(&folder)) {
            None => (HashSet::new(), None),
            Some(Ok(files)) => (files, None),
            Some(Err(problem)) => (HashSet::new(), Some(problem)),
        };
        Self {
            checkout: project.checkout.clone(),
            files,
            problem,
        }
    }

    /// Whether this file, as it lies there now, is a tracked one. A tracked link to somewhere else is not.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        let Ok(real) = file.canonicalize() else {
            return false;
        };
        let inside = real.strip_prefix(&self.checkout).ok();
        inside.is_some_and(|inside| self.files.contains(OsStr::as_bytes(inside.as_os_str())))
    }

    /// Why nothing counts as tracked, although there is a repository.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

/// The regular files that the index in a folder of git's lists, with those of the index that it shares, where it does.
fn files(folder: &Path) -> Result<HashSet<Vec<u8>>, String> {
    let Some(index) = read(&folder.join("index"))? else {
        return Ok(HashSet::new());
    };
    let Some(base) = index.base() else {
        return Ok(index.files().collect());
    };
    let path = folder.join(format!("sharedindex.{base}"));
    let shared = read(&path)?;
    let shared = shared.ok_or_else(|| format!("there is no {}", path.display()))?;
    let files = index.upon(shared);
    files.ok_or_else(|| format!("{} does not go with the index beside it", path.display()))
}

fn read(path: &Path) -> Result<Option<GitIndex>, String> {
    let bytes = read_regular(path, MAX_INDEX);
    let bytes = bytes.map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let index = bytes.map(|bytes| GitIndex::parse(&bytes));
    index
        .transpose()
        .map_err(|reason| format!("{} cannot be read: {reason}", path.display()))
}
