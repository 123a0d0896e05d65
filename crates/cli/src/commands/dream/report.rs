//! What came of a dream: the summary first, then the differences, then what to type next.

use memdir_agent::dream::{Change, Dreamt, Fate, Proposal};
use memdir_memory::MemoryPath;
use memdir_store::ledger::dollars;
use serde::Serialize;

use crate::difference::{Difference, Kind};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG, WARN};
use crate::table::{count, one_line, wrapped};
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Billionths in a dollar.
const NANO: f64 = 1e9;
/// Where what was done begins, right of what kind it is.
const INDENT: usize = 10;

#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    fate: &'static str,
    operation: Option<u64>,
    because: Vec<String>,
    merged: Vec<Merged>,
    removed: Vec<MemoryPath>,
    lost: Vec<MemoryPath>,
    mended: Vec<String>,
    inbox: Vec<MemoryPath>,
    denied: Vec<String>,
    files: Vec<Difference>,
    requests: usize,
    calls: usize,
    cost_usd: f64,
    warnings: Warnings,
    #[serde(skip)]
    said: Option<String>,
    #[serde(skip)]
    nano_usd: u64,
}

#[derive(Debug, Serialize)]
struct Merged {
    path: MemoryPath,
    into: MemoryPath,
}

impl Report {
    /// Of a dream that was just dreamt.
    pub(super) fn of(dreamt: &Dreamt, mut warnings: Warnings) -> Self {
        // Where there is a result, that is among the reasons why it waits.
        if let (Fate::Nothing, Some(how)) = (&dreamt.fate, &dreamt.unfinished) {
            warnings.add(format!("the model did not come to its end: {how}"));
        }
        let because = match &dreamt.fate {
            Fate::Proposed(because) | Fate::Told(because) => because.as_slice(),
            Fate::Nothing | Fate::Applied(_) => &[],
        };
        let denied = dreamt.denied.iter();
        #[expect(clippy::cast_precision_loss, reason = "an amount, for reading")]
        let cost_usd = dreamt.progress.nano_usd as f64 / NANO;
        Self {
            fate: match dreamt.fate {
                Fate::Nothing => "nothing",
                Fate::Applied(_) => "applied",
                Fate::Proposed(_) => "proposed",
                Fate::Told(_) => "told",
            },
            operation: match dreamt.fate {
                Fate::Applied(operation) => Some(operation),
                _ => None,
            },
            because: because.iter().map(ToString::to_string).collect(),
            lost: dreamt.lost.clone(),
            mended: dreamt.mended.clone(),
            inbox: dreamt.held.clone(),
            denied: denied
                .map(|denied| format!("{} {}: {}", denied.tool, denied.target, denied.reason))
                .collect(),
            requests: dreamt.progress.requests,
            calls: dreamt.progress.calls,
            cost_usd,
            nano_usd: dreamt.progress.nano_usd,
            said: dreamt.progress.said.clone(),
            warnings,
            ..Self::about(&dreamt.changes)
        }
    }

    /// Of a proposal that waits, or that was just applied.
    pub(super) fn waiting(proposal: &Proposal, changes: &[Change], operation: Option<u64>) -> Self {
        Self {
            fate: match operation {
                Some(_) => "applied",
                None => "proposed",
            },
            operation,
            because: match operation {
                Some(_) => Vec::new(),
                None => proposal.because.clone(),
            },
            ..Self::about(changes)
        }
    }

    /// Of nothing at all.
    pub(super) fn none(fate: &'static str) -> Self {
        Self {
            fate,
            ..Self::default()
        }
    }

    fn about(changes: &[Change]) -> Self {
        let mut report = Self::default();
        for change in changes {
            let before = change.before.as_ref().map(|found| found.bytes.as_slice());
            let after = change.after.as_deref();
            report
                .files
                .push(Difference::between(&change.path, before, after));
            match (after, &change.into) {
                (None, Some(into)) => report.merged.push(Merged {
                    path: change.path.clone(),
                    into: into.clone(),
                }),
                (None, None) => report.removed.push(change.path.clone()),
                (Some(_), _) => {}
            }
        }
        report
    }

    pub(super) fn print(&self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if output.json {
            return Ok(output.json(self)?);
        }
        self.headline(output)?;
        for why in &self.because {
            let why = wrapped(&one_line(why), INDENT, output.width);
            output.line(format!("  {WARN}because{WARN:#} {why}"))?;
        }
        for Merged { path, into } in &self.merged {
            output.line(format!("  merged  {path} into {into}"))?;
        }
        for path in &self.removed {
            output.line(format!("  removed {path}"))?;
        }
        for file in &self.files {
            match file.change {
                Kind::Added => output.line(format!("  new     {}", file.path))?,
                Kind::Changed => output.line(format!(
                    "  changed {}  {FAINT}+{} -{}{FAINT:#}",
                    file.path, file.added, file.removed
                ))?,
                Kind::Removed => {}
            }
        }
        for line in &self.mended {
            let line = wrapped(&one_line(line), INDENT, output.width);
            output.line(format!("  rules   {line}"))?;
        }
        for path in &self.inbox {
            output.line(format!(
                "  inbox   {path}: it has words that are in no memory"
            ))?;
        }
        for denied in &self.denied {
            let denied = wrapped(&one_line(denied), INDENT, output.width);
            output.line(format!("  {FAINT}denied  {denied}{FAINT:#}"))?;
        }
        if let Some(said) = self.said.as_deref() {
            let said = wrapped(&one_line(said), INDENT, output.width);
            output.line(format!("  {FAINT}it said {said}{FAINT:#}"))?;
        }
        if self.requests > 0 {
            output.line(format!(
                "  {FAINT}{}, {}, {}{FAINT:#}",
                count(self.requests, "request", "requests"),
                count(self.calls, "tool call", "tool calls"),
                dollars(self.nano_usd)
            ))?;
        }
        for file in &self.files {
            file.print(output)?;
        }
        self.next(workplace, output)?;
        Ok(self.warnings.print(output)?)
    }

    fn headline(&self, output: &mut Output) -> Result<(), Failure> {
        let files = count(self.files.len(), "file", "files");
        Ok(output.line(match (self.fate, self.operation) {
            (_, Some(operation)) => {
                format!("Tidied up: {STRONG}#{operation}{STRONG:#} changed {files}.")
            }
            ("told", _) => match self.because.is_empty() {
                true => format!("Would change {files}."),
                false => format!("Would change {files}, but wait for you."),
            },
            ("proposed", _) => {
                format!("Nothing was changed: a proposal for {files} waits for you.")
            }
            ("none", _) => "No proposal waits.".to_owned(),
            ("discarded", _) => "The proposal is gone; nothing was changed.".to_owned(),
            _ => "Nothing has to change.".to_owned(),
        })?)
    }

    fn next(&self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let command = |words: &str| workplace.command(words);
        let next = match (self.fate, self.operation) {
            (_, Some(_)) => format!("{} takes all of it back", command("undo")),
            ("proposed", _) => format!(
                "{} applies it, {} lets it go, {} shows it again",
                command("dream --apply"),
                command("dream --discard"),
                command("dream --show")
            ),
            _ if !self.inbox.is_empty() => format!("{} shows what waits", command("inbox")),
            _ => return Ok(()),
        };
        Ok(output.line(format!("{FAINT}{next}{FAINT:#}"))?)
    }
}
