//! `cargo xtask fuzz`: every fuzz target for a while, where `cargo fuzz` is installed.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// How long each target runs, in seconds.
const SECONDS: usize = 600;
const SMOKE_SECONDS: usize = 15;

const USAGE: &str = "usage: cargo xtask fuzz [--smoke]";

/// Runs the targets one after another; a crash of one fails the task.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let seconds = match words {
        [] => SECONDS,
        [only] if only == "--smoke" => SMOKE_SECONDS,
        _ => bail!(USAGE),
    };
    let root = workspace::root()?;
    if workspace::output(workspace::cargo().args(["fuzz", "--version"])).is_err() {
        println!("left out: cargo-fuzz is not installed (cargo install cargo-fuzz)");
        return Ok(());
    }
    for target in targets(&root.join("fuzz/fuzz_targets"))? {
        println!("{target}: {seconds} s …");
        let mut options = vec![format!("-max_total_time={seconds}")];
        options.extend(
            ["-timeout=5", "-rss_limit_mb=1024", "-print_final_stats=1"].map(str::to_owned),
        );
        let words = root.join(format!("fuzz/seeds/{target}.dict"));
        if words.exists() {
            options.push(format!("-dict={}", words.display()));
        }
        let output = workspace::cargo()
            .current_dir(&root)
            // Coverage counters need an unstable flag; the address sanitiser, which finds what safe
            // Rust does not have, would need a nightly toolchain.
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["fuzz", "run", "--sanitizer", "none", &target, "--"])
            .args(options)
            .output()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("{text}\nthe target `{target}` failed; its input lies in fuzz/artifacts");
        }
        let inputs = text
            .lines()
            .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        println!(
            "{target}: {} inputs, none of which broke it",
            inputs.unwrap_or("some").trim()
        );
    }
    Ok(())
}

/// The names of all targets.
fn targets(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs")
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
