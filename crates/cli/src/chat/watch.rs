//! While the model works: Ctrl-C counts as often as it is pressed, and what is typed ahead is kept.
//!
//! It comes as a key here, not as a signal: of two signals in quick succession the system makes one.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// The key.
const INTERRUPT: u8 = 0x03;
/// So much is read at once.
const STRETCH: usize = 64 * 1024;

/// Somebody who reads the keys while nobody else does.
pub(crate) struct Watch {
    shared: Arc<Shared>,
    wake: UnixStream,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    watches: bool,
    /// What was typed meanwhile.
    ahead: Vec<u8>,
}

impl Watch {
    /// Begins to rest; from then on `stop` is called for each Ctrl-C while it watches.
    pub(crate) fn new(stop: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (woken, wake) = UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        std::thread::Builder::new().spawn(move || {
            let mut buffer = vec![0; STRETCH];
            while own.step(&woken, &mut buffer, &stop).is_some() {}
        })?;
        Ok(Self { shared, wake })
    }

    /// The model works.
    pub(crate) fn begin(&self) {
        self.shared.lock().watches = true;
        self.shared.changed.notify_all();
    }

    /// Whoever reads keys next is alone with them.
    pub(crate) fn end(&self) {
        self.shared.lock().watches = false;
        // It waits for a key, perhaps; who does not hear it has not begun to.
        let _ = (&self.wake).write(&[0]);
    }

    /// What was typed while the model worked.
    pub(crate) fn take_ahead(&self) -> Vec<u8> {
        std::mem::take(&mut self.shared.lock().ahead)
    }
}

impl Shared {
    /// Waits for keys and takes them, if they are for us; nothing once there is nobody any more.
    fn step(&self, woken: &UnixStream, buffer: &mut [u8], stop: &impl Fn()) -> Option<()> {
        let rests = self.changed.wait_while(self.lock(), |state| !state.watches);
        drop(rests);
        is_ready(Some(woken), None);
        let mut woken = woken;
        while let Ok(1..) = woken.read(&mut [0; 16]) {}
        let mut state = self.lock();
        // Under the lock: whoever ended the watch meanwhile reads what is there.
        if !state.watches || !is_ready(None, Some(&Timespec::default())) {
            return Some(());
        }
        let read = match rustix::io::read(io::stdin(), &mut *buffer) {
            Ok(read @ 1..) => read,
            Err(Errno::INTR | Errno::AGAIN) => return Some(()),
            Ok(_) | Err(_) => return None,
        };
        for byte in buffer.get(..read).unwrap_or_default() {
            match *byte {
                INTERRUPT => {
                    // What was typed before it was for a turn that is over.
                    state.ahead.clear();
                    stop();
                }
                byte => state.ahead.push(byte),
            }
        }
        Some(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a key or to be woken; whether there is a key.
fn is_ready(woken: Option<&UnixStream>, patience: Option<&Timespec>) -> bool {
    let stdin = io::stdin();
    let mut waited = vec![PollFd::new(&stdin, PollFlags::IN)];
    waited.extend(woken.map(|woken| PollFd::new(woken, PollFlags::IN)));
    let _ = poll(&mut waited, patience);
    let keys = waited.first();
    keys.is_some_and(|keys| !keys.revents().is_empty())
}
