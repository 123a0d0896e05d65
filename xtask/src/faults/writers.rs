//! Sixteen processes remember things in one directory at once, and nothing may get lost.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use memdir_testkit::tree::{self, Node};
use regex::Regex;

use super::Plan;
use super::report::Report;
use super::scene::{Scene, is_topic};
use super::verbs::operations;

const WRITERS: usize = 16;
/// Changes of each writer that goes through the library, a process for all of them.
const ROUNDS: usize = 1_000;
/// Changes of each writer that goes through the program, a process for each of them.
const PROGRAM_ROUNDS: usize = 100;
const SHORT_ROUNDS: usize = 25;
/// What the history of a full run may take.
const HISTORY_LIMIT: u64 = 50_000_000;

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let rounds = if plan.short {
        SHORT_ROUNDS
    } else {
        PROGRAM_ROUNDS
    };
    let scene = Scene::empty(&plan.ground.join("writers"), &plan.memdir)?;
    let by_program = |writer| write(&scene, writer, rounds);
    crowd(&scene, report, "through the program", rounds, by_program)?;
    if plan.short {
        return Ok(());
    }
    let built = super::build(
        &plan.root,
        plan.short,
        &["--package", "memdir-store", "--example", "remember_many"],
    )?;
    let member = built.join("examples/remember_many");
    let scene = Scene::empty(&plan.ground.join("library-writers"), &plan.memdir)?;
    let by_library = |writer| write_by_library(&scene, &member, writer);
    crowd(&scene, report, "through the library", ROUNDS, by_library)
}

/// Lets all writers loose on one directory and counts what is there afterwards.
fn crowd(
    scene: &Scene,
    report: &mut Report,
    way: &str,
    rounds: usize,
    write: impl Fn(usize) -> Result<Vec<String>> + Sync,
) -> Result<()> {
    let begun = Instant::now();
    let results: Vec<Result<Vec<String>>> = std::thread::scope(|scope| {
        let write = &write;
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || write(writer)))
            .collect();
        writers
            .into_iter()
            .map(|writer| {
                writer
                    .join()
                    .unwrap_or_else(|_| Err(anyhow!("a writer panicked")))
            })
            .collect()
    });
    let seconds = begun.elapsed().as_secs_f64();
    let mut acknowledged = HashSet::new();
    for result in results {
        acknowledged.extend(result?);
    }

    let (kept, indexed) = survey(scene)?;
    let lost = acknowledged.difference(&kept).count();
    let lines_lost = acknowledged.difference(&indexed).count();
    let wanted = WRITERS * rounds;
    report.figure(
        format!("memories from {WRITERS} processes × {rounds}, {way}"),
        wanted,
    );
    report.figure("acknowledged", acknowledged.len());
    report.figure("topic files lost", lost);
    report.figure("index lines lost", lines_lost);
    report.figure(
        "memories a second",
        format!("{:.0}", acknowledged.len() as f64 / seconds),
    );
    let recorded = operations(scene)?;
    report.figure("operations in the history", recorded);
    let history = size(&scene.home().join("memdir"))?;
    report.figure(
        "history and state on disk",
        format!("{:.1} MB", history as f64 / 1e6),
    );

    let check = scene.program(&["index", "--check"]).run()?;
    let mut broken = Vec::new();
    if acknowledged.len() != wanted {
        broken.push(format!(
            "{} of {wanted} memories were refused",
            wanted - acknowledged.len()
        ));
    }
    if lost + lines_lost > 0 {
        broken.push(format!(
            "{lost} topic files and {lines_lost} index lines were lost"
        ));
    }
    if recorded < acknowledged.len() {
        broken.push(format!("the history knows only {recorded} operations"));
    }
    if history > HISTORY_LIMIT {
        broken.push(format!(
            "the history takes {history} bytes, over {HISTORY_LIMIT}"
        ));
    }
    if !check.success() {
        broken.push(format!("afterwards index and files differ: {check}"));
    }
    report.violations(broken.into_iter().map(|what| format!("writers: {what}")));
    Ok(())
}

/// One process that remembers one thing after another; the marks of those acknowledged.
fn write_by_library(scene: &Scene, member: &Path, writer: usize) -> Result<Vec<String>> {
    // Not through the sandbox, which ends what takes longer than a minute.
    let output = Command::new(member)
        .args([scene.memory().as_os_str(), scene.state()?.as_os_str()])
        .args([ROUNDS.to_string(), format!("w{writer:02}")])
        .output()
        .with_context(|| format!("running {}", member.display()))?;
    let answer = String::from_utf8_lossy(&output.stdout);
    Ok(answer.lines().map(str::to_owned).collect())
}

/// One process after another, each remembering one thing; the marks of those acknowledged.
fn write(scene: &Scene, writer: usize, rounds: usize) -> Result<Vec<String>> {
    let mut acknowledged = Vec::with_capacity(rounds);
    for round in 0..rounds {
        let mark = mark(writer, round);
        let fact = format!(
            "Drawer {mark} holds the plans of house {}",
            round * 31 + writer
        );
        let outcome = scene
            .program(&["remember", &fact, "--type", "reference"])
            .run()?;
        if outcome.success() {
            acknowledged.push(mark);
        }
    }
    Ok(acknowledged)
}

fn mark(writer: usize, round: usize) -> String {
    format!("w{writer:02}r{round:04}")
}

/// The marks found in topic files, and those whose topic file the index names.
fn survey(scene: &Scene) -> Result<(HashSet<String>, HashSet<String>)> {
    let index =
        fs::read_to_string(scene.memory().join("MEMORY.md")).context("reading the index")?;
    let target = Regex::new(r"\]\(([^)]+)\)")?;
    let targets: HashSet<&str> = target
        .captures_iter(&index)
        .filter_map(|found| Some(found.get(1)?.as_str()))
        .collect();
    let pattern = Regex::new(r"w\d\dr\d\d\d\d")?;
    let (mut kept, mut indexed) = (HashSet::new(), HashSet::new());
    for (path, node) in tree::read(&scene.memory())? {
        let Node::File(bytes) = node else { continue };
        let text = String::from_utf8_lossy(&bytes);
        if let Some(found) = pattern.find(&text).filter(|_| is_topic(&path)) {
            kept.insert(found.as_str().to_owned());
            if targets.contains(path.as_str()) {
                indexed.insert(found.as_str().to_owned());
            }
        }
    }
    Ok((kept, indexed))
}

/// The bytes of all files beneath a folder.
fn size(folder: &Path) -> Result<u64> {
    let mut total = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry?;
        let about = entry.metadata()?;
        total += if about.is_dir() {
            size(&entry.path())?
        } else {
            about.len()
        };
    }
    Ok(total)
}
