//! Recall by itself: planting memories, asking in one process, adding one and finding it from another.
//!
//! Prints a line `name value` for each figure; `cargo xtask bench recall` builds it, runs it and makes a table of it.
//! Times are nanoseconds.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a program that prints figures"
)]

mod add;
mod ask;
mod build;
mod notes;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const USAGE: &str = "usage: recall plant FOLDER FILES | ask FILES QUESTIONS | add FILES ROUNDS MEMDIR | build FILES ROUNDS";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["plant", folder, files] => notes::plant(Path::new(folder), files.parse()?),
        ["ask", files, questions] => ask::measure(files.parse()?, questions.parse()?),
        ["build", files, rounds] => build::measure(files.parse()?, rounds.parse()?),
        ["add", files, rounds, memdir] => {
            add::measure(files.parse()?, rounds.parse()?, Path::new(memdir))
        }
        _ => Err(USAGE.into()),
    }
}

/// Prints some shares of a list of times.
fn report(name: &str, mut times: Vec<Duration>, shares: &[(&str, usize)]) {
    times.sort_unstable();
    for (label, share) in shares {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        let time = times.get(place).copied().unwrap_or_default();
        println!("{name}_{label} {}", time.as_nanos());
    }
}
