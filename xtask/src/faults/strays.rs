//! Fifty conversations at once, by hook, for minutes: nothing is left over and nothing is lost.
//!
//! Each conversation begins, asks, is told, teaches one thing, and ends, over and over, in a handful of projects that share a
//! home. Meanwhile every process of ours is looked at; afterwards there must be none, no lock that somebody holds, no
//! temporary file, nothing due, and each thing that was taught must stand in a memory.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::Sandbox;
use serde_json::{Value, json};

use super::Plan;
use super::report::Report;

/// How many conversations there are at once, and in how many projects.
const CONVERSATIONS: usize = 50;
const PROJECTS: usize = 10;
/// How long it goes on where nobody says otherwise.
const MINUTES: u64 = 10;
const SHORT: Duration = Duration::from_secs(12);
/// How long background work may take once nobody talks any more.
const PATIENCE: Duration = Duration::from_secs(180);
/// The most memory that all processes of ours may have at one time.
const MOST_BYTES: u64 = 1024 * 1024 * 1024;

/// How a conversation goes: so many turns, and so long between two of them.
struct Pace {
    turns: usize,
    pause: Duration,
}

const FULL_PACE: Pace = Pace {
    turns: 10,
    pause: Duration::from_secs(2),
};
const SHORT_PACE: Pace = Pace {
    turns: 3,
    pause: Duration::from_millis(500),
};

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let time = match (plan.short, plan.minutes) {
        (true, _) => SHORT,
        (false, minutes) => Duration::from_secs(60 * minutes.unwrap_or(MINUTES)),
    };
    let sandbox = Sandbox::within(&plan.ground.join("strays"))?;
    let home = Home::new(plan, sandbox)?;
    let (events, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let taught: Mutex<Vec<(usize, String)>> = Mutex::default();
    let begun = Instant::now();
    let (peak, failed) = thread::scope(|scope| {
        let watch = scope.spawn(|| home.watch(&over));
        let talks: Vec<_> = (0..CONVERSATIONS)
            .map(|number| {
                let (home, events, taught) = (&home, &events, &taught);
                scope.spawn(move || -> Result<()> {
                    let mut round = 0;
                    while round == 0 || begun.elapsed() < time {
                        let told = home.talk(number, round, events)?;
                        let mut taught = taught.lock().unwrap_or_else(PoisonError::into_inner);
                        taught.push((number % PROJECTS, told));
                        round += 1;
                    }
                    Ok(())
                })
            })
            .collect();
        let ended = talks.into_iter().map(|talk| talk.join());
        let failed: Vec<String> = ended
            .filter_map(|ended| match ended {
                Ok(done) => done.err().map(|error| format!("{error:#}")),
                Err(_) => Some("a conversation of the test itself broke".to_owned()),
            })
            .collect();
        home.settle(&over);
        (watch.join().unwrap_or_default(), failed)
    });
    let taught = taught.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.figure("conversations at once", CONVERSATIONS);
    report.figure("for", format!("{} s", time.as_secs()));
    report.figure("conversations in all", taught.len());
    report.figure("events answered", events.load(Ordering::Relaxed));
    report.figure("most processes at one time", peak.processes);
    report.figure(
        "most memory of all of them",
        format!("{} MB", peak.bytes / (1024 * 1024)),
    );
    let mut violations = failed;
    violations.extend(home.left_over()?);
    if peak.bytes > MOST_BYTES {
        violations.push(format!(
            "the processes had {} bytes at one time",
            peak.bytes
        ));
    }
    let lost = home.lost(&taught)?;
    report.figure("things taught that no memory has", lost.len());
    violations.extend(lost.into_iter().map(|one| format!("lost: {one}")));
    report.figure("promises broken", violations.len());
    report.violations(violations);
    Ok(())
}

/// The most that was seen at one time.
#[derive(Clone, Copy, Default)]
struct Peak {
    processes: usize,
    bytes: u64,
}

struct Home {
    sandbox: Sandbox,
    memdir: PathBuf,
    pace: &'static Pace,
}

