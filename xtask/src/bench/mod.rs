//! `cargo xtask bench`: what the store costs beyond the bare system calls, a prompt and recall beyond a program that does
//! nothing, a request beyond parsing it, an answer beyond a bare socket, extraction beyond
//! parsing transcripts, hooks beyond a program that does nothing, a turn with memory beyond one without, as ratios taken in one run; and how far its tokens are foreseen.

mod chat;
mod context;
mod extract;
mod figures;
mod fork;
mod history;
mod hooks;
mod mcp;
mod model;
mod prompt;
mod recall;
mod session;
mod spawn;
mod transcript;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use self::figures::{Figures, Row};
use crate::{document, workspace};

const USAGE: &str = "usage: cargo xtask bench store|prompt|recall|context|tokens|model|transcript|extract|session|fork|hooks|chat|mcp [--smoke] [--write]";

/// How much is measured.
struct Size {
    profile: &'static str,
    /// Numbers of topic files, and how often each directory is scanned.
    scans: &'static [(usize, usize)],
    changes: usize,
    crowd_rounds: usize,
    spawns: usize,
    /// How often the bytes of a prompt are compared.
    repeated: usize,
}

const FULL: Size = Size {
    profile: "release",
    scans: &[(200, 400), (10_000, 31), (100_000, 9)],
    changes: 400,
    crowd_rounds: 9,
    spawns: 400,
    repeated: 1_000,
};

/// Enough to see that everything runs; the figures mean nothing.
const SMOKE: Size = Size {
    profile: "ci",
    scans: &[(200, 5), (2_000, 3)],
    changes: 10,
    crowd_rounds: 1,
    spawns: 10,
    repeated: 20,
};

/// Measures, prints a table, and fails when a mark is missed.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut smoke, mut write) = (false, false);
    let Some((subject, options)) = words.split_first() else {
        bail!(USAGE)
    };
    ensure!(
        [
            "store",
            "prompt",
            "recall",
            "context",
            "tokens",
            "model",
            "transcript",
            "extract",
            "fork",
            "session",
            "hooks",
            "chat",
            "mcp"
        ]
        .contains(&subject.as_str()),
        USAGE
    );
    for option in options {
        match option.as_str() {
            "--smoke" => smoke = true,
            "--write" => write = true,
            _ => bail!("`{option}` is not known\n{USAGE}"),
        }
    }
    ensure!(
        !(write && smoke),
        "--write is for full runs: a smoke run gives no figures"
    );
    let size = if smoke { &SMOKE } else { &FULL };
    let root = workspace::root()?;
    if subject == "fork" {
        return fork::run(&root, smoke, write);
    }
    let program = || build_program(&root, size.profile);

    let (rows, note) = match subject.as_str() {
        "context" => {
            let bench = build_bench(&root, size.profile, "memdir-context", "context")?;
            context::speed(&bench, smoke)?
        }
        "tokens" => {
            let bench = build_bench(&root, size.profile, "memdir-conversation", "tokens")?;
            context::errors(&bench, &root, smoke)?
        }
        "session" => {
            let bench = build_bench(&root, size.profile, "memdir-session", "session")?;
            session::measure(&bench, smoke)?
        }
        "model" => {
            let bench = build_bench(&root, size.profile, "memdir-model", "model")?;
            model::measure(&bench, smoke)?
        }
        "prompt" => {
            let size = prompt::Size {
                spawns: size.spawns,
                repeated: size.repeated,
            };
            prompt::measure(&program()?, &size)?
        }
        "hooks" => hooks::measure(&program()?, smoke)?,
        "chat" => chat::measure(&program()?, smoke)?,
        "transcript" => {
            let megabytes = if smoke { 5 } else { 500 };
            (transcript::measure(&program()?, megabytes)?, String::new())
        }
        "extract" => {
            let memdir = program()?;
            let bench = build_bench(&root, size.profile, "memdir-agent", "extract")?;
            extract::measure(&memdir, &bench, smoke)?
        }
        "mcp" => {
            let memdir = program()?;
            let bench = build_bench(&root, size.profile, "memdir-recall", "recall")?;
            (mcp::measure(&memdir, &bench, smoke)?, String::new())
        }
        "recall" => {
            let memdir = program()?;
            let bench = build_bench(&root, size.profile, "memdir-recall", "recall")?;
            (recall::measure(&memdir, &bench, smoke)?, String::new())
        }
        _ => {
            let memdir = program()?;
            let bench = build_bench(&root, size.profile, "memdir-store", "store")?;
            let mut rows = store_rows(&bench, size)?;
            rows.extend(history::measure(&memdir, &bench, smoke)?);
            rows.extend(spawn::measure(&memdir, size.spawns)?);
            (rows, String::new())
        }
    };
    let table = format!("{}\n{note}", figures::table(&rows));
    println!("\n{table}");
    if smoke {
        println!(
            "(a smoke run in the `{}` profile: the figures mean nothing)",
            size.profile
        );
        return Ok(());
    }
    if write {
        document::write_block(&root.join("docs/benchmarks.md"), subject, &table)?;
    }
    let missed: Vec<&str> = rows
        .iter()
        .filter(|row| row.missed())
        .map(|row| row.what.as_str())
        .collect();
    ensure!(missed.is_empty(), "marks missed: {}", missed.join(", "));
    Ok(())
}

