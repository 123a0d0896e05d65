//! `cargo xtask bench hooks`: what a hook costs as the fresh process that it always is, against a program that does nothing;
//! beside it, where Node is installed, what the runtime of every hook that is written for it costs before its first line.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::Sandbox;
use serde_json::{Value, json};

use super::figures::{Row, Times};
use super::spawn::NOTHING;

/// Longer than it takes until the time of a folder says that it rests.
const SETTLED: Duration = Duration::from_millis(2_100);
/// How long background work may take.
const PATIENCE: Duration = Duration::from_secs(60);
const QUESTION: &str = "when do we deploy the release to the customer";

/// One size of memory: how many memories, how often each event is fired, how often one after which work begins, and how many
/// times `true` it may take.
struct Case {
    memories: usize,
    rounds: usize,
    stops: usize,
    mark: f64,
}

const FULL: &[Case] = &[
    Case {
        memories: 200,
        rounds: 200,
        stops: 40,
        mark: 8.0,
    },
    Case {
        memories: 10_000,
        rounds: 200,
        stops: 40,
        mark: 20.0,
    },
];

const SMOKE: &[Case] = &[Case {
    memories: 200,
    rounds: 3,
    stops: 2,
    mark: 8.0,
}];

pub(super) fn measure(memdir: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let mut rows = Vec::new();
    for case in if smoke { SMOKE } else { FULL } {
        println!("measuring hooks over {} memories …", case.memories);
        rows.extend(case.measure(memdir)?);
    }
    let rounds = if smoke { 3 } else { 100 };
    let note = match node(rounds)? {
        Some(row) => {
            rows.push(row);
            String::new()
        }
        None => "Node is not installed here: its row is left out.\n".to_owned(),
    };
    Ok((rows, note))
}

/// A home, a project with memories, and conversations in it.
struct Scene {
    sandbox: Sandbox,
    memdir: PathBuf,
    memory: PathBuf,
}

impl Case {
    fn measure(&self, memdir: &Path) -> Result<Vec<Row>> {
        let scene = Scene::plant(memdir, self.memories)?;
        let own =
            |name: &str| format!("{name} over {} memories against `{NOTHING}`", self.memories);
        let mut rows = Vec::new();
        for (name, client, fields) in [
            ("SessionStart", "claude-code", json!({"source": "startup"})),
            ("SessionStart", "codex", json!({"source": "startup"})),
            (
                "UserPromptSubmit",
                "claude-code",
                json!({"prompt": QUESTION}),
            ),
        ] {
            let fire = |round: usize| {
                let conversation = format!("{client}-{name}-{round}");
                scene.fire(client, name, &conversation, fields.clone())
            };
            let (bare, ours) = by_turns(self.rounds, fire, || Ok(()))?;
            let what = own(&format!("{name} of {client}"));
            rows.push(match client {
                "claude-code" => Row::times(what, bare, ours, self.mark),
                _ => Row::unmarked_times(what, bare, ours),
            });
        }
        // Each begins background work, which must not be in the way of the next.
        let stop = |round: usize| {
            let fields = json!({"stop_hook_active": false, "prompt_id": round.to_string()});
            scene.fire("claude-code", "Stop", "talk", fields)
        };
        let (bare, ours) = by_turns(self.stops, stop, || scene.wait_for_work())?;
        let what = own("Stop of claude-code, with the start of background work,");
        rows.push(Row::times(what, bare, ours, self.mark));
        scene.check()?;
        Ok(rows)
    }
}

/// Starts both by turns; `after` happens after each of ours and is not counted.
fn by_turns(
    rounds: usize,
    fire: impl Fn(usize) -> Result<Command>,
    after: impl Fn() -> Result<()>,
) -> Result<(Times, Times)> {
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let floor = time(quiet(&mut Command::new(NOTHING)))?;
        let taken = time(&mut fire(round)?)?;
        after()?;
        // The first round warms the caches.
        if round > 0 {
            bare.push(floor);
            ours.push(taken);
        }
    }
    Ok((Times::of(bare), Times::of(ours)))
}

fn time(command: &mut Command) -> Result<f64> {
    let begun = Instant::now();
    let status = command.status()?;
    let taken = begun.elapsed();
    ensure!(status.success(), "{command:?} ended with {status}");
    Ok(taken.as_nanos() as f64)
}

fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

fn node(rounds: usize) -> Result<Option<Row>> {
    let found = quiet(&mut Command::new("node")).args(["-e", "0"]).status();
    if !found.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let fire = |_| {
        let mut command = Command::new("node");
        quiet(command.args(["-e", "0"]));
        Ok(command)
    };
    let (bare, ours) = by_turns(rounds, fire, || Ok(()))?;
    let what = format!("`node -e 0`, for comparison, against `{NOTHING}`");
    Ok(Some(Row::unmarked_times(what, bare, ours)))
}

