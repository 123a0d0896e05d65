//! The calls of a client that are not done with: those it waits for, and those whose work goes on although it no longer does.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::Notify;

/// So many may be under way before the next is read: a client that does not read its answers, or cancels what it asked for,
/// waits for itself.
const MOST: usize = 64;

#[derive(Default)]
pub(super) struct Calls {
    unanswered: Mutex<HashSet<RequestId>>,
    working: AtomicUsize,
    fewer: Notify,
}

/// Work for a call, until it is dropped.
pub(super) struct Working(Arc<Calls>);

impl Calls {
    fn unanswered(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.unanswered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A call came; whether its id was free.
    pub(super) fn add(&self, id: &RequestId) -> bool {
        self.unanswered().insert(id.clone())
    }

    /// A call is answered, or no longer waited for. Work for it may go on.
    pub(super) fn remove(&self, id: &RequestId) {
        if self.unanswered().remove(id) {
            self.fewer.notify_waiters();
        }
    }

    /// Work begins, or waits for its turn. It counts to its end, whatever becomes of the call.
    pub(super) fn work(self: &Arc<Self>) -> Working {
        self.working.fetch_add(1, Ordering::SeqCst);
        Working(Arc::clone(self))
    }

    /// Until one more may come.
    pub(super) async fn has_room(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.unanswered().len() < MOST && self.working.load(Ordering::SeqCst) < MOST {
                return;
            }
            fewer.await;
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::SeqCst);
        self.0.fewer.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_call_counts_until_its_work_ends() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let calls = Arc::new(Calls::default());
        let mut working = Vec::new();
        for number in 0..MOST {
            let id = RequestId::Number(i64::try_from(number).unwrap());
            assert!(calls.add(&id));
            working.push(calls.work());
            calls.remove(&id);
        }
        runtime.block_on(async {
            let mut room = std::pin::pin!(calls.has_room());
            tokio::select! {
                biased;
                () = &mut room => panic!("there is room"),
                () = std::future::ready(()) => {}
            }
            working.pop();
            room.await;
        });
    }
}
