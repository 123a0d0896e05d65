//! The memory that a prompt is about: the project's or an agent's.

use memdir_context::Audience;
use memdir_memory::index::{Loaded, load};
use memdir_memory::{AgentScope, INDEX_NAME, MemoryPath, hidden};
use memdir_store::{Found, PlainName, Result, read_agent_index};

use crate::failure::Failure;
use crate::warning::{Warnings, hidden_removed};
use crate::workplace::Workplace;

/// The memory that a prompt is about.
pub(super) struct Subject<'a> {
    workplace: &'a Workplace,
    agent: Option<Agent<'a>>,
    team: bool,
    /// Where it is.
    pub(super) directory: String,
}

struct Agent<'a> {
    /// As it was typed.
    typed: &'a str,
    name: PlainName,
    scope: AgentScope,
}

impl<'a> Subject<'a> {
    /// The project's memory, with or without the team's.
    pub(super) fn project(workplace: &'a Workplace, team: bool) -> Self {
        let directory = workplace.store.memory_directory();
        Self {
            workplace,
            agent: None,
            team,
            directory: directory.to_string_lossy().into_owned(),
        }
    }

    /// An agent's own.
    pub(super) fn agent(
        workplace: &'a Workplace,
        typed: &'a str,
        scope: AgentScope,
    ) -> std::result::Result<Self, Failure> {
        if workplace.environment.has_memory_dir() {
            return Err(Failure::usage(
                "--agent and --memory-dir: an agent's memory is found by its name and scope",
            ));
        }
        let name = PlainName::agent(typed)?;
        let directory = workplace.places.agent_memory_dir(&name, scope);
        Ok(Self {
            workplace,
            agent: Some(Agent { typed, name, scope }),
            team: false,
            directory: directory.to_string_lossy().into_owned(),
        })
    }

    pub(super) fn is_agent(&self) -> bool {
        self.agent.is_some()
    }

    pub(super) fn audience(&self) -> Audience<'a> {
        match &self.agent {
            Some(agent) => Audience::Agent {
                name: agent.typed,
                scope: agent.scope,
            },
            None if self.team => Audience::Team,
            None => Audience::Private,
        }
    }

    /// Makes what is missing of the folders that the prompt says exist.
    pub(super) fn ensure(&self) -> Result<()> {
        let workplace = self.workplace;
        if let Some(agent) = &self.agent {
            let places = &workplace.places;
            return places
                .ensure_agent_memory(&agent.name, agent.scope)
                .map(drop);
        }
        if workplace.store.ensure(self.team)? {
            // That another project has the same directory is told later if this fails, and by nobody else.
            let _ = workplace.record_root();
        }
        Ok(())
    }

    /// The index as it is loaded. What cannot be read is told, and the prompt is that of an empty index.
    pub(super) fn index(&self, warnings: &mut Warnings) -> Loaded {
        let found = self.read_index().unwrap_or_else(|error| {
            warnings.add(format!("the index is left out: {error}"));
            None
        });
        let loaded = load(&found.map_or_else(Vec::new, |found| found.bytes));
        let removed = hidden::clean(&loaded.text).removed;
        if removed > 0 {
            warnings.add(hidden_removed(removed, INDEX_NAME));
        }
        loaded
    }

    fn read_index(&self) -> Result<Option<Found>> {
        match &self.agent {
            Some(agent) => {
                let places = &self.workplace.places;
                let directory = places.open_agent_memory(&agent.name, agent.scope)?;
                directory.map_or(Ok(None), |directory| read_agent_index(&directory))
            }
            None => self.workplace.store.read(&MemoryPath::new(INDEX_NAME)?),
        }
    }
}
