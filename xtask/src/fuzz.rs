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
        let limit = format!("-max_total_time={seconds}");
        workspace::check(
            workspace::cargo()
                .current_dir(&root)
                // Coverage counters need an unstable flag; the address sanitiser, which finds what
                // safe Rust does not have, would need a nightly toolchain.
                .env("RUSTC_BOOTSTRAP", "1")
                .args(["fuzz", "run", "--sanitizer", "none", &target, "--"])
                .args([
                    &limit,
                    "-timeout=5",
                    "-rss_limit_mb=1024",
                    "-verbosity=0",
                    "-print_final_stats=1",
                ]),
        )
        .with_context(|| {
            format!("the target `{target}` failed; its input lies in fuzz/artifacts")
        })?;
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
