//! `memdir purge`: memories really removed, from the history too.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use memdir_memory::MemoryPath;
use memdir_settings::variables;
use memdir_store::{Error, Purged, traces};
use serde::Serialize;

use crate::confirm::confirm;
use crate::editor;
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::past;
use crate::table::count;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Really remove memories, from the history too
///
/// Files, index lines and every version in the history go, under any name the memory ever had. This
/// cannot be undone. Transcripts of your agents that still contain the text are listed and left: they
/// belong to the agents.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir purge user_address
  memdir purge --all --dry-run

JSON: {dry_run, names, files, versions, left, warnings}; `left` are files of others that still
contain the text.")]
pub(crate) struct Purge {
    /// Which memories, also ones that are only in the history any more
    #[arg(required_unless_present = "all", value_name = "NAME")]
    names: Vec<String>,
    /// All memories of this directory, with its history and state
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    names: &'a [MemoryPath],
    files: usize,
    versions: usize,
    left: &'a [PathBuf],
    warnings: Warnings,
}

impl Purge {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let store = &workplace.store;
        let paths = match self.all {
            true => Vec::new(),
            false => self.named(workplace)?,
        };
        let plan = match self.all {
            true => store.plan_purge_everything()?,
            false => store.plan_purge(&paths)?,
        };
        if !self.dry_run {
            if !output.json && !self.yes {
                describe(&plan, self.all, "Will purge", output)?;
                output.flush()?;
            }
            let question = "This cannot be undone. Purge?";
            if !confirm(question, self.yes)? {
                return Ok(output.line("Nothing was removed.")?);
            }
            self.remove(workplace, &paths, &plan)?;
        }
        let left = traces_of(workplace, &plan, self.dry_run);
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                names: &plan.names,
                files: plan.files,
                versions: plan.versions,
                left: &left,
                warnings: Warnings::default(),
            })?);
        }
        match self.dry_run {
            true => describe(&plan, self.all, "Would purge", output)?,
            false if self.yes => describe(&plan, self.all, "Purged", output)?,
            false => output.line(format!("Purged {}.", sum(&plan)))?,
        }
        report_left(workplace, &plan, &left, output)
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

    fn remove(
        &self,
        workplace: &Workplace,
        paths: &[MemoryPath],
        plan: &Purged,
    ) -> Result<(), Failure> {
        match self.all {
            true => workplace.store.purge_everything()?,
            false => workplace.store.purge(paths)?,
        };
        if workplace.everywhere {
            remove_other_indexes(workplace)?;
        }
        // Texts that an edit could not save are ours as well.
        Ok(editor::remove_kept(
            workplace.store.state_directory(),
            &plan.names,
        )?)
    }
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
    Ok(())
}

/// Files of the clients that still contain the text.
fn traces_of(workplace: &Workplace, plan: &Purged, dry_run: bool) -> Vec<PathBuf> {
    let places = &workplace.places;
    let value = |name: &str| {
        let believed = !places.ignores_variable(name);
        workplace
            .environment
            .value(name)
            .filter(|_| believed)
            .map(PathBuf::from)
    };
    let at_home = |name: &str| places.user_home.as_ref().map(|home| home.join(name));
    let claude = value(variables::CLAUDE_CONFIG_DIR).or_else(|| at_home(".claude"));
    let codex = value(variables::CODEX_HOME).or_else(|| at_home(".codex"));
    let mut folders = BTreeSet::from([
        places.sessions_dir(),
        places.home.path.join("projects").join(&places.slug),
    ]);
    for slug in [&places.slug, &places.start_slug] {
        folders.extend(claude.as_ref().map(|home| home.join("projects").join(slug)));
    }
    folders.extend(codex.map(|home| home.join("sessions")));
    folders.extend(at_home(".gemini").map(|home| home.join("tmp")));
    let found: BTreeSet<PathBuf> = folders
        .iter()
        .flat_map(|folder| traces(folder, &plan.needles))
        .collect();
    let memory = workplace.store.memory_directory();
    let is_ours = |path: &Path| {
        path.starts_with(memory) || path.starts_with(workplace.store.state_directory())
    };
    // Before the purge the memories themselves contain the text, of course.
    found
        .into_iter()
        .filter(|path| !(dry_run && is_ours(path)))
        .collect()
}

fn report_left(
    workplace: &Workplace,
    plan: &Purged,
    left: &[PathBuf],
    output: &mut Output,
) -> Result<(), Failure> {
    if plan.needles.is_empty() && !plan.names.is_empty() {
        return Ok(output.line(format!(
            "{FAINT}No line of it is long enough to look for in other files.{FAINT:#}"
        ))?);
    }
    let memory = workplace.store.memory_directory();
    let (memories, others): (Vec<&PathBuf>, Vec<&PathBuf>) =
        left.iter().partition(|path| path.starts_with(memory));
    if !memories.is_empty() {
        output.line("Other memories say the same; purge them too if you want it gone:")?;
        print_paths(workplace, &memories, output)?;
    }
    if !others.is_empty() {
        output.line("These files of your agents still contain the text. They belong to the agents and are left:")?;
        print_paths(workplace, &others, output)?;
    }
    Ok(())
}

fn print_paths(
    workplace: &Workplace,
    paths: &[&PathBuf],
    output: &mut Output,
) -> Result<(), Failure> {
    for path in paths {
        output.line(format!("  {}", workplace.shown(path)))?;
    }
    Ok(())
}
