//! The clients that memdir connects to: what it writes into which of their files, and how it is taken out again.

mod agents_file;
mod connection;
mod health;
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
mod reach;
mod server;
mod toml;

use clap::ValueEnum;
use memdir_serve::hook;

pub(crate) use connection::Connection;
pub(crate) use health::{Fault, faults};
pub(crate) use model_question::{Background, ask};
pub(crate) use ours::Ours;
pub(crate) use part::{Part, Target, targets, targets_ever};
pub(crate) use places::ClientPlaces;
pub(crate) use plan::{Change, Plan, Trouble, apply};
pub(crate) use program::{Installed, choose, install};
pub(crate) use reach::Reach;

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
    pub(crate) const ALL: [Client; 4] = [
        Client::ClaudeCode,
        Client::Codex,
        Client::Gemini,
        Client::OpenCode,
    ];

    /// As it is typed, and as hooks name it.
    pub(crate) fn word(self) -> &'static str {
        self.hook().as_str()
    }

    /// As hooks know it.
    pub(crate) fn hook(self) -> hook::Client {
        match self {
            Client::ClaudeCode => hook::Client::ClaudeCode,
            Client::Codex => hook::Client::Codex,
            Client::Gemini => hook::Client::Gemini,
            Client::OpenCode => hook::Client::Opencode,
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
