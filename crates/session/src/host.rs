//! What a host hands in: its own prompt, its tools, and what it knows of the work.

use std::collections::BTreeMap;
use std::sync::Arc;

use memdir_context::SectionName;
use memdir_context::restore::{Host as Known, Plan, Skill, Task, Todo};
use memdir_conversation::Block;
use memdir_memory::AgentScope;
use memdir_model::{Effort, Thinking};
use memdir_store::{Found, Places, PlainName, read_agent_index};
use serde::Deserialize;

/// A host's own part of every request.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// What it tells the model, before all that is ours.
    pub system: Vec<Block>,
    /// Its tools, each as its JSON in Anthropic's form.
    pub tools: Vec<Arc<str>>,
    /// How many tokens an answer may have; 0 for as many as the model gives.
    pub most_output: u64,
    /// Whether the model is to think first.
    pub thinking: Thinking,
    /// How much trouble it is to take.
    pub effort: Option<Effort>,
    /// Context for the block before the first message, each part under its title: git status, an editor's selection.
    pub context: Vec<(String, String)>,
    /// Sections of the system prompt that are the host's: language, manner, servers. They may change between turns.
    pub sections: BTreeMap<SectionName, String>,
    /// What it knows of the work, to be shown again after a compaction.
    pub work: Work,
    /// What its hooks, or it itself, want a summary of the conversation to heed, whoever asks for that and why.
    pub compaction_instructions: Vec<String>,
    /// Whether nobody sits in front of it.
    pub non_interactive: bool,
    /// The agent that it is, where this one has a memory of its own. That is always in its prompt: nothing is recalled
    /// for it, and nothing saved behind its back.
    pub agent: Option<Agent>,
}

/// An agent with a memory of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name, as its folder is called.
    pub name: PlainName,
    /// Whom its memory is for.
    pub scope: AgentScope,
}

impl Agent {
    /// Makes its memory directory where there is none.
    pub(crate) fn ensure(&self, places: &Places) -> memdir_store::Result<()> {
        places.ensure_agent_memory(&self.name, self.scope).map(drop)
    }

    /// Its index.
    pub(crate) fn index(&self, places: &Places) -> memdir_store::Result<Option<Found>> {
        let directory = places.open_agent_memory(&self.name, self.scope)?;
        directory.map_or(Ok(None), |directory| read_agent_index(&directory))
    }
}

/// What a host knows of the work.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// The to-do list: what, and how far it is.
    pub todos: Vec<(String, memdir_context::restore::Stage)>,
    /// The plan file and its text.
    pub plan: Option<(String, String)>,
    /// Skills in use: name, text, and a number that grows with their use.
    pub skills: Vec<(String, String, u64)>,
    /// Tasks in the background: id, what, how it stands.
    pub tasks: Vec<(String, String, String)>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

impl Host {
    /// The names of its tools.
    #[must_use]
    pub fn tool_names(&self) -> Vec<String> {
        tool_names(&self.tools)
    }

    /// Whether it has a tool of this name.
    #[must_use]
    pub fn has_tool(&self, name: &str) -> bool {
        self.tool_names().iter().any(|tool| tool == name)
    }
}

pub(crate) fn tool_names(tools: &[Arc<str>]) -> Vec<String> {
    let tools = tools.iter();
    tools
        .filter_map(|tool| serde_json::from_str::<Named>(tool).ok())
        .map(|tool| tool.name)
        .collect()
}

impl Work {
    /// The same as a restoration takes it.
    pub(crate) fn with<T>(&self, take: impl FnOnce(&Known<'_>) -> T) -> T {
        let todos: Vec<Todo<'_>> = self
            .todos
            .iter()
            .map(|(text, stage)| Todo {
                text,
                stage: *stage,
            })
            .collect();
        let skills: Vec<Skill<'_>> = self
            .skills
            .iter()
            .map(|(name, text, when)| Skill {
                name,
                text,
                when: *when,
            })
            .collect();
        let tasks: Vec<Task<'_>> = self
            .tasks
            .iter()
            .map(|(id, what, state)| Task { id, what, state })
            .collect();
        take(&Known {
            todos: &todos,
            plan: self.plan.as_ref().map(|(path, text)| Plan { path, text }),
            skills: &skills,
            tasks: &tasks,
        })
    }
}