/// Runs the store's own bench program, part by part.
fn store_rows(bench: &Path, size: &Size) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let measure = |words: &[String]| -> Result<Figures> {
        println!("measuring {} …", words.join(" "));
        let text = workspace::output(Command::new(bench).args(words))?;
        Figures::parse(&text)
    };
    for (files, rounds) in size.scans {
        let found = measure(&["scan".to_owned(), files.to_string(), rounds.to_string()])?;
        let name = format!("scan_{files}");
        rows.push(Row::times(
            format!("scan of {files} topic files against `getdents`, `openat`, `read`, `close`"),
            found.times(&format!("{name}_floor"))?,
            found.times(&name)?,
            1.5,
        ));
        let resident = found.number(&format!("{name}_resident"))?;
        // The mark is set for the largest directory.
        let mark = (*files == 100_000).then_some(200e6);
        rows.push(Row::bytes(
            format!("memory resident after a scan of {files}"),
            resident,
            mark,
        ));
    }
    let found = measure(&["change".to_owned(), size.changes.to_string()])?;
    rows.push(Row::times(
        "durable change of a topic file against write, `fsync`, rename, `fsync` of the folder"
            .to_owned(),
        found.times("change_floor")?,
        found.times("change")?,
        2.5,
    ));
    let found = measure(&["crowd".to_owned(), size.crowd_rounds.to_string()])?;
    rows.push(Row::rates(
        "changes a second by 16 processes against lock, write, `fsync`, rename in one".to_owned(),
        found.number("crowd_plain_rate")?,
        found.number("crowd_rate")?,
        1.0,
    ));
    Ok(rows)
}

fn cargo(root: &Path, profile: &str, words: &[&str]) -> Command {
    let mut command = workspace::cargo();
    command
        .current_dir(root)
        .args(["build", "--quiet", "--locked", "--profile", profile])
        .args(words);
    command
}

/// Builds the program; its file.
pub(crate) fn build_program(root: &Path, profile: &str) -> Result<PathBuf> {
    println!("building in the `{profile}` profile …");
    workspace::check(&mut cargo(root, profile, &["--package", "memdir-cli"]))?;
    Ok(workspace::target_folder(root).join(profile).join("memdir"))
}

/// Builds the bench of a crate; its file.
fn build_bench(root: &Path, profile: &str, package: &str, name: &str) -> Result<PathBuf> {
    let words = [
        "--package",
        package,
        "--bench",
        name,
        "--message-format",
        "json",
    ];
    let messages = workspace::output(&mut cargo(root, profile, &words))?;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| {
            message.pointer("/target/kind/0").and_then(Value::as_str) == Some("bench")
        })
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .context("cargo named no bench program")
}
