//! `cargo xtask bench`: what the store and recall cost beyond the bare system calls, as ratios taken in one run.

mod figures;
mod recall;
mod spawn;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use self::figures::{Figures, Row};
use crate::{document, workspace};

const USAGE: &str = "usage: cargo xtask bench store|recall [--smoke] [--write]";

/// How much is measured.
struct Size {
    profile: &'static str,
    /// Numbers of topic files, and how often each directory is scanned.
    scans: &'static [(usize, usize)],
    changes: usize,
    crowd_rounds: usize,
    spawns: usize,
}

const FULL: Size = Size {
    profile: "release",
    scans: &[(200, 400), (10_000, 31), (100_000, 9)],
    changes: 400,
    crowd_rounds: 9,
    spawns: 400,
};

/// Enough to see that everything runs; the figures mean nothing.
const SMOKE: Size = Size {
    profile: "ci",
    scans: &[(200, 5), (2_000, 3)],
    changes: 10,
    crowd_rounds: 1,
    spawns: 10,
};

/// Measures, prints a table, and fails when a mark is missed.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut smoke, mut write) = (false, false);
    let Some((subject, options)) = words.split_first() else {
        bail!(USAGE)
    };
    ensure!(["store", "recall"].contains(&subject.as_str()), USAGE);
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
    let (memdir, bench) = build(&root, size.profile, subject)?;

    let rows = if subject == "store" {
        let mut rows = store_rows(&bench, size)?;
        rows.extend(spawn::measure(&memdir, size.spawns)?);
        rows
    } else {
        recall::measure(&memdir, &bench, smoke)?
    };
    let table = figures::table(&rows);
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
        let text = workspace::output(std::process::Command::new(bench).args(words))?;
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

/// Builds the program and the bench of a crate; the files of both.
fn build(root: &Path, profile: &str, subject: &str) -> Result<(PathBuf, PathBuf)> {
    println!("building in the `{profile}` profile …");
    let cargo = |words: &[&str]| {
        let mut command = workspace::cargo();
        command
            .current_dir(root)
            .args(["build", "--quiet", "--locked", "--profile", profile])
            .args(words);
        command
    };
    workspace::check(&mut cargo(&["--package", "memdir-cli"]))?;
    let messages = workspace::output(&mut cargo(&[
        "--package",
        &format!("memdir-{subject}"),
        "--bench",
        subject,
        "--message-format",
        "json",
    ]))?;
    let bench = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| {
            message.pointer("/target/kind/0").and_then(Value::as_str) == Some("bench")
        })
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .context("cargo named no bench program")?;
    Ok((
        workspace::target_folder(root).join(profile).join("memdir"),
        bench,
    ))
}
