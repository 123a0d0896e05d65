//! What a question costs through a warm server: `recall` over 1,000 memories against the two smallest calls of the same server,
//! by turns in one conversation. One does what a tool would that only says back what it was told: it goes the whole way, and its answer, a
//! refusal, repeats its argument. The other is the cheapest that succeeds, a line of one file.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::figures::{Row, Times};
use crate::workspace;

const MEMORIES: usize = 1_000;
/// How many times the bare call a question may take.
const MARK: f64 = 3.0;
const QUESTION: &str = "when do we deploy the release to the customer";

/// A server, and what it says.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Server {
    fn start(memdir: &Path, home: &Path, memory: &Path) -> Result<Server> {
        let mut child = Command::new(memdir)
            .env_clear()
            .env("MEMDIR_HOME", home)
            .arg("--memory-dir")
            .arg(memory)
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut server = Server {
            input: child.stdin.take().context("no input")?,
            output: BufReader::new(child.stdout.take().context("no output")?),
            child,
            next: 0,
        };
        server.call(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}),
        )?;
        writeln!(
            server.input,
            "{}",
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        )?;
        Ok(server)
    }

    /// How long a call takes, from the first byte of it to the last of its answer.
    fn call(&mut self, method: &str, params: &Value) -> Result<(f64, Value)> {
        self.next += 1;
        let id = self.next;
        let line = format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        );
        let begun = Instant::now();
        self.input.write_all(line.as_bytes())?;
        loop {
            let mut line = String::new();
            ensure!(self.output.read_line(&mut line)? > 0, "the server is gone");
            let taken = begun.elapsed().as_nanos() as f64;
            let answer: Value = serde_json::from_str(&line)?;
            if answer.get("id").is_some_and(|answered| *answered == id) {
                return Ok((taken, answer));
            }
        }
    }

    fn tool(&mut self, name: &str, arguments: &Value) -> Result<(f64, Value)> {
        self.call("tools/call", &json!({"name": name, "arguments": arguments}))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(super) fn measure(memdir: &Path, bench: &Path, smoke: bool) -> Result<Vec<Row>> {
    let (files, rounds) = if smoke { (200, 5) } else { (MEMORIES, 1_000) };
    let folder = tempfile::tempdir()?;
    let home = folder.path().canonicalize()?;
    let memory = home.join("memory");
    workspace::check(
        Command::new(bench)
            .arg("plant")
            .arg(&memory)
            .arg(files.to_string()),
    )?;
    let mut server = Server::start(memdir, &home, &memory)?;
    let echo = json!({"command": "view", "path": "x"});
    let line = json!({"command": "view", "path": format!("/memories/{}", first(&memory)?), "view_range": [1, 1]});
    let question = json!({"query": QUESTION});
    let (mut echoed, mut read, mut ours) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds + 20 {
        let (least, answer) = server.tool("memory", &echo)?;
        ensure!(is_error(&answer) == Some(true), "{answer}");
        let (one, answer) = server.tool("memory", &line)?;
        ensure!(is_error(&answer) == Some(false), "{answer}");
        let (taken, answer) = server.tool("recall", &question)?;
        ensure!(is_error(&answer) == Some(false), "{answer}");
        // The first rounds make the index and warm the caches.
        if round >= 20 {
            echoed.push(least);
            read.push(one);
            ours.push(taken);
        }
    }
    let what = format!("`recall` over {files} memories through a warm MCP server, against");
    let ours = Times::of(ours);
    Ok(vec![
        Row::times(
            format!("{what} a call that repeats its argument"),
            Times::of(echoed),
            ours,
            MARK,
        ),
        Row::times(
            format!("{what} a line of one file"),
            Times::of(read),
            ours,
            MARK,
        ),
    ])
}

/// The name of a memory, always the same one.
fn first(memory: &Path) -> Result<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(memory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") && name != "MEMORY.md" {
            names.push(name);
        }
    }
    names.into_iter().min().context("no memory was planted")
}

fn is_error(answer: &Value) -> Option<bool> {
    answer.pointer("/result/isError")?.as_bool()
}
