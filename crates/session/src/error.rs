//! Why a conversation cannot go on.

use memdir_context::PromptError;
use memdir_conversation::ConversationError;
use memdir_conversation::transcript::ReadError;
use memdir_store::{NameProblem, RecordError};

/// Why a call of the session failed. What was acknowledged before stands.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The context is full: no message is taken until there is room.
    #[error("{0}")]
    Full(String),
    /// The name of the conversation cannot be that of a file.
    #[error("the conversation cannot be called that: {0}")]
    Name(#[from] NameProblem),
    /// The disk.
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
    /// What is kept of conversations cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The transcript cannot be read.
    #[error("the transcript cannot be read: {0}")]
    Transcript(#[from] ReadError),
    /// A message is there twice.
    #[error(transparent)]
    Conversation(#[from] ConversationError),
    /// A prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The request could not be written.
    #[error(transparent)]
    Model(#[from] memdir_model::Error),
    /// There is nothing to ask yet.
    #[error("nothing was said yet")]
    Nothing,
}
