//! Whoever looks at the clock while work is under way.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use memdir_model::Cancel;
use memdir_store::Records;

use super::Outcome;
use super::records::Running;

/// How often it is looked whether somebody wants the work to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Stops a piece of work when its time is up, or when somebody asks for it.
pub(super) struct Watch {
    cancel: Cancel,
    over: mpsc::Sender<()>,
    thread: Option<JoinHandle<Option<Outcome>>>,
}

impl Watch {
    /// Begins to look. Without a thread nobody does, and the work ends by itself.
    pub(super) fn start(records: &Records, limit: Duration, outer: &Cancel) -> Self {
        let cancel = Cancel::new();
        let (over, ended) = mpsc::channel();
        let (records, outer, inner) = (records.clone(), outer.clone(), cancel.clone());
        let thread = std::thread::Builder::new()
            .name("memdir-watch".to_owned())
            .spawn(move || {
                let begin = Instant::now();
                loop {
                    match ended.recv_timeout(LOOK) {
                        Err(RecvTimeoutError::Timeout) => {}
                        _ => return None,
                    }
                    let stopped = if begin.elapsed() >= limit {
                        Some(Outcome::TimedOut)
                    } else if outer.is_cancelled() {
                        Some(Outcome::Interrupted)
                    } else if is_to_stop(&records) {
                        Some(Outcome::Stopped)
                    } else {
                        None
                    };
                    if let Some(stopped) = stopped {
                        inner.cancel();
                        return Some(stopped);
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

    /// Ends the watch; why the work was stopped, if it was.
    pub(super) fn end(mut self) -> Option<Outcome> {
        let _ = self.over.send(());
        self.thread.take()?.join().ok()?
    }
}

fn is_to_stop(records: &Records) -> bool {
    let running = records.get::<Running>(Running::KEY);
    running.is_ok_and(|found| found.is_some_and(|(running, _)| running.stop))
}
