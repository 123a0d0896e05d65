//! A dream has its time: when that is up it is stopped, whatever it waits for.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memdir_model::Cancel;

/// How often it is looked whether somebody else stops it.
const LOOK: Duration = Duration::from_millis(100);

/// Stops when its time is up, or when somebody else wants it to.
pub(super) struct Deadline {
    cancel: Cancel,
    over: mpsc::Sender<()>,
    thread: Option<JoinHandle<bool>>,
}

impl Deadline {
    /// Begins to look at the clock. Without a thread nobody does, and only the end of the work is looked at.
    pub(super) fn start(limit: Duration, outer: &Cancel) -> Self {
        let cancel = Cancel::new();
        let (over, ended) = mpsc::channel();
        let (inner, outer) = (cancel.clone(), outer.clone());
        let thread = std::thread::Builder::new()
            .name("memdir-dream".to_owned())
            .spawn(move || {
                let begin = Instant::now();
                loop {
                    match ended.recv_timeout(LOOK) {
                        Err(RecvTimeoutError::Timeout) => {}
                        _ => return false,
                    }
                    let late = begin.elapsed() >= limit;
                    if late || outer.is_cancelled() {
                        inner.cancel();
                        return late;
                    }
                }
            });
        Self {
            cancel,
            over,
            thread: thread.ok(),
        }
    }

    /// What the work listens to.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Ends it; whether the time was up.
    pub(super) fn end(mut self) -> bool {
        let _ = self.over.send(());
        let thread = self.thread.take();
        thread.is_some_and(|thread| thread.join().unwrap_or_default())
    }
}
