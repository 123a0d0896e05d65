//! The memories that agents have for themselves, in three scopes.
//!
//! What lies in the start folder may have come with the repository: there no link is followed, from the start folder
//! down, or an agent would be shown, and told to write, what a stranger chose.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memdir_memory::{AgentScope, INDEX_NAME, MemoryPath};
use rustix::fs::FileType;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::history::{Author, Operation, Reason};
use crate::limits::MAX_FILE_BYTES;
use crate::names::PlainName;
use crate::oversized;
use crate::places::Places;
use crate::store::Store;
use crate::walk::{Skipped, names_in, walk};

/// The name that the index of an agent once had.
const OLD_INDEX_NAME: &str = "memory.md";
/// What the renaming of it is called in the history.
const MIGRATION: &str = "rename memory.md";

/// The memory of one agent in one scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentMemory {
    /// The agent, as its folder is called.
    pub agent: PlainName,
    /// Whom the memory is for.
    pub scope: AgentScope,
    /// Where it is.
    pub path: PathBuf,
    /// How many topic files it has.
    pub memories: usize,
    /// What index it has.
    pub index: AgentIndex,
}

/// What index an agent's memory has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentIndex {
    /// None yet.
    Missing,
    /// `MEMORY.md`.
    There,
    /// Only `memory.md`, which [`migrate_agent_index`] renames.
    OldName,
}

/// Every agent that has a memory.
#[derive(Debug, Default)]
pub struct Agents {
    /// By scope, the widest first, then by name.
    pub found: Vec<AgentMemory>,
    /// What was passed over, and why.
    pub skipped: Vec<Skipped>,
}

impl Places {
    /// Opens an agent's memory directory; `None` when there is none.
    pub fn open_agent_memory(
        &self,
        agent: &PlainName,
        scope: AgentScope,
    ) -> Result<Option<Directory>> {
        let path = self.agent_memory_dir(agent, scope);
        match self.in_start_folder(&path) {
            Some(inside) => self.open_inside(&inside),
            None => Directory::open(&path),
        }
    }

    /// Opens an agent's memory directory and makes it where it is missing; in the start folder through no link.
    /// An index of the old name gets its new one, once.
    pub fn ensure_agent_memory(&self, agent: &PlainName, scope: AgentScope) -> Result<Directory> {
        let memory = self.make_agent_memory(agent, scope)?;
        if memory.open_plain(INDEX_NAME)?.is_none() && memory.open_plain(OLD_INDEX_NAME)?.is_some()
        {
            let store = self.agent_store(agent, scope);
            // It is read under its old name as well: nothing is lost where this fails.
            let _ = (!was_migrated(&store)).then(|| migrate(&memory, &store));
        }
        Ok(memory)
    }

    /// The memory of an agent as one that has a history.
    fn agent_store(&self, agent: &PlainName, scope: AgentScope) -> Store {
        let path = self.agent_memory_dir(agent, scope);
        let state = self.state_dir_of(&path);
        Store::new(path, state)
    }

    fn make_agent_memory(&self, agent: &PlainName, scope: AgentScope) -> Result<Directory> {
        let path = self.agent_memory_dir(agent, scope);
        let Some(inside) = self.in_start_folder(&path) else {
            return Directory::create(&path);
        };
        let mut folder = Directory::create(&self.start_folder)?;
        for name in inside.iter().filter_map(OsStr::to_str) {
            folder = folder.folder_or_create(name)?;
        }
        Ok(folder)
    }

    /// Lists the agents that have a memory, with what is in it. A folder that cannot be read is passed over.
    #[must_use]
    pub fn agents(&self) -> Agents {
        let mut agents = Agents::default();
        for scope in AgentScope::ALL {
            let folder = self.agents_dir(scope);
            if let Err(error) = self.list(scope, &folder, &mut agents) {
                agents.skip(&folder, &error);
            }
        }
        agents
    }

