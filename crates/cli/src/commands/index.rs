//! `memdir index`: the index as an agent sees it, against the files, and mended.

use clap::Args;
use memdir_memory::index::IndexProblem;
use memdir_memory::{INDEX_NAME, MemoryPath, index};
use memdir_store::{Author, IndexCheck, Reason};
use serde::Serialize;

use crate::difference::Difference;
use crate::failure::Failure;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{count, one_line};
use crate::visible::visible;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Check or rebuild MEMORY.md
///
/// Without a flag, prints the index as an agent is shown it: cut to 200 lines and 25,000 bytes, with
/// the warning that goes with a cut. --check ends with 1 where lines and files do not agree.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir index
  memdir index --check
  memdir index --rebuild --dry-run

JSON: without a flag {path, text, warning, lines, bytes}; with one {agrees, indexes, diffs,
dry_run, operation, warnings}, where each index has {path, exists, dead, missing, problems}.")]
pub(crate) struct Index {
    /// Say what is wrong with it
    #[arg(long, conflicts_with = "rebuild")]
    check: bool,
    /// Bring it into agreement with the files: dead and double lines go, missing ones come
    #[arg(long)]
    rebuild: bool,
    /// Only show what a rebuild would change
    #[arg(long, requires = "rebuild")]
    dry_run: bool,
}

#[derive(Serialize)]
struct Shown<'a> {
    path: &'a str,
    text: &'a str,
    warning: Option<&'a str>,
    lines: usize,
    bytes: usize,
}

#[derive(Serialize)]
struct Answer<'a> {
    agrees: bool,
    indexes: Vec<Checked<'a>>,
    diffs: &'a [Difference],
    dry_run: bool,
    operation: Option<u64>,
    warnings: Warnings,
}

#[derive(Serialize)]
struct Checked<'a> {
    path: &'a MemoryPath,
    exists: bool,
    dead: Vec<Dead<'a>>,
    missing: &'a [MemoryPath],
    problems: Vec<String>,
}

#[derive(Serialize)]
struct Dead<'a> {
    line: usize,
    target: &'a str,
}

impl Index {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if !self.check && !self.rebuild {
            return show(workplace, output);
        }
        let store = &workplace.store;
        let checks = store.check_indexes(&store.scan()?)?;
        let mut diffs = Vec::new();
        for check in &checks {
            let current = store.read(&check.path)?.map(|found| found.bytes);
            let mended =
                (check.exists || !check.mended.is_empty()).then_some(check.mended.as_slice());
            if current.as_deref() != mended {
                diffs.push(Difference::between(&check.path, current.as_deref(), mended));
            }
        }
        let mut warnings = Warnings::default();
        let mut operation = None;
        if self.rebuild && !self.dry_run && !diffs.is_empty() {
            let outcome = store.rebuild_indexes(Reason::new(Author::User, "index rebuild"))?;
            warnings.notices(&outcome.notices);
            operation = outcome.operation;
        }
        let agrees = diffs.is_empty();
        if output.json {
            let indexes = checks.iter().map(checked).collect();
            output.json(&Answer {
                agrees,
                indexes,
                diffs: &diffs,
                dry_run: self.dry_run,
                operation,
                warnings,
            })?;
        } else if self.check {
            report(workplace, &checks, agrees, output)?;
        } else {
            report_rebuild(workplace, &diffs, self.dry_run, output)?;
            warnings.print(output)?;
        }
        if self.check && !agrees {
            Err(Failure::Found)
        } else {
            Ok(())
        }
    }
}

fn checked(check: &IndexCheck) -> Checked<'_> {
    Checked {
        path: &check.path,
        exists: check.exists,
        dead: check
            .dead
            .iter()
            .map(|(line, target)| Dead {
                line: *line,
                target,
            })
            .collect(),
        missing: &check.missing,
        problems: check.problems.iter().map(ToString::to_string).collect(),
    }
}

fn show(workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    let path = MemoryPath::new(INDEX_NAME).map_err(memdir_store::Error::from)?;
    let found = workplace.store.read(&path)?;
    let loaded = index::load(
        &found
            .as_ref()
            .map(|found| found.bytes.clone())
            .unwrap_or_default(),
    );
    if output.json {
        return Ok(output.json(&Shown {
            path: INDEX_NAME,
            text: &loaded.text,
            warning: loaded.warning.as_deref(),
            lines: loaded.lines,
            bytes: loaded.bytes,
        })?);
    }
    if loaded.text.is_empty() {
        let hint = "it is made with the first memory";
        return Ok(output.line(format!(
            "There is no {INDEX_NAME} yet, or nothing in it; {hint}."
        ))?);
    }
    Ok(output.line(visible(&loaded.to_string()))?)
}

fn report(
    workplace: &Workplace,
    checks: &[IndexCheck],
    agrees: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    for check in checks {
        for (line, target) in &check.dead {
            let target = one_line(target);
            output.line(format!(
                "{BAD}{}:{line}{BAD:#}: leads to {target}, which does not exist",
                check.path
            ))?;
        }
        for path in &check.missing {
            output.line(format!(
                "{BAD}{}{BAD:#}: has no line for {path}",
                check.path
            ))?;
        }
        for problem in &check.problems {
            let style = if matches!(problem, IndexProblem::SameTarget { .. }) {
                BAD
            } else {
                WARN
            };
            output.line(format!(
                "{style}{}{style:#}: {}",
                check.path,
                one_line(&problem.to_string())
            ))?;
        }
    }
    output.line(match agrees {
        true => format!("{GOOD}Index and files agree.{GOOD:#}"),
        false => format!(
            "Index and files do not agree. {STRONG}{}{STRONG:#} mends it.",
            workplace.command("index --rebuild")
        ),
    })?;
    Ok(())
}

fn report_rebuild(
    workplace: &Workplace,
    diffs: &[Difference],
    dry_run: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    if diffs.is_empty() {
        return Ok(output.line("Nothing to do: index and files agree.")?);
    }
    for difference in diffs {
        let lines = count(difference.added + difference.removed, "line", "lines");
        let done = if dry_run { "Would rebuild" } else { "Rebuilt" };
        output.line(format!(
            "{done} {STRONG}{}{STRONG:#}: {lines} changed",
            difference.path
        ))?;
        difference.print(output)?;
    }
    if !dry_run {
        output.line(format!(
            "{FAINT}{} takes it back{FAINT:#}",
            workplace.command("undo")
        ))?;
    }
    Ok(())
}
