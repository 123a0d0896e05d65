//! What requests have cost, added up.

use memdir_conversation::Usage;
use memdir_model::{Billed, NanoUsd, Price};

/// What a provider counted, and what that costs where it is known.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Spent {
    pub(crate) usage: Usage,
    pub(crate) cost: Option<NanoUsd>,
}

impl Spent {
    /// What one request was billed.
    pub(crate) fn of(billed: &Billed, price: Option<Price>) -> Self {
        Self {
            usage: billed.usage,
            cost: price.map(|price| price.of(billed)),
        }
    }

    pub(crate) fn add(&mut self, more: &Self) {
        self.usage.input += more.usage.input;
        self.usage.output += more.usage.output;
        self.usage.cache_read += more.usage.cache_read;
        self.usage.cache_write += more.usage.cache_write;
        if let Some(cost) = more.cost {
            self.cost = Some(self.cost.unwrap_or_default().saturating_add(cost));
        }
    }
}
