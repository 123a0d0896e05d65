//! Work beside a conversation, in the same process.

use std::sync::mpsc::{self, Receiver};
use std::thread::JoinHandle;
use std::time::Duration;

use memdir_model::Cancel;

use super::{Job, Jobs, JobsError, Worked};

/// A thread that works off what is due.
#[derive(Debug)]
pub struct Worker {
    cancel: Cancel,
    over: Receiver<Result<bool, JobsError>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts it; it ends by itself when nothing is due any more.
    ///
    /// # Errors
    ///
    /// When there is no thread to be had.
    pub fn start(
        jobs: Jobs,
        mut work: impl FnMut(&Job, &Cancel) -> Worked + Send + 'static,
    ) -> std::io::Result<Self> {
        let cancel = Cancel::new();
        let inner = cancel.clone();
        let (sender, over) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("memdir-jobs".to_owned())
            .spawn(move || {
                // Nobody listens any more after the drain.
                let _ = sender.send(jobs.run(&inner, &mut work));
            })?;
        Ok(Self {
            cancel,
            over,
            thread: Some(thread),
        })
    }

    /// Whether nothing is due any more and it has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits until the work is done, at most so long; then it is stopped, and what it was at stays due. Whether it was
    /// done in time.
    ///
    /// # Errors
    ///
    /// When the work itself could not go on.
    pub fn drain(mut self, patience: Duration) -> Result<bool, JobsError> {
        let ended = self.over.recv_timeout(patience);
        let in_time = ended.is_ok();
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        ended.unwrap_or(Ok(false)).map(|_| in_time)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
