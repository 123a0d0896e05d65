//! Which of the files that a record names are this home's.
//!
//! A record has absolute paths. In a home that was copied they lead to the files of the original, which whoever tidies up
//! the copy does not mean.

use std::path::{Path, PathBuf};

use super::Connection;
use crate::workplace::Workplace;

/// How far a command may follow the paths of a record.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// The user's home as it is called, and as it really is.
    homes: Vec<PathBuf>,
    /// The home that the record was made in, where it is another: of the paths beneath it none is meant.
    foreign: Option<PathBuf>,
    /// Files that the user asked for by name.
    named: Vec<PathBuf>,
    /// Instruction files of projects, which the user named when this home was connected.
    projects: Vec<PathBuf>,
}

impl Reach {
    /// What is within reach of somebody who works in this home and has named some files.
    pub(crate) fn of(workplace: &Workplace, connection: &Connection, named: &[PathBuf]) -> Reach {
        let home = workplace.places.user_home.as_deref();
        let recorded = connection.home.as_deref();
        let named = named.iter().flat_map(|file| {
            let absolute = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            [real(&absolute), absolute]
        });
        let is_own = recorded.map(real_home) == home.map(real_home);
        Reach {
            foreign: recorded.map(real_home).filter(|_| !is_own),
            projects: match is_own {
                true => connection.instructions.clone(),
                false => Vec::new(),
            },
            homes: home
                .into_iter()
                .flat_map(|home| [home.to_path_buf(), real_home(home)])
                .collect(),
            named: named.collect(),
        }
    }

    /// Whether the record was made in another home than this.
    pub(crate) fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    /// Whether a file that a record names may be touched.
    pub(crate) fn covers(&self, file: &Path) -> bool {
        let names = [file.to_path_buf(), real(file)];
        let is_in = |home: &PathBuf| names.iter().any(|name| name.starts_with(home));
        // Of two homes, one within the other, the inner one is meant.
        let is_foreign = self.foreign.as_ref().is_some_and(|foreign| {
            let is_inner = self.homes.iter().any(|home| home.starts_with(foreign));
            is_in(foreign) && !(is_inner && self.homes.iter().any(is_in))
        });
        let is_named = |name| self.named.contains(name) || self.projects.contains(name);
        names.iter().any(is_named) || !is_foreign && self.homes.iter().any(is_in)
    }

    /// The files that the user named.
    pub(crate) fn named(&self) -> impl Iterator<Item = &PathBuf> {
        // Each is there twice, as it really is first.
        self.named.iter().skip(1).step_by(2)
    }
}

/// A home without any link.
fn real_home(home: &Path) -> PathBuf {
    home.canonicalize().unwrap_or_else(|_| real(home))
}

/// A path without links above its last part, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let mut missing = PathBuf::new();
    let mut at = path;
    while let (Some(parent), Some(name)) = (at.parent(), at.file_name()) {
        missing = match missing.as_os_str().is_empty() {
            true => PathBuf::from(name),
            false => Path::new(name).join(&missing),
        };
        if let Ok(found) = parent.canonicalize() {
            return found.join(missing);
        }
        at = parent;
    }
    path.to_path_buf()
}
