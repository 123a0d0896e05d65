//! Places that depend on a session or an agent.

use std::path::PathBuf;

use memdir_memory::AgentScope;

use super::Places;
use crate::names::PlainName;
use crate::session_notes::notes_path;

/// What one conversation leaves on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPlaces {
    /// The transcript.
    pub transcript: PathBuf,
    /// The session's own folder.
    pub folder: PathBuf,
}

impl SessionPlaces {
    /// The session notes.
    #[must_use]
    pub fn notes(&self) -> PathBuf {
        notes_path(&self.folder)
    }

    /// Tool results that were cleared from the conversation.
    #[must_use]
    pub fn tool_results(&self) -> PathBuf {
        self.folder.join("tool-results")
    }

    /// One cleared tool result.
    #[must_use]
    pub fn tool_result(&self, tool_use: &PlainName) -> PathBuf {
        self.tool_results().join(format!("{tool_use}.txt"))
    }

    /// The folder for scratch files.
    #[must_use]
    pub fn scratchpad(&self) -> PathBuf {
        self.folder.join("scratchpad")
    }
}

impl Places {
    /// The folder in which the transcripts of the start folder lie.
    #[must_use]
    pub fn sessions_dir(&self) -> PathBuf {
        self.home.path.join("projects").join(&self.start_slug)
    }

    /// What a session of this start folder leaves on disk.
    #[must_use]
    pub fn session(&self, session: &PlainName) -> SessionPlaces {
        let folder = self.sessions_dir();
        SessionPlaces {
            transcript: folder.join(format!("{session}.jsonl")),
            folder: folder.join(session.as_str()),
        }
    }

    /// The user's own template and prompt for session notes: `template.md`, `prompt.md`.
    #[must_use]
    pub fn notes_config_dir(&self) -> PathBuf {
        self.home.path.join("session-memory").join("config")
    }

    /// An agent's memory directory.
    #[must_use]
    pub fn agent_memory_dir(&self, agent: &PlainName, scope: AgentScope) -> PathBuf {
        self.agents_dir(scope).join(agent.as_str())
    }

    /// The folder in which agents have their memories of one scope.
    #[must_use]
    pub fn agents_dir(&self, scope: AgentScope) -> PathBuf {
        let claude = || self.start_folder.join(".claude");
        match (scope, &self.remote_base) {
            (AgentScope::User, _) => self.home.path.join("agent-memory"),
            (AgentScope::Project, _) => claude().join("agent-memory"),
            (AgentScope::Local, None) => claude().join("agent-memory-local"),
            (AgentScope::Local, Some(base)) => base
                .join("projects")
                .join(&self.slug)
                .join("agent-memory-local"),
        }
    }
}
