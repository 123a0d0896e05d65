//! Bringing an answer to the client, at the speed and as far as the script says.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::cache::Plan;
use super::events::Unit;
use super::http::response_head;
use super::script::Fault;

/// An answer, ready to go.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) units: Vec<Unit>,
    /// In chunks, each unit an event; else one unit with its length said beforehand.
    pub(super) is_stream: bool,
    pub(super) delay: Duration,
    pub(super) fault: Fault,
    /// What the request reads from the cache and writes to it; none if it is an error.
    pub(super) plan: Option<Plan>,
    pub(super) model: String,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    /// By the script.
    Cut,
    /// The client left, or the server is ending.
    Gone,
}

/// Told of the progress before each step of it, so that whoever has read a byte finds it billed.
pub(super) trait Progress {
    /// The first byte is about to go.
    fn begins(&mut self);
    /// So many tokens of output are about to have been sent.
    fn output(&mut self, tokens: u64);
}

pub(super) fn deliver(
    outgoing: &Outgoing,
    stream: &mut TcpStream,
    progress: &mut impl Progress,
) -> Ending {
    match attempt(outgoing, stream, progress) {
        Ok(ending) => ending,
        Err(_) => Ending::Gone,
    }
}

fn attempt(
    outgoing: &Outgoing,
    stream: &mut TcpStream,
    progress: &mut impl Progress,
) -> io::Result<Ending> {
    let fault = &outgoing.fault;
    wait(stream, outgoing.delay)?;
    progress.begins();
    let whole: usize = outgoing.units.iter().map(|unit| unit.bytes.len()).sum();
    let length = (!outgoing.is_stream).then_some(whole);
    stream.write_all(&response_head(outgoing.status, &outgoing.headers, length))?;
    let mut left = cut(outgoing).unwrap_or(usize::MAX);
    let pause = Duration::from_millis(fault.drip.map_or(0, |drip| drip.every_ms));
    let mut is_first = true;
    for (number, unit) in outgoing.units.iter().enumerate() {
        silence(outgoing, stream, number)?;
        if left == 0 {
            break;
        }
        progress.output(unit.output);
        let kept = unit
            .bytes
            .get(..left.min(unit.bytes.len()))
            .unwrap_or_default();
        let size = fault.drip.map_or(kept.len(), |drip| drip.bytes).max(1);
        for piece in kept.chunks(size) {
            // Before a piece, never after the last: a client that has all of it may leave.
            if !is_first {
                wait(stream, pause)?;
            }
            is_first = false;
            write_piece(stream, piece, outgoing.is_stream)?;
        }
        left -= kept.len();
    }
    silence(outgoing, stream, outgoing.units.len())?;
    if cut(outgoing).is_some_and(|at| at < whole || outgoing.is_stream) {
        if fault.reset {
            rustix::net::sockopt::set_socket_linger(&*stream, Some(Duration::ZERO))?;
        } else {
            stream.shutdown(Shutdown::Both)?;
        }
        return Ok(Ending::Cut);
    }
    if outgoing.is_stream {
        // All events are there, so a client may have left without waiting for this.
        let _ = stream.write_all(b"0\r\n\r\n");
    }
    Ok(Ending::Whole)
}

fn silence(outgoing: &Outgoing, stream: &TcpStream, events: usize) -> io::Result<()> {
    let silence = outgoing.fault.silence;
    match silence.filter(|silence| silence.after_events == events) {
        Some(silence) => wait(stream, Duration::from_millis(silence.ms)),
        None => Ok(()),
    }
}

/// After how many bytes of the body the connection ends.
fn cut(outgoing: &Outgoing) -> Option<usize> {
    let fault = &outgoing.fault;
    let events = |count: usize| {
        let sizes = outgoing.units.iter().take(count);
        sizes.map(|unit| unit.bytes.len()).sum()
    };
    let character = || {
        let bytes = outgoing.units.iter().flat_map(|unit| &unit.bytes);
        bytes
            .into_iter()
            .position(|byte| !byte.is_ascii())
            .map(|start| start + 1)
    };
    fault
        .cut_after_bytes
        .or_else(|| fault.cut_after_events.map(events))
        .or_else(|| fault.cut_in_character.then(character).flatten())
}

fn write_piece(stream: &mut TcpStream, piece: &[u8], is_chunk: bool) -> io::Result<()> {
    if !is_chunk {
        return stream.write_all(piece);
    }
    // In one write, so that nothing but the pauses of the script parts it.
    let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
    chunk.extend_from_slice(piece);
    chunk.extend_from_slice(b"\r\n");
    stream.write_all(&chunk)
}

/// Waits, but not longer than the client does.
fn wait(stream: &TcpStream, time: Duration) -> io::Result<()> {
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let limit = Timespec {
            tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: left.subsec_nanos().into(),
        };
        let mut watched = [PollFd::new(stream, PollFlags::RDHUP)];
        match poll(&mut watched, Some(&limit)) {
            Ok(0) if Instant::now() >= end => return Ok(()),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Err(error) => return Err(error.into()),
        }
    }
}
