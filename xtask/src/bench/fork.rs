//! How much of a conversation the fork that saves for later reads from the provider's cache.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::{document, workspace};

/// How many conversations.
const FULL: usize = 200;
const SMOKE: usize = 8;

/// Runs the test that forks conversations at full size, and prints its table. The marks are the test's own.
pub(super) fn run(root: &Path, smoke: bool, write: bool) -> Result<()> {
    let conversations = if smoke { SMOKE } else { FULL };
    println!("forking {conversations} conversations …");
    let mut test = Command::new(env!("CARGO"));
    test.current_dir(root)
        .args(["test", "--package", "memdir-agent", "--test", "it"]);
    test.args(["--", "sharing::", "--nocapture"])
        .env("FORK_CONVERSATIONS", conversations.to_string());
    let printed = workspace::output(&mut test)?;
    let rows: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.find('|').and_then(|start| line.get(start..)))
        .collect();
    ensure!(!rows.is_empty(), "the test printed no table");
    let table = format!("{}\n", rows.join("\n"));
    println!("\n{table}");
    if write {
        document::write_block(&root.join("docs/benchmarks.md"), "fork", &table)?;
    }
    Ok(())
}
