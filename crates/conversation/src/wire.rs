//! The JSON that providers take.

pub mod anthropic;
mod ids;
pub mod openai;

use std::sync::Arc;

/// Whose form a JSON has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Anthropic's Messages.
    Anthropic,
    /// Chat Completions, of OpenAI and all who speak it.
    OpenAi,
}

/// A message as a provider sent it; it goes back to the same provider byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// Whose form it has.
    pub api: Api,
    /// The whole message.
    pub json: Arc<str>,
}
