//! What a model answers: events while it does, and the whole of it at the end.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use memdir_conversation::wire::Wire;
use memdir_conversation::{Block, Message, Usage};

use crate::price::Billed;

/// One event of an answer.
#[derive(Debug, Clone)]
pub struct Event {
    /// What it says.
    pub what: What,
    /// What the provider sent, byte for byte; `None` where one message of the provider's says several things and this is
    /// not the first.
    pub raw: Option<Raw>,
}

/// What an event says. It prints without the words.
#[derive(Clone)]
pub enum What {
    /// The next words.
    Text(Piece),
    /// The next words of its thinking, where the provider shows it.
    Thinking(Piece),
    /// A block is whole: text, thinking, a call of a tool, or what this version does not know.
    Block(Block),
    /// The provider asks to come back: the request is sent again after this time.
    Waiting(Duration),
    /// What has been counted so far.
    Usage(Usage),
    /// The answer is whole. Nothing follows.
    Done(Box<Reply>),
    /// Nothing of interest to most, such as a sign of life.
    Other,
}

/// Words of a conversation: they print as their length.
#[derive(Clone, PartialEq, Eq)]
pub struct Piece(pub String);

/// An event's data as the provider sent it. It prints as its length.
#[derive(Clone, PartialEq, Eq)]
pub struct Raw(pub Arc<str>);

impl fmt::Debug for What {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(piece) => write!(to, "Text{piece:?}"),
            Self::Thinking(piece) => write!(to, "Thinking{piece:?}"),
            Self::Block(block) => write!(to, "Block[{} bytes]", block.json().len()),
            Self::Waiting(pause) => write!(to, "Waiting({pause:?})"),
            Self::Usage(usage) => write!(to, "{usage:?}"),
            Self::Done(reply) => write!(to, "{reply:?}"),
            Self::Other => to.write_str("Other"),
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{} bytes]", self.0.len())
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{} bytes]", self.0.len())
    }
}

/// A whole answer.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// What it says, block by block, each as the bytes that came.
    pub blocks: Vec<Block>,
    /// The whole message as the provider has it.
    pub wire: Wire,
    /// Why it ended.
    pub stop: Stop,
    /// What the conversation holds by the provider's count.
    pub usage: Usage,
    /// What the provider bills.
    pub billed: Billed,
    /// Whether it said so. Some servers tell no usage in a stream; then what was counted is nothing, and what it cost is
    /// not known.
    pub counted: bool,
    /// The model that answered.
    pub model: Option<Arc<str>>,
    /// The ids of tool calls whose arguments broke off; they cannot be carried out.
    pub unfinished: Vec<Arc<str>>,
    /// How much of the rate limit is left.
    pub limits: RateLimits,
}

impl Reply {
    /// The words of its text blocks, joined as they came.
    #[must_use]
    pub fn words(&self) -> String {
        self.blocks.iter().filter_map(Block::words).collect()
    }

    /// The answer as a message of a conversation.
    #[must_use]
    pub fn into_message(self, id: &str, at: Option<Timestamp>) -> Message {
        let mut message = Message::assistant(id, self.blocks);
        message.usage = Some(self.usage);
        message.model = self.model;
        message.at = at;
        message.wire = Some(self.wire);
        message
    }
}

/// A reply holds a conversation: it prints what it is, not what it says.
impl fmt::Debug for Reply {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Reply")
            .field("blocks", &self.blocks.len())
            .field("stop", &self.stop)
            .field("billed", &self.billed)
            .field("counted", &self.counted)
            .field("model", &self.model)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The model had said all.
    End,
    /// It called tools and waits for their results.
    Tools,
    /// It reached the most tokens that an answer may have.
    MostOutput,
    /// The window is full.
    WindowFull,
    /// It refuses to answer.
    Refusal,
    /// It paused and wants to go on when its answer is sent back.
    Pause,
    /// The provider summed the conversation up.
    Compaction,
    /// A reason that this version does not know.
    Other(String),
}

/// How much of a provider's rate limit is left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateLimits {
    /// The smallest share that is left of any of the limits, in thousandths.
    pub left_per_mille: Option<u32>,
    /// When that limit is full again.
    pub resets: Option<Timestamp>,
}
