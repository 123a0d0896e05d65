//! The one thread on which requests are made, started when the first is.

use std::future::Future;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::Error;

/// A thread that does the waiting for all requests of one model. It ends with the last who holds it.
pub(crate) struct Runtime {
    handle: Handle,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Runtime {
    /// Starts the thread.
    pub(crate) fn start() -> Result<Arc<Self>, Error> {
        let failed = |_| Error::Machine("a thread for the request cannot be started");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("memdir-model".to_owned())
            .spawn(move || {
                // Either way it is over.
                let _ = runtime.block_on(ended);
                // A name that is being looked up may take long; nobody waits for it any more.
                runtime.shutdown_background();
            })
            .map_err(failed)?;
        Ok(Arc::new(Self {
            handle,
            end: Some(end),
            thread: Some(thread),
        }))
    }

    /// Begins a piece of work.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.handle.spawn(work);
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _ = end.send(());
        }
        let own = std::thread::current().id();
        // Waiting makes sure that what was stopped is gone: connections closed, programs ended.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != own
        {
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Runtime")
    }
}