    fn list(&self, scope: AgentScope, path: &Path, agents: &mut Agents) -> Result<()> {
        let inside = self.in_start_folder(path);
        let folder = match inside {
            Some(inside) => self.open_inside(&inside)?,
            None => Directory::open(path)?,
        };
        let Some(folder) = folder else {
            return Ok(());
        };
        for (name, kind) in names_in(&folder)? {
            let may_be_folder = matches!(
                kind,
                FileType::Directory | FileType::Symlink | FileType::Unknown
            );
            let Some(agent) = PlainName::new(&name).ok().filter(|_| may_be_folder) else {
                continue;
            };
            let path = path.join(&name);
            match self.look(agent, scope, path.clone()) {
                Ok(Some(found)) => agents.found.push(found),
                Ok(None) => {}
                Err(error) => agents.skip(&path, &error),
            }
        }
        Ok(())
    }

    fn look(
        &self,
        agent: PlainName,
        scope: AgentScope,
        path: PathBuf,
    ) -> Result<Option<AgentMemory>> {
        let Some(directory) = self.open_agent_memory(&agent, scope)? else {
            return Ok(None);
        };
        let mut memories = 0;
        walk(
            &directory,
            |folder| folder != "logs/",
            |met, _| memories += usize::from(!met.path.is_index()),
        )?;
        let index = if directory.open_plain(INDEX_NAME)?.is_some() {
            AgentIndex::There
        } else if directory.open_plain(OLD_INDEX_NAME)?.is_some() {
            AgentIndex::OldName
        } else {
            AgentIndex::Missing
        };
        Ok(Some(AgentMemory {
            agent,
            scope,
            path,
            memories,
            index,
        }))
    }

    /// The part of a path beneath the start folder, if it is there.
    fn in_start_folder(&self, path: &Path) -> Option<PathBuf> {
        // A home within the start folder is still the user's.
        let of_user = path.starts_with(&self.home.path);
        path.strip_prefix(&self.start_folder)
            .ok()
            .filter(|_| !of_user)
            .map(Path::to_path_buf)
    }

    fn open_inside(&self, inside: &Path) -> Result<Option<Directory>> {
        let Some(mut folder) = Directory::open(&self.start_folder)? else {
            return Ok(None);
        };
        for component in inside {
            let Some(name) = component.to_str() else {
                return Ok(None);
            };
            match folder.folder(name)? {
                Some(next) => folder = next,
                None => return Ok(None),
            }
        }
        Ok(Some(folder))
    }
}

impl Agents {
    fn skip(&mut self, path: &Path, error: &Error) {
        self.skipped.push(Skipped {
            path: path.to_path_buf(),
            reason: error.to_string(),
            unread: true,
        });
    }
}

/// Reads the index of an agent's memory, also under the name it once had; `None` when there is none.
pub fn read_agent_index(memory: &Directory) -> Result<Option<Found>> {
    match oversized::read(memory, &MemoryPath::new(INDEX_NAME)?)? {
        Some(found) => Ok(Some(found)),
        None => oversized::read(memory, &MemoryPath::new(OLD_INDEX_NAME)?),
    }
}

/// Renames a `memory.md` to `MEMORY.md` where there is none; whether there was anything to do. It is an operation in the
/// history of that memory, with the bytes and times of the file, and never replaces one, not even one that is made in the same
/// instant.
pub fn migrate_agent_index(places: &Places, agent: &PlainName, scope: AgentScope) -> Result<bool> {
    match places.open_agent_memory(agent, scope)? {
        Some(memory) => migrate(&memory, &places.agent_store(agent, scope)),
        None => Ok(false),
    }
}

fn migrate(memory: &Directory, store: &Store) -> Result<bool> {
    if memory.open_plain(INDEX_NAME)?.is_some() {
        return Ok(false);
    }
    // Looked at first, so that no link is given the index's name.
    let Some(found) = memory.read(OLD_INDEX_NAME, MAX_FILE_BYTES)? else {
        return Ok(false);
    };
    let mut operation = store.operation(Reason::new(Author::Rules, MIGRATION));
    operation.strictly().as_they_are();
    let (content, mtime) = (found.bytes.clone(), found.stamp.mtime);
    operation.write_dated(&MemoryPath::new(INDEX_NAME)?, None, content, mtime);
    operation.remove(&MemoryPath::new(OLD_INDEX_NAME)?, found);
    Ok(operation.commit()?.operation.is_some())
}

/// Whether this was done once: who takes it back does not want it.
fn was_migrated(store: &Store) -> bool {
    let is_migration = |operation: &Operation| operation.reason.what == MIGRATION;
    store
        .history()
        .is_ok_and(|history| history.operations.iter().any(is_migration))
}
