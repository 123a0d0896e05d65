//! One message: who said it, in which blocks.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;

use crate::Block;
use crate::wire::Wire;

/// The name of a message, unique in its conversation and never given again.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId(Arc<str>);

impl MessageId {
    /// An id of this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "#{}", self.0)
    }
}

/// In whose name a message is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The user's side, which is also that of tools and hosts.
    User,
    /// The model.
    Assistant,
    /// The host, between two messages, for providers that know such a thing.
    System,
}

/// Where a message comes from, which its role does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The user wrote it.
    User,
    /// The model wrote it.
    Model,
    /// Results of tools.
    Tool,
    /// Context that the host put in: never the user's words, never a question, never extracted.
    Reminder(Reminded),
    /// What compaction left of the messages before it.
    Summary,
    /// Here a compaction took place. Not sent.
    Boundary(Box<Boundary>),
    /// For people and programs only, such as the output of a local command. Not sent.
    Notice,
}

/// What a reminder is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reminded {
    /// Instruction files, date, git status and the like.
    Context,
    /// Recalled memories, by their paths.
    Memories(Vec<String>),
    /// Rules for files that were touched, by the rules' paths.
    Rules(Vec<String>),
    /// A file read anew after a compaction.
    Restored(String),
}

/// What is known of a compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Why it was made.
    pub trigger: Trigger,
    /// How much the conversation held before, where that is known.
    pub tokens_before: Option<u64>,
    /// How much afterwards.
    pub tokens_after: Option<u64>,
    /// Messages from before that stay, in their order. They follow `anchor`.
    pub kept: Vec<MessageId>,
    /// The message after which those are put: the summary. Without one, the boundary itself.
    pub anchor: Option<MessageId>,
    /// The message that stood last before.
    pub after: Option<MessageId>,
}

/// Why a compaction was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Trigger {
    /// The window was nearly full.
    #[default]
    Auto,
    /// The user asked for it.
    Manual,
    /// The provider refused the request as too long.
    TooLong,
}

/// Tokens that a provider counted for one response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Input that was neither read from nor written to the cache.
    pub input: u64,
    /// Input read from the cache.
    pub cache_read: u64,
    /// Input written to the cache.
    pub cache_write: u64,
    /// What the model wrote.
    pub output: u64,
}

impl Usage {
    /// All of the input, however it was billed.
    #[must_use]
    pub fn prompt(&self) -> u64 {
        self.input
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write)
    }

    /// What the conversation holds once the response is part of it.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.prompt().saturating_add(self.output)
    }
}

/// One message. Nothing of it changes once it is part of a [`Conversation`](crate::Conversation).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its name.
    pub id: MessageId,
    /// The message it follows; none for the first and for a boundary.
    pub parent: Option<MessageId>,
    /// In whose name it is sent.
    pub role: Role,
    /// Where it comes from.
    pub source: Source,
    /// What it holds, in order.
    pub blocks: Vec<Block>,
    /// What the provider counted, on the model's messages.
    pub usage: Option<Usage>,
    /// The model that wrote it.
    pub model: Option<Arc<str>>,
    /// When it came.
    pub at: Option<Timestamp>,
    /// The whole message as a provider sent it, where that is more than its blocks.
    pub wire: Option<Wire>,
}

impl Message {
    /// A message without usage, time or parent.
    #[must_use]
    pub fn new(id: &str, role: Role, source: Source, blocks: Vec<Block>) -> Self {
        Self {
            id: MessageId::new(id),
            parent: None,
            role,
            source,
            blocks,
            usage: None,
            model: None,
            at: None,
            wire: None,
        }
    }

    /// What the user wrote.
    ///
    /// ```
    /// use memdir_conversation::{Message, Source};
    ///
    /// let message = Message::user("1", "use tabs");
    /// assert_eq!(message.source, Source::User);
    /// assert_eq!(message.words(), "use tabs");
    /// ```
    #[must_use]
    pub fn user(id: &str, text: &str) -> Self {
        Self::new(id, Role::User, Source::User, vec![Block::text(text)])
    }

    /// What the model wrote.
    #[must_use]
    pub fn assistant(id: &str, blocks: Vec<Block>) -> Self {
        Self::new(id, Role::Assistant, Source::Model, blocks)
    }

    /// Results of tools.
    #[must_use]
    pub fn results(id: &str, blocks: Vec<Block>) -> Self {
        Self::new(id, Role::User, Source::Tool, blocks)
    }

    /// Context from the host.
    #[must_use]
    pub fn reminder(id: &str, about: Reminded, text: &str) -> Self {
        Self::new(
            id,
            Role::User,
            Source::Reminder(about),
            vec![Block::text(text)],
        )
    }

    /// Whether a model is ever shown it.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        !matches!(self.source, Source::Boundary(_) | Source::Notice)
    }

    /// The words of its text blocks, a blank line between two.
    #[must_use]
    pub fn words(&self) -> String {
        let words: Vec<_> = self.blocks.iter().filter_map(Block::words).collect();
        words.join("\n\n")
    }
}
