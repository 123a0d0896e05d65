//! Reading the headers of many topic files.

use std::fs;
use std::path::Path;
use std::process::Command;

use memdir_store::Store;

use crate::statistics::Times;
use crate::{Result, figure, floor};

/// Scans a directory of so many files by turns with the bare loop.
pub(crate) fn measure(files: usize, rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let memory = folder.path().join("memory");
    generate(&memory, files)?;
    let store = Store::new(&memory, folder.path().join("state"));
    // Caches warm, and both see every file.
    let (bare, ours) = (floor::scan(&memory)?, store.scan()?);
    if bare != files || ours.memories.len() != files || !ours.skipped.is_empty() {
        return Err(format!("{bare} and {} files found of {files}", ours.memories.len()).into());
    }
    drop(ours);

    let (mut bare, mut ours) = (Times::default(), Times::default());
    for _ in 0..rounds {
        bare.take(|| floor::scan(&memory))?;
        // Dropping the result is not part of the scan.
        let _scan = ours.take(|| Ok(store.scan()?))?;
    }
    bare.report(&format!("scan_{files}_floor"));
    ours.report(&format!("scan_{files}"));

    // In a process of its own, so that nothing but one scan counts.
    let child = Command::new(std::env::current_exe()?)
        .arg("once")
        .arg(&memory)
        .output()?;
    let resident = String::from_utf8(child.stdout)?;
    figure(&format!("scan_{files}_resident"), resident.trim());
    Ok(())
}

/// Scans once and prints the most memory that was ever resident, in bytes.
pub(crate) fn once(memory: &Path) -> Result<()> {
    let store = Store::new(memory, memory.join("no-state"));
    let scan = store.scan()?;
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line
        .and_then(|line| line.split_whitespace().next())
        .ok_or("no VmHWM")?;
    println!("{}", kilobytes.parse::<u64>()? * 1024);
    drop(scan);
    Ok(())
}

/// Topic files as they are met: both forms of frontmatter, and bodies of different lengths.
fn generate(memory: &Path, files: usize) -> Result<()> {
    fs::create_dir(memory)?;
    for number in 0..files {
        fs::write(
            memory.join(format!("project_topic-{number:06}.md")),
            topic(number),
        )?;
    }
    Ok(())
}

pub(crate) fn topic(number: usize) -> String {
    let kind = ["user", "feedback", "project", "reference"]
        .get(number % 4)
        .copied()
        .unwrap_or("user");
    let kind_lines = if number.is_multiple_of(2) {
        format!("type: {kind}\n")
    } else {
        format!(
            "metadata:\n  node_type: memory\n  type: {kind}\n  originSessionId: 5d3a1c80-0000-4000-8000-{number:012}\n"
        )
    };
    let body = "One sentence of the body, as long as such sentences are on the whole.\n"
        .repeat(3 + number % 12);
    format!(
        "---\nname: Topic number {number}\ndescription: What there is to know about topic {number}, in one line\n{kind_lines}---\n\n{body}"
    )
}
