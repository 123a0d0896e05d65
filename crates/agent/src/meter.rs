//! The meter around every request that the user did not make.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use memdir_conversation::Usage;
use memdir_model::{Answer, Body, Cancel, Cost, Error, Event, Model, Price, Reply, What};
use memdir_store::ledger::{Budget, Ledger, LedgerError, Reservation, Spent, Wanted};

use crate::totals::total;
use crate::worst::Worst;

/// The ledger, the budget, and for whom.
#[derive(Debug, Clone)]
pub struct Meter {
    /// Where it is written down.
    pub ledger: Ledger,
    /// What may be spent.
    pub budget: Budget,
    /// The project for which the work is done: its root.
    pub project: String,
    /// When the day began for the user.
    pub day: Timestamp,
    /// Where it is counted what goes through this meter.
    pub tally: Tally,
    /// The time.
    pub now: fn() -> Timestamp,
}

/// What some requests came to. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct Tally(Arc<Mutex<Bill>>);

/// What was counted for some requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bill {
    /// How many were answered.
    pub requests: u64,
    /// Their tokens.
    pub usage: Usage,
    /// What those cost, in billionths of a dollar.
    pub nano_usd: u64,
}

impl Tally {
    /// What was counted so far.
    #[must_use]
    pub fn bill(&self) -> Bill {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, usage: &Usage, nano_usd: u64) {
        let mut bill = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bill.requests += 1;
        bill.usage = total(&[bill.usage, *usage]);
        bill.nano_usd = bill.nano_usd.saturating_add(nano_usd);
    }
}

/// Why a request was not made, or what became of it.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// The budget forbids it, or the ledger cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// What it costs is not known, so that no budget can be kept.
    #[error("what {model} costs is not known; give its price in models.toml")]
    NoPrice {
        /// Which model.
        model: String,
    },
    /// The model.
    #[error(transparent)]
    Model(#[from] Error),
}

impl MeterError {
    /// Whether nothing is wrong with the request, only it may not be paid for just now.
    #[must_use]
    pub fn may_be_tried_later(&self) -> bool {
        matches!(
            self,
            Self::Ledger(
                LedgerError::NoSpend
                    | LedgerError::Cap { .. }
                    | LedgerError::Floor { .. }
                    | LedgerError::Busy { .. }
            )
        )
    }
}

impl Meter {
    /// Sends a request, if the budget allows its worst case: as many tokens as the body may have, and as much answer as
    /// it asks for.
    ///
    /// # Errors
    ///
    /// When it is not sent.
    pub fn send(
        &self,
        model: &dyn Model,
        purpose: &str,
        body: &Body,
        cancel: &Cancel,
    ) -> Result<Metered, MeterError> {
        self.begin(model, purpose, body, cancel, false)
    }

    /// Sends a request that is part of the user's own conversation, and that the user waits for. It is written down like
    /// any other, but what background work may spend in a day neither covers nor forbids it; `--no-spend` does.
    ///
    /// # Errors
    ///
    /// When it is not sent.
    pub fn send_own(
        &self,
        model: &dyn Model,
        purpose: &str,
        body: &Body,
        cancel: &Cancel,
    ) -> Result<Metered, MeterError> {
        self.begin(model, purpose, body, cancel, true)
    }

    fn begin(
        &self,
        model: &dyn Model,
        purpose: &str,
        body: &Body,
        cancel: &Cancel,
        own: bool,
    ) -> Result<Metered, MeterError> {
        let price = model.facts().price.ok_or_else(|| MeterError::NoPrice {
            model: model.name().to_owned(),
        })?;
        let worst = Worst::of(body);
        let wanted = Wanted {
            purpose: purpose.to_owned(),
            project: self.project.clone(),
            provider: model.provider().to_owned(),
            model: model.name().to_owned(),
            nano_usd: price.worst(worst.tokens, body.most_output, worst.hour),
            own,
        };
        let now = (self.now)();
        let reservation = self.ledger.reserve(&wanted, &self.budget, now, self.day)?;
        let mut metered = Metered {
            answer: None,
            account: Some((reservation, price)),
            begun: false,
            meter: self.clone(),
        };
        match model.send(body, cancel) {
            Ok(answer) => metered.answer = Some(answer),
            Err(error) => {
                metered.failed(&error)?;
                return Err(error.into());
            }
        }
        Ok(metered)
    }
}

/// An answer that is being paid for. It is settled when it is whole; dropped before that, it stays charged at its worst.
#[derive(Debug)]
pub struct Metered {
    answer: Option<Answer>,
    account: Option<(Reservation, Price)>,
    /// Whether a model has begun to answer: from then on it costs something.
    begun: bool,
    meter: Meter,
}

impl Metered {
    /// The next event; `None` after the last.
    pub fn event(&mut self) -> Option<Result<Event, MeterError>> {
        let event = self.answer.as_mut()?.next()?;
        let settled = match &event {
            Ok(Event {
                what: What::Done(reply),
                ..
            }) => self.done(reply),
            // No model has worked on it yet.
            Ok(Event {
                what: What::Waiting(_),
                ..
            }) => Ok(()),
            Ok(_) => {
                self.begun = true;
                Ok(())
            }
            Err(error) => self.failed(error),
        };
        Some(match settled {
            Ok(()) => event.map_err(MeterError::from),
            Err(error) => Err(error),
        })
    }

    /// Waits for the whole answer.
    ///
    /// # Errors
    ///
    /// When there is none, or what it cost cannot be written down.
    pub fn whole(mut self) -> Result<Reply, MeterError> {
        while let Some(event) = self.event() {
            if let What::Done(reply) = event?.what {
                return Ok(*reply);
            }
        }
        Err(Error::Cut.into())
    }

    /// Settles a whole answer. Where the provider did not say what it counted, nobody knows what it cost, unless nothing
    /// does.
    fn done(&mut self, reply: &Reply) -> Result<(), MeterError> {
        let free = |(_, price): &(Reservation, Price)| *price == Price::FREE;
        if !reply.counted && !self.account.as_ref().is_some_and(free) {
            return Ok(());
        }
        let Some((reservation, price)) = self.account.take() else {
            return Ok(());
        };
        let usage = reply.billed.usage;
        let spent = Spent {
            input: usage.input,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            output: usage.output,
            nano_usd: price.of(&reply.billed),
            left_per_mille: reply.limits.left_per_mille,
            resets: reply.limits.resets,
            at: None,
        };
        self.meter.tally.add(&usage, spent.nano_usd);
        self.settle(reservation, spent)
    }

    /// What certainly cost nothing is taken back. A limit that is reached is noted.
    fn failed(&mut self, error: &Error) -> Result<(), MeterError> {
        if self.begun || error.cost() == Cost::Unknown {
            return Ok(());
        }
        let Some((reservation, _)) = self.account.take() else {
            return Ok(());
        };
        let mut spent = Spent::default();
        if let Error::RateLimited { after } = error {
            spent.left_per_mille = Some(0);
            let after = after.and_then(|after| jiff::SignedDuration::try_from(after).ok());
            spent.resets = after.and_then(|after| (self.meter.now)().checked_add(after).ok());
        }
        self.settle(reservation, spent)
    }

    fn settle(&self, reservation: Reservation, spent: Spent) -> Result<(), MeterError> {
        let now = (self.meter.now)();
        Ok(self.meter.ledger.settle(reservation, spent, now)?)
    }
}
