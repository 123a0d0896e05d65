//! Stopping a request from anywhere.

use std::sync::Arc;

use tokio::sync::watch;

/// A handle by which a request is stopped, from any thread and at any time. Clones stop the same requests.
///
/// ```
/// use memdir_model::Cancel;
///
/// let turn = Cancel::new();
/// let elsewhere = turn.clone();
/// std::thread::spawn(move || elsewhere.cancel()).join().unwrap();
/// assert!(turn.is_cancelled());
/// ```
#[derive(Debug, Clone)]
pub struct Cancel(Arc<watch::Sender<bool>>);

impl Cancel {
    /// One that nobody has used yet.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Stops every request that was given this handle, now and later.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether somebody did.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Ends when somebody does.
    pub(crate) async fn cancelled(&self) {
        let mut watched = self.0.subscribe();
        // The sender lives as long as this handle, so that waiting ends only with the value.
        let _ = watched.wait_for(|cancelled| *cancelled).await;
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::new()
    }
}
