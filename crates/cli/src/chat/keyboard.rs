//! Waiting for keys, and for signals beside them.

use std::io;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::keys::{Key, Keys};
use super::signals::Signals;
use super::terminal::Terminal;

/// So much is read at once: a large paste should not take long.
const STRETCH: usize = 64 * 1024;
/// What follows an escape character comes within this time, or it was the key.
const ESCAPE: Duration = Duration::from_millis(40);

/// The keys of a terminal.
pub(crate) struct Keyboard<'a> {
    terminal: &'a Terminal,
    signals: &'a Signals,
    keys: Keys,
    /// What came and was not needed yet: typed ahead.
    ahead: Vec<Key>,
    buffer: Vec<u8>,
}

impl<'a> Keyboard<'a> {
    pub(crate) fn new(terminal: &'a Terminal, signals: &'a Signals) -> Self {
        Self {
            terminal,
            signals,
            keys: Keys::default(),
            ahead: Vec::new(),
            buffer: vec![0; STRETCH],
        }
    }

    /// The keys that come within this time, perhaps none; nothing at all once there is nobody any more, or somebody wants
    /// the program to end.
    pub(crate) fn wait(&mut self, patience: Duration) -> io::Result<Option<Vec<Key>>> {
        if !self.ahead.is_empty() {
            return Ok(Some(std::mem::take(&mut self.ahead)));
        }
        let ahead = self.terminal.take_ahead();
        if !ahead.is_empty() {
            return Ok(Some(self.fed(&ahead)?));
        }
        let ready = self.is_ready(patience)?;
        if self.signals.is_ending() {
            return Ok(None);
        }
        if !ready {
            return Ok(Some(Vec::new()));
        }
        // Not through the buffer of the standard library: what waits in there nobody can wait for.
        let read = match rustix::io::read(io::stdin(), &mut *self.buffer) {
            Ok(0) | Err(Errno::IO) => return Ok(None),
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => 0,
            Err(error) => return Err(error.into()),
        };
        let bytes = self.buffer.get(..read).unwrap_or_default().to_vec();
        Ok(Some(self.fed(&bytes)?))
    }

    fn fed(&mut self, bytes: &[u8]) -> io::Result<Vec<Key>> {
        let mut keys = self.keys.feed(bytes);
        if self.keys.is_waiting() && !self.is_ready(ESCAPE)? {
            keys.extend(self.keys.settle());
        }
        Ok(keys)
    }

    /// Keys that are for whoever waits next.
    pub(crate) fn put_back(&mut self, keys: impl IntoIterator<Item = Key>) {
        self.ahead.extend(keys);
    }

    fn is_ready(&self, patience: Duration) -> io::Result<bool> {
        let stdin = io::stdin();
        let mut waited = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::from_borrowed_fd(self.signals.woken(), PollFlags::IN),
        ];
        let patience = Timespec::try_from(patience).ok();
        match poll(&mut waited, patience.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [keys, _] = &waited;
        Ok(!keys.revents().is_empty())
    }
}
