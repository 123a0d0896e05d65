//! `memdir purge`: memories really removed, from the history too.

mod left;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memdir_memory::MemoryPath;
use memdir_store::{Error, Purged, SharedLine, SharedLines, remove_traces, scrub};
use serde::Serialize;

use crate::confirm::confirm;
use crate::editor;
use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::past;
use crate::table::{count, one_line};
use crate::warning::Warnings;
use crate::workplace::Workplace;

use left::Left;

/// Really remove memories, from the history too
///
/// Files, index lines and every version in the history go, under any name the memory ever had, with
/// its copies, what it was merged with, and its lines in whatever else memdir keeps. This cannot be
/// undone. A line that another memory has too is shown, and cut there only if you say so. Transcripts
/// of your agents that still contain the text are listed and left: they belong to the agents.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir purge user_address
  memdir purge user_address --yes --shared cut
  memdir purge --all --dry-run

JSON: {dry_run, names, files, versions, shared, left, warnings}; `shared` are lines that other
memories have too, `left` are files that still contain the text, or are too large to be searched.")]
pub(crate) struct Purge {
    /// Which memories, also ones that are only in the history any more
    #[arg(required_unless_present = "all", value_name = "NAME")]
    names: Vec<String>,
    /// All memories of this directory, with its history and state
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// What becomes of lines that other memories have too; without it you are asked, and with `--yes`
    /// they stay
    #[arg(long, value_name = "WHAT", conflicts_with = "all")]
    shared: Option<Shared>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
}

/// What becomes of lines that other memories have too.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shared {
    /// They stay
    Keep,
    /// They are cut out of the other memories
    Cut,
}

#[derive(Serialize)]
struct SharedAnswer<'a> {
    path: &'a MemoryPath,
    line: &'a str,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    names: &'a [MemoryPath],
    files: usize,
    versions: usize,
    shared: Vec<SharedAnswer<'a>>,
    left: Vec<&'a PathBuf>,
    warnings: Warnings,
}

impl Purge {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let store = &workplace.store;
        if !self.dry_run {
            // Of one that was killed nothing may be left either.
            store.finish_purge()?;
        }
        let paths = match self.all {
            true => Vec::new(),
            false => self.named(workplace)?,
        };
        let plan = match self.all {
            true => store.plan_purge_everything()?,
            false => store.plan_purge(&paths)?,
        };
        let mut plan = plan;
        if !self.dry_run {
            if !output.json && !self.yes {
                describe(&plan, self.all, "Will purge", output)?;
                output.flush()?;
            }
            let question = "This cannot be undone. Purge?";
            if !confirm(question, self.yes)? {
                return Ok(output.line("Nothing was removed.")?);
            }
            let shared = self.shared(&plan)?;
            plan = self.remove(workplace, &paths, &plan, shared)?;
            if shared == SharedLines::Cut {
                plan.shared.clear();
            }
        }
        let left = Left::find(workplace, &plan, self.dry_run);
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                names: &plan.names,
                files: plan.files,
                versions: plan.versions,
                shared: plan.shared.iter().map(shared_answer).collect(),
                left: left.all(),
                warnings: Warnings::default(),
            })?);
        }
        match self.dry_run {
            true => describe(&plan, self.all, "Would purge", output)?,
            false if self.yes => describe(&plan, self.all, "Purged", output)?,
            false => output.line(format!("Purged {}.", sum(&plan)))?,
        }
        left.report(workplace, &plan, output)
    }

    /// The memories that are meant, present or past.
    fn named(&self, workplace: &Workplace) -> Result<Vec<MemoryPath>, Failure> {
        let (scan, history) = (workplace.store.scan()?, workplace.store.history()?);
        let mut paths = Vec::new();
        for name in &self.names {
            let path = past::memory(&scan, &history, name)?;
            if path.is_index() {
                return Err(Failure::new(
                    format!("{path} is the index, not a memory"),
                    "its lines go with their memories; `memdir index --rebuild` mends it",
                ));
            }
            paths.push(path);
        }
        Ok(paths)
    }

    /// What becomes of lines that other memories have too.
    fn shared(&self, plan: &Purged) -> Result<SharedLines, Failure> {
        match self.shared {
            Some(Shared::Cut) => Ok(SharedLines::Cut),
            Some(Shared::Keep) => Ok(SharedLines::Keep),
            None if plan.shared.is_empty() || self.yes || self.all => Ok(SharedLines::Keep),
            None => match confirm("Cut these lines out of the other memories too?", false)? {
                true => Ok(SharedLines::Cut),
                false => Ok(SharedLines::Keep),
            },
        }
    }

    /// Removes them: the history goes last, because it tells what else there is to remove.
    fn remove(
        &self,
        workplace: &Workplace,
        paths: &[MemoryPath],
        plan: &Purged,
        shared: SharedLines,
    ) -> Result<Purged, Failure> {
        if workplace.everywhere {
            remove_other_indexes(workplace)?;
        }
        // Texts that an edit could not save are ours as well.
        editor::remove_kept(workplace.store.state_directory(), &plan.names)?;
        for folder in session_folders(workplace) {
            remove_traces(&folder.join("tool-results"), &plan.needles)?;
            let notes: Vec<String> = plan.needles.iter().chain(&plan.quotes).cloned().collect();
            scrub(&folder.join("session-memory"), &notes)?;
        }
        scrub(&workplace.places.own_dir(), &plan.needles)?;
        Ok(match self.all {
            true => workplace.store.purge_everything()?,
            false => workplace.store.purge(paths, shared)?,
        })
    }
}

