//! `cargo xtask fuzz-hooks`: real events, mangled, to the real program. Whatever comes, it ends with 0, prints its answer or
//! nothing, and leaves no process behind.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use memdir_testkit::Sandbox;
use serde_json::{Map, Value, json};

use crate::workspace;

const USAGE: &str = "usage: cargo xtask fuzz-hooks [--events N] [--seed S] [--program FILE]";
const EVENTS: u64 = 3_000;
/// The most characters that a client takes.
const MOST_CHARACTERS: usize = 10_000;
/// How long the last background process may take.
const PATIENCE: Duration = Duration::from_secs(60);
const CLIENTS: [&str; 4] = ["claude-code", "codex", "gemini", "opencode"];
/// What an answer may hold; anything else could make an agent stop or go on.
const FIELDS: [&str; 4] = ["hookSpecificOutput", "systemMessage", "decision", "reason"];
const OURS: [&str; 9] = [
    "SessionStart",
    "UserPromptSubmit",
    "BeforeAgent",
    "PreToolUse",
    "PostToolUse",
    "AfterTool",
    "PreCompact",
    "Stop",
    "SessionEnd",
];
/// How the ids of the samples' conversations begin.
const CONVERSATIONS: [&str; 3] = ["5f0c6c1e", "01a1e0b1", "8ff0b2b5"];
/// Values that nobody expects.
const STRANGE: [&str; 12] = [
    "null",
    "true",
    "-1",
    "1e308",
    "[]",
    "{}",
    "\"\"",
    "\"\\u0000\"",
    "\"/\"",
    "\"../../etc/passwd\"",
    "\"\\ud83d\\ude00\\u202e<system-reminder>\"",
    "[[[[{\"a\":[null]}]]]]",
];

/// Runs it.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut events, mut seed, mut program) = (EVENTS, 1_u64, None);
    for pair in words.chunks(2) {
        let [name, value] = pair else { bail!(USAGE) };
        match name.as_str() {
            "--events" => events = value.parse().context(USAGE)?,
            "--seed" => seed = value.parse().context(USAGE)?,
            "--program" => program = Some(Path::new(value).canonicalize()?),
            _ => bail!(USAGE),
        }
    }
    let root = workspace::root()?;
    let memdir = match program {
        Some(program) => program,
        None => build(&root)?,
    };
    let samples = samples(&root)?;
    let sandbox = Sandbox::new()?;
    let slug = slug(&sandbox);
    let memory = sandbox
        .home()
        .join(".claude/projects")
        .join(slug)
        .join("memory");
    fs::create_dir_all(&memory)?;
    let text = "---\ndescription: Never push to main on a Friday\n---\n\nNever push to main on a Friday.\n";
    fs::write(memory.join("feedback_friday.md"), text)?;
    let mut answered = 0;
    for number in 0..events {
        let mut random = Random(
            seed.wrapping_add(number)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                | 1,
        );
        let (client, event) = random.of(&samples).context("there are no samples")?;
        let client = match random.below(8) {
            0 => random.of(&CLIENTS).copied().unwrap_or(client),
            _ => client.as_str(),
        };
        let input = random.mangled(event, &sandbox);
        answered += usize::from(one(&memdir, &sandbox, client, &input).with_context(|| {
            format!(
                "event {number} of seed {seed}: {client} {}",
                String::from_utf8_lossy(&input)
            )
        })?);
    }
    wait(&sandbox)?;
    println!(
        "{events} events, {answered} of them answered: each ended with 0, and no process is left over"
    );
    Ok(())
}

/// The program as the tests have it: with the checks that a release leaves out.
fn build(root: &Path) -> Result<PathBuf> {
    workspace::check(
        workspace::cargo()
            .current_dir(root)
            .args(["build", "--quiet", "--locked", "--profile", "ci"])
            .args(["--package", "memdir-cli"]),
    )?;
    Ok(workspace::target_folder(root).join("ci/memdir"))
}

/// The events of real clients that the tests have, each with its client.
fn samples(root: &Path) -> Result<Vec<(String, Value)>> {
    let mut samples = Vec::new();
    for client in ["claude-code", "codex", "gemini"] {
        let file = root.join(format!("crates/cli/tests/it/hook_events/{client}.jsonl"));
        for line in fs::read_to_string(&file)?.lines() {
            let event: Value = serde_json::from_str(line)?;
            let name = event.get("hook_event_name").and_then(Value::as_str);
            // Those of which something is made come more often.
            let times = if name.is_some_and(|name| OURS.contains(&name)) {
                6
            } else {
                1
            };
            samples.extend(std::iter::repeat_n((client.to_owned(), event), times));
        }
    }
    let write = json!({"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "$PROJECT", "transcript_path": "$HOME/t.jsonl",
        "tool_name": "Write", "tool_input": {"file_path": "$HOME/.claude/projects/$SLUG/memory/a.md", "content": "x"}, "tool_use_id": "t"});
    samples.push(("claude-code".to_owned(), write));
    Ok(samples)
}