impl Home {
    fn new(plan: &Plan, sandbox: Sandbox) -> Result<Self> {
        for project in 0..PROJECTS {
            fs::create_dir_all(sandbox.project().join(project.to_string()))?;
        }
        Ok(Self {
            sandbox,
            memdir: plan.memdir.clone(),
            pace: match plan.short {
                true => &SHORT_PACE,
                false => &FULL_PACE,
            },
        })
    }

    fn project(&self, number: usize) -> PathBuf {
        self.sandbox.project().join((number % PROJECTS).to_string())
    }

    fn folder(&self, number: usize) -> PathBuf {
        let project = self.project(number);
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = project.to_string_lossy().chars().map(dashed).collect();
        self.sandbox.home().join(".claude/projects").join(slug)
    }

    fn command(&self, number: usize) -> Command {
        let mut command = Command::new(&self.memdir);
        command
            .env_clear()
            .env("HOME", self.sandbox.home())
            .current_dir(self.project(number))
            .stderr(Stdio::null());
        command
    }

    /// One conversation from its beginning to its end; what it taught.
    fn talk(&self, number: usize, round: usize, events: &AtomicUsize) -> Result<String> {
        let id = format!("talk-{number}-{round}");
        let taught = format!("Always run {} before a commit", word(number, round));
        let transcript = self.folder(number).join(format!("{id}.jsonl"));
        let fire = |name: &str, fields: Value| -> Result<Value> {
            events.fetch_add(1, Ordering::Relaxed);
            self.fire(number, &id, &transcript, name, fields)
        };
        fire("SessionStart", json!({"source": "startup"}))?;
        for turn in 0..self.pace.turns {
            let said = match turn {
                1 => format!("{taught}."),
                _ => format!("What do we always run before a commit, in turn {turn}?"),
            };
            fire(
                "UserPromptSubmit",
                json!({"prompt": said, "prompt_id": format!("{id}-{turn}")}),
            )?;
            let read = json!({"file_path": self.folder(number).join("memory/MEMORY.md")});
            fire(
                "PostToolUse",
                json!({"tool_name": "Read", "tool_input": read, "tool_use_id": "t"}),
            )?;
            self.write(&transcript, &id, turn, &said)?;
            let stop = fire(
                "Stop",
                json!({"last_assistant_message": "Done.", "prompt_id": format!("{id}-{turn}")}),
            )?;
            ensure!(stop.is_null(), "Stop was answered: {stop}");
            thread::sleep(self.pace.pause);
        }
        fire("SessionEnd", json!({"reason": "other"}))?;
        Ok(taught)
    }

