//! What the fault runs found, as a table and as a verdict.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::document;

/// How many broken promises are shown before the rest is only counted.
const SHOWN: usize = 10;

/// Figures by part, in the order in which they were found.
#[derive(Default)]
pub(super) struct Report {
    rows: Vec<Row>,
    violations: BTreeMap<String, usize>,
    part: &'static str,
    begun: Option<Instant>,
}

struct Row {
    part: &'static str,
    what: String,
    figure: String,
}

impl Report {
    pub(super) fn begin(&mut self, part: &'static str) {
        self.part = part;
        self.begun = Some(Instant::now());
    }

    pub(super) fn leave_out(&mut self, part: &'static str, reason: &str) {
        self.rows.push(Row {
            part,
            what: "left out".to_owned(),
            figure: reason.to_owned(),
        });
    }

    /// Notes a figure of the part that runs.
    pub(super) fn figure(&mut self, what: impl Into<String>, figure: impl ToString) {
        let (what, figure) = (what.into(), figure.to_string());
        let seconds = self.begun.map_or(0, |begun| begun.elapsed().as_secs());
        println!("  [{seconds:>4} s] {what}: {figure}");
        self.rows.push(Row {
            part: self.part,
            what,
            figure,
        });
    }

    /// Notes broken promises; the same one at many places counts each time.
    pub(super) fn violations(&mut self, found: impl IntoIterator<Item = String>) {
        for violation in found {
            let count = self.violations.entry(violation.clone()).or_default();
            *count += 1;
            if *count == 1 && self.violations.len() <= SHOWN {
                println!("  VIOLATION {violation}");
            }
        }
    }

    /// The figures of one part as a Markdown table.
    pub(super) fn table(&self, part: &str) -> String {
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .filter(|row| row.part == part)
            .map(|row| vec![row.what.clone(), row.figure.clone()])
            .collect();
        document::table(&[part, "figure"], &rows)
    }

    /// Fails when a promise was broken.
    pub(super) fn verdict(&self) -> Result<()> {
        if self.violations.is_empty() {
            return Ok(());
        }
        let total: usize = self.violations.values().sum();
        for (violation, count) in &self.violations {
            eprintln!("{count:>5} × {violation}");
        }
        bail!("{total} broken promise(s), listed above");
    }
}
