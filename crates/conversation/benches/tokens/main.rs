//! How far estimates are from a bill. Prints a line `name value` for each figure; `cargo xtask bench tokens` builds it, runs
//! it and makes a table of it.
//!
//! The bill is cl100k's, or that of any program that reads JSON strings, one a line, and prints the tokens of each:
//!
//! ```console
//! $ cargo bench -p memdir-conversation --bench tokens -- errors 200 . node counter.js
//! ```

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    missing_docs,
    reason = "a program that prints figures"
)]

#[path = "../../tests/it/billing.rs"]
mod billing;

use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use memdir_conversation::tokens::{Bytes, Classes, Estimate, Pairs};

use memdir_testkit::texts::Sort;

use self::billing::{Counter, Errors, REQUESTS, errors, play, play_in};

const USAGE: &str = "usage: tokens errors CONVERSATIONS REPOSITORY [COUNTER …]";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words
        .iter()
        .filter(|word| **word != "--bench")
        .copied()
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["errors", conversations, repository] => {
            let tokeniser = tiktoken_rs::cl100k_base_singleton();
            let count = |text: &str| tokeniser.count_ordinary(text) as u64;
            measure(conversations.parse()?, repository, &count)
        }
        ["errors", conversations, repository, program, rest @ ..] => {
            let mut child = Command::new(program)
                .args(rest)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()?;
            let to = RefCell::new(child.stdin.take().ok_or("no input")?);
            let from = RefCell::new(BufReader::new(child.stdout.take().ok_or("no output")?));
            let count = |text: &str| {
                let line = serde_json::to_string(text).unwrap();
                writeln!(to.borrow_mut(), "{line}").unwrap();
                let mut answer = String::new();
                from.borrow_mut().read_line(&mut answer).unwrap();
                answer.trim().parse().unwrap()
            };
            measure(conversations.parse()?, repository, &count)?;
            drop(to);
            child.wait()?;
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}

fn measure(conversations: u64, repository: &str, count: Counter<'_>) -> Result<(), Box<dyn Error>> {
    let mut own = Vec::new();
    gather(Path::new(repository), &mut own)?;
    own.sort();
    report(&Pairs, conversations, count, &own);
    report(&Classes, conversations, count, &own);
    report(&Bytes, conversations, count, &own);
    Ok(())
}

fn report<E: Estimate + Copy>(
    estimate: &E,
    conversations: u64,
    count: Counter<'_>,
    own: &[String],
) {
    let points: Vec<_> = (0..conversations)
        .flat_map(|seed| play(seed, *estimate, count, own))
        .collect();
    let name = estimate.name();
    print(name, &errors(&points));
    let points: Vec<_> = Sort::LANGUAGES
        .into_iter()
        .flat_map(|language| (0..conversations.div_ceil(5)).map(move |seed| (language, seed)))
        .flat_map(|(language, seed)| play_in(language, seed, *estimate, count, REQUESTS))
        .collect();
    print(&format!("{name}_languages"), &errors(&points));
}

fn print(name: &str, found: &Errors) {
    println!("{name}_median {}", found.median);
    println!("{name}_p95 {}", found.p95);
    println!("{name}_worst {}", found.worst);
    println!("{name}_first_under {}", found.first_under);
    println!("{name}_first_over {}", found.first_over);
}

/// Texts of the repository, those that are long enough to be read by an agent.
fn gather(folder: &Path, own: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    const KINDS: [&str; 5] = ["rs", "md", "toml", "lock", "snap"];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !path.ends_with("target") {
            gather(&path, own)?;
        } else if path
            .extension()
            .is_some_and(|kind| KINDS.iter().any(|known| *known == kind))
        {
            own.extend(
                fs::read_to_string(&path)
                    .ok()
                    .filter(|text| text.len() > 2_000),
            );
        }
    }
    Ok(())
}
