//! What finding costs: whole runs of the program against one that does nothing, questions in one process, and a new memory
//! found from another.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};

use super::figures::{Figures, Row, Times};
use crate::workspace;

const NOTHING: &str = "/bin/true";
/// Words that many of the planted memories have.
const QUESTION: &str = "when do we deploy the release to the customer";
/// A folder's time vouches for a listing that is this much younger.
const SETTLED: Duration = Duration::from_millis(120);

/// A directory of so many memories.
struct Case {
    files: usize,
    /// Runs with nothing changed, and how many times `true` they may take.
    unchanged: (usize, f64),
    /// The same, each after a file was added behind our back.
    added: Option<(usize, f64)>,
}

const FULL: &[Case] = &[
    Case {
        files: 200,
        unchanged: (300, 8.0),
        added: None,
    },
    Case {
        files: 10_000,
        unchanged: (200, 12.0),
        added: Some((60, 20.0)),
    },
    Case {
        files: 100_000,
        unchanged: (200, 12.0),
        added: Some((21, 90.0)),
    },
];

const SMOKE: &[Case] = &[Case {
    files: 200,
    unchanged: (3, 8.0),
    added: Some((3, 20.0)),
}];

pub(super) fn measure(memdir: &Path, bench: &Path, smoke: bool) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for case in if smoke { SMOKE } else { FULL } {
        rows.extend(case.measure(memdir, bench)?);
    }
    let ask = |words: &[&str]| -> Result<Figures> {
        println!("measuring {} …", words.join(" "));
        Figures::parse(&workspace::output(Command::new(bench).args(words))?)
    };
    let (files, questions) = if smoke {
        ("200", "20")
    } else {
        ("10000", "2000")
    };
    let found = ask(&["ask", files, questions])?;
    for (share, most) in [("median", 2e6), ("p99", 5e6)] {
        let what = format!("a question in one process over {files} files, {share}");
        let taken = found.number(&format!("ask_{share}"))?;
        rows.push(Row::time(what, taken, most));
    }
    let (files, rounds) = if smoke {
        ("200", "3")
    } else {
        ("100000", "60")
    };
    let rounds_to_build = if smoke { "1" } else { "5" };
    let found = ask(&["build", files, rounds_to_build])?;
    rows.push(Row::times(
        format!("making the index of {files} files, against reading them"),
        found.times("build_floor")?,
        found.times("build")?,
        4.0,
    ));
    let program = memdir.to_str().context("the program's path is no text")?;
    let found = ask(&["add", files, rounds, program])?;
    rows.push(Row::times(
        format!("adding one to {files} and finding it from another process, against the bare durable write"),
        found.times("add_floor")?,
        found.times("add")?,
        50.0,
    ));
    Ok(rows)
}

impl Case {
    fn measure(&self, memdir: &Path, bench: &Path) -> Result<Vec<Row>> {
        let files = self.files;
        println!("measuring `memdir recall` over {files} files …");
        let folder = tempfile::tempdir()?;
        let home = folder.path().canonicalize()?;
        let memory = home.join("memory");
        workspace::check(
            Command::new(bench)
                .arg("plant")
                .arg(&memory)
                .arg(files.to_string()),
        )?;
        let command = |program: &Path| {
            let mut command = Command::new(program);
            command.env_clear().env("MEMDIR_HOME", &home);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command
        };
        let mut nothing = command(Path::new(NOTHING));
        let mut recall = command(memdir);
        recall
            .arg("--memory-dir")
            .arg(&memory)
            .args(["recall", "--always", QUESTION]);
        // The first makes the index, the second sees the folder settled.
        thread::sleep(SETTLED);
        time(&mut recall)?;
        thread::sleep(SETTLED);
        time(&mut recall)?;

        let (rounds, mark) = self.unchanged;
        let (bare, ours) = by_turns(&mut nothing, &mut recall, rounds, |_| Ok(()))?;
        let what = format!("`memdir recall` over {files} files against `{NOTHING}`");
        let mut rows = vec![Row::times(what, bare, ours, mark)];
        if let Some((rounds, mark)) = self.added {
            let (bare, ours) = by_turns(&mut nothing, &mut recall, rounds, |round| {
                let path = memory.join(format!("outside_{round:04}.md"));
                Ok(fs::write(
                    path,
                    "Somebody else wrote this about a deploy.\n",
                )?)
            })?;
            let what = format!("the same over {files} after a file was added behind its back");
            rows.push(Row::times(what, bare, ours, mark));
        }
        Ok(rows)
    }
}

/// Runs both by turns; `before` happens before each run of the second and is not counted.
fn by_turns(
    nothing: &mut Command,
    recall: &mut Command,
    rounds: usize,
    before: impl Fn(usize) -> Result<()>,
) -> Result<(Times, Times)> {
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let floor = time(nothing)?;
        before(round)?;
        let taken = time(recall)?;
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
