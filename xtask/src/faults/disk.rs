//! Disks that are full, out of inodes, or read-only: small ones in memory, mounted for the test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use super::Plan;
use super::report::Report;
use super::scene::Scene;
use crate::workspace;

/// More memories than fit on any of the disks.
const MORE_THAN_FITS: usize = 2_000;

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let mut broken = Vec::new();
    for (label, options) in [
        ("full", "size=512k"),
        ("out of inodes", "size=8m,nr_inodes=60"),
    ] {
        let disk = Disk::mount(&plan.ground.join("disk"), options)?;
        let (kept, found) = fill(&disk, plan)?;
        report.figure(format!("memories until the disk was {label}"), kept);
        broken.extend(
            found
                .into_iter()
                .map(|what| format!("disk {label}: {what}")),
        );
    }
    let disk = Disk::mount(&plan.ground.join("disk"), "size=8m")?;
    broken.extend(
        read_only(&disk, plan)?
            .into_iter()
            .map(|what| format!("disk read-only: {what}")),
    );
    report.figure("promises broken on full and read-only disks", broken.len());
    report.violations(broken);
    Ok(())
}

/// Remembers until there is no room, then makes room; how many were kept, and what was wrong.
fn fill(disk: &Disk, plan: &Plan) -> Result<(usize, Vec<String>)> {
    // The scene's outside holds things that can be deleted to make room.
    let scene = Scene::with_memories(&disk.folder, &plan.memdir)?;
    let spare: Vec<PathBuf> = (0..8)
        .map(|number| disk.folder.join(format!("spare-{number}")))
        .collect();
    for file in &spare {
        fs::write(file, [0; 16_384])?;
    }
    let mut broken = Vec::new();
    let mut kept = 0;
    loop {
        let before = scene.tree()?;
        let fact = format!("Shelf number {kept} carries box {}", kept * 7 + 3);
        let outcome = scene
            .program(&["remember", &fact, "--type", "reference"])
            .run()?;
        let after = scene.tree()?;
        match outcome.code() {
            Some(0) => {
                kept += 1;
                if !memdir_testkit::tree::render(&after).contains(&fact) {
                    broken.push(format!("`{fact}` was acknowledged and is not there"));
                }
            }
            Some(1) if !outcome.stderr().trim().is_empty() => {
                if before != after {
                    broken.push("a memory that was refused changed something".to_owned());
                }
                break;
            }
            _ => {
                broken.push(format!("remember ends badly: {outcome}"));
                break;
            }
        }
        if kept > MORE_THAN_FITS {
            broken.push("the disk never got full".to_owned());
            break;
        }
    }
    for look in [&["list"][..], &["status"], &["index", "--check"]] {
        let outcome = scene.program(look).run()?;
        if !outcome.success() {
            broken.push(format!("then `{}` fails: {outcome}", look.join(" ")));
        }
    }
    for file in &spare {
        fs::remove_file(file)?;
    }
    for again in [
        &["remember", "There is room again for one more memory"][..],
        &["index", "--check"],
    ] {
        let outcome = scene.program(again).run()?;
        if !outcome.success() {
            broken.push(format!(
                "with room again `{}` fails: {outcome}",
                again.join(" ")
            ));
        }
    }
    if !scene.temporaries()?.is_empty() {
        broken.push("a temporary file is left over".to_owned());
    }
    Ok((kept, broken))
}

fn read_only(disk: &Disk, plan: &Plan) -> Result<Vec<String>> {
    let scene = Scene::with_memories(&disk.folder, &plan.memdir)?;
    let before = scene.tree()?;
    let topics = scene.topics()?;
    let topic = topics.first().context("no topic file")?;
    disk.remount("ro")?;
    let mut broken = Vec::new();
    for words in [
        &["list"][..],
        &["show", topic],
        &["status"],
        &["index", "--check"],
        &["history"],
    ] {
        let outcome = scene.program(words).run()?;
        if !outcome.success() {
            broken.push(format!("`{}` fails: {outcome}", words.join(" ")));
        }
    }
    let changes: [&[&str]; 4] = [
        &["remember", "Nothing can be kept on this disk"],
        &["forget", topic],
        &["rename", topic, "other_name.md"],
        &["undo"],
    ];
    for words in changes {
        let outcome = scene.program(words).run()?;
        if outcome.code() != Some(1) || outcome.stderr().trim().is_empty() {
            broken.push(format!(
                "`{}` does not fail with a message: {outcome}",
                words.join(" ")
            ));
        }
    }
    disk.remount("rw")?;
    if scene.tree()? != before {
        broken.push("something changed".to_owned());
    }
    let outcome = scene
        .program(&["remember", "It can be written again"])
        .run()?;
    if !outcome.success() {
        broken.push(format!("writable again, remember fails: {outcome}"));
    }
    Ok(broken)
}

/// A file system in memory, unmounted when dropped.
struct Disk {
    folder: PathBuf,
}

impl Disk {
    fn mount(folder: &Path, options: &str) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let disk = Self {
            folder: folder.to_owned(),
        };
        workspace::check(
            Command::new("mount")
                .args(["-t", "tmpfs", "-o", options, "tmpfs"])
                .arg(folder),
        )?;
        Ok(disk)
    }

    fn remount(&self, mode: &str) -> Result<()> {
        let options = format!("remount,{mode}");
        workspace::check(
            Command::new("mount")
                .args(["-o", &options])
                .arg(&self.folder),
        )
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, so that nothing that still looks at it can keep it.
        if let Err(error) = workspace::check(Command::new("umount").arg("--lazy").arg(&self.folder))
        {
            eprintln!("warning: {}: {error:#}", self.folder.display());
        }
    }
}
