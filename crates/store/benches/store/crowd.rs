//! Sixteen processes that each change files of their own, against one process with a plain loop.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use memdir_memory::MemoryPath;
use memdir_store::{Author, Reason, Store};

use crate::{Result, figure, floor, scan};

const MEMBERS: usize = 16;
/// Files that each member changes in turn.
const FILES: usize = 4;
/// Changes of each member in one round.
const CHANGES: usize = 50;

/// Prints the changes a second of both, as medians of rounds taken by turns.
pub(crate) fn measure(rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut plain, mut crowd) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        plain.push(plain_loop(folder.path())?);
        crowd.push(all_members(folder.path())?);
    }
    figure("crowd_plain_rate", median(plain));
    figure("crowd_rate", median(crowd));
    Ok(())
}

fn plain_loop(folder: &Path) -> Result<f64> {
    let target = folder.join("plain");
    fs::create_dir_all(&target)?;
    let (handle, lock) = (
        File::open(&target)?,
        File::create(folder.join("plain.lock"))?,
    );
    let changes = CHANGES * MEMBERS;
    let begun = Instant::now();
    for change in 0..changes {
        let name = format!("topic-{}.md", change % (FILES * MEMBERS));
        floor::locked_change(&lock, &handle, &name, scan::topic(change).as_bytes())?;
    }
    Ok(changes as f64 / begun.elapsed().as_secs_f64())
}

/// Starts all members, lets them begin at once, and waits for the last.
fn all_members(folder: &Path) -> Result<f64> {
    let program = std::env::current_exe()?;
    let mut members = Vec::new();
    for number in 0..MEMBERS {
        let mut child = Command::new(&program)
            .arg("member")
            .arg(folder)
            .args([number.to_string(), CHANGES.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut ready = String::new();
        let output = child.stdout.take().ok_or("no pipe")?;
        BufReader::new(output).read_line(&mut ready)?;
        members.push(child);
    }
    let begun = Instant::now();
    for member in &mut members {
        // The end of its input is the signal to begin.
        drop(member.stdin.take());
    }
    for mut member in members {
        if !member.wait()?.success() {
            return Err("a member of the crowd failed".into());
        }
    }
    Ok((MEMBERS * CHANGES) as f64 / begun.elapsed().as_secs_f64())
}

/// One process of the crowd.
pub(crate) fn member(folder: &Path, number: usize, changes: usize) -> Result<()> {
    let store = Store::new(folder.join("memory"), folder.join("state"));
    println!("ready");
    std::io::stdin().read_to_end(&mut Vec::new())?;
    for change in 0..changes {
        let path = MemoryPath::new(&format!("project_member-{number}-{}.md", change % FILES))?;
        let seen = store.read(&path)?;
        let mut operation = store.operation(Reason::new(Author::User, "bench"));
        operation.write(
            &path,
            seen,
            scan::topic(number * changes + change).into_bytes(),
        );
        operation.commit()?;
    }
    Ok(())
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_unstable_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(0.0)
}
