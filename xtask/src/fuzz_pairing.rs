//! `cargo xtask fuzz-pairing`: random conversations through every way to make room, judged as the APIs would.

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// How many histories there are where nobody says otherwise.
const HISTORIES: u64 = 10_000;

const USAGE: &str = "usage: cargo xtask fuzz-pairing [--histories N] [--seed S]";

/// Runs the test that does it, in a build that is fast enough; a request that an API would refuse fails the task and
/// names its seed.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut histories, mut seed) = (HISTORIES, 1);
    for pair in words.chunks(2) {
        let [name, value] = pair else { bail!(USAGE) };
        let value: u64 = value.parse().context(USAGE)?;
        match name.as_str() {
            "--histories" => histories = value,
            "--seed" => seed = value,
            _ => bail!(USAGE),
        }
    }
    let status = workspace::cargo()
        .current_dir(workspace::root()?)
        .env("MEMDIR_FUZZ_HISTORIES", histories.to_string())
        .env("MEMDIR_FUZZ_SEED", seed.to_string())
        .args(["test", "--release", "-p", "memdir-context", "--test", "it"])
        .args(["--", "--exact", "--nocapture"])
        .arg("pairing::as_many_histories_as_asked_for")
        .status()?;
    if !status.success() {
        bail!("a request was refused; the same seed gives the same history");
    }
    Ok(())
}
