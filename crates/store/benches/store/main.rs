//! The store against the bare system calls, measured in one run and by turns.
//!
//! Prints a line `name value` for each figure; `cargo xtask bench store` builds it, runs it and
//! makes a table of it. Times are nanoseconds.

#![allow(
    clippy::print_stdout,
    missing_docs,
    reason = "a program that prints figures"
)]

mod change;
mod crowd;
mod floor;
mod grow;
mod scan;
mod statistics;

use std::error::Error;
use std::path::Path;

type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

const USAGE: &str = "usage: store scan FILES ROUNDS | change ROUNDS | crowd ROUNDS | grow MEMORY STATE OPERATIONS | once FOLDER | member …";

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["scan", files, rounds] => scan::measure(files.parse()?, rounds.parse()?),
        ["once", folder] => scan::once(Path::new(folder)),
        ["change", rounds] => change::measure(rounds.parse()?),
        ["crowd", rounds] => crowd::measure(rounds.parse()?),
        ["grow", memory, state, operations] => {
            grow::grow(Path::new(memory), Path::new(state), operations.parse()?)
        }
        ["member", folder, number, changes] => {
            crowd::member(Path::new(folder), number.parse()?, changes.parse()?)
        }
        _ => Err(USAGE.into()),
    }
}

/// One figure, for the table.
fn figure(name: &str, value: impl std::fmt::Display) {
    println!("{name} {value}");
}
