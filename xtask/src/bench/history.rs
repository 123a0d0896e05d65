//! What a change costs once the history is long, against what it costs while it is short.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::Sandbox;

use super::figures::{Row, Times};
use super::spawn::command;
use crate::workspace;

/// How many times as much a change may cost.
const MARK: f64 = 1.5;

/// A project whose history has so many operations.
struct Grown {
    sandbox: Sandbox,
    home: PathBuf,
    remember: Vec<f64>,
    undo: Vec<f64>,
}

/// Runs `remember` and `undo` by turns in a project with a short history and in one with a long one.
pub(super) fn measure(memdir: &Path, bench: &Path, smoke: bool) -> Result<Vec<Row>> {
    let (few, many, rounds) = match smoke {
        true => (20, 100, 2),
        false => (1_000, 50_000, 60),
    };
    println!("measuring changes after {few} and {many} operations …");
    let mut short = Grown::new(memdir, bench, few)?;
    let mut long = Grown::new(memdir, bench, many)?;
    for round in 0..=rounds {
        for grown in [&mut short, &mut long] {
            grown.change(memdir, round)?;
        }
    }
    let row = |what: &str, short: Vec<f64>, long: Vec<f64>| {
        let what = format!("`memdir {what}` after {many} operations against after {few}");
        Row::times(what, Times::of(short), Times::of(long), MARK)
    };
    Ok(vec![
        row("remember", short.remember, long.remember),
        row("undo", short.undo, long.undo),
    ])
}

impl Grown {
    fn new(memdir: &Path, bench: &Path, operations: usize) -> Result<Grown> {
        let sandbox = Sandbox::new()?;
        let home = sandbox.home().join("memdir-home");
        let grown = Grown {
            sandbox,
            home,
            remember: Vec::new(),
            undo: Vec::new(),
        };
        let place = |what: &str| -> Result<String> {
            let mut command = grown.command(memdir, &["paths", what]);
            let output = command.stdout(Stdio::piped()).output()?;
            let printed = String::from_utf8(output.stdout)?;
            ensure!(
                !printed.trim().is_empty(),
                "`memdir paths {what}` says nothing"
            );
            Ok(printed.trim_end().to_owned())
        };
        let history = PathBuf::from(place("history")?);
        let state = history.parent().context("the history has no folder")?;
        let memory = place("memory")?;
        let mut grow = Command::new(bench);
        grow.arg("grow").arg(memory).arg(state);
        workspace::output(grow.arg(operations.to_string()))?;
        Ok(grown)
    }

    fn command(&self, memdir: &Path, words: &[&str]) -> Command {
        let mut command = command(memdir, words, &self.home, self.sandbox.home().as_ref());
        command.current_dir(self.sandbox.project());
        command
    }

    /// Remembers something and takes that back. The first round warms the caches.
    fn change(&mut self, memdir: &Path, round: usize) -> Result<()> {
        let text = format!("Heron number {round} nests beside the lake");
        let remember = self.taken(memdir, &["remember", &text])?;
        let undo = self.taken(memdir, &["undo"])?;
        if round > 0 {
            self.remember.push(remember);
            self.undo.push(undo);
        }
        Ok(())
    }

    fn taken(&self, memdir: &Path, words: &[&str]) -> Result<f64> {
        let mut command = self.command(memdir, words);
        let begun = Instant::now();
        let status = command.status()?;
        let taken = begun.elapsed();
        ensure!(status.success(), "{command:?} ended with {status}");
        Ok(taken.as_nanos() as f64)
    }
}
