//! Tokens by what they are for.

use serde::Serialize;

use super::Estimate;
use crate::edits::{Edited, Edits};
use crate::{Block, Kind, Message, Source};

/// Tokens of a request by what they are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Kinds {
    /// What the user wrote.
    pub human: u64,
    /// What the model wrote.
    pub assistant: u64,
    /// What the model thought.
    pub thinking: u64,
    /// Calls of tools.
    pub requests: u64,
    /// What tools answered.
    pub results: u64,
    /// What the host put in: reminders, files, rules.
    pub attachments: u64,
    /// What compactions left.
    pub summaries: u64,
    /// The system prompt, where its size is known.
    pub system: u64,
    /// The definitions of tools, where their size is known.
    pub tools: u64,
    /// What the provider counted and nothing above accounts for: system prompt and tools, where their size is unknown.
    pub unaccounted: u64,
}

/// One of the kinds of what stands in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Human,
    Assistant,
    Thinking,
    Requests,
    Results,
    Attachments,
    Summaries,
}

impl Said {
    pub(super) const ALL: [Self; 7] = [
        Self::Human,
        Self::Assistant,
        Self::Thinking,
        Self::Requests,
        Self::Results,
        Self::Attachments,
        Self::Summaries,
    ];

    pub(super) fn of(message: &Message, block: &Block) -> Self {
        match block.kind() {
            Kind::ToolCall { .. } => Self::Requests,
            Kind::ToolResult { .. } => Self::Results,
            Kind::Thinking => Self::Thinking,
            _ => match message.source {
                Source::User => Self::Human,
                Source::Model => Self::Assistant,
                Source::Summary => Self::Summaries,
                _ => Self::Attachments,
            },
        }
    }
}

/// Estimated tokens of messages by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums([u64; Said::ALL.len()]);

impl Sums {
    pub(super) fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn of(&self, said: Said) -> u64 {
        self.0.get(said as usize).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, said: Said, tokens: u64) {
        if let Some(sum) = self.0.get_mut(said as usize) {
            *sum = tokens;
        }
    }

    pub(super) fn count(&mut self, said: Said, tokens: u64) {
        self.set(said, self.of(said) + tokens);
    }

    /// Of each kind as much as `part` has of `whole`, all of it at most.
    pub(super) fn in_proportion(&self, part: &Self, whole: &Self) -> Self {
        let mut shares = *self;
        for said in Said::ALL {
            let (tokens, part, whole) = (self.of(said), part.of(said), whole.of(said));
            if part < whole {
                let share = u128::from(tokens) * u128::from(part) / u128::from(whole);
                shares.set(said, u64::try_from(share).unwrap_or(tokens));
            }
        }
        shares
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum += more;
        }
    }
}

impl Kinds {
    /// What messages weigh as they are sent, edits applied, by what they are for.
    ///
    /// ```
    /// use memdir_conversation::tokens::{Bytes, Kinds};
    /// use memdir_conversation::{Block, Edits, Message};
    ///
    /// let said = Message::user("1", "where are the tests?");
    /// let reply = Message::assistant("2", vec![Block::text("beside it")]);
    /// let kinds = Kinds::of([&said, &reply], &Edits::new(), &Bytes);
    /// assert_eq!((kinds.human, kinds.assistant, kinds.total()), (5, 3, 8));
    /// ```
    #[must_use]
    pub fn of<'a>(
        messages: impl IntoIterator<Item = &'a Message>,
        edits: &Edits,
        weights: &dyn Estimate,
    ) -> Self {
        let mut sums = Sums::default();
        for message in messages {
            for block in &message.blocks {
                let tokens = match edits.apply(message, block) {
                    Edited::Same => weights.block(block),
                    Edited::Other(other) => weights.block(&other),
                    Edited::Gone => 0,
                };
                sums.count(Said::of(message, block), tokens);
            }
        }
        Self {
            human: sums.of(Said::Human),
            assistant: sums.of(Said::Assistant),
            thinking: sums.of(Said::Thinking),
            requests: sums.of(Said::Requests),
            results: sums.of(Said::Results),
            attachments: sums.of(Said::Attachments),
            summaries: sums.of(Said::Summaries),
            ..Self::default()
        }
    }

    /// The same with all that is missing to so many tokens as unaccounted.
    #[must_use]
    pub fn up_to(self, tokens: u64) -> Self {
        let missing = tokens.saturating_sub(self.total());
        Self {
            unaccounted: self.unaccounted + missing,
            ..self
        }
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.each().iter().map(|(_, tokens)| tokens).sum()
    }

    /// Every kind with its name, in a fixed order: what stands at the beginning of a request first.
    #[must_use]
    pub fn each(&self) -> [(&'static str, u64); 10] {
        [
            ("unaccounted", self.unaccounted),
            ("system", self.system),
            ("tools", self.tools),
            ("summaries", self.summaries),
            ("attachments", self.attachments),
            ("human", self.human),
            ("assistant", self.assistant),
            ("thinking", self.thinking),
            ("requests", self.requests),
            ("results", self.results),
        ]
    }

    /// What was estimated, so scaled that it adds up to `tokens`.
    pub(super) fn shared(sums: &Sums, system: u64, tools: u64, factor: f64, tokens: u64) -> Self {
        let estimated = sums.total() + system + tools;
        let expected = estimated as f64 * factor;
        // An estimate above what the provider says is too high in every part alike.
        let factor = if expected > tokens as f64 {
            tokens as f64 / estimated as f64
        } else {
            factor
        };
        let scaled = |part: u64| (part as f64 * factor) as u64;
        let mut kinds = Self {
            human: scaled(sums.of(Said::Human)),
            assistant: scaled(sums.of(Said::Assistant)),
            thinking: scaled(sums.of(Said::Thinking)),
            requests: scaled(sums.of(Said::Requests)),
            results: scaled(sums.of(Said::Results)),
            attachments: scaled(sums.of(Said::Attachments)),
            summaries: scaled(sums.of(Said::Summaries)),
            system: scaled(system),
            tools: scaled(tools),
            unaccounted: 0,
        };
        kinds.unaccounted = tokens.saturating_sub(kinds.total());
        if kinds.unaccounted < Said::ALL.len() as u64 + 2 {
            // No more than what rounding left.
            kinds.largest(kinds.unaccounted);
            kinds.unaccounted = 0;
        }
        kinds
    }

    fn largest(&mut self, more: u64) {
        let parts = [
            &mut self.human,
            &mut self.assistant,
            &mut self.results,
            &mut self.requests,
            &mut self.thinking,
            &mut self.attachments,
            &mut self.summaries,
            &mut self.system,
            &mut self.tools,
        ];
        if let Some(part) = parts.into_iter().max_by_key(|part| **part) {
            *part += more;
        }
    }
}
