//! What asking a model costs beyond the bare system, and how soon a server notices that nobody wants its answer.
//!
//! Prints a line `name value` for each figure; `cargo xtask bench model` builds it, runs it and makes a table of it. Times
//! are nanoseconds.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a program that prints figures"
)]

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{Anthropic, Body, Cancel, Catalogue, Key, Model, Request, Times};
use memdir_testkit::server::{Script, Server};
use serde_json::json;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const USAGE: &str = "usage: model CANCELS STARTS READS";
const NAME: &str = "claude-haiku-4-5";
/// An address with TLS where nobody is: to build the client is all that is wanted of it.
const NOBODY: &str = "https://127.0.0.1:9";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let [cancels, starts, reads] = words.as_slice() else {
        return Err(USAGE.into());
    };
    cancel(cancels.parse()?)?;
    client(starts.parse()?)?;
    reading(reads.parse()?)
}

fn model(address: &str) -> Result<Anthropic> {
    let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test")?;
    let facts = Catalogue::built_in().facts(NAME);
    Ok(Anthropic::new(
        NAME,
        address,
        Some(&key),
        facts,
        Times::default(),
    )?)
}

fn question(model: &dyn Model) -> Result<Body> {
    let said = Message::user("1", "How are you?");
    let flat = flatten(&[&said], &Flattening::default());
    Ok(model.body(&Request::new(&flat, 64_000))?)
}

/// From the cancelling to the moment in which the server sees the connection end, while it would be silent for ten minutes.
fn cancel(rounds: usize) -> Result<()> {
    let script = json!({"step": [{
        "reply": [{"text": "A long answer that nobody hears to its end."}],
        "fault": {"silence": {"after_events": 3, "ms": 600_000}}
    }]});
    let server = Server::start(Script::from_value(script)?)?;
    let mut times = Vec::new();
    for _ in 0..rounds {
        let model = model(&server.url())?;
        let cancel = Cancel::new();
        let mut answer = model.send(&question(&model)?, &cancel)?;
        answer.next().ok_or("no event")??;
        let since = Instant::now();
        cancel.cancel();
        let exchanges = server.settled();
        let ended = exchanges.last().and_then(|exchange| exchange.ended);
        times.push(ended.ok_or("not noticed")?.saturating_duration_since(since));
    }
    times.sort_unstable();
    let worst = times.last().copied().unwrap_or_default();
    figure("cancel_worst", worst.as_nanos());
    figures("cancel", times);
    Ok(())
}

/// To name a model, and to send the first request: a thread, a client and the system's certificates. Beside it a program that
/// does nothing.
fn client(rounds: usize) -> Result<()> {
    let (mut named, mut built, mut started) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let begun = Instant::now();
        let model = model(NOBODY)?;
        named.push(begun.elapsed());
        let body = question(&model)?;
        let begun = Instant::now();
        let answer = model.send(&body, &Cancel::new())?;
        built.push(begun.elapsed());
        drop(answer);
        let begun = Instant::now();
        Command::new("/bin/true").status()?;
        started.push(begun.elapsed());
    }
    figures("named", named);
    figures("built", built);
    figures("started", started);
    Ok(())
}

/// A long answer in small pieces, read as events and put together, and by a bare socket.
fn reading(rounds: usize) -> Result<()> {
    let text = "Some words of an answer, and a few more of them. ".repeat(40);
    let blocks: Vec<_> = (0..100).map(|_| json!({"text": text})).collect();
    let script = json!({"step": [{"reply": blocks, "output_tokens": 60_000}]});
    let server = Server::start(Script::from_value(script)?)?;
    let model = model(&server.url())?;
    let body = question(&model)?;
    let (mut events, mut bytes) = (0, 0);
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let begun = Instant::now();
        bytes = read_bare(&server, &body)?;
        let taken = begun.elapsed();
        let begun = Instant::now();
        events = 0;
        for event in model.send(&body, &Cancel::new())? {
            event?;
            events += 1;
        }
        // The first round warms the caches.
        if round > 0 {
            bare.push(taken);
            ours.push(begun.elapsed());
        }
    }
    figure("events", events);
    figure("bytes", bytes);
    figures("bare", bare);
    figures("read", ours);
    Ok(())
}

fn read_bare(server: &Server, body: &Body) -> Result<usize> {
    let url = server.url();
    let address = url.trim_start_matches("http://");
    let mut socket = TcpStream::connect(address)?;
    let json = &body.json;
    write!(
        socket,
        "POST /v1/messages HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nx-api-key: sk-test\r\n\
         anthropic-version: 2023-06-01\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{json}",
        json.len()
    )?;
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer)?;
    Ok(answer.len())
}

fn figures(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: usize| {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_nanos()
    };
    figure(&format!("{name}_median"), at(50));
    figure(&format!("{name}_p90"), at(90));
}

/// One figure, for the table.
fn figure(name: &str, value: impl std::fmt::Display) {
    println!("{name} {value}");
}
