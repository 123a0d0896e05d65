//! The lock of consolidation in every state that it can be found in, over and over, and what its holders live through.

use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::Plan;
use super::report::Report;

const ROUNDS: usize = 10_000;
const SHORT_ROUNDS: usize = 400;
const SEED: u64 = 8;

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let rounds = if plan.short { SHORT_ROUNDS } else { ROUNDS };
    let built = super::build(
        &plan.root,
        plan.short,
        &["--package", "memdir-store", "--example", "lock_rounds"],
    )?;
    let folder = plan.ground.join("lock");
    let output = Command::new(built.join("examples/lock_rounds"))
        .arg(&folder)
        .args([rounds.to_string(), SEED.to_string()])
        .output()
        .context("starting lock_rounds")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    let mut broken = Vec::new();
    for line in text.lines() {
        match line.split_once('\t') {
            Some(("broken", what)) => broken.push(format!("lock: {what}")),
            Some((what, figure)) => report.figure(what, figure),
            None => {}
        }
    }
    report.figure("promises broken", broken.len());
    report.violations(broken);
    Ok(())
}
