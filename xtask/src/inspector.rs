//! `cargo xtask inspector`: the official inspector of the Model Context Protocol, a client of its own, against the real server.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::workspace;

/// The version that is installed; a newer one may want a newer Node.
const PACKAGE: &str = "@modelcontextprotocol/inspector@0.15.0";

/// The tools that there are, in order.
const TOOLS: [&str; 6] = ["recall", "read", "remember", "forget", "list", "memory"];

/// Installs it beneath the target folder and lets it list everything and call every tool. Where npm is missing or reaches nothing it
/// is left out with a word: what cannot be tried here is not broken.
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
    let tools = ask(&["tools/list"])?;
    let listed = tools.get("tools").and_then(Value::as_array);
    let names: Vec<&str> = listed
        .into_iter()
        .flatten()
        .filter_map(|tool| tool.get("name")?.as_str())
        .collect();
    ensure!(names == TOOLS, "{names:?}");
    let call = |tool: &str, arguments: &[&str]| -> Result<String> {
        let mut words = vec!["tools/call", "--tool-name", tool];
        for argument in arguments {
            words.extend(["--tool-arg", argument]);
        }
        let answer = ask(&words)?;
        ensure!(
            answer.get("isError").and_then(Value::as_bool) == Some(false),
            "{words:?}: {answer}"
        );
        let text = answer.pointer("/content/0/text").and_then(Value::as_str);
        text.map(str::to_owned)
            .with_context(|| format!("{words:?}: {answer}"))
    };
    const FILE: &str = "project_deploys_happen_thursdays.md";
    let saved = call("remember", &["text=Deploys happen on Thursdays"])?;
    begins(&saved, &format!("Remembered as {FILE}"))?;
    let found = call("recall", &["query=when do deploys happen"])?;
    begins(&found, &format!("Memory {FILE} (saved today):"))?;
    ensure!(found.contains("source: agent"), "{found}");
    let read = call("read", &[&format!("name={FILE}")])?;
    ensure!(read == found, "{read}\n--\n{found}");
    let list = call("list", &[])?;
    let is_line = |line: &str| {
        line.starts_with(&format!("- [project] {FILE} ("))
            && line.ends_with("): Deploys happen on Thursdays")
    };
    ensure!(list.lines().any(is_line), "{list}");
    let viewed = call("memory", &["command=view", "path=/memories"])?;
    let file = format!("/memories/{FILE}");
    ensure!(viewed.lines().any(|one| one == file), "{viewed}");

    let at = |value: &Value, pointer: &str, text: &str| match value.pointer(pointer) {
        Some(Value::String(found)) if found.contains(text) => Ok(()),
        found => bail!("{text:?} is not in {found:?}: {value}"),
    };
    at(
        &ask(&["resources/list"])?,
        "/resources/0/uri",
        "memdir://index",
    )?;
    let index = ask(&["resources/read", "--uri", "memdir://index"])?;
    at(&index, "/contents/0/text", &format!("]({FILE})"))?;
    let templates = ask(&["resources/templates/list"])?;
    let template = "/resourceTemplates/0/uriTemplate";
    at(&templates, template, "memdir://memory/")?;
    at(&ask(&["prompts/list"])?, "/prompts/0/name", "recall")?;
    let asked = [
        "prompts/get",
        "--prompt-name",
        "recall",
        "--prompt-args",
        "about=bees",
    ];
    at(&ask(&asked)?, "/messages/0/content/text", "bees")?;

    begins(
        &call("forget", &[&format!("name={FILE}")])?,
        &format!("Forgot {FILE}."),
    )?;
    println!("the inspector listed everything and called each of the six tools: all answered");
    Ok(())
}

fn begins(text: &str, beginning: &str) -> Result<()> {
    ensure!(
        text.starts_with(beginning),
        "it does not begin with {beginning:?}: {text}"
    );
    Ok(())
}
