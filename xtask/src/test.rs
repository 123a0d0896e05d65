//! `cargo xtask test`: every test of the workspace, in the profile that CI uses.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::workspace;

/// Tools that some tests use, and why.
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
        if !is_there(tool) && !install(tool) {
            eprintln!("note: {tool} is not installed: {reason} (Debian: apt-get install {tool})");
        }
    }
    let root = workspace::root()?;
    workspace::check(
        workspace::cargo()
            .current_dir(&root)
            .args([
                "test",
                "--workspace",
                "--profile",
                "ci",
                "--locked",
                "--no-fail-fast",
            ])
            .args(extra),
    )
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// On a bare Debian machine root can simply have it; an ordinary user is told.
fn install(tool: &str) -> bool {
    let is_root = Command::new("id").arg("-u").output();
    if !is_root.is_ok_and(|id| id.stdout.trim_ascii() == b"0") {
        return false;
    }
    eprintln!("installing {tool}");
    let apt = |words: &[&str]| {
        Command::new("apt-get")
            .args(words)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    let wanted = ["install", "-y", "-qq", "--no-install-recommends", tool];
    // The lists of packages of a new machine are empty.
    (apt(&wanted) || apt(&["update", "-qq"]) && apt(&wanted)) && is_there(tool)
}
