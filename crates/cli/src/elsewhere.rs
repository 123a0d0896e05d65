//! The memories of another project, whose folder may be gone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memdir_store::project::Project;
use memdir_store::{Error, Operation, Outcome, Restoration, Store, recorded_roots};

use crate::failure::Failure;
use crate::workplace::Workplace;

/// Another project, as far as its memories go.
pub(crate) struct Elsewhere {
    /// Its root, there or not.
    pub(crate) root: PathBuf,
    pub(crate) store: Arc<Store>,
    /// None where the folder is gone: then no settings of it can say anything.
    workplace: Option<Workplace>,
}

impl Elsewhere {
    /// The project of a folder. Creates nothing.
    pub(crate) fn find(workplace: &Workplace, folder: &Path) -> Result<Self, Failure> {
        if folder.is_dir() {
            let there = workplace.in_project(folder)?;
            return Ok(Self {
                root: there.places.project.root.clone(),
                store: Arc::clone(&there.store),
                workplace: Some(there),
            });
        }
        Ok(Self::by_path(workplace, normal(folder)))
    }

    /// The project that a path was the root of, whatever is there by now.
    pub(crate) fn by_path(workplace: &Workplace, root: PathBuf) -> Self {
        let directory = workplace.places.memory_dir_of(&root);
        let state = workplace.places.state_dir_of(&directory);
        Self {
            root,
            store: Arc::new(Store::new(directory, state)),
            workplace: None,
        }
    }

    /// Where its memories are, or would be.
    pub(crate) fn directory(&self) -> &Path {
        self.store.memory_directory()
    }

    /// Whether its folder is there, or was when memories were last kept for it: anything else is a slip of the keyboard.
    pub(crate) fn is_known(&self) -> bool {
        let recorded = || recorded_roots(self.store.state_directory()).unwrap_or_default();
        self.workplace.is_some() || recorded().iter().any(|known| known.root == self.root)
    }

    /// Records for which project the directory is, where that can still be told.
    pub(crate) fn record_root(&self) {
        if let Some(there) = &self.workplace {
            // It only helps to offer them once more, should it move again.
            let _ = there.record_root();
        }
    }

    pub(crate) fn commit(&self, operation: Operation<'_>) -> Result<Outcome, Error> {
        match &self.workplace {
            Some(there) => there.commit(operation),
            // Recall looks for itself once the folder is there again.
            None => operation.commit(),
        }
    }

    pub(crate) fn restore(&self, plan: Restoration) -> Result<Outcome, Error> {
        match &self.workplace {
            Some(there) => there.restore(plan),
            None => self.store.restore(plan),
        }
    }
}

/// The root of a folder that is gone: the part of its path that is there without links and `..`, and the rest.
fn normal(folder: &Path) -> PathBuf {
    let there = folder
        .ancestors()
        .find_map(|above| Some((above, above.canonicalize().ok()?)));
    match there {
        Some((above, canonical)) => match folder.strip_prefix(above) {
            Ok(rest) if !rest.as_os_str().is_empty() => canonical.join(rest),
            _ => Project::find(&canonical).root,
        },
        None => folder.components().collect(),
    }
}
