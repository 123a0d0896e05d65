//! What the days cost, one against the others.

use std::fmt;

use jiff::{Span, Timestamp, Zoned};

use super::{Entry, Ledger, LedgerError, dollars};

/// How many days yesterday is held against.
const WEEK: i64 = 7;
/// How many times as much as they a day may cost before somebody is told.
const TIMES: u64 = 3;

/// A day that cost much more than the days before it. It prints as the line that a user is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unusual {
    /// What yesterday cost, in billionths of a dollar.
    pub nano_usd: u64,
    /// What half of the days before it stayed under.
    pub median_nano_usd: u64,
}

impl fmt::Display for Unusual {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cost, median) = (dollars(self.nano_usd), dollars(self.median_nano_usd));
        write!(
            to,
            "background work cost {cost} yesterday, more than {TIMES} times the week's median of {median}"
        )
    }
}

impl Ledger {
    /// Whether yesterday cost more than three times the median of the week before it. Days on which nothing was spent are no
    /// measure: who works on some days only would hear of each of them. Reads nine days and writes nothing.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read.
    pub fn unusual(&self, now: &Zoned) -> Result<Option<Unusual>, LedgerError> {
        let entries = self.entries(Some(start_of_day(now, WEEK + 1)))?;
        Ok(compared(&entries.requests, now))
    }
}

fn compared(entries: &[Entry], now: &Zoned) -> Option<Unusual> {
    let cost = |days: i64| {
        let (from, to) = (start_of_day(now, days), start_of_day(now, days - 1));
        let of_day = entries
            .iter()
            .filter(|entry| (from..to).contains(&entry.at));
        of_day.fold(0_u64, |sum, entry| sum.saturating_add(entry.nano_usd()))
    };
    let mut before: Vec<u64> = (2..=WEEK + 1).map(cost).filter(|cost| *cost > 0).collect();
    before.sort_unstable();
    // Of an even number the lower one, so that doubt speaks up.
    let median = *before.get(before.len().checked_sub(1)? / 2)?;
    let yesterday = cost(1);
    (yesterday > median.saturating_mul(TIMES)).then_some(Unusual {
        nano_usd: yesterday,
        median_nano_usd: median,
    })
}

/// When the day began for the user that lies so many days back; 0 is today.
#[must_use]
pub fn start_of_day(now: &Zoned, days: i64) -> Timestamp {
    let day = now.checked_sub(Span::new().days(days));
    let start = day.and_then(|day| day.start_of_day());
    start.map_or(now.timestamp(), |start| start.timestamp())
}
