//! `memdir undo`: a change taken back, or everything since a time.

mod halves;

use clap::Args;
use jiff::Timestamp;
use memdir_store::{Error, History, Restoration};
use serde::Serialize;

use crate::difference::Difference;
use crate::failure::Failure;
use crate::moment;
use crate::output::{FAINT, Output, STRONG};
use crate::past;
use crate::sweep::sweep;
use crate::table::one_line;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Take back a change, or everything since a time
///
/// Without an argument, the last change that was made with memdir and still stands. Later changes to
/// other lines stay; where they touch the same lines, undo refuses and shows both. A move between two
/// projects is taken back in both. An undo is a change like any other and can be undone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir undo
  memdir undo 12
  memdir undo --to \"2026-11-15 21:00\"
  memdir undo --to 10m --dry-run

JSON: {dry_run, undoes, what, to, operation, files, elsewhere, warnings}; each file has {path, change, added,
removed, diff}, and `operation` is the undo's own number. `elsewhere` is the other project of a move, with
{directory, operation, files}.")]
pub(crate) struct Undo {
    /// The number of an operation, from `memdir history`
    #[arg(value_name = "OP", conflicts_with = "to", value_parser = operation_number)]
    operation: Option<u64>,
    /// Back to how it was then: `2026-11-15 21:00`, `yesterday`, `10m`
    #[arg(long, value_name = "TIME", value_parser = moment::argument)]
    to: Option<Timestamp>,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

fn operation_number(typed: &str) -> Result<u64, String> {
    past::number(typed).ok_or_else(|| "no number; `memdir history` lists the operations".to_owned())
}

/// What is said where an undo would need text that is gone.
const PURGED: &str = "some of the text that this would bring back was purged: it stays gone";

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    undoes: Option<u64>,
    what: Option<&'a str>,
    to: Option<Timestamp>,
    operation: Option<u64>,
    files: &'a [Difference],
    elsewhere: Vec<halves::Answer>,
    warnings: Warnings,
}

impl Undo {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut warnings = Warnings::default();
        // What others changed meanwhile is merged with as it stands on the disk, recorded or not.
        if !self.dry_run {
            sweep(&workplace.store, &mut warnings);
        }
        let store = &workplace.store;
        // From here to the end: whoever undoes at the same time means the change before this one.
        let _alone = match self.dry_run {
            true => None,
            false => store.undoing()?,
        };
        let history = match (self.to, self.operation) {
            (Some(time), _) => store.history_until(|read| {
                let oldest = read.operations.first();
                oldest.is_some_and(|oldest| oldest.at <= time)
            })?,
            (None, Some(id)) => store.history_of(id)?,
            (None, None) => store.history_until(|read| read.last_undoable().is_some())?,
        };
        let plan = match (self.to, self.operation) {
            (Some(time), _) => Some(workplace.store.plan_undo_to(&history, time)?),
            (None, Some(id)) => Some(workplace.store.plan_undo(&history, id)?),
            (None, None) => match history.last_undoable() {
                Some(last) => Some(workplace.store.plan_undo(&history, last.id)?),
                None => None,
            },
        };
        let mut files = plan.as_ref().map(differences).unwrap_or_default();
        let undoes = plan.as_ref().and_then(|plan| plan.undoes);
        if plan.as_ref().is_some_and(|plan| plan.purged) {
            warnings.add(PURGED);
        }
        let what = what(&history, undoes)?;
        let mut halves = halves::find(workplace, &history, undoes, self.to)?;
        let mut operation = None;
        if !self.dry_run {
            // Killed in between, both projects have them rather than neither.
            halves::restore(&mut halves, halves::Half::gives)?;
            if let Some(plan) = plan.filter(|_| !files.is_empty()) {
                operation = workplace.restore(plan)?.operation;
                if operation.is_none() {
                    // Somebody brought the files there in the meantime: this undo did nothing, and says so.
                    files.clear();
                }
            }
            halves::restore(&mut halves, |_| true)?;
            halves.retain(halves::Half::is_done);
        }
        let answer = Answer {
            dry_run: self.dry_run,
            undoes,
            what,
            to: self.to,
            operation,
            files: &files,
            elsewhere: halves.into_iter().map(halves::Half::answer).collect(),
            warnings,
        };
        if output.json {
            return Ok(output.json(&answer)?);
        }
        print(workplace, &answer, &history, output)?;
        Ok(answer.warnings.print(output)?)
    }
}

fn differences(plan: &Restoration) -> Vec<Difference> {
    let files = plan.files.iter().map(|file| {
        let current = file.current.as_ref().map(|found| found.bytes.as_slice());
        Difference::between(&file.path, current, file.content.as_deref())
    });
    files.collect()
}

fn what(history: &History, undoes: Option<u64>) -> Result<Option<&str>, Error> {
    match undoes {
        Some(id) => Ok(Some(history.get(id)?.reason.what.as_str())),
        None => Ok(None),
    }
}

fn print(
    workplace: &Workplace,
    answer: &Answer<'_>,
    history: &History,
    output: &mut Output,
) -> Result<(), Failure> {
    let subject = match (answer.undoes, answer.what, answer.to) {
        (Some(id), Some(what), _) => format!("{STRONG}#{id}{STRONG:#} ({})", one_line(what)),
        (_, _, Some(time)) => format!("everything since {}", moment::shown(time)),
        _ => {
            output.line("Nothing to undo: memdir has changed nothing here that still stands.")?;
            return Ok(output.line(format!(
                "{FAINT}{} lists every change{FAINT:#}",
                workplace.command("history")
            ))?);
        }
    };
    if answer.files.is_empty() && answer.elsewhere.is_empty() {
        return Ok(output.line(match (answer.undoes, answer.to) {
            (Some(id), _) if history.undone().contains(&id) => {
                format!("Nothing to undo: {subject} is undone already.")
            }
            (Some(_), _) => {
                format!("Nothing to undo: the files are as they were before {subject}.")
            }
            (None, time) => {
                let since = time.map(moment::shown).unwrap_or_default();
                format!("Nothing to undo: no file is different from how it was at {since}.")
            }
        })?);
    }
    let done = if answer.dry_run {
        "Would undo"
    } else {
        "Undid"
    };
    output.line(format!("{done} {subject}:"))?;
    for file in answer.files {
        output.line(file.stat())?;
    }
    for half in &answer.elsewhere {
        output.line(format!("in {}:", workplace.shown(&half.directory)))?;
        for file in &half.files {
            output.line(file.stat())?;
        }
    }
    if answer.dry_run {
        let elsewhere = answer.elsewhere.iter().flat_map(|half| &half.files);
        for file in answer.files.iter().chain(elsewhere) {
            file.print(output)?;
        }
    }
    if let Some(own) = answer.operation {
        output.line(format!(
            "{FAINT}{} takes that back, {} shows it{FAINT:#}",
            workplace.command(&format!("undo {own}")),
            workplace.command(&format!("diff {own}"))
        ))?;
    }
    Ok(())
}