    fn fire(
        &self,
        number: usize,
        id: &str,
        transcript: &Path,
        name: &str,
        fields: Value,
    ) -> Result<Value> {
        let mut event = json!({"hook_event_name": name, "session_id": id, "transcript_path": transcript, "cwd": self.project(number)});
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        let mut hook = self.command(number);
        hook.args(["hook", "claude-code"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = hook.spawn()?;
        let mut stdin = child.stdin.take().context("a pipe was asked for")?;
        // It may end before it has read everything.
        let _ = std::io::Write::write_all(&mut stdin, event.to_string().as_bytes());
        drop(stdin);
        let output = child.wait_with_output()?;
        ensure!(
            output.status.success(),
            "{name} ended with {}",
            output.status
        );
        match output.stdout.is_empty() {
            true => Ok(Value::Null),
            false => serde_json::from_slice(&output.stdout)
                .with_context(|| format!("the answer to {name}")),
        }
    }

    /// The turn as Claude Code writes it down.
    fn write(&self, transcript: &Path, id: &str, turn: usize, said: &str) -> Result<()> {
        if let Some(folder) = transcript.parent() {
            fs::create_dir_all(folder)?;
        }
        let line = |kind: &str, own: String, parent: Option<String>, content: Value| {
            json!({"type": kind, "uuid": own, "parentUuid": parent, "sessionId": id, "isSidechain": false, "cwd": self.sandbox.project(),
                "timestamp": "2026-11-16T08:00:00Z", "message": {"role": kind, "content": content}})
        };
        let before = turn.checked_sub(1).map(|turn| format!("{id}-{turn}-a"));
        let reply = json!([{"type": "text", "text": "Done."}]);
        let lines = [
            line("user", format!("{id}-{turn}-u"), before, json!(said)),
            line(
                "assistant",
                format!("{id}-{turn}-a"),
                Some(format!("{id}-{turn}-u")),
                reply,
            ),
        ];
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut file = File::options().append(true).create(true).open(transcript)?;
        Ok(std::io::Write::write_all(&mut file, lines.as_bytes())?)
    }

    /// Looks at all processes of this home until it is over.
    fn watch(&self, over: &AtomicBool) -> Peak {
        let mut peak = Peak::default();
        while !over.load(Ordering::Relaxed) {
            let now = self.processes();
            peak.processes = peak.processes.max(now.processes);
            peak.bytes = peak.bytes.max(now.bytes);
            thread::sleep(Duration::from_millis(100));
        }
        peak
    }

    fn processes(&self) -> Peak {
        let home = self.sandbox.home().to_string_lossy().into_owned();
        let mut now = Peak::default();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
            let is_number = entry
                .file_name()
                .to_string_lossy()
                .bytes()
                .all(|byte| byte.is_ascii_digit());
            if !is_number || !String::from_utf8_lossy(&read("environ")).contains(&home) {
                continue;
            }
            // Its share of what it has in common with others, as the program's own pages are.
            let memory = String::from_utf8_lossy(&read("smaps_rollup")).into_owned();
            let share = memory.lines().find_map(|line| line.strip_prefix("Pss:"));
            let kilobytes =
                share.and_then(|share| share.split_whitespace().next()?.parse::<u64>().ok());
            now.processes += 1;
            now.bytes += kilobytes.unwrap_or(0) * 1024;
        }
        now
    }

    /// Waits until the last process has ended, and then ends the watch.
    fn settle(&self, over: &AtomicBool) {
        let begun = Instant::now();
        while self.processes().processes > 0 && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(100));
        }
        over.store(true, Ordering::Relaxed);
    }

    /// What should not be there any more.
    fn left_over(&self) -> Result<Vec<String>> {
        let mut left = Vec::new();
        let processes = self.processes().processes;
        if processes > 0 {
            left.push(format!("{processes} processes are left over"));
        }
        for file in files(&self.sandbox.home())? {
            let name = file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if name.ends_with(".tmp") {
                left.push(format!("a temporary file is left over: {}", file.display()));
            }
            let is_lock = name == ".lease" || name.ends_with("lock");
            if is_lock && File::open(&file)?.try_lock().is_err() {
                left.push(format!("a lock is held: {}", file.display()));
            }
        }
        let log = self.sandbox.home().join(".claude/memdir/hooks.log");
        let log = fs::read_to_string(log).unwrap_or_default();
        left.extend(log.lines().map(|line| format!("inside: {line}")));
        for project in 0..PROJECTS {
            let jobs = self.command(project).args(["jobs", "--json"]).output()?;
            let standing: Value = serde_json::from_slice(&jobs.stdout)?;
            let due = standing.get("due").and_then(Value::as_array);
            if due.is_none_or(|due| !due.is_empty()) {
                left.push(format!("something is due: {standing}"));
            }
        }
        Ok(left)
    }

    /// What was taught and stands in no memory of its project.
    fn lost(&self, taught: &[(usize, String)]) -> Result<Vec<String>> {
        let mut lost = Vec::new();
        for project in 0..PROJECTS {
            let mut all = String::new();
            for file in files(&self.folder(project).join("memory"))? {
                all.push_str(&fs::read_to_string(file)?);
            }
            let own = taught.iter().filter(|(number, _)| *number == project);
            lost.extend(
                own.filter(|(_, one)| !all.contains(one))
                    .map(|(_, one)| one.clone()),
            );
        }
        Ok(lost)
    }
}

/// A word that belongs to one conversation alone.
fn word(number: usize, round: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"];
    let mut rest = number * 10_007 + round + 1;
    let mut word = String::from("K");
    while rest > 0 {
        word.push_str(
            SYLLABLES
                .get(rest % SYLLABLES.len())
                .copied()
                .unwrap_or_default(),
        );
        rest /= SYLLABLES.len();
    }
    word
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => found.extend(files(&entry.path())?),
            false => found.push(entry.path()),
        }
    }
    Ok(found)
}
