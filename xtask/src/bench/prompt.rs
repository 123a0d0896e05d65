//! `cargo xtask bench prompt`: what it costs to print the whole of what a conversation begins with, and that it is the
//! same bytes each time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::Sandbox;

use super::figures::Row;
use super::spawn::{self, NOTHING};

/// How many instruction files the project has.
const FILES: usize = 50;
/// A full index: this many lines, each with its line end as long as lets them fill the 25,000 bytes.
const INDEX_LINES: usize = 200;
const INDEX_LINE_BYTES: usize = 125;
/// The command, and what it is made of.
const WHOLE: &[&str] = &["prompt", "--instructions"];
const PARTS: &[&[&str]] = &[&["prompt"], &["instructions", "--text"], &["--version"]];
/// How many times `true` the whole may take.
const MARK: f64 = 5.0;

/// How much is measured.
pub(super) struct Size {
    pub(super) spawns: usize,
    pub(super) repeated: usize,
}

/// The rows of the table, and a sentence about the bytes.
pub(super) fn measure(memdir: &Path, size: &Size) -> Result<(Vec<Row>, String)> {
    let sandbox = Sandbox::new()?;
    let home = sandbox.home().join("memdir-home");
    plant(&sandbox, &home)?;
    std::env::set_current_dir(sandbox.project())?;
    let command = |program: &Path, words: &[&str]| {
        spawn::command(program, words, &home, sandbox.home().as_ref())
    };
    let printed = printed(&mut command(memdir, WHOLE))?;
    check(&printed)?;

    println!("measuring {} starts of each command …", size.spawns);
    let mut programs = vec![command(Path::new(NOTHING), &[]), command(memdir, WHOLE)];
    programs.extend(PARTS.iter().map(|words| command(memdir, words)));
    let times = spawn::by_turns(programs, size.spawns)?;
    let (nothing, times) = times.split_first().context("nothing was measured")?;
    let rows = std::iter::once(&WHOLE).chain(PARTS).zip(times);
    let rows = rows.enumerate().map(|(at, (words, times))| {
        let words = words.join(" ");
        let what = format!(
            "`memdir {words}`, {FILES} instruction files and a full index, against `{NOTHING}`"
        );
        match at {
            0 => Row::times(what, *nothing, *times, MARK),
            _ => Row::unmarked_times(what, *nothing, *times),
        }
    });
    let rows = rows.collect();

    println!("comparing {} runs …", size.repeated);
    for run in 1..size.repeated {
        let again = self::printed(&mut command(memdir, WHOLE))?;
        ensure!(
            again == printed,
            "run {run} printed other bytes than the first"
        );
    }
    let same = format!(
        "{} runs of `memdir {}` printed the same {} bytes.",
        size.repeated,
        WHOLE.join(" "),
        printed.len()
    );
    println!("{same}");
    Ok((rows, same))
}

fn printed(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()?;
    let warnings = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success() && warnings.is_empty(),
        "{command:?} ended with {}: {warnings}",
        output.status
    );
    Ok(output.stdout)
}

/// That what is measured is what was planted: every file and every line of the index, once.
fn check(printed: &[u8]) -> Result<()> {
    let text = std::str::from_utf8(printed)?;
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    let (files, lines) = (count("Instruction "), count("- [Topic "));
    ensure!(
        files == FILES && lines == INDEX_LINES,
        "the prompt has {files} of {FILES} instruction files and {lines} of {INDEX_LINES} lines of the index"
    );
    Ok(())
}

/// A project under git with a memory directory, a conversation that was, and instruction files of every sort.
fn plant(sandbox: &Sandbox, home: &Path) -> Result<()> {
    let project = sandbox.project();
    let mut planted = 0;
    let mut file = |path: PathBuf, more: &str| -> Result<()> {
        planted += 1;
        write(&path, &format!("{}{more}", instruction(planted)))
    };
    file(home.join("CLAUDE.md"), "")?;
    for number in 0..4 {
        file(home.join(format!("rules/habit-{number}.md")), "")?;
    }
    let includes: String = (0..10).map(|n| format!("@docs/part-{n}.md\n")).collect();
    file(project.join("CLAUDE.md"), &includes)?;
    for number in 0..10 {
        file(project.join(format!("docs/part-{number}.md")), "")?;
    }
    file(project.join(".claude/CLAUDE.md"), "")?;
    file(project.join("CLAUDE.local.md"), "")?;
    for number in 0..FILES - 18 {
        file(
            project.join(format!(".claude/rules/rule-{number:02}.md")),
            "",
        )?;
    }
    ensure!(planted == FILES, "{planted} files planted");

    write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let path = project.to_string_lossy();
    let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let slug: String = path.chars().map(dashed).collect();
    let folder = home.join("projects").join(slug);
    write(&folder.join("conversation.jsonl"), "{}\n")?;
    let line = |number: usize| {
        let start = format!("- [Topic {number:03}](project_topic_{number:03}.md) — ");
        let rest = INDEX_LINE_BYTES - 1 - start.len();
        format!(
            "{start}{}\n",
            "what it is about "
                .repeat(8)
                .get(..rest)
                .unwrap_or_default()
        )
    };
    let index: String = (0..INDEX_LINES).map(line).collect();
    write(&folder.join("memory/MEMORY.md"), &index)
}

/// A page of instructions as people write them, about 600 bytes.
fn instruction(number: usize) -> String {
    format!(
        "Instruction {number}: how this part of the work is done.\n\n## Style\n\n- Names are whole words; `snake_case` in \
         code, and no abbreviation that a newcomer would have to ask about.\n- Errors say what happened, to which file, \
         and what to do next.\n\n```sh\nmake check PART={number} # before every commit\n```\n\n## Review\n\nAsk the owner \
         of the part before its interface changes. A change comes with a test that fails without it, and with a line in \
         the list of changes where somebody who uses the part would notice.\n"
    )
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
