//! What is looked at without being asked to by a file, in order.

use std::path::{Path, PathBuf};

use memdir_memory::INDEX_NAME;

use super::reaches_out;
use crate::instructions::{Kind, Role, Sources, Want};

const MAIN: &str = "CLAUDE.md";
const LOCAL: &str = "CLAUDE.local.md";
const AGENTS: &str = "AGENTS.md";
const FOLDER: &str = ".claude";
const RULES: &str = "rules";

/// Where a task's path is, as far as trust goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a folder above the project: only what is the user's own counts.
    Above,
    /// Anywhere else.
    Ordinary,
}

/// One path to be looked at.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) path: PathBuf,
    pub(super) want: Want,
    pub(super) kind: Kind,
    pub(super) role: Role,
    pub(super) place: Place,
    /// The folder that the file is about: to which `AGENTS.md` and the patterns of rules are relative.
    pub(super) folder: Option<PathBuf>,
    /// Whether folders within are looked at.
    pub(super) is_deep: bool,
    pub(super) folder_depth: usize,
    /// Whether it may be, and lead, outside of the project.
    pub(super) reaches_out: bool,
    /// How many includes lead here.
    pub(super) depth: usize,
    /// The file that includes it.
    pub(super) parent: Option<usize>,
    pub(super) line: usize,
    /// Whether the file that includes it holds only when something is touched.
    pub(super) is_conditional: bool,
}

impl Task {
    fn new(path: PathBuf, kind: Kind, role: Role, place: Place, folder: &Path) -> Self {
        Self {
            path,
            want: Want::File,
            kind,
            role,
            place,
            folder: Some(folder.to_path_buf()),
            is_deep: false,
            folder_depth: 0,
            reaches_out: reaches_out(kind),
            depth: 0,
            parent: None,
            line: 0,
            is_conditional: false,
        }
    }

    fn rules(self, is_deep: bool) -> Self {
        Self {
            want: Want::Folder,
            is_deep,
            ..self
        }
    }

    /// Among which things of any number it counts: includes or rules.
    pub(super) fn counted(&self) -> Option<usize> {
        match self.role {
            Role::Include => Some(0),
            Role::Rule if self.folder_depth > 0 => Some(1),
            Role::Main | Role::Agents | Role::Rule | Role::Index => None,
        }
    }

    /// What is in the folder of this task.
    pub(super) fn within(&self, name: &Path, want: Want) -> Self {
        Self {
            path: self.path.join(name),
            want,
            folder_depth: self.folder_depth + 1,
            ..self.clone()
        }
    }
}

/// Everything but the memory index, the weakest first.
pub(super) fn tasks(sources: &Sources) -> Vec<Task> {
    let mut tasks = Vec::new();
    let own = [
        (&sources.managed, Kind::Managed),
        (&sources.home, Kind::User),
    ];
    for (folder, kind) in own {
        let Some(folder) = folder else { continue };
        let task = |name: &str, role| {
            Task::new(
                folder.join(name),
                kind,
                role,
                Place::Ordinary,
                &sources.project,
            )
        };
        tasks.push(Task {
            folder: None,
            ..task(MAIN, Role::Main)
        });
        tasks.push(task(RULES, Role::Rule).rules(false));
    }
    let folders = folders(sources);
    for (folder, place) in &folders {
        let task = |path: PathBuf, role| Task::new(path, Kind::Project, role, *place, folder);
        let beneath = folder.join(FOLDER);
        tasks.push(task(folder.join(MAIN), Role::Main));
        tasks.push(task(beneath.join(MAIN), Role::Main));
        tasks.push(task(folder.join(AGENTS), Role::Agents));
        tasks.push(task(beneath.join(RULES), Role::Rule).rules(true));
    }
    for (folder, place) in &folders {
        let path = folder.join(LOCAL);
        let task = Task::new(path, Kind::Local, Role::Main, *place, folder);
        tasks.push(Task {
            folder: Some(folder.clone()),
            ..task
        });
    }
    tasks
}

/// The memory index.
pub(super) fn index(sources: &Sources) -> Option<Task> {
    let path = sources.memory_index.clone()?;
    debug_assert!(path.ends_with(INDEX_NAME));
    let task = Task::new(
        path,
        Kind::AutoMem,
        Role::Index,
        Place::Ordinary,
        &sources.project,
    );
    Some(Task {
        want: Want::Index,
        ..task
    })
}

/// Every folder from the root of the file system down to the start folder.
fn folders(sources: &Sources) -> Vec<(PathBuf, Place)> {
    let mut folders: Vec<(PathBuf, Place)> = sources
        .start_folder
        .ancestors()
        .map(|folder| match folder.starts_with(&sources.project) {
            true => (folder.to_path_buf(), Place::Ordinary),
            false => (folder.to_path_buf(), Place::Above),
        })
        .collect();
    folders.reverse();
    folders
}
