//! `memdir forget`: files and their index lines go, as one operation.

use std::collections::BTreeMap;

use clap::Args;
use memdir_memory::{Header, Index, MemoryPath};
use memdir_store::{Author, Error, Found, Reason, index_of};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::resolve;
use crate::table::one_line;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Remove memories; `undo` brings them back
///
/// The files and their lines in the index go, the history keeps them. `memdir purge` removes them
/// from there too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir forget feedback_use_tabs
  memdir forget project_freeze project_release --dry-run

JSON: {dry_run, forgotten, operation, warnings}; `forgotten` has {path, type, description}.")]
pub(crate) struct Forget {
    /// Which memories
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    forgotten: Vec<Forgotten<'a>>,
    operation: Option<u64>,
    warnings: Warnings,
}

#[derive(Serialize)]
struct Forgotten<'a> {
    path: &'a str,
    r#type: Option<memdir_memory::MemoryType>,
    description: Option<&'a str>,
}

impl Forget {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let scan = workplace.store.scan()?;
        // All are found before any goes; one that is named twice goes once.
        let mut doomed = BTreeMap::<MemoryPath, Header>::new();
        for name in &self.names {
            let memory = resolve::memory(&scan, name)?;
            doomed.insert(memory.path.clone(), memory.header.clone());
        }
        let mut warnings = Warnings::default();
        let operation = match self.dry_run {
            true => None,
            false => {
                let outcome = remove(workplace, doomed.keys())?;
                warnings.notices(&outcome.notices);
                outcome.operation
            }
        };
        if output.json {
            let forgotten = doomed.iter().map(|(path, header)| Forgotten {
                path: path.as_str(),
                r#type: header.memory_type,
                description: header.description.as_deref(),
            });
            let forgotten = forgotten.collect();
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                forgotten,
                operation,
                warnings,
            })?);
        }
        let done = if self.dry_run {
            "Would forget"
        } else {
            "Forgot"
        };
        for (path, header) in &doomed {
            let words = header
                .description
                .as_deref()
                .map(|text| format!(": \"{}\"", one_line(text)));
            output.line(format!(
                "{done} {STRONG}{path}{STRONG:#}{}",
                words.unwrap_or_default()
            ))?;
        }
        if operation.is_some() {
            let them = if doomed.len() == 1 { "it" } else { "them" };
            let undo = workplace.command("undo");
            output.line(format!("{FAINT}{undo} brings {them} back{FAINT:#}"))?;
        }
        Ok(warnings.print(output)?)
    }
}

fn remove<'a>(
    workplace: &Workplace,
    paths: impl Iterator<Item = &'a MemoryPath>,
) -> Result<memdir_store::Outcome, Failure> {
    let mut operation = workplace
        .store
        .operation(Reason::new(Author::User, "forget"));
    let mut indexes = BTreeMap::<MemoryPath, Vec<MemoryPath>>::new();
    for path in paths {
        let seen: Option<Found> = workplace.store.read(path)?;
        let seen = seen.ok_or_else(|| Error::NotFound(path.clone()))?;
        operation.remove(path, seen);
        let (index, target) = index_of(path)?;
        indexes.entry(index).or_default().push(target);
    }
    for (index, targets) in indexes {
        operation.update(&index, move |current| {
            let index = Index::parse(current?);
            Some(
                targets
                    .iter()
                    .fold(index, |index, target| index.without_target(target))
                    .into_bytes(),
            )
        });
    }
    Ok(workplace.commit(operation)?)
}
