//! Now, and how old things are by it.

use std::cell::OnceCell;

use jiff::{Timestamp, civil::Date};
use memdir_memory::age;
use memdir_store::Memory;

/// Now, and today where somebody asks: the time zone is not looked up for less.
pub(crate) struct Clock {
    now: Timestamp,
    today: OnceCell<Date>,
}

impl Clock {
    pub(crate) fn new() -> Clock {
        Clock {
            now: Timestamp::now(),
            today: OnceCell::new(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.now
    }

    pub(crate) fn today(&self) -> Date {
        *self
            .today
            .get_or_init(|| self.now.to_zoned(jiff::tz::TimeZone::system()).date())
    }

    pub(crate) fn days(&self, memory: &Memory) -> u64 {
        age::days_between(modified(memory), self.now)
    }

    pub(crate) fn is_expired(&self, memory: &Memory) -> bool {
        memory
            .header
            .expires
            .is_some_and(|expires| expires < self.today())
    }
}

/// When a memory was last modified, to the second.
pub(crate) fn modified(memory: &Memory) -> Timestamp {
    let seconds = memory.stamp.mtime.div_euclid(1_000_000_000);
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
