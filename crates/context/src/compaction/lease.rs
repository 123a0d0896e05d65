//! One compaction at a time in a conversation, however long it takes.

use std::time::Duration;

use memdir_conversation::Trigger;

/// How long what happens by itself waits for another compaction.
const AUTOMATIC_WAIT: Duration = Duration::from_secs(15);
/// How long somebody who asked for it waits.
const MANUAL_WAIT: Duration = Duration::from_secs(60);
/// How long an update of the notes is waited for, and how long ago it may have begun.
const NOTES_WAIT: Duration = Duration::from_secs(15);
const NOTES_AGE: Duration = Duration::from_secs(60);

/// Who may compact a conversation. A value: waiting is the host's.
///
/// ```
/// use memdir_context::compaction::{Asked, Lease};
/// use memdir_conversation::Trigger;
///
/// let mut lease = Lease::default();
/// let Asked::Granted(ticket) = lease.ask(Trigger::Auto) else { panic!() };
/// let Asked::Wait(time) = lease.ask(Trigger::Manual) else { panic!() };
/// assert_eq!(time.as_secs(), 60);
/// assert_eq!(lease.ask_after_waiting(), Asked::GoOnWithout);
/// lease.give_back(ticket);
/// assert!(matches!(lease.ask_after_waiting(), Asked::Granted(_)));
/// ```
#[derive(Debug, Default)]
pub struct Lease {
    given: u64,
    holder: Option<u64>,
}

/// The right to compact; given back when it is done or has failed.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a lease that is not given back stops every later compaction"]
pub struct Ticket(u64);

/// What came of asking.
#[derive(Debug, PartialEq, Eq)]
pub enum Asked {
    /// Go on.
    Granted(Ticket),
    /// Another compaction runs. Ask again when it has ended, or after so long.
    Wait(Duration),
    /// It still runs: send the request as it is.
    GoOnWithout,
}

impl Lease {
    /// Asks for the first time.
    pub fn ask(&mut self, trigger: Trigger) -> Asked {
        self.take().map_or_else(
            || match trigger {
                Trigger::Manual => Asked::Wait(MANUAL_WAIT),
                Trigger::Auto | Trigger::TooLong => Asked::Wait(AUTOMATIC_WAIT),
            },
            Asked::Granted,
        )
    }

    /// Asks again.
    pub fn ask_after_waiting(&mut self) -> Asked {
        self.take().map_or(Asked::GoOnWithout, Asked::Granted)
    }

    /// Ends a compaction.
    pub fn give_back(&mut self, ticket: Ticket) {
        if self.holder == Some(ticket.0) {
            self.holder = None;
        }
    }

    fn take(&mut self) -> Option<Ticket> {
        if self.holder.is_some() {
            return None;
        }
        self.given += 1;
        self.holder = Some(self.given);
        Some(Ticket(self.given))
    }
}

/// How long to wait for an update of the notes that began so long ago; not at all for one that may never end.
#[must_use]
pub fn wait_for_notes(began: Duration) -> Option<Duration> {
    (began < NOTES_AGE).then_some(NOTES_WAIT)
}
