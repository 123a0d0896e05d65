//! An answer while it comes.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::runtime::Runtime;
use crate::{Cancel, Error, Event, Reply, What};

/// How many events wait for whoever reads them; the network waits behind them.
pub(crate) const WAITING: usize = 64;

/// An answer while it comes: an iterator over its events, which waits for each. It ends after [`What::Done`] or an
/// error. Dropped before that, the request is stopped.
pub struct Answer {
    events: mpsc::Receiver<Result<Event, Error>>,
    cancel: Cancel,
    ended: bool,
    /// Whatever else becomes of the model, the work goes on until the answer is dropped.
    _runtime: Arc<Runtime>,
}

impl Answer {
    pub(crate) fn new(
        events: mpsc::Receiver<Result<Event, Error>>,
        cancel: Cancel,
        runtime: Arc<Runtime>,
    ) -> Self {
        Self {
            events,
            cancel,
            ended: false,
            _runtime: runtime,
        }
    }

    /// Waits for the whole answer.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn whole(mut self) -> Result<Reply, Error> {
        loop {
            match self.next() {
                Some(Ok(Event {
                    what: What::Done(reply),
                    ..
                })) => return Ok(*reply),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Err(Error::Cut),
            }
        }
    }

    /// The next event, for callers that wait for more than one thing.
    pub async fn event(&mut self) -> Option<Result<Event, Error>> {
        if self.ended {
            return None;
        }
        let event = self.events.recv().await;
        Some(self.noted(event))
    }

    /// What ends silently was cut.
    fn noted(&mut self, event: Option<Result<Event, Error>>) -> Result<Event, Error> {
        let event = event.unwrap_or(Err(Error::Cut));
        self.ended = matches!(
            &event,
            Err(_)
                | Ok(Event {
                    what: What::Done(_),
                    ..
                })
        );
        event
    }
}

impl Iterator for Answer {
    type Item = Result<Event, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let event = self.events.blocking_recv();
        Some(self.noted(event))
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.ended {
            self.cancel.cancel();
        }
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Answer")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
