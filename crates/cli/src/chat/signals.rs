//! Signals: Ctrl-C while the model works, a polite end, another size of the window.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memdir_model::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level::pipe};

use crate::failure::Failure;

/// What was signalled since it was last asked.
pub(crate) struct Signals {
    /// How often somebody wanted a turn to stop.
    interruptions: Arc<AtomicUsize>,
    ending: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    /// What an interruption stops.
    turn: Arc<Mutex<Cancel>>,
    /// Something to read as soon as there is a signal, for whoever waits for keys.
    woken: UnixStream,
}

impl Signals {
    /// Listens from now on.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::try_listen().map_err(|error| Failure::new(format!("no signals: {error}"), ""))
    }

    fn try_listen() -> std::io::Result<Self> {
        let (woken, wake) = UnixStream::pair()?;
        let (mut stopping, stop) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        let signals = Self {
            interruptions: Arc::default(),
            ending: Arc::default(),
            resized: Arc::default(),
            turn: Arc::default(),
            woken,
        };
        for (signal, noted) in [
            (SIGINT, None),
            (SIGTERM, Some(&signals.ending)),
            (SIGHUP, Some(&signals.ending)),
            (SIGWINCH, Some(&signals.resized)),
        ] {
            if let Some(noted) = noted {
                flag::register(signal, Arc::clone(noted))?;
            }
            pipe::register(signal, wake.try_clone()?)?;
            if signal != SIGWINCH {
                pipe::register(signal, stop.try_clone()?)?;
            }
        }
        let turn = Arc::clone(&signals.turn);
        let interruptions = Arc::clone(&signals.interruptions);
        std::thread::Builder::new().spawn(move || {
            // One byte a signal. They are counted before the turn stops: who sees that it has sees how often.
            while let Ok(often @ 1..) = stopping.read(&mut [0; 16]) {
                interruptions.fetch_add(often, Ordering::SeqCst);
                lock(&turn).cancel();
            }
        })?;
        Ok(signals)
    }

    /// What the next Ctrl-C stops.
    pub(crate) fn turn(&self) -> Cancel {
        let cancel = Cancel::new();
        *lock(&self.turn) = cancel.clone();
        self.interruptions.store(0, Ordering::SeqCst);
        if self.is_ending() {
            cancel.cancel();
        }
        cancel
    }

    /// Stops the turn as Ctrl-C does.
    pub(crate) fn stop_turn(&self) {
        self.stopper()();
    }

    /// The same, for another thread.
    pub(crate) fn stopper(&self) -> impl Fn() + Send + 'static {
        let turn = Arc::clone(&self.turn);
        let interruptions = Arc::clone(&self.interruptions);
        move || {
            interruptions.fetch_add(1, Ordering::SeqCst);
            lock(&turn).cancel();
        }
    }

    /// Whether somebody wants this program to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// How often Ctrl-C was pressed since.
    pub(crate) fn take_interruptions(&self) -> usize {
        self.interruptions.swap(0, Ordering::SeqCst)
    }

    /// Whether the window has another size since.
    pub(crate) fn take_resized(&self) -> bool {
        // What woke somebody up has done its work.
        while let Ok(1..) = (&self.woken).read(&mut [0; 64]) {}
        self.resized.swap(false, Ordering::Relaxed)
    }

    /// Readable once there is a signal.
    pub(crate) fn woken(&self) -> BorrowedFd<'_> {
        self.woken.as_fd()
    }
}

fn lock(turn: &Mutex<Cancel>) -> std::sync::MutexGuard<'_, Cancel> {
    turn.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use signal_hook::low_level::raise;

    use super::*;

    #[test]
    fn every_interruption_counts() {
        let signals = Signals::listen().unwrap();
        let turn = signals.turn();
        raise(SIGINT).unwrap();
        raise(SIGINT).unwrap();
        let until = Instant::now() + Duration::from_secs(60);
        let mut counted = 0;
        while counted < 2 && Instant::now() < until {
            counted += signals.take_interruptions();
            std::thread::yield_now();
        }
        assert!(turn.is_cancelled());
        signals.stop_turn();
        assert_eq!((counted, signals.take_interruptions()), (2, 1));
        // The next turn begins anew.
        signals.stop_turn();
        assert!(!signals.turn().is_cancelled());
        assert_eq!(signals.take_interruptions(), 0);
    }
}
