//! What the connections share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cache::{Cache, Plan};
use super::delivery::{Ending, Progress};
use super::record::{End, Exchange};
use super::reply::Numbers;
use super::script::{ClockKind, Script};
use super::{Totals, Usage};
use crate::oracle::anthropic::Witness;

/// Told of each exchange that has ended.
pub(super) type Observer = Box<dyn Fn(&Exchange) + Send + Sync>;

/// Everything behind one lock: the server is for tests, and plain beats fast.
pub(super) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    started: Instant,
    observer: Option<Observer>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) script: Script,
    pub(super) used: Vec<u32>,
    pub(super) witness: Witness,
    pub(super) cache: Cache,
    pub(super) numbers: Numbers,
    pub(super) exchanges: Vec<Exchange>,
    /// How far the clock was put forward.
    pub(super) skipped: Duration,
}

impl Shared {
    pub(super) fn new(script: Script, observer: Option<Observer>) -> Self {
        Self {
            state: Mutex::new(State {
                script,
                used: Vec::new(),
                witness: Witness::default(),
                cache: Cache::default(),
                numbers: Numbers::default(),
                exchanges: Vec::new(),
                skipped: Duration::ZERO,
            }),
            changed: Condvar::new(),
            started: Instant::now(),
            observer,
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What time it is for the cache.
    pub(super) fn now(&self, state: &State) -> Duration {
        match state.script.clock {
            ClockKind::Still => state.skipped,
            ClockKind::Real => self.started.elapsed() + state.skipped,
        }
    }

    /// Records a request, and returns its number.
    pub(super) fn begin(&self, exchange: Exchange) -> usize {
        let mut state = self.lock();
        state.exchanges.push(exchange);
        self.changed.notify_all();
        state.exchanges.len() - 1
    }

    pub(super) fn change(&self, number: usize, change: impl FnOnce(&mut Exchange)) {
        let mut state = self.lock();
        if let Some(exchange) = state.exchanges.get_mut(number) {
            change(exchange);
        }
        self.changed.notify_all();
    }

    pub(super) fn finish(&self, number: usize, ending: Ending) {
        self.change(number, |exchange| {
            exchange.end = Some(match ending {
                Ending::Whole => End::Whole,
                Ending::Cut => End::Cut,
                Ending::Gone => End::Disconnected,
            });
            exchange.ended = Some(Instant::now());
        });
        if let Some(observer) = &self.observer {
            let exchange = self.lock().exchanges.get(number).cloned();
            exchange.iter().for_each(observer);
        }
    }

    /// Waits until the exchanges are as wanted, but not for ever.
    pub(super) fn wait(&self, limit: Duration, wanted: impl Fn(&[Exchange]) -> bool) -> bool {
        let state = self.lock();
        let (state, _) = self
            .changed
            .wait_timeout_while(state, limit, |state| !wanted(&state.exchanges))
            .unwrap_or_else(PoisonError::into_inner);
        wanted(&state.exchanges)
    }

    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for exchange in &self.lock().exchanges {
            if let Some(usage) = exchange.usage {
                totals.answered += 1;
                totals.usage += usage;
                *totals.by_model.entry(exchange.model.clone()).or_default() += usage;
            } else if exchange.status >= 400 {
                totals.refused += 1;
            }
        }
        totals
    }
}

/// The bill and the cache of one exchange, as its answer goes out.
pub(super) struct Meter<'a> {
    pub(super) shared: &'a Shared,
    pub(super) number: usize,
    pub(super) plan: Option<&'a Plan>,
    pub(super) model: &'a str,
}

impl Progress for Meter<'_> {
    fn begins(&mut self) {
        let Some(plan) = self.plan else { return };
        {
            let mut state = self.shared.lock();
            let now = self.shared.now(&state);
            state.cache.commit(plan, now);
        }
        self.shared.change(self.number, |exchange| {
            exchange.model = self.model.to_owned();
            exchange.usage = Some(plan.usage);
        });
    }

    fn output(&mut self, tokens: u64) {
        if self.plan.is_some() {
            self.shared.change(self.number, |exchange| {
                let usage = exchange.usage.get_or_insert_with(Usage::default);
                usage.output = usage.output.max(tokens);
            });
        }
    }
}
