//! What has been counted once: messages by their ids, results of tools by the ids of their calls.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::Estimate;
use super::kinds::{Said, Sums};
use crate::{Edits, Kind, Message, MessageId, Source};

/// Counts that need not be made again. A message never changes, but a reader may see more of it later; so its size is
/// kept beside its count.
#[derive(Debug, Clone, Default)]
pub(super) struct Cache {
    messages: HashMap<MessageId, Counted>,
    results: HashMap<Arc<str>, (usize, u64)>,
    faded: HashMap<MessageId, u64>,
}

#[derive(Debug, Clone)]
struct Counted {
    size: (usize, usize),
    sums: Sums,
    /// What another tokeniser may need beyond that.
    allowance: Sums,
    results: Vec<(Arc<str>, u64)>,
    /// Text blocks and their tokens.
    words: (u64, u64),
}

impl Cache {
    /// The tokens of a message as it was said, by kind.
    pub(super) fn said<E: Estimate>(&mut self, estimate: &E, message: &Message) -> Sums {
        counted(&mut self.messages, &mut self.results, estimate, message).sums
    }

    /// The tokens of a message as it is sent.
    pub(super) fn sent<E: Estimate>(
        &mut self,
        estimate: &E,
        message: &Message,
        edits: &Edits,
    ) -> Sums {
        let counted = counted(&mut self.messages, &mut self.results, estimate, message);
        let mut sums = counted.sums;
        for (call, tokens) in &counted.results {
            if let Some(marker) = edits.cleared(&message.id, call) {
                let rest = sums.of(Said::Results).saturating_sub(*tokens);
                sums.set(Said::Results, rest + estimate.text(marker));
            }
        }
        if sums.of(Said::Thinking) > 0 && edits.is_thoughtless(&message.id) {
            sums.set(Said::Thinking, 0);
        }
        if matches!(message.source, Source::Reminder(_))
            && let Some(marker) = edits.faded(&message.id)
        {
            let marker = *self
                .faded
                .entry(message.id.clone())
                .or_insert_with(|| estimate.text(marker));
            let (blocks, tokens) = counted.words;
            let rest = sums.of(Said::Attachments).saturating_sub(tokens);
            sums.set(Said::Attachments, rest + marker * blocks);
        }
        sums
    }

    /// The tokens of a message as it is sent with those that another tokeniser may need beyond them.
    pub(super) fn allowing<E: Estimate>(
        &mut self,
        estimate: &E,
        message: &Message,
        mut sent: Sums,
    ) -> Sums {
        let counted = counted(&mut self.messages, &mut self.results, estimate, message);
        // What is sent of a kind has its share of what was said.
        sent.add(&counted.allowance.in_proportion(&sent, &counted.sums));
        sent
    }

    /// The tokens of a result of so many bytes to this call, if it was counted.
    pub(super) fn result(&self, call: &str, bytes: usize) -> Option<u64> {
        let (known, tokens) = self.results.get(call)?;
        (*known == bytes).then_some(*tokens)
    }
}

fn counted<'a, E: Estimate>(
    messages: &'a mut HashMap<MessageId, Counted>,
    results: &mut HashMap<Arc<str>, (usize, u64)>,
    estimate: &E,
    message: &Message,
) -> &'a Counted {
    let bytes = message.blocks.iter().map(|block| block.json().len()).sum();
    let size = (message.blocks.len(), bytes);
    match messages.entry(message.id.clone()) {
        Entry::Occupied(mut known) => {
            if known.get().size != size {
                known.insert(count(results, estimate, message, size));
            }
            known.into_mut()
        }
        Entry::Vacant(place) => place.insert(count(results, estimate, message, size)),
    }
}

fn count<E: Estimate>(
    results: &mut HashMap<Arc<str>, (usize, u64)>,
    estimate: &E,
    message: &Message,
    size: (usize, usize),
) -> Counted {
    let mut counted = Counted {
        size,
        sums: Sums::default(),
        allowance: Sums::default(),
        results: Vec::new(),
        words: (0, 0),
    };
    for block in &message.blocks {
        let tokens = match block.kind() {
            Kind::ToolResult { call, .. } => {
                let bytes = block.json().len();
                let tokens = match results.get(call) {
                    Some((known, tokens)) if *known == bytes => *tokens,
                    _ => estimate.block(block),
                };
                results.insert(Arc::clone(call), (bytes, tokens));
                counted.results.push((Arc::clone(call), tokens));
                tokens
            }
            _ => estimate.block(block),
        };
        if *block.kind() == Kind::Text {
            counted.words = (counted.words.0 + 1, counted.words.1 + tokens);
        }
        let said = Said::of(message, block);
        counted.sums.count(said, tokens);
        let allowance = estimate.block_allowance(block);
        counted.allowance.count(said, allowance);
    }
    if let Some(usage) = message.usage
        && counted.sums.of(Said::Thinking) > 0
    {
        // Thinking comes signed or sealed, and what seals it is no text: at most what the model wrote in all.
        let spoken = counted.sums.total() - counted.sums.of(Said::Thinking);
        let thought = counted
            .sums
            .of(Said::Thinking)
            .min(usage.output.saturating_sub(spoken));
        counted.sums.set(Said::Thinking, thought);
    }
    counted
}
