//! The checkout that xtask works on: its root, its files, its packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let compiled_for = manifest.parent().context("xtask has no parent folder")?;
    // A shared target folder may hold an xtask that was compiled in another checkout, so the
    // folder that cargo was started from has the first word.
    match std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) {
        Some(started_for) => Ok(started_for.parent().unwrap_or(compiled_for).to_owned()),
        None => Ok(compiled_for.to_owned()),
    }
}

/// The cargo that started us, or the one on the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

/// Runs a command with our own output, and fails when it does.
pub(crate) fn check(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command
        .status()
        .with_context(|| format!("could not start {program}"))?;
    ensure!(status.success(), "{program} ended with {status}");
    Ok(())
}

/// A command's standard output as text.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("could not start {program}"))?;
    if !output.status.success() {
        bail!(
            "{program} ended with {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed invalid UTF-8"))
}

/// Every file of the project, relative to the root: tracked ones, and new ones that are not ignored.
pub(crate) fn files(root: &Path) -> Result<Vec<String>> {
    let listed = output(Command::new("git").current_dir(root).args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--deduplicate",
    ]))
    .context("listing the project's files needs git and a git checkout")?;
    let mut files: Vec<String> = listed
        .split_terminator('\0')
        .filter(|file| root.join(file).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    Ok(files)
}

/// What cargo knows about the workspace and all its dependencies.
pub(crate) fn metadata(root: &Path) -> Result<Value> {
    let text = output(cargo().current_dir(root).args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--all-features",
        // The systems that are built for, as in deny.toml.
        "--filter-platform",
        "x86_64-unknown-linux-gnu",
        "--filter-platform",
        "aarch64-unknown-linux-gnu",
    ]))?;
    serde_json::from_str(&text).context("cargo metadata printed something that is not JSON")
}
