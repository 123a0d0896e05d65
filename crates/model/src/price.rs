//! What tokens cost, in whole billionths of a dollar.

use std::fmt;

use memdir_conversation::Usage;

/// Billionths of a US dollar.
pub type NanoUsd = u64;

/// What a provider bills for one response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Billed {
    /// The tokens, of all the passes that the response took.
    pub usage: Usage,
    /// How much of what was written to the cache stays there for an hour, which costs more.
    pub cache_write_hour: u64,
}

/// What a model costs. Kept in whole trillionths of a dollar for a token, so that sums are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    input: u64,
    output: u64,
    write: u64,
    write_hour: u64,
    read: u64,
}

/// Trillionths of a dollar for a token, at one dollar for a million.
const SCALE: f64 = 1_000_000.0;
/// Trillionths in a billionth.
const NANO: u128 = 1000;

impl Price {
    /// What writing to the cache and reading from it cost, in thousandths of plain input.
    #[must_use]
    pub fn cached(&self) -> (u64, u64) {
        let share = |part: u64| (part * 1000).checked_div(self.input).unwrap_or(1000);
        (share(self.write), share(self.read))
    }

    /// Nothing: a model on one's own machine.
    pub const FREE: Price = Price {
        input: 0,
        output: 0,
        write: 0,
        write_hour: 0,
        read: 0,
    };

    /// A price in dollars for a million tokens, and multiples of the first for the cache. `None` when one of them
    /// makes no sense.
    #[must_use]
    pub fn new(input: f64, output: f64, write: f64, write_hour: f64, read: f64) -> Option<Self> {
        Some(Self {
            input: trillionths(input)?,
            output: trillionths(output)?,
            write: trillionths(input * write)?,
            write_hour: trillionths(input * write_hour)?,
            read: trillionths(input * read)?,
        })
    }

    /// What a response costs, rounded up.
    ///
    /// ```
    /// use memdir_conversation::Usage;
    /// use memdir_model::{Billed, Price};
    ///
    /// let price = Price::new(4.0, 20.0, 1.25, 2.0, 0.05).unwrap();
    /// let usage = Usage { input: 1000, cache_read: 100_000, cache_write: 2000, output: 500 };
    /// let billed = Billed { usage, cache_write_hour: 0 };
    /// // 0.004 + 0.020 + 0.010 + 0.010 dollars
    /// assert_eq!(price.of(&billed), 44_000_000);
    /// ```
    #[must_use]
    pub fn of(&self, billed: &Billed) -> NanoUsd {
        let usage = &billed.usage;
        let hour = billed.cache_write_hour.min(usage.cache_write);
        let parts = [
            (usage.input, self.input),
            (usage.cache_read, self.read),
            (usage.cache_write - hour, self.write),
            (hour, self.write_hour),
            (usage.output, self.output),
        ];
        nano(&parts)
    }

    /// The most that a request can cost: all of its input written to the cache, for five minutes or for an `hour` as its
    /// marks ask, and as much answer as it may have.
    #[must_use]
    pub fn worst(&self, input: u64, output: u64, hour: bool) -> NanoUsd {
        let write = match hour {
            true => self.write.max(self.write_hour),
            false => self.write,
        };
        let dearest = self.input.max(write).max(self.read);
        nano(&[(input, dearest), (output, self.output)])
    }
}

fn nano(parts: &[(u64, u64)]) -> NanoUsd {
    let sum: u128 = parts
        .iter()
        .map(|(tokens, price)| u128::from(*tokens) * u128::from(*price))
        .sum();
    NanoUsd::try_from(sum.div_ceil(NANO)).unwrap_or(NanoUsd::MAX)
}

fn trillionths(dollars: f64) -> Option<u64> {
    let scaled = (dollars * SCALE).round();
    // A million dollars for a million tokens is no price but a mistake.
    let sensible = scaled.is_finite() && (0.0..=1e12).contains(&scaled);
    // Whole and within what was checked.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    sensible.then_some(scaled as u64)
}

impl fmt::Display for Price {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::FREE {
            return to.write_str("free");
        }
        let dollars = |price: u64| {
            let cents = format!("{}.{:06}", price / 1_000_000, price % 1_000_000);
            let short = cents.trim_end_matches('0');
            match short.split_once('.') {
                Some((whole, rest)) if rest.len() < 2 => format!("${whole}.{rest:0<2}"),
                _ => format!("${short}"),
            }
        };
        write!(
            to,
            "{} in, {} out",
            dollars(self.input),
            dollars(self.output)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What was reserved covers what is billed, however the input was divided.
        #[test]
        fn the_worst_case_is_never_passed(
            prices in (0.0..100.0_f64, 0.0..100.0_f64, 0.5..3.0_f64, 0.5..3.0_f64, 0.0..1.0_f64),
            input in 0..1_000_000_u64, read in 0..1_000_000_u64, write in 0..1_000_000_u64,
            output in 0..200_000_u64, hour in proptest::bool::ANY,
        ) {
            let price = Price::new(prices.0, prices.1, prices.2, prices.3, prices.4).unwrap();
            let usage = Usage { input, cache_read: read, cache_write: write, output };
            let billed = Billed { usage, cache_write_hour: if hour { write } else { 0 } };
            prop_assert!(price.of(&billed) <= price.worst(usage.prompt(), output, hour));
        }
    }

    #[test]
    fn prices_that_make_no_sense_are_none() {
        assert_eq!(Price::new(-1.0, 1.0, 1.0, 1.0, 1.0), None);
        assert_eq!(Price::new(f64::NAN, 1.0, 1.0, 1.0, 1.0), None);
        assert_eq!(Price::new(1.0, f64::INFINITY, 1.0, 1.0, 1.0), None);
    }
}
