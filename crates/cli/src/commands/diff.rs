//! `memdir diff`: what a change did.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use jiff::Timestamp;
use memdir_memory::MemoryPath;
use memdir_store::{Change, Digest, Error, History, PastOperation};
use serde::Serialize;

use crate::commands::history::NOTHING_YET;
use crate::difference::Difference;
use crate::failure::Failure;
use crate::moment;
use crate::output::{FAINT, Output, STRONG};
use crate::past;
use crate::table::one_line;
use crate::workplace::Workplace;

/// What a change did
///
/// Without an argument, the last operation. With a number, that operation; with NAME, the last
/// change of that memory. --since puts together everything that happened after a time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir diff
  memdir diff 12
  memdir diff feedback_use_tabs
  memdir diff --since yesterday

JSON: {operation, at, who, what, since, files}; each file has {path, change, added, removed, diff},
where `diff` is null for what is not text.")]
pub(crate) struct Diff {
    /// An operation's number, or a memory
    #[arg(value_name = "OP | NAME")]
    what: Option<String>,
    /// Everything since then: `2026-11-15`, `yesterday`, `2h`
    #[arg(long, value_name = "TIME", value_parser = moment::argument)]
    since: Option<Timestamp>,
}

#[derive(Serialize, Default)]
struct Answer<'a> {
    operation: Option<u64>,
    at: Option<Timestamp>,
    who: Option<&'static str>,
    what: Option<&'a str>,
    since: Option<Timestamp>,
    files: Vec<Difference>,
}

impl Diff {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let number = self.what.as_deref().and_then(past::number);
        let history = match number {
            Some(number) => workplace.store.history_of(number)?,
            None => workplace.store.history()?,
        };
        let names = match &self.what {
            Some(name) if number.is_none() => {
                let path = past::memory(&workplace.store.scan()?, &history, name)?;
                Some(past::names(&history, &path))
            }
            _ => None,
        };
        if let Some(since) = self.since {
            if number.is_some() {
                return Err(Failure::usage(
                    "an operation and --since do not go together",
                ));
            }
            return print(all_since(&history, since, names.as_ref())?, output);
        }
        let operation = match number {
            Some(number) => Some(history.get(number)?),
            None => history.operations.iter().rev().find(|operation| {
                names
                    .as_ref()
                    .is_none_or(|names| past::touches(operation, names))
            }),
        };
        match operation {
            Some(operation) => print(one(&history, operation, names.as_ref())?, output),
            None if output.json => Ok(output.json(&Answer::default())?),
            None => Ok(output.line(NOTHING_YET)?),
        }
    }
}

/// What one operation did, to some files or to all.
fn one<'a>(
    history: &History,
    operation: &'a PastOperation,
    names: Option<&BTreeSet<MemoryPath>>,
) -> Result<Answer<'a>, Error> {
    let wanted = |change: &&Change| names.is_none_or(|names| names.contains(&change.path));
    let mut files = Vec::new();
    for Change {
        path,
        before,
        after,
        ..
    } in past::changes(operation).into_iter().filter(wanted)
    {
        files.push(difference(history, path, *before, *after)?);
    }
    Ok(Answer {
        operation: Some(operation.id),
        at: Some(operation.at),
        who: Some(operation.reason.who.as_str()),
        what: Some(&operation.reason.what),
        since: None,
        files,
    })
}

/// What all operations since a time did together.
fn all_since(
    history: &History,
    since: Timestamp,
    names: Option<&BTreeSet<MemoryPath>>,
) -> Result<Answer<'static>, Error> {
    let mut spans = BTreeMap::<&MemoryPath, (Option<Digest>, Option<Digest>)>::new();
    let recent = history
        .operations
        .iter()
        .filter(|operation| operation.at >= since);
    for change in recent.flat_map(|operation| &operation.changes) {
        if names.is_none_or(|names| names.contains(&change.path)) {
            let span = spans
                .entry(&change.path)
                .or_insert((change.before, change.after));
            span.1 = change.after;
        }
    }
    let mut files = Vec::new();
    for (path, (before, after)) in spans
        .into_iter()
        .filter(|(_, (before, after))| before != after)
    {
        files.push(difference(history, path, before, after)?);
    }
    Ok(Answer {
        since: Some(since),
        files,
        ..Answer::default()
    })
}

fn difference(
    history: &History,
    path: &MemoryPath,
    before: Option<Digest>,
    after: Option<Digest>,
) -> Result<Difference, Error> {
    let look_up = |digest: Option<Digest>| {
        digest
            .map(|digest| history.content(path, digest))
            .transpose()
    };
    let (before, after) = (look_up(before)?, look_up(after)?);
    Ok(Difference::between(
        path,
        before.as_deref(),
        after.as_deref(),
    ))
}

fn print(answer: Answer<'_>, output: &mut Output) -> Result<(), Failure> {
    if output.json {
        return Ok(output.json(&answer)?);
    }
    if let (Some(id), Some(at), Some(who), Some(what)) =
        (answer.operation, answer.at, answer.who, answer.what)
    {
        let at = moment::shown(at);
        output.line(format!(
            "{STRONG}#{id}{STRONG:#}  {FAINT}{at}{FAINT:#}  {who}  {}",
            one_line(what)
        ))?;
    }
    if answer.files.is_empty() {
        output.line(match answer.since {
            Some(since) => format!("Nothing is different since {}.", moment::shown(since)),
            None => "No file is different by it.".to_owned(),
        })?;
    }
    for file in &answer.files {
        file.print(output)?;
    }
    Ok(())
}
