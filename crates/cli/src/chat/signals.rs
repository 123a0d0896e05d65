//! Signals: Ctrl-C while the model works, a polite end, another size of the window.

use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memdir_model::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::{flag, low_level::pipe};

use crate::failure::Failure;

/// What was signalled since it was last asked.
pub(crate) struct Signals {
    interrupted: Arc<AtomicBool>,
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
            interrupted: Arc::default(),
            ending: Arc::default(),
            resized: Arc::default(),
            turn: Arc::default(),
            woken,
        };
        for (signal, noted) in [
            (SIGINT, &signals.interrupted),
            (SIGTERM, &signals.ending),
            (SIGHUP, &signals.ending),
            (SIGWINCH, &signals.resized),
        ] {
            flag::register(signal, Arc::clone(noted))?;
            pipe::register(signal, wake.try_clone()?)?;
            if signal != SIGWINCH {
                pipe::register(signal, stop.try_clone()?)?;
            }
        }
        let turn = Arc::clone(&signals.turn);
        std::thread::Builder::new().spawn(move || {
            while let Ok(1..) = stopping.read(&mut [0; 16]) {
                lock(&turn).cancel();
            }
        })?;
        Ok(signals)
    }

    /// What the next Ctrl-C stops.
    pub(crate) fn turn(&self) -> Cancel {
        let cancel = Cancel::new();
        *lock(&self.turn) = cancel.clone();
        self.interrupted.store(false, Ordering::Relaxed);
        if self.is_ending() {
            cancel.cancel();
        }
        cancel
    }

    /// Stops the turn as Ctrl-C does.
    pub(crate) fn stop_turn(&self) {
        lock(&self.turn).cancel();
    }

    /// Whether somebody wants this program to end.
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }

    /// Whether Ctrl-C was pressed since.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
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
