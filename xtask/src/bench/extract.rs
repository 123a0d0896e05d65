//! What it costs to look through a thousand past conversations, against reading and parsing the same files.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use super::figures::{Figures, Row, Times};
use super::transcript::run;
use crate::workspace;

/// How many conversations of how many bytes, and how often.
const FULL: (usize, usize, usize) = (1_000, 200_000, 5);
const SMOKE: (usize, usize, usize) = (20, 20_000, 1);
/// The most that may be resident.
const MOST: f64 = 100e6;

pub(super) fn measure(memdir: &Path, bench: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let (number, bytes, rounds) = if smoke { SMOKE } else { FULL };
    println!("writing {number} conversations …");
    let folder = tempfile::tempdir()?;
    let (talks, projects) = (folder.path().join("talks"), folder.path().join("code"));
    let mut make = Command::new(bench);
    make.arg("make").args([&talks, &projects]);
    workspace::check(make.args([number.to_string(), bytes.to_string()]))?;
    let (mut bare, mut first, mut again) = (Vec::new(), Vec::new(), Vec::new());
    let (mut resident, mut saved) = (0.0_f64, 0);
    for round in 0..rounds {
        println!("measuring, round {} of {rounds} …", round + 1);
        let found = workspace::output(Command::new(bench).arg("bare").arg(&talks))?;
        bare.push(Figures::parse(&found)?.number("bare")?);
        let home = folder.path().join(format!("home-{round}"));
        std::fs::create_dir_all(&home)?;
        let extract = || {
            let mut command = Command::new(memdir);
            command.arg("extract").arg(&talks).env_clear();
            command.env("HOME", &home).current_dir(folder.path());
            command
        };
        let ours = run(&mut extract(), Stdio::null())?;
        first.push(ours.nanoseconds);
        resident = resident.max(ours.resident);
        again.push(run(&mut extract(), Stdio::null())?.nanoseconds);
        saved = memories(&home).context("nothing was saved")?;
    }
    let rows = vec![
        Row::times(
            format!(
                "`memdir extract` of {number} conversations against reading and parsing them with `serde_json`"
            ),
            Times::of(bare.clone()),
            Times::of(first),
            3.0,
        ),
        Row::unmarked_times(
            "the same again, when there is nothing new".to_owned(),
            Times::of(bare),
            Times::of(again),
        ),
        Row::bytes(
            "memory resident in `memdir extract`".to_owned(),
            resident,
            Some(MOST),
        ),
    ];
    let megabytes = number * bytes / 1_000_000;
    let note = format!(
        "The conversations are of 20 projects and have {megabytes} MB; {saved} memories were saved, each with its line in an index and durable."
    );
    Ok((rows, note))
}

/// How many topic files there are beneath a home.
fn memories(home: &Path) -> Option<usize> {
    let mut number = 0;
    for project in std::fs::read_dir(home.join(".claude/projects")).ok()? {
        let files = std::fs::read_dir(project.ok()?.path().join("memory")).ok()?;
        number += files
            .flatten()
            .filter(|file| file.file_name() != "MEMORY.md")
            .count();
    }
    (number > 0).then_some(number)
}
