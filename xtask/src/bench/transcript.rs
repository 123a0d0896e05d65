//! How much memory and time a transcript takes that is larger than any machine should hold at once.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::figures::{Row, Times};

/// The most that may be resident while half a gigabyte is read.
const MOST: f64 = 300e6;
/// What is done with it: all of its lines are needed, or only the last.
const WAYS: &[&[&str]] = &[&["transcript", "check"], &["transcript", "show", "--json"]];

/// A session of Claude Code of so many megabytes, read whole; against reading its bytes. Two thirds of it stand before
/// a compaction.
pub(super) fn measure(memdir: &Path, megabytes: u64) -> Result<Vec<Row>> {
    println!("writing a transcript of {megabytes} MB …");
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("session.jsonl");
    write(&path, megabytes * 1_000_000)?;
    let floor = run(Command::new("cat").arg(&path), Stdio::null())?;
    let mut rows = Vec::new();
    for words in WAYS {
        let name = words.join(" ");
        println!("measuring {name} …");
        // Nothing is asked of a home, but none of the user's is to be looked at either.
        let mut command = Command::new(memdir);
        command.args(*words).arg(&path).env("HOME", folder.path());
        let ours = run(&mut command, Stdio::null())?;
        rows.push(Row::bytes(
            format!("memory resident in `memdir {name}` of {megabytes} MB"),
            ours.resident,
            Some(MOST),
        ));
        rows.push(Row::unmarked_times(
            format!("`memdir {name}` of {megabytes} MB against `cat`"),
            floor.times(),
            ours.times(),
        ));
    }
    Ok(rows)
}

pub(super) struct Run {
    pub(super) nanoseconds: f64,
    pub(super) resident: f64,
}

impl Run {
    fn times(&self) -> Times {
        Times::of(vec![self.nanoseconds])
    }
}

pub(super) fn run(command: &mut Command, to: Stdio) -> Result<Run> {
    let begun = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(to).spawn()?;
    let mut resident = 0.0;
    let status = loop {
        // The kernel keeps the highest that it ever was; the last look before the end is at most a step behind.
        resident = high_water(&child).unwrap_or(resident);
        if let Some(status) = child.try_wait()? {
            break status;
        }
        thread::sleep(Duration::from_millis(2));
    };
    ensure!(status.success(), "{command:?} failed: {status}");
    Ok(Run {
        nanoseconds: begun.elapsed().as_secs_f64() * 1e9,
        resident,
    })
}

fn high_water(child: &Child) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}

/// Turns of six tool calls, results of all sizes, hooks beside them.
fn write(path: &Path, bytes: u64) -> Result<()> {
    let mut session = Session {
        file: BufWriter::new(File::create(path)?),
        written: 0,
        number: 0,
    };
    let mut compacted = false;
    while session.written < bytes {
        if !compacted && session.written > bytes / 3 * 2 {
            compacted = true;
            session.boundary()?;
        }
        session.turn()?;
    }
    session
        .file
        .flush()
        .context("could not write the transcript")
}

struct Session {
    file: BufWriter<File>,
    written: u64,
    number: u64,
}

impl Session {
    fn put(&mut self, mut line: Value) -> Result<()> {
        let id = |number: u64| format!("00000000-0000-4000-8000-{number:012x}");
        if let Some(line) = line.as_object_mut() {
            let before = self.number.checked_sub(1).map(id);
            let boundary = line.contains_key("subtype");
            let parent = if boundary {
                "logicalParentUuid"
            } else {
                "parentUuid"
            };
            line.insert(parent.to_owned(), before.into());
            line.insert("uuid".to_owned(), id(self.number).into());
            line.insert("isSidechain".to_owned(), false.into());
            line.insert("sessionId".to_owned(), "bench".into());
            line.insert("timestamp".to_owned(), "2026-11-15T10:00:00.000Z".into());
        }
        self.number += 1;
        let text = line.to_string();
        self.written += text.len() as u64 + 1;
        Ok(writeln!(self.file, "{text}")?)
    }

    fn boundary(&mut self) -> Result<()> {
        self.put(json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}))?;
        let message = json!({"role": "user", "content": words(self.number, 400)});
        self.put(json!({"type": "user", "isCompactSummary": true, "message": message}))
    }

    fn turn(&mut self) -> Result<()> {
        let asked = json!({"role": "user", "content": words(self.number, 20)});
        self.put(json!({"type": "user", "promptSource": "typed", "message": asked}))?;
        for step in 0..6 {
            let call = format!("toolu_{}", self.number);
            let said = json!({"type": "text", "text": words(self.number, 30)});
            let input = json!({"file_path": format!("/src/{}.rs", self.number)});
            let called = json!({"type": "tool_use", "id": call, "name": "Read", "input": input});
            self.reply(&call, &said)?;
            self.reply(&call, &called)?;
            let size = [20, 200, 600, 1_500, 100, 300].get(step).copied();
            let text = words(self.number, size.unwrap_or_default());
            let result = json!({"type": "tool_result", "tool_use_id": call, "content": text});
            let message = json!({"role": "user", "content": [result]});
            self.put(
                json!({"type": "user", "message": message, "toolUseResult": {"content": text}}),
            )?;
            let rendered = json!([{"content": "<system-reminder>noted</system-reminder>"}]);
            let attachment = json!({"type": "hook_additional_context"});
            self.put(
                json!({"type": "attachment", "attachment": attachment, "rendered": rendered}),
            )?;
        }
        let done = json!({"type": "text", "text": words(self.number, 60)});
        self.reply(&format!("end_{}", self.number), &done)
    }

    fn reply(&mut self, id: &str, block: &Value) -> Result<()> {
        let usage =
            json!({"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 20});
        let message = json!({"id": id, "role": "assistant", "model": "bench", "content": [block], "usage": usage});
        self.put(json!({"type": "assistant", "message": message}))
    }
}

fn words(seed: u64, count: usize) -> String {
    const WORDS: [&str; 8] = [
        "hive", "queen", "drone", "honey", "wax", "comb", "smoke", "frame",
    ];
    let words = WORDS.iter().cycle().skip((seed % 8) as usize).take(count);
    words.copied().collect::<Vec<_>>().join(" ")
}
