//! Whether what is left fits, and if not, what it is that cannot shrink.

use std::collections::HashMap;
use std::fmt;

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Edits, Kind, Message, Source};

use super::weight;

/// Tokens that a request has besides its messages, whatever is done to those.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The system prompt.
    pub system: u64,
    /// The descriptions of tools.
    pub tools: u64,
    /// Instruction files and other context that is sent anew.
    pub instructions: u64,
}

impl Fixed {
    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.system + self.tools + self.instructions
    }
}

/// Something that cannot shrink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Held {
    /// The system prompt.
    System,
    /// The descriptions of tools.
    Tools,
    /// Instruction files and other context.
    Instructions,
    /// What the user said last.
    LastUserTurn,
    /// A call of the last reply with its result.
    LastPair {
        /// The tool.
        tool: String,
        /// The id of the call.
        call: String,
    },
    /// All else of the messages that stay.
    LastReply,
    /// The message that says that something was here.
    Frame,
}

impl fmt::Display for Held {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => out.write_str("the system prompt"),
            Self::Tools => out.write_str("the descriptions of tools"),
            Self::Instructions => out.write_str("instruction files and context"),
            Self::LastUserTurn => out.write_str("the user's last turn"),
            Self::LastPair { tool, call } => write!(out, "the last call of {tool} ({call})"),
            Self::LastReply => out.write_str("the last reply"),
            Self::Frame => out.write_str("the frame of the summary"),
        }
    }
}

/// What a compaction left, against what it may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// How many tokens there may be.
    pub limit: u64,
    /// How many there are.
    pub tokens: u64,
    /// What of them cannot shrink, the largest first.
    pub held: Vec<(Held, u64)>,
}

impl Budget {
    /// Whether it fits.
    #[must_use]
    pub const fn is_within(&self) -> bool {
        self.tokens <= self.limit
    }

    /// What cannot shrink, together.
    #[must_use]
    pub fn held_tokens(&self) -> u64 {
        self.held.iter().map(|(_, tokens)| tokens).sum()
    }

    /// Whether what cannot shrink is too much by itself.
    #[must_use]
    pub fn is_beyond_help(&self) -> bool {
        self.held_tokens() > self.limit
    }

    /// The budget of what remains: `kept` and a summary of so many tokens, whose frame has `frame`.
    pub(super) fn new(
        limit: u64,
        fixed: Fixed,
        kept: &[&Message],
        summary: u64,
        frame: u64,
        weights: &dyn Estimate,
        edits: &Edits,
    ) -> Self {
        let mut held = vec![
            (Held::System, fixed.system),
            (Held::Tools, fixed.tools),
            (Held::Instructions, fixed.instructions),
            (Held::Frame, frame),
        ];
        let messages = held_messages(kept, weights, edits);
        let tokens: u64 = messages.iter().map(|(_, tokens)| tokens).sum();
        held.extend(messages);
        held.retain(|(_, tokens)| *tokens > 0);
        held.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
        Self {
            limit,
            tokens: fixed.total() + tokens + summary,
            held,
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_within() {
            return write!(out, "{} of {} tokens", self.tokens, self.limit);
        }
        write!(
            out,
            "{} tokens, over the limit of {}",
            self.tokens, self.limit
        )?;
        let beyond = match self.is_beyond_help() {
            true => "; what cannot shrink is too much by itself: ",
            false => "; of this cannot shrink: ",
        };
        out.write_str(beyond)?;
        for (number, (held, tokens)) in self.held.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            write!(out, "{comma}{held} {tokens}")?;
        }
        Ok(())
    }
}

/// The messages that stay, by what holds them.
fn held_messages(kept: &[&Message], weights: &dyn Estimate, edits: &Edits) -> Vec<(Held, u64)> {
    let mut pairs: Vec<(Held, u64)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let (mut user, mut reply) = (0, 0);
    for message in kept {
        for block in &message.blocks {
            let tokens = weight::block(weights, edits, message, block);
            let place = match block.kind() {
                Kind::ToolCall { id, name } => {
                    places.insert(id, pairs.len());
                    let pair = Held::LastPair {
                        tool: name.to_string(),
                        call: id.to_string(),
                    };
                    pairs.push((pair, 0));
                    pairs.len().checked_sub(1)
                }
                Kind::ToolResult { call, .. } => places.get(&**call).copied(),
                _ => None,
            };
            match place.and_then(|place| pairs.get_mut(place)) {
                Some((_, pair)) => *pair += tokens,
                None if message.source == Source::User => user += tokens,
                None => reply += tokens,
            }
        }
    }
    pairs.push((Held::LastUserTurn, user));
    pairs.push((Held::LastReply, reply));
    pairs
}
