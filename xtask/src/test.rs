//! `cargo xtask test`: every test of the workspace, in the profile that CI uses.

use std::process::Command;

use anyhow::Result;

use crate::workspace;

/// Tools that some tests use, and what to do without them.
const TOOLS: &[(&str, &str)] = &[
    ("git", "the tests about worktrees and submodules need it"),
    (
        "strace",
        "fault injection needs it; the tests that use it are left out without it",
    ),
];

/// Runs all tests; words after the task go to `cargo test`, such as a test's name.
pub(crate) fn run(extra: &[String]) -> Result<()> {
    for (tool, reason) in TOOLS {
        let found = Command::new(tool).arg("--version").output().is_ok();
        if !found {
            eprintln!("note: {tool} is not installed: {reason} (Debian: apt-get install {tool})");
        }
    }
    let root = workspace::root()?;
    workspace::check(
        workspace::cargo()
            .current_dir(&root)
            .args(["test", "--workspace", "--profile", "ci", "--locked"])
            .args(extra),
    )
}
