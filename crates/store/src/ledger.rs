//! What requests cost that the user did not make: one file for all projects, one line for each step.
//!
//! Before a request its worst case is reserved under the lock, so that however many processes work at once the sum of what
//! is spent and what may still be spent never passes the day's cap. Afterwards the reservation is settled with what was
//! counted. One that nobody settles, because the request was cut off or its process killed, stays charged in full.

mod day;
mod file;
mod line;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::{SignedDuration, Timestamp};

use crate::directory::Directory;
use crate::error::Error;
use crate::file_lock::FileLock;
use crate::limits::lock_patience;
pub use day::{Unusual, start_of_day};
use file::File;
use line::{Line, Step};
pub use line::{Spent, Wanted};

/// The ledger's file, in our folder under home.
pub const LEDGER_NAME: &str = "ledger.jsonl";
/// Its lock. Never renamed, never removed.
const LOCK_NAME: &str = "ledger.lock";
/// How far the clocks of processes on one machine may disagree, and requests overtake one another.
const SLACK: SignedDuration = SignedDuration::from_hours(1);
/// How long a rate limit counts that does not say when it is full again.
const LIMIT_HOLDS: SignedDuration = SignedDuration::from_secs(60);

/// The ledger of one home.
#[derive(Debug, Clone)]
pub struct Ledger {
    folder: PathBuf,
}

/// What background work may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most for one day, in billionths of a dollar.
    pub daily_nano_usd: u64,
    /// Below which share of a provider's rate limit nothing is asked, in thousandths.
    pub floor_per_mille: u32,
    /// Nothing at all (`--no-spend`).
    pub no_spend: bool,
}

/// The right to make one request.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a reservation that nobody settles stays charged"]
pub struct Reservation {
    id: String,
}

/// Why a request may not be made.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The user said so.
    #[error("nothing is spent: --no-spend")]
    NoSpend,
    /// The day's cap would be passed.
    #[error("the day's budget does not cover this: it may cost {}, and {} of {} is spent", dollars(*.worst), dollars(*.spent), dollars(*.cap))]
    Cap {
        /// What the day has cost so far, in billionths of a dollar, requests under way at their worst.
        spent: u64,
        /// The most.
        cap: u64,
        /// What the request may cost.
        worst: u64,
    },
    /// The provider has little left for this account, which the user may need.
    #[error("the provider's rate limit is nearly reached ({}.{} % left); background work waits until {}", left_per_mille / 10, left_per_mille % 10, whole_seconds(*until))]
    Floor {
        /// How much is left, in thousandths.
        left_per_mille: u32,
        /// Until when.
        until: Timestamp,
    },
    /// Another process holds the ledger for too long.
    #[error("another process is writing in {}; gave up after {waited_seconds} s", path.display())]
    Busy {
        /// The lock.
        path: PathBuf,
        /// How long it was waited for.
        waited_seconds: u64,
    },
    /// The disk.
    #[error(transparent)]
    Store(#[from] Error),
}

/// One request in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// When it was reserved.
    pub at: Timestamp,
    /// What for.
    pub wanted: Wanted,
    /// What became of it; `None` while nobody knows.
    pub spent: Option<Spent>,
}

impl Entry {
    /// What it counts for, in billionths of a dollar: its reservation until more is known.
    #[must_use]
    pub fn nano_usd(&self) -> u64 {
        match &self.spent {
            Some(spent) => spent.nano_usd,
            None => self.wanted.nano_usd,
        }
    }
}

/// What the ledger holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// The requests in the order in which they were reserved.
    pub requests: Vec<Entry>,
    /// Lines that are none of ours.
    pub damaged: usize,
}

