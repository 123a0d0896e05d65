//! What memory adds before a request leaves. Prints a line `name value` for each figure; `cargo xtask bench session` builds
//! it, runs it and makes a table of it. Times are nanoseconds.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a program that prints figures"
)]

mod scene;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use memdir_conversation::Block;
use memdir_recall::{Finder, Question};
use memdir_session::Session;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use self::scene::{Memory, Scene};

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const USAGE: &str = "usage: session TOKENS MEMORIES BATCHES TURNS";

fn main() -> Result<()> {
    let words = std::env::args().skip(1).filter(|word| word != "--bench");
    let numbers: Vec<usize> = words.map(|word| word.parse()).collect::<Result<_, _>>()?;
    let [tokens, memories, batches, turns] = numbers.as_slice() else {
        return Err(USAGE.into());
    };
    measure(*tokens, *memories, *batches, *turns)
}

/// Wall and processor time, all threads together.
#[derive(Clone, Copy)]
struct Taken {
    wall: f64,
    processor: f64,
}

fn time<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Taken)> {
    let processor = || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
    };
    let (begun, busy) = (Instant::now(), processor());
    let made = black_box(work()?);
    let wall = begun.elapsed().as_nanos() as f64;
    let processor = processor() - busy;
    Ok((made, Taken { wall, processor }))
}

/// Turns of one conversation with memory and of the same without, by turns; each batch begins with the same conversation.
fn measure(tokens: usize, memories: usize, batches: usize, turns: usize) -> Result<()> {
    let scene = Scene::new(tokens, memories)?;
    let store = scene.home(Memory::On)?.store;
    let finder = Finder::new(&store);
    let mut open = finder.open();
    let mut all = [const { Vec::new() }; 4];
    let [on, off, find, serialise] = &mut all;
    let (mut recalled, mut bytes) = (0, 0);
    for batch in 0..batches {
        let mut with = scene.start(&format!("with-{batch}"), Memory::On)?;
        let mut without = scene.start(&format!("without-{batch}"), Memory::Off)?;
        // The first turn counts what the conversation had before.
        for turn in 0..=turns {
            let said = scene.question(batch * turns + turn);
            // Whoever comes second finds the processor's cache warm.
            let (first, second) = match turn % 2 {
                0 => (asked(&mut with, &said)?, asked(&mut without, &said)?),
                _ => {
                    let without = asked(&mut without, &said)?;
                    (asked(&mut with, &said)?, without)
                }
            };
            let answer = time(|| Ok(open.find(&Question::new(&said))?))?;
            let value: Value = serde_json::from_str(&first.0)?;
            let written = time(|| Ok(serde_json::to_vec(&value)?))?;
            if turn > 0 {
                on.push(first.1);
                off.push(second.1);
                find.push(answer.1);
                serialise.push(written.1);
                recalled += answer.0.found.len();
                bytes = written.0.len();
            }
        }
    }
    println!("tokens {}", scene.tokens);
    println!("bytes {bytes}");
    println!("recalled {}", recalled as f64 / (batches * turns) as f64);
    let pairs = on.iter().zip(off.iter());
    let added: Vec<Taken> = pairs
        .map(|(on, off)| Taken {
            wall: on.wall - off.wall,
            processor: on.processor - off.processor,
        })
        .collect();
    for (name, times) in [
        ("on", &*on),
        ("off", off),
        ("find", find),
        ("serialise", serialise),
        ("added", &added),
    ] {
        report(name, times.iter().map(|taken| taken.wall));
        let busy = times.iter().map(|taken| taken.processor);
        report(&format!("{name}_processor"), busy);
    }
    Ok(())
}

/// What the user says and the request that follows; then the rest of the turn, which nobody waits for.
fn asked(session: &mut Session, said: &str) -> Result<(String, Taken)> {
    let (prepared, taken) = time(|| {
        session.user_message(said)?;
        Ok(session.before_request()?)
    })?;
    session.replied_with(vec![Block::text("I see.")], None)?;
    session.turn_ended()?;
    session.settle(std::time::Duration::from_secs(60));
    Ok((prepared.body.json.to_string(), taken))
}

fn report(name: &str, times: impl Iterator<Item = f64>) {
    let mut times: Vec<f64> = times.collect();
    times.sort_unstable_by(f64::total_cmp);
    for (label, share) in [("median", 50), ("p90", 90)] {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        println!(
            "{name}_{label} {}",
            times.get(place).copied().unwrap_or(0.0)
        );
    }
}
