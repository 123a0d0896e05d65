//! The clients that memdir connects to: what it writes into which of their files, and how it is taken out again.

mod agents_file;
mod connection;
mod hooks;
mod jsonc;
mod model_question;
mod notes;
mod ours;
mod part;
mod places;
mod plan;
mod plugin;
mod program;
mod server;
mod toml;

use clap::ValueEnum;

pub(crate) use connection::Connection;
pub(crate) use model_question::{Background, ask};
pub(crate) use ours::Ours;
pub(crate) use part::{Part, Target, targets};
pub(crate) use places::ClientPlaces;
pub(crate) use plan::{Change, Plan, Trouble, apply};
pub(crate) use program::{Installed, choose, install};

/// Who can be connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Anthropic's Claude Code
    ClaudeCode,
    /// OpenAI's Codex
    Codex,
    /// Google's Gemini CLI
    Gemini,
    /// opencode
    #[value(name = "opencode")]
    OpenCode,
}

impl Client {
    /// As it is typed, and as hooks name it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex",
            Client::Gemini => "gemini",
            Client::OpenCode => "opencode",
        }
    }

    /// As it calls itself.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code",
            Client::Codex => "Codex",
            Client::Gemini => "Gemini CLI",
            Client::OpenCode => "opencode",
        }
    }
}