impl Scene {
    fn plant(memdir: &Path, memories: usize) -> Result<Self> {
        let sandbox = Sandbox::new()?;
        let project = sandbox.project();
        fs::create_dir_all(project.join(".git"))?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        let path = project.to_string_lossy();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = path.chars().map(dashed).collect();
        let folder = sandbox.home().join(".claude/projects").join(slug);
        let memory = folder.join("memory");
        fs::create_dir_all(&memory)?;
        let mut index = String::new();
        for number in 0..memories {
            let (name, text) = topic(number);
            fs::write(memory.join(&name), text)?;
            if number < 150 {
                index.push_str(&format!(
                    "- [Topic {number}]({name}) — what there is to know\n"
                ));
            }
        }
        fs::write(memory.join("MEMORY.md"), index)?;
        let line = |kind: &str, id: &str, parent: Value, content: Value| {
            json!({"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "talk", "cwd": project, "isSidechain": false,
                "timestamp": "2026-11-16T08:00:00Z", "message": {"role": kind, "content": content}})
        };
        let reply = json!([{"type": "text", "text": "It is."}]);
        let lines = [
            line("user", "u1", Value::Null, json!("Is the release ready?")),
            line("assistant", "a1", json!("u1"), reply),
        ];
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(folder.join("talk.jsonl"), lines)?;
        let scene = Self {
            sandbox,
            memdir: memdir.to_path_buf(),
            memory,
        };
        // The first makes the index and adopts the directory, the second sees the folder settled.
        for round in 0..2 {
            std::thread::sleep(SETTLED);
            let conversation = format!("warm-{round}");
            let prompt = json!({"prompt": QUESTION});
            time(&mut scene.fire("claude-code", "UserPromptSubmit", &conversation, prompt)?)?;
            let stop = json!({"prompt_id": format!("warm-{round}")});
            time(&mut scene.fire("claude-code", "Stop", "talk", stop)?)?;
            scene.wait_for_work()?;
        }
        Ok(scene)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.memdir);
        command
            .env_clear()
            .env("HOME", self.sandbox.home())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// A hook with its event ready on standard input.
    fn fire(&self, client: &str, name: &str, conversation: &str, fields: Value) -> Result<Command> {
        let folder = self.memory.parent().context("a project has a folder")?;
        let mut event = json!({
            "hook_event_name": name,
            "session_id": conversation,
            "transcript_path": folder.join(format!("{conversation}.jsonl")),
            "cwd": self.sandbox.project(),
        });
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        let file = self.sandbox.root().join("event.json");
        fs::write(&file, event.to_string())?;
        let mut command = self.command();
        command.args(["hook", client]).stdin(File::open(file)?);
        Ok(command)
    }

    fn wait_for_work(&self) -> Result<()> {
        let begun = Instant::now();
        loop {
            let mut jobs = self.command();
            jobs.args(["jobs", "--json", "--project"])
                .arg(self.sandbox.project());
            let printed = jobs.stdout(Stdio::piped()).output()?.stdout;
            let standing: Value = serde_json::from_slice(&printed)?;
            let running = standing.get("running").is_some_and(|one| !one.is_null());
            let due = standing.get("due").and_then(Value::as_array);
            if !running && due.is_some_and(Vec::is_empty) {
                return Ok(());
            }
            ensure!(
                begun.elapsed() < PATIENCE,
                "background work does not end: {standing}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// That what is measured works: a question is answered with memories, and nothing went wrong inside.
    fn check(&self) -> Result<()> {
        let prompt = json!({"prompt": QUESTION});
        let mut command = self.fire("claude-code", "UserPromptSubmit", "check", prompt)?;
        let printed = command.stdout(Stdio::piped()).output()?.stdout;
        let text = String::from_utf8_lossy(&printed);
        ensure!(
            text.contains("Memory (saved"),
            "nothing was recalled: {text}"
        );
        let log = self.sandbox.home().join(".claude/memdir/hooks.log");
        let log = fs::read_to_string(log).unwrap_or_default();
        ensure!(log.is_empty(), "something went wrong inside: {log}");
        Ok(())
    }
}

/// A memory as agents write them, about 500 bytes, one in fifty about what is asked.
fn topic(number: usize) -> (String, String) {
    const WORDS: [&str; 24] = [
        "cache", "schema", "queue", "branch", "review", "parser", "token", "index", "layout",
        "metric", "budget", "driver", "socket", "theme", "report", "worker", "bundle", "filter",
        "margin", "screen", "module", "ticket", "window", "vendor",
    ];
    let word = |step: usize| {
        let at = number.wrapping_mul(step).wrapping_add(number / 24) % WORDS.len();
        WORDS.get(at).copied().unwrap_or_default()
    };
    let about = match number % 50 {
        7 => "The release is deployed to the customer on Thursdays".to_owned(),
        _ => format!("How the {} of the {} is kept", word(5), word(7)),
    };
    let body: String = (11..23)
        .map(|step| {
            format!(
                "The {} goes with the {} of part {number}. ",
                word(step),
                word(step + 1)
            )
        })
        .collect();
    let name = format!("project_topic_{number:05}.md");
    let text = format!(
        "---\nname: topic-{number}\ndescription: {about}\nmetadata:\n  type: project\n---\n\n{about}. {body}\n"
    );
    (name, text)
}
