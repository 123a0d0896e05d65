//! `memdir audit`: what is wrong with the memories themselves, how often, and where.

mod copies;
mod files;
mod findings;

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{GAP, count, one_line, push_padded, thousands, widest, width, wrapped};
use crate::workplace::Workplace;
use findings::{Finding, Findings, Kind, Level};

/// How many places of a kind are shown unless all are asked for.
const SHOWN: usize = 20;
/// Before each place.
const INDENT: &str = "        ";

/// Look for secrets, hidden text, near-copies and other faults
///
/// Reads every memory and the index and changes nothing. For each kind of fault: how many, in what
/// share of the files, and where. The value of a secret is never shown. Exits with 1 when there is a
/// warning, with 0 when there are only notes or nothing at all.
#[derive(Debug, Args)]
#[command(after_help = "\
Warnings: secrets, hidden text, a broken index, files that cannot be read, broken headers, \
near-copies, expired memories, files over 40 KB. Notes: files that recall cuts (over 4,096 bytes or \
200 lines), memories of 90 days and more (project: 30), origins that may not instruct, links that \
lead to nothing, missing names and types.

Examples:
  memdir audit
  memdir audit --all
  memdir audit --json | jq '.kinds[] | {kind, count}'

JSON: {files, warnings, notes, kinds}; a kind has {kind, count, files, rate, findings}, a finding \
{level, path, line, column, what}.")]
pub(crate) struct Audit {
    /// Show every place, however many there are
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    files: usize,
    warnings: usize,
    notes: usize,
    kinds: Vec<KindReport<'a>>,
}

#[derive(Serialize)]
struct KindReport<'a> {
    kind: Kind,
    count: usize,
    /// How many files have at least one.
    files: usize,
    /// Their share of all files, from 0 to 1.
    rate: f64,
    findings: Vec<&'a Finding>,
}

impl Audit {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let findings = files::audit(workplace)?;
        let report = report(&findings);
        match output.json {
            true => output.json(&report)?,
            false => self.print(&report, workplace, output)?,
        }
        if report.warnings > 0 {
            Err(Failure::Found)
        } else {
            Ok(())
        }
    }

    fn print(
        &self,
        report: &Report<'_>,
        workplace: &Workplace,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let directory = workplace.shown(workplace.store.memory_directory());
        if report.files == 0 && report.warnings == 0 {
            output.line(format!("There is nothing to audit in {directory}."))?;
            return Ok(());
        }
        let files = count(report.files, "file", "files");
        output.line(format!("{STRONG}{files}{STRONG:#} in {directory}\n"))?;
        let columns = widest(report.kinds.iter().map(|kind| kind.kind.title()));
        for kind in &report.kinds {
            output.line(headline(kind, report.files, columns))?;
            let shown = if self.all { usize::MAX } else { SHOWN };
            for finding in kind.findings.iter().take(shown) {
                output.line(place_and_fault(finding, output.width))?;
            }
            if let Some(more) = kind.count.checked_sub(shown).filter(|more| *more > 0) {
                output.line(format!("{INDENT}… and {} more (--all)", thousands(more)))?;
            }
            if kind.count > 0 {
                let remedy = wrapped(kind.kind.remedy(), INDENT.len(), output.width);
                output.line(format!("{INDENT}{FAINT}{remedy}{FAINT:#}"))?;
            }
        }
        let warnings = count(report.warnings, "warning", "warnings");
        let notes = count(report.notes, "note", "notes");
        Ok(output.line(format!("\n{warnings}, {notes}"))?)
    }
}

fn report(findings: &Findings) -> Report<'_> {
    let at = |level| {
        findings
            .all
            .iter()
            .filter(|finding| finding.level == level)
            .count()
    };
    let kinds = Kind::ALL.iter().map(|kind| {
        let of_kind: Vec<&Finding> = findings
            .all
            .iter()
            .filter(|finding| finding.kind == *kind)
            .collect();
        let mut paths: Vec<&str> = of_kind
            .iter()
            .map(|finding| finding.path.as_str())
            .collect();
        paths.sort_unstable();
        paths.dedup();
        KindReport {
            kind: *kind,
            count: of_kind.len(),
            files: paths.len(),
            rate: share(paths.len(), findings.files),
            findings: of_kind,
        }
    });
    Report {
        files: findings.files,
        warnings: at(Level::Warning),
        notes: at(Level::Note),
        kinds: kinds.collect(),
    }
}

fn share(part: usize, whole: usize) -> f64 {
    let whole = whole.max(1);
    #[expect(clippy::cast_precision_loss, reason = "counts of files are small")]
    let share = part as f64 / whole as f64;
    // Three digits are enough for a rate, and the same on every machine.
    (share * 1000.0).round() / 1000.0
}

fn headline(kind: &KindReport<'_>, files: usize, columns: usize) -> String {
    let level = kind.findings.iter().map(|finding| finding.level).max();
    let (style, mark) = match level {
        Some(Level::Warning) => (WARN, "warn"),
        Some(Level::Note) => (STRONG, "note"),
        None => (GOOD, "ok  "),
    };
    let mut line = format!("{style}{mark}{style:#}  ");
    push_padded(&mut line, kind.kind.title(), columns);
    line.push_str("  ");
    match kind.count {
        0 => line.push_str("none"),
        number => {
            let percent = ((kind.files * 200 + files) / (2 * files.max(1))).max(1);
            line.push_str(&format!(
                "{}, in {} of {} ({percent} %)",
                thousands(number),
                thousands(kind.files),
                count(files, "file", "files")
            ));
        }
    }
    line
}

fn place_and_fault(finding: &Finding, columns: Option<usize>) -> String {
    let mut place = one_line(&finding.path).into_owned();
    if let Some(line) = finding.line {
        place.push_str(&format!(":{line}"));
    }
    if let Some(column) = finding.column {
        place.push_str(&format!(":{column}"));
    }
    let indent = INDENT.len() + width(&place) + GAP.len();
    let what = wrapped(&one_line(&finding.what), indent, columns);
    format!("{INDENT}{STRONG}{place}{STRONG:#}{GAP}{what}")
}
