//! `cargo xtask fuzz-pairing`: random conversations through every way to make room, judged as the APIs would.

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// How many histories there are where nobody says otherwise.
const HISTORIES: u64 = 10_000;

const USAGE: &str = "usage: cargo xtask fuzz-pairing [--histories N] [--seed S] [--threads T]";

/// Runs the test that does it, in a build that is fast enough; a request that an API would refuse fails the task and
/// names its seed. Each history has a seed of its own, the first the one that was given.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut histories, mut seed, mut threads) = (HISTORIES, 1, None);
    for pair in words.chunks(2) {
        let [name, value] = pair else { bail!(USAGE) };
        let value: u64 = value.parse().context(USAGE)?;
        match name.as_str() {
            "--histories" => histories = value,
            "--seed" => seed = value,
            "--threads" => threads = Some(value),
            _ => bail!(USAGE),
        }
    }
    let mut cargo = workspace::cargo();
    if let Some(threads) = threads {
        cargo.env("MEMDIR_FUZZ_THREADS", threads.to_string());
    }
    let status = cargo
        .current_dir(workspace::root()?)
        .env("MEMDIR_FUZZ_HISTORIES", histories.to_string())
        .env("MEMDIR_FUZZ_SEED", seed.to_string())
        .args(["test", "--release", "-p", "memdir-context", "--test", "it"])
        .args(["--", "--exact", "--nocapture"])
        .arg("pairing::as_many_histories_as_asked_for")
        .status()?;
    if !status.success() {
        bail!("a request was refused; `--histories 1` with its seed gives the same one again");
    }
    Ok(())
}
