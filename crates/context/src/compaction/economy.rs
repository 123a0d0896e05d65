//! What a change in the middle of a cached conversation costs, and when it has paid for itself.

/// What a provider asks for cached input, in thousandths of the price of plain input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CachePrices {
    /// For writing to the cache.
    pub write: u64,
    /// For reading from it.
    pub read: u64,
}

/// Taking tokens out changes what stands behind them, which then is written to the cache again instead of being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakEven {
    /// Tokens that are written once more.
    pub rewritten: u64,
    /// Tokens that no later request reads any more.
    pub saved: u64,
    /// After how many requests the saving is more than the writing cost; none where reading is free.
    pub turns: Option<u64>,
}

impl BreakEven {
    /// For a conversation of `length` tokens, of which `saved` are taken out at `first` and behind it.
    ///
    /// ```
    /// use memdir_context::compaction::{BreakEven, CachePrices};
    ///
    /// let older = CachePrices { write: 1_250, read: 100 };
    /// assert_eq!(BreakEven::new(150_000, 20_000, 80_000, older).turns, Some(8));
    /// let newest = CachePrices { write: 1_250, read: 25 };
    /// assert_eq!(BreakEven::new(150_000, 20_000, 80_000, newest).turns, Some(31));
    /// ```
    #[must_use]
    pub fn new(length: u64, first: u64, saved: u64, prices: CachePrices) -> Self {
        let rewritten = length.saturating_sub(first).saturating_sub(saved);
        let cost = u128::from(rewritten) * u128::from(prices.write.saturating_sub(prices.read));
        let gain = u128::from(saved) * u128::from(prices.read);
        let turns = (gain > 0).then(|| u64::try_from(cost.div_ceil(gain)).unwrap_or(u64::MAX));
        Self {
            rewritten,
            saved,
            turns,
        }
    }
}
