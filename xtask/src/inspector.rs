//! `cargo xtask inspector`: the official inspector of the Model Context Protocol, a client of its own, against the real server.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::workspace;

/// The version that is installed; a newer one may want a newer Node.
const PACKAGE: &str = "@modelcontextprotocol/inspector@0.15.0";

/// Installs it beneath the target folder and lets it list, save, find and read. Without npm it is left out with a word.
pub(crate) fn run(words: &[String]) -> Result<()> {
    if Command::new("npm").arg("--version").output().is_err() {
        println!("npm is not installed: the inspector is left out");
        return Ok(());
    }
    let root = workspace::root()?;
    let memdir = match words {
        [] => crate::bench::build_program(&root, "ci")?,
        [program] => Path::new(program).canonicalize()?,
        _ => bail!("usage: cargo xtask inspector [PROGRAM]"),
    };
    let folder = workspace::target_folder(&root).join("inspector");
    std::fs::create_dir_all(&folder)?;
    let program = folder.join("node_modules/.bin/mcp-inspector");
    if !program.exists() {
        println!("installing {PACKAGE} …");
        let installed = Command::new("npm")
            .args([
                "install",
                "--no-fund",
                "--no-audit",
                "--no-save",
                "--loglevel=error",
                "--prefix",
            ])
            .arg(&folder)
            .arg(PACKAGE)
            .status()?;
        if !installed.success() {
            println!("{PACKAGE} cannot be installed here: the inspector is left out");
            return Ok(());
        }
    }
    let sandbox = tempfile::tempdir()?;
    let ask = |words: &[&str]| -> Result<Value> {
        let output = Command::new(&program)
            .arg("--cli")
            .arg(&memdir)
            .args(["mcp", "--method"])
            .args(words)
            .current_dir(sandbox.path())
            .env("HOME", sandbox.path())
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("MEMDIR_HOME")
            .output()?;
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        ensure!(
            output.status.success(),
            "{words:?}: {told}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_str(&told).with_context(|| format!("{words:?}: {told}"))
    };
    let has = |value: &Value, text: &str| match value.to_string().contains(text) {
        true => Ok(()),
        false => bail!("{text:?} is not in {value}"),
    };
    let tools = ask(&["tools/list"])?;
    ensure!(
        tools.get("tools").and_then(Value::as_array).map(Vec::len) == Some(6),
        "{tools}"
    );
    let saved = ask(&[
        "tools/call",
        "--tool-name",
        "remember",
        "--tool-arg",
        "text=Deploys happen on Thursdays",
    ])?;
    has(&saved, "Remembered as")?;
    let found = ask(&[
        "tools/call",
        "--tool-name",
        "recall",
        "--tool-arg",
        "query=when do deploys happen",
    ])?;
    has(&found, "source: agent")?;
    has(&ask(&["resources/list"])?, "memdir://index")?;
    has(
        &ask(&["resources/read", "--uri", "memdir://index"])?,
        "deploys",
    )?;
    has(&ask(&["resources/templates/list"])?, "memdir://memory/")?;
    has(&ask(&["prompts/list"])?, "review")?;
    has(
        &ask(&[
            "prompts/get",
            "--prompt-name",
            "recall",
            "--prompt-args",
            "about=bees",
        ])?,
        "bees",
    )?;
    println!("the inspector listed, saved, found and read: 8 calls, all answered");
    Ok(())
}
