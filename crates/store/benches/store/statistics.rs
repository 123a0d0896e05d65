//! Medians of times taken by turns.

use std::time::{Duration, Instant};

use crate::{Result, figure};

/// Times of one thing.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Does it once and notes how long it took.
    pub(crate) fn take<T>(&mut self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let begun = Instant::now();
        let result = work()?;
        self.0.push(begun.elapsed());
        Ok(result)
    }

    /// Prints median and 90th percentile.
    pub(crate) fn report(mut self, name: &str) {
        self.0.sort_unstable();
        for (label, share) in [("median", 50), ("p90", 90)] {
            let place = (self.0.len() * share / 100).min(self.0.len().saturating_sub(1));
            let time = self.0.get(place).copied().unwrap_or_default();
            figure(&format!("{name}_{label}"), time.as_nanos());
        }
    }
}
