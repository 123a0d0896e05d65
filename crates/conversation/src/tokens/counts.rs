//! Estimates that remember, and estimates as they will be billed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Estimate;
use super::meter::scaled;
use crate::Block;

/// An estimator that counts each block once, however often it is asked: a conversation shares its blocks with all that is
/// made of it.
#[derive(Clone, Default)]
pub struct Counts<E> {
    estimate: E,
    /// By where the JSON lies. It is held beside its count, so that nothing else comes to lie there.
    blocks: RefCell<HashMap<Place, Counted>>,
    /// Short texts, by themselves: what stands in place of results is asked for before every request.
    texts: RefCell<HashMap<Box<str>, u64>>,
}

/// Where a JSON lies, and how long it is.
type Place = (usize, usize);
/// A JSON and its tokens.
type Counted = (Arc<str>, u64);

/// The longest text that is remembered, and how many are.
const SHORT: usize = 512;
const MANY: usize = 20_000;

/// An estimator whose tokens are those that will be billed, rounded up for each text.
///
/// ```
/// use memdir_conversation::tokens::{Bytes, Estimate, Factors, Meter};
///
/// let meter = Meter::new(Bytes, Factors::default());
/// assert_eq!(meter.estimate().text("twelve bytes"), 3);
/// assert_eq!(meter.weights(None).text("twelve bytes"), 4);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Weights<'a, E> {
    counts: &'a Counts<E>,
    learnt: Option<f64>,
}

impl<E: Estimate> Counts<E> {
    /// With nothing counted yet.
    #[must_use]
    pub fn new(estimate: E) -> Self {
        Self {
            estimate,
            blocks: RefCell::default(),
            texts: RefCell::default(),
        }
    }
}

impl<E: Estimate> Estimate for Counts<E> {
    fn text(&self, text: &str) -> u64 {
        if text.len() > SHORT {
            return self.estimate.text(text);
        }
        if let Some(tokens) = self.texts.borrow().get(text) {
            return *tokens;
        }
        let tokens = self.estimate.text(text);
        let mut texts = self.texts.borrow_mut();
        if texts.len() < MANY {
            texts.insert(text.into(), tokens);
        }
        tokens
    }

    fn allowance(&self, text: &str) -> u64 {
        self.estimate.allowance(text)
    }

    fn name(&self) -> &'static str {
        self.estimate.name()
    }

    fn block(&self, block: &Block) -> u64 {
        let json = block.json();
        let place = (json.as_ptr().addr(), json.len());
        if let Some((_, tokens)) = self.blocks.borrow().get(&place) {
            return *tokens;
        }
        let tokens = self.estimate.block(block);
        let mut blocks = self.blocks.borrow_mut();
        blocks.insert(place, (block.shared_json(), tokens));
        tokens
    }
}

impl<E> fmt::Debug for Counts<E> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Counts of {} blocks", self.blocks.borrow().len())
    }
}

impl<'a, E> Weights<'a, E> {
    pub(super) fn new(counts: &'a Counts<E>, learnt: Option<f64>) -> Self {
        Self { counts, learnt }
    }

    fn scaled(&self, tokens: u64, allowance: impl Fn() -> u64) -> u64 {
        let allowance = match self.learnt {
            Some(_) => 0,
            None => allowance(),
        };
        scaled(tokens + allowance, self.learnt)
    }
}

impl<E: Estimate> Estimate for Weights<'_, E> {
    fn text(&self, text: &str) -> u64 {
        let allowance = || self.counts.allowance(text);
        self.scaled(self.counts.text(text), allowance)
    }

    fn name(&self) -> &'static str {
        self.counts.name()
    }

    fn block(&self, block: &Block) -> u64 {
        let allowance = || self.counts.block_allowance(block);
        self.scaled(self.counts.block(block), allowance)
    }
}
