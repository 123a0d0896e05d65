//! A model that asks nothing until it may: what ends while a run is under way then does so every time.

use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use memdir_conversation::wire::Api;
use memdir_model::{Answer, Body, Cancel, Error, Identity, Model, Pong, Request};

/// Nobody waits longer.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<State>, Condvar)>);

#[derive(Debug, Default)]
struct State {
    shut: bool,
    waiting: usize,
}

impl Gate {
    pub(crate) fn shut(&self) {
        self.0.0.lock().unwrap().shut = true;
    }

    pub(crate) fn open(&self) {
        self.0.0.lock().unwrap().shut = false;
        self.0.1.notify_all();
    }

    /// Waits until somebody stands before it.
    pub(crate) fn wait_for_one(&self) {
        let begin = Instant::now();
        while self.0.0.lock().unwrap().waiting == 0 {
            assert!(begin.elapsed() < PATIENCE, "nobody came: {self:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn pass(&self) {
        let mut state = self.0.0.lock().unwrap();
        state.waiting += 1;
        let shut = |state: &mut State| state.shut;
        let (mut state, over) = self.0.1.wait_timeout_while(state, PATIENCE, shut).unwrap();
        assert!(!over.timed_out(), "nobody opened: {state:?}");
        state.waiting -= 1;
    }
}

/// A model that never answers, and what could stop it.
#[derive(Debug)]
pub(crate) struct Silent {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) asked: Arc<Mutex<Option<Cancel>>>,
}

impl Model for Silent {
    fn identity(&self) -> &Identity {
        self.model.identity()
    }

    fn api(&self) -> Option<Api> {
        self.model.api()
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        self.model.body(request)
    }

    fn send(&self, _: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        *self.asked.lock().unwrap() = Some(cancel.clone());
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(2));
        }
        Err(Error::Cancelled)
    }

    fn count(&self, body: &Body, cancel: &Cancel) -> Result<Option<u64>, Error> {
        self.model.count(body, cancel)
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        self.model.ping(cancel)
    }
}

/// A model behind a gate.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) gate: Gate,
}

impl Model for Held {
    fn identity(&self) -> &Identity {
        self.model.identity()
    }

    fn api(&self) -> Option<Api> {
        self.model.api()
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        self.model.body(request)
    }

    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        self.gate.pass();
        self.model.send(body, cancel)
    }

    fn count(&self, body: &Body, cancel: &Cancel) -> Result<Option<u64>, Error> {
        self.model.count(body, cancel)
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        self.model.ping(cancel)
    }
}

/// A model whose provider clears old results by itself.
#[derive(Debug)]
pub(crate) struct Editing(pub(crate) Arc<dyn Model>);

impl Model for Editing {
    fn identity(&self) -> &Identity {
        self.0.identity()
    }

    fn api(&self) -> Option<Api> {
        self.0.api()
    }

    fn edits_context(&self) -> bool {
        true
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        self.0.body(request)
    }

    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        self.0.send(body, cancel)
    }

    fn count(&self, body: &Body, cancel: &Cancel) -> Result<Option<u64>, Error> {
        self.0.count(body, cancel)
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        self.0.ping(cancel)
    }
}