fn shared_answer(shared: &SharedLine) -> SharedAnswer<'_> {
    SharedAnswer {
        path: &shared.path,
        line: &shared.line,
    }
}

/// The folders of this project's conversations, in which memdir saves results and notes.
fn session_folders(workplace: &Workplace) -> Vec<PathBuf> {
    let places = &workplace.places;
    let projects = BTreeSet::from([
        places.sessions_dir(),
        places.home.path.join("projects").join(&places.slug),
    ]);
    let entries = projects
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok());
    let folders = entries
        .flat_map(Iterator::flatten)
        .map(|entry| entry.path());
    let memory = workplace.store.memory_directory();
    folders
        .filter(|folder| folder.is_dir() && !folder.starts_with(memory))
        .collect()
}

/// What holds for all projects is in the recall index of each.
fn remove_other_indexes(workplace: &Workplace) -> Result<(), Failure> {
    let failed = |path: &Path, error| Failure::from(Error::io("remove", path, error));
    let own = workplace.places.own_dir();
    let projects = std::fs::read_dir(&own).map_err(|error| failed(&own, error))?;
    for project in projects.flatten() {
        let index = project.path().join("recall");
        match std::fs::remove_dir_all(&index) {
            Ok(()) => {}
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(failed(&index, error)),
        }
    }
    Ok(())
}

fn sum(plan: &Purged) -> String {
    let files = count(plan.files, "file", "files");
    format!(
        "{files} and {} in the history",
        count(plan.versions, "version", "versions")
    )
}

fn describe(plan: &Purged, all: bool, will: &str, output: &mut Output) -> Result<(), Failure> {
    let what = if all {
        ", all there is in this directory"
    } else {
        ""
    };
    output.line(format!("{will} {}{what}:", sum(plan)))?;
    for name in &plan.names {
        output.line(format!("  {STRONG}{name}{STRONG:#}"))?;
    }
    describe_shared(plan, output)
}

/// Lines that other memories have too.
fn describe_shared(plan: &Purged, output: &mut Output) -> Result<(), Failure> {
    if plan.shared.is_empty() {
        return Ok(());
    }
    output.line("Other memories have these lines too; they stay unless you say `--shared cut`:")?;
    for SharedLine { path, line } in &plan.shared {
        output.line(format!("  {path}: {}", one_line(line)))?;
    }
    Ok(())
}
