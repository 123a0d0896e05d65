//! What a whole run of the program costs, against a program that does nothing.
//!
//! Both are started by turns from this one small process. Nothing is set that would make std fork
//! instead of calling `posix_spawn`: no working folder, no hook before `exec`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::Sandbox;

use super::figures::{Row, Times};

/// The program that does nothing.
pub(super) const NOTHING: &str = "/bin/true";
const TOPICS: usize = 200;

/// Commands, and how many times `true` each may take.
const COMMANDS: &[(&[&str], Option<f64>)] = &[
    (&["list"], Some(5.0)),
    (&["list", "--json"], None),
    (&["status", "--short"], None),
    (&["--version"], None),
];

pub(super) fn measure(memdir: &Path, rounds: usize) -> Result<Vec<Row>> {
    println!("measuring {rounds} starts of each command …");
    let sandbox = Sandbox::new()?;
    let home = sandbox.home().join("memdir-home");
    plant(&sandbox, &home)?;
    // Once and for all, so that no single command has to be told.
    std::env::set_current_dir(sandbox.project())?;
    let command = |program: &Path, words: &[&str]| {
        self::command(program, words, &home, sandbox.home().as_ref())
    };
    let listed = command(memdir, &["list"]).stdout(Stdio::piped()).output()?;
    let lines = String::from_utf8_lossy(&listed.stdout).lines().count();
    ensure!(
        lines >= TOPICS,
        "`memdir list` printed {lines} lines for {TOPICS} memories"
    );

    let mut programs = vec![command(Path::new(NOTHING), &[])];
    programs.extend(COMMANDS.iter().map(|(words, _)| command(memdir, words)));
    let mut times = by_turns(programs, rounds)?.into_iter();
    let nothing = times.next().context("nothing was measured")?;
    let rows = times.zip(COMMANDS).map(|(times, (words, mark))| {
        let what = format!(
            "`memdir {}` over {TOPICS} files against `{NOTHING}`",
            words.join(" ")
        );
        match mark {
            Some(mark) => Row::times(what, nothing, times, *mark),
            None => Row::unmarked_times(what, nothing, times),
        }
    });
    Ok(rows.collect())
}

/// A command with an environment that is the same everywhere, that reads and prints nothing.
pub(super) fn command(
    program: &Path,
    words: &[&str],
    memdir_home: &Path,
    user_home: &Path,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(words)
        .env_clear()
        .env("MEMDIR_HOME", memdir_home)
        .env("HOME", user_home);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Starts the programs by turns; the times of each.
pub(super) fn by_turns(programs: Vec<Command>, rounds: usize) -> Result<Vec<Times>> {
    let mut programs: Vec<(Command, Vec<f64>)> = programs
        .into_iter()
        .map(|program| (program, Vec::new()))
        .collect();
    for round in 0..=rounds {
        for (program, times) in &mut programs {
            let begun = Instant::now();
            let status = program.status()?;
            let taken = begun.elapsed();
            ensure!(status.success(), "{program:?} ended with {status}");
            // The first round warms the caches.
            if round > 0 {
                times.push(taken.as_nanos() as f64);
            }
        }
    }
    Ok(programs
        .into_iter()
        .map(|(_, times)| Times::of(times))
        .collect())
}

/// A project under git with a memory directory of its own.
fn plant(sandbox: &Sandbox, home: &Path) -> Result<()> {
    let project = sandbox.project();
    fs::create_dir_all(project.join(".git"))?;
    fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let path = project.to_string_lossy();
    let slug: String = path
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let memory = home.join("projects").join(slug).join("memory");
    fs::create_dir_all(&memory)?;
    let mut index = String::new();
    for number in 0..TOPICS {
        let name = format!("project_topic-{number:03}.md");
        let topic = format!(
            "---\nname: Topic {number}\ndescription: What there is to know about topic {number}\ntype: project\n---\n\nA sentence about it.\n"
        );
        fs::write(memory.join(&name), topic)?;
        index.push_str(&format!(
            "- [Topic {number}]({name}) — what there is to know\n"
        ));
    }
    fs::write(memory.join("MEMORY.md"), index)?;
    Ok(())
}