impl Ledger {
    /// The ledger in this folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(LEDGER_NAME)
    }

    /// Reserves what a request may cost. `day` is when the day began for the user. On return the reservation is on disk:
    /// only then may the request be made.
    ///
    /// ```
    /// use memdir_store::ledger::{Budget, Ledger, LedgerError, Spent, Wanted};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let ledger = Ledger::new(folder.path());
    /// let budget = Budget { daily_nano_usd: 100, floor_per_mille: 0, no_spend: false };
    /// let wanted = Wanted { purpose: "extraction".into(), nano_usd: 60, ..Wanted::default() };
    /// let (day, now) = ("2026-11-16T00:00Z".parse().unwrap(), "2026-11-16T09:00Z".parse().unwrap());
    ///
    /// let first = ledger.reserve(&wanted, &budget, now, day).unwrap();
    /// let second = ledger.reserve(&wanted, &budget, now, day);
    /// assert!(matches!(second, Err(LedgerError::Cap { spent: 60, .. })));
    /// ledger.settle(first, Spent { nano_usd: 7, ..Spent::default() }, now).unwrap();
    /// assert!(ledger.reserve(&wanted, &budget, now, day).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// When the budget forbids it, or the ledger cannot be written.
    pub fn reserve(
        &self,
        wanted: &Wanted,
        budget: &Budget,
        now: Timestamp,
        day: Timestamp,
    ) -> Result<Reservation, LedgerError> {
        if budget.no_spend {
            return Err(LedgerError::NoSpend);
        }
        let folder = Directory::create(&self.folder)?;
        let _lock = lock(&folder)?;
        let mut file = File::open_or_create(&folder)?;
        let since = day.min(now).saturating_sub(SLACK).unwrap_or(day);
        let entries = folded(file.read_since(since)?);
        check(&entries, wanted, budget, now, day)?;
        let id = new_id();
        file.append(&Line::new(&id, now, Step::Reserved(wanted.clone())))?;
        Ok(Reservation { id })
    }

    /// Says what a request did cost. A request on which nobody worked is settled with nothing.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be written; the reservation then stays charged.
    pub fn settle(
        &self,
        reservation: Reservation,
        spent: Spent,
        now: Timestamp,
    ) -> Result<(), LedgerError> {
        let folder = Directory::create(&self.folder)?;
        let _lock = lock(&folder)?;
        let mut file = File::open_or_create(&folder)?;
        file.append(&Line::new(&reservation.id, now, Step::Settled(spent)))?;
        Ok(())
    }

    /// Every request that was reserved since then; all without a time. Creates nothing and takes no lock: lines are only
    /// ever added.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or a newer memdir has written it.
    pub fn entries(&self, since: Option<Timestamp>) -> Result<Entries, LedgerError> {
        let Some(folder) = Directory::open(&self.folder)? else {
            return Ok(Entries::default());
        };
        let Some(mut file) = File::open(&folder)? else {
            return Ok(Entries::default());
        };
        let from = since.map(|since| since.saturating_sub(SLACK).unwrap_or(since));
        let mut entries = folded(file.read_since(from.unwrap_or(Timestamp::MIN))?);
        if let Some(since) = since {
            entries.requests.retain(|entry| entry.at >= since);
        }
        Ok(entries)
    }
}

/// Whether the budget allows a request.
fn check(
    entries: &Entries,
    wanted: &Wanted,
    budget: &Budget,
    now: Timestamp,
    day: Timestamp,
) -> Result<(), LedgerError> {
    // The user waits for it, and would wait for ever.
    if wanted.own {
        return Ok(());
    }
    let requests = entries.requests.iter();
    let today = requests.filter(|entry| entry.at >= day && !entry.wanted.own);
    let spent = today.fold(0_u64, |sum, entry| sum.saturating_add(entry.nano_usd()));
    if spent.saturating_add(wanted.nano_usd) > budget.daily_nano_usd {
        return Err(LedgerError::Cap {
            spent,
            cap: budget.daily_nano_usd,
            worst: wanted.nano_usd,
        });
    }
    let told = entries
        .requests
        .iter()
        .filter(|entry| entry.wanted.provider == wanted.provider)
        .filter_map(|entry| entry.spent.as_ref())
        .filter(|spent| spent.left_per_mille.is_some())
        .max_by_key(|spent| spent.at);
    let Some((left, told)) = told.and_then(|told| Some((told.left_per_mille?, told))) else {
        return Ok(());
    };
    let holds = told.at.unwrap_or(now).saturating_add(LIMIT_HOLDS);
    let until = told.resets.unwrap_or(holds.unwrap_or(now));
    match left < budget.floor_per_mille && now < until {
        true => Err(LedgerError::Floor {
            left_per_mille: left,
            until,
        }),
        false => Ok(()),
    }
}

/// The requests that these lines are about.
fn folded((lines, damaged): (Vec<Line>, usize)) -> Entries {
    let mut requests: Vec<Entry> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for line in lines {
        match line.step {
            Step::Reserved(wanted) => {
                places.insert(line.id, requests.len());
                requests.push(Entry {
                    at: line.at,
                    wanted,
                    spent: None,
                });
            }
            Step::Settled(mut spent) => {
                spent.at = Some(line.at);
                let place = places.get(&line.id).copied();
                if let Some(entry) = place.and_then(|place| requests.get_mut(place)) {
                    entry.spent = Some(spent);
                }
            }
        }
    }
    Entries { requests, damaged }
}

fn lock(folder: &Directory) -> Result<FileLock, LedgerError> {
    FileLock::take(folder, LOCK_NAME, lock_patience())?.ok_or_else(|| LedgerError::Busy {
        path: folder.path().join(LOCK_NAME),
        waited_seconds: lock_patience().as_secs(),
    })
}

/// An id that no other process and no earlier one with the same PID has used.
fn new_id() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    let since = since.unwrap_or_default().as_nanos();
    format!("{:x}-{since:x}-{count:x}", std::process::id())
}

fn whole_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

/// Billionths of a dollar as a person reads them: to a hundredth of a cent, rounded up, so that what costs something
/// never shows as nothing.
///
/// ```
/// assert_eq!(memdir_store::ledger::dollars(1), "$0.0001");
/// ```
#[must_use]
pub fn dollars(nano_usd: u64) -> String {
    let parts = nano_usd.div_ceil(100_000);
    format!("${}.{:04}", parts / 10_000, parts % 10_000)
}
