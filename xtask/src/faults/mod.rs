//! `cargo xtask faults`: what happens to memories when the machine, the disk or a neighbour fails.
//!
//! Each part is one kind of fault. It runs the real program again and again, one fault at a time,
//! and checks after each run what the store promises. See `docs/faults.md` for the figures.

mod check;
mod disk;
mod errors;
mod hostile;
mod kill;
mod lock;
mod paths;
mod pid;
mod pool;
mod report;
mod scene;
mod strays;
mod swap;
#[cfg(test)]
mod tests;
mod verbs;
mod writers;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

pub(crate) use self::pid::{INSIDE, inside};
use self::report::Report;
use crate::{document, workspace};

/// How a part is run.
pub(crate) struct Plan {
    /// The program under test.
    memdir: PathBuf,
    /// The workspace.
    root: PathBuf,
    /// Where scenes are built: in memory, so that a hundred thousand syncs cost nothing.
    ground: PathBuf,
    /// A sample that fits into CI, instead of everything.
    short: bool,
    /// How long a part goes on that goes on for a time.
    minutes: Option<u64>,
}

struct Part {
    name: &'static str,
    /// What it needs besides the program itself.
    needs: &'static [Need],
    run: fn(&Plan, &mut Report) -> Result<()>,
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Root,
    Strace,
}

const PARTS: &[Part] = &[
    Part {
        name: "kill",
        needs: &[Need::Strace],
        run: kill::run,
    },
    Part {
        name: "errors",
        needs: &[Need::Strace],
        run: errors::run,
    },
    Part {
        name: "writers",
        needs: &[],
        run: writers::run,
    },
    Part {
        name: "swap",
        needs: &[],
        run: swap::run,
    },
    Part {
        name: "paths",
        needs: &[],
        run: paths::run,
    },
    Part {
        name: "hostile",
        needs: &[],
        run: hostile::run,
    },
    Part {
        name: "disk",
        needs: &[Need::Root],
        run: disk::run,
    },
    Part {
        name: "lock",
        needs: &[],
        run: lock::run,
    },
    Part {
        name: "pid",
        needs: &[Need::Root, Need::Strace],
        run: pid::run,
    },
    Part {
        name: "strays",
        needs: &[],
        run: strays::run,
    },
];

const USAGE: &str = "\
usage: cargo xtask faults [--short] [--write] [--program FILE] [PART]...

  --short         a sample that fits into CI
  --write         put the figures into docs/faults.md
  --program FILE  a memdir that is already built, such as the one users get
  --minutes N     how long `strays` goes on, 10 without it
  PART            kill, errors, writers, swap, paths, hostile, disk, lock, pid, strays; all without one";

/// Runs the parts that were asked for, or all.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut short, mut write, mut program, mut chosen) = (false, false, None, Vec::new());
    let mut minutes = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--short" => short = true,
            "--write" => write = true,
            "--minutes" => minutes = Some(words.next().context(USAGE)?.parse().context(USAGE)?),
            "--program" => program = Some(words.next().context(USAGE)?),
            name => match PARTS.iter().find(|part| part.name == name) {
                Some(part) => chosen.push(part),
                None => bail!("`{name}` is no part of the fault runs\n{USAGE}"),
            },
        }
    }
    if chosen.is_empty() {
        chosen = PARTS.iter().collect();
    }
    ensure!(
        !(write && short),
        "--write is for full runs: a sample is not a figure"
    );

    let root = workspace::root()?;
    let memdir = match program {
        Some(file) => Path::new(file)
            .canonicalize()
            .with_context(|| format!("looking for {file}"))?,
        None => build(&root, short, &["--package", "memdir-cli"])?.join("memdir"),
    };
    let ground = tempfile::Builder::new()
        .prefix("memdir-faults-")
        .tempdir_in(fast_folder())
        .context("making a folder for the fault runs")?;
    let plan = Plan {
        memdir,
        root,
        ground: ground.path().to_owned(),
        short,
        minutes,
    };

    let page = plan.root.join("docs/faults.md");
    let mut report = Report::default();
    for part in chosen {
        if let Some(reason) = part.needs.iter().find_map(|need| missing(*need)) {
            println!("{}: left out, {reason}", part.name);
            report.leave_out(part.name, &reason);
            continue;
        }
        println!("{} …", part.name);
        report.begin(part.name);
        (part.run)(&plan, &mut report).with_context(|| format!("the part `{}`", part.name))?;
        println!("\n{}", report.table(part.name));
        if write {
            let block = format!("faults {}", part.name);
            document::write_block(&page, &block, &report.table(part.name))?;
        }
    }
    report.verdict()
}

/// Builds something; the folder where it lands. A short run uses the profile that CI already has, a
/// full one what users get.
fn build(root: &Path, short: bool, words: &[&str]) -> Result<PathBuf> {
    let profile = if short { "ci" } else { "release" };
    workspace::check(
        workspace::cargo()
            .current_dir(root)
            .args(["build", "--quiet", "--locked", "--profile", profile])
            .args(words),
    )?;
    Ok(workspace::target_folder(root).join(profile))
}

/// A file system in memory where there is one.
fn fast_folder() -> PathBuf {
    let shared_memory = Path::new("/dev/shm");
    if shared_memory.is_dir() {
        shared_memory.to_owned()
    } else {
        std::env::temp_dir()
    }
}

fn missing(need: Need) -> Option<String> {
    match need {
        Need::Root => (!rustix::process::geteuid().is_root())
            .then(|| "it needs root, for mounts and namespaces (try sudo)".to_owned()),
        Need::Strace => memdir_testkit::strace::available().err(),
    }
}
