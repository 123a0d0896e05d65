//! `memdir history`: every change, by whom and why.

use clap::Args;
use jiff::Timestamp;
use memdir_memory::MemoryPath;
use memdir_store::{Change, Digest, PastOperation};
use serde::Serialize;

use crate::difference::Kind;
use crate::failure::Failure;
use crate::moment;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::past;
use crate::sweep::sweep;
use crate::table::{GAP, one_line, push_padded, widest};
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// How many operations are shown unless somebody asks for more.
const SHOWN: usize = 20;
/// What a history without operations says.
pub(crate) const NOTHING_YET: &str = "Nothing has been changed yet, as far as memdir knows.";
/// How many files of one operation are named.
const FILES: usize = 4;

/// Every change, by whom and why
///
/// The newest first. Changes that an editor or another agent made are there too, from when they were
/// noticed. `memdir diff 12` shows what an operation did, `memdir undo 12` takes it back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir history
  memdir history feedback_use_tabs
  memdir history --since yesterday --limit 100

JSON: {total, damaged, operations, warnings}; all operations unless --limit is given, each with
{id, at, who, what, conversation, message, undoes, undone, failed, first_sight, changes}, each
change with {path, change, before, after}.")]
pub(crate) struct History {
    /// Only changes of this memory, under any name it had
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// How many to show; 0 shows all [default: 20]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only changes since then: `2026-11-15`, `yesterday`, `2h`
    #[arg(long, value_name = "TIME", value_parser = moment::argument)]
    since: Option<Timestamp>,
}

#[derive(Serialize)]
struct Answer<'a> {
    total: usize,
    damaged: usize,
    operations: Vec<Row<'a>>,
    warnings: Warnings,
}

#[derive(Serialize)]
struct Row<'a> {
    id: u64,
    at: Timestamp,
    who: &'static str,
    what: &'a str,
    conversation: Option<&'a str>,
    message: Option<&'a str>,
    undoes: Option<u64>,
    undone: bool,
    failed: bool,
    first_sight: bool,
    changes: Vec<Touched<'a>>,
}

#[derive(Serialize)]
struct Touched<'a> {
    path: &'a MemoryPath,
    change: Kind,
    before: Option<Digest>,
    after: Option<Digest>,
}

impl History {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut warnings = Warnings::default();
        sweep(&workplace.store, &mut warnings);
        let history = workplace.store.history()?;
        let names = match &self.name {
            Some(name) => {
                let path = past::memory(&workplace.store.scan()?, &history, name)?;
                Some(past::names(&history, &path))
            }
            None => None,
        };
        let undone = history.undone();
        let wanted = history.operations.iter().rev().filter(|operation| {
            names
                .as_ref()
                .is_none_or(|names| past::touches(operation, names))
                && self.since.is_none_or(|since| operation.at >= since)
        });
        let wanted: Vec<&PastOperation> = wanted.collect();
        let total = wanted.len();
        let limit = match self.limit {
            None if output.json => total,
            Some(0) => total,
            limit => limit.unwrap_or(SHOWN),
        };
        let rows = wanted.into_iter().take(limit);
        let rows: Vec<Row<'_>> = rows
            .map(|operation| row(operation, undone.contains(&operation.id)))
            .collect();
        if output.json {
            return Ok(output.json(&Answer {
                total,
                damaged: history.damaged,
                operations: rows,
                warnings,
            })?);
        }
        print(&rows, output)?;
        if total == 0 {
            output.line(match self.since {
                Some(since) => format!("Nothing has been changed since {}.", moment::shown(since)),
                None => NOTHING_YET.to_owned(),
            })?;
        } else if total > rows.len() {
            let older = total - rows.len();
            output.line(format!(
                "{FAINT}{older} older; `--limit 0` shows all{FAINT:#}"
            ))?;
        }
        Ok(warnings.print(output)?)
    }
}

fn row(operation: &PastOperation, undone: bool) -> Row<'_> {
    Row {
        id: operation.id,
        at: operation.at,
        who: operation.reason.who.as_str(),
        what: &operation.reason.what,
        conversation: operation.reason.conversation.as_deref(),
        message: operation.reason.message.as_deref(),
        undoes: operation.undoes,
        undone,
        failed: operation.failed,
        first_sight: operation.is_first_sight(),
        changes: past::changes(operation).into_iter().map(touched).collect(),
    }
}

fn touched(change: &Change) -> Touched<'_> {
    Touched {
        path: &change.path,
        change: Kind::of(change.before.is_some(), change.after.is_some()),
        before: change.before,
        after: change.after,
    }
}

fn print(rows: &[Row<'_>], output: &mut Output) -> Result<(), Failure> {
    let ids: Vec<String> = rows.iter().map(|row| format!("#{}", row.id)).collect();
    let whats: Vec<String> = rows
        .iter()
        .map(|row| one_line(row.what).into_owned())
        .collect();
    let id_width = widest(ids.iter().map(String::as_str));
    let who_width = widest(rows.iter().map(|row| row.who));
    let what_width = widest(whats.iter().map(String::as_str));
    for ((row, id), what) in rows.iter().zip(&ids).zip(&whats) {
        let mut line = format!("{STRONG}");
        push_padded(&mut line, id, id_width);
        line.push_str(&format!(
            "{STRONG:#}{GAP}{FAINT}{}{FAINT:#}{GAP}",
            moment::shown(row.at)
        ));
        push_padded(&mut line, row.who, who_width);
        line.push_str(GAP);
        push_padded(&mut line, what, what_width);
        line.push_str(GAP);
        line.push_str(&files(&row.changes));
        if row.failed {
            line.push_str(&format!("{GAP}{WARN}(failed, taken back){WARN:#}"));
        } else if row.undone {
            line.push_str(&format!("{GAP}{FAINT}(undone){FAINT:#}"));
        }
        output.line(line)?;
    }
    Ok(())
}

fn files(changes: &[Touched<'_>]) -> String {
    let named = changes.iter().take(FILES).map(|touched| {
        let style = match touched.change {
            Kind::Added => GOOD,
            Kind::Changed => anstyle::Style::new(),
            Kind::Removed => BAD,
        };
        format!("{style}{} {}{style:#}", touched.change.sign(), touched.path)
    });
    let mut text = named.collect::<Vec<_>>().join(", ");
    if let Some(more) = changes.len().checked_sub(FILES).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}