/// The name of the project's folder.
fn slug(sandbox: &Sandbox) -> String {
    let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let project = sandbox.project();
    project.to_string_lossy().chars().map(dashed).collect()
}

/// Fires one event; whether it was answered.
fn one(memdir: &Path, sandbox: &Sandbox, client: &str, input: &[u8]) -> Result<bool> {
    let mut command = Command::new(memdir);
    command
        .args(["hook", client])
        .env_clear()
        .env("HOME", sandbox.home())
        .current_dir(sandbox.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().context("a pipe was asked for")?;
    // It may end before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "it ended with {}", output.status);
    ensure!(
        output.stderr.is_empty(),
        "it printed {:?}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed = String::from_utf8(output.stdout)?;
    if printed.is_empty() {
        return Ok(false);
    }
    let Ok(Value::Object(answer)) = serde_json::from_str(&printed) else {
        // Before a compaction some clients take bare words.
        ensure!(
            printed.starts_with("Keep word for word"),
            "it answered {printed:?}"
        );
        return Ok(true);
    };
    for field in answer.keys() {
        ensure!(FIELDS.contains(&field.as_str()), "the answer has {field}");
    }
    let event: Map<String, Value> = serde_json::from_slice(input).unwrap_or_default();
    let name = event
        .get("hook_event_name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    ensure!(
        !["Stop", "SubagentStop", "AfterAgent", "SessionEnd"].contains(&name),
        "{name} was answered: {printed}"
    );
    let context = answer
        .get("hookSpecificOutput")
        .and_then(|one| one.get("additionalContext"));
    let length = context
        .and_then(Value::as_str)
        .unwrap_or_default()
        .encode_utf16()
        .count();
    ensure!(
        length < MOST_CHARACTERS,
        "the answer has {length} characters"
    );
    Ok(true)
}

/// Waits until the last background process has ended.
fn wait(sandbox: &Sandbox) -> Result<()> {
    let home = sandbox.home().to_string_lossy().into_owned();
    let begun = Instant::now();
    loop {
        let left = fs::read_dir("/proc")?.flatten().filter(|entry| {
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            String::from_utf8_lossy(&environment).contains(&home)
        });
        if left.count() == 0 {
            return Ok(());
        }
        ensure!(begun.elapsed() < PATIENCE, "a process is left over");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Numbers that are the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() >> 11).unwrap_or(0) % most.max(1)
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// An event as no client sends it.
    fn mangled(&mut self, event: &Value, sandbox: &Sandbox) -> Vec<u8> {
        let mut event = event.clone();
        for _ in 0..self.below(4) {
            if let Some(fields) = event.as_object_mut() {
                self.change(fields);
            }
        }
        let text = event
            .to_string()
            .replace("$PROJECT", &sandbox.project().to_string_lossy())
            .replace("$HOME", &sandbox.home().to_string_lossy())
            .replace("$SLUG", &slug(sandbox));
        // Mostly a conversation of its own, or the same event twice is answered once.
        let conversation = match self.below(4) {
            0 => CONVERSATIONS.map(str::to_owned),
            _ => CONVERSATIONS.map(|_| format!("{:08x}", self.next() >> 32)),
        };
        let text = CONVERSATIONS
            .iter()
            .zip(conversation)
            .fold(text, |text, (old, new)| text.replace(old, &new));
        let mut bytes = text.into_bytes();
        match self.below(6) {
            0 => bytes.truncate(self.below(bytes.len())),
            1 => {
                for _ in 0..=self.below(8) {
                    let at = self.below(bytes.len());
                    let byte = u8::try_from(self.below(256)).unwrap_or(0);
                    if let Some(place) = bytes.get_mut(at) {
                        *place = byte;
                    }
                }
            }
            2 => bytes.extend_from_slice(b"\n{\"more\":1}"),
            _ => {}
        }
        bytes
    }

    fn change(&mut self, fields: &mut Map<String, Value>) {
        let names: Vec<String> = fields.keys().cloned().collect();
        let Some(name) = self.of(&names) else { return };
        match self.below(5) {
            0 => {
                fields.remove(name);
            }
            1 | 2 => {
                let strange = self.of(&STRANGE).copied().unwrap_or("null");
                let value = serde_json::from_str(strange).unwrap_or(Value::Null);
                fields.insert(name.clone(), value);
            }
            3 => {
                let long = "Never push on a Friday 🐝\n".repeat(self.below(20_000));
                fields.insert(name.clone(), long.into());
            }
            _ => {
                let inner = fields.get_mut(name).and_then(Value::as_object_mut);
                if let Some(inner) = inner {
                    self.change(inner);
                }
            }
        }
    }
}
