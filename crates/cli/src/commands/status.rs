//! `memdir status`: how the memory of a project is doing.

use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use memdir_memory::{INDEX_NAME, MemoryPath, MemoryType, index};
use memdir_settings::Origin;
use memdir_store::{Author, Error, History, Outside, Scan, Sweep};
use serde::Serialize;

use crate::background;
use crate::clock::Clock;
use crate::commands::config::shown_origin;
use crate::commands::list::{nothing_yet, warn_of_skipped};
use crate::failure::Failure;
use crate::finding::being_built;
use crate::moment;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::remarks;
use crate::table::{self, count, thousands};
use crate::workplace::Workplace;

/// How many columns the bar beside the index has.
const BAR: usize = 10;
/// How many files are named before the rest is counted.
const NAMED: usize = 5;

/// How the memory of this project is doing
///
/// Where it is and whether it is on, how many memories there are, whether the index fits and agrees
/// with the files, who changed something last, and what changed behind memdir's back since it last
/// looked: that goes into the history now.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir status
  memdir status --short        12 memories, index 14/200

JSON: {directory, exists, project, enabled, reason, memories: {total, user, feedback, project, \
reference, untyped, expired}, index, last_change, outside, settings, warnings}, of settings those \
that somebody set, as {key, value, origin}; with --short: {enabled, \
memories, index_lines, index_max_lines}.")]
pub(crate) struct Status {
    /// One line, quickly, for a status line: nothing is recorded
    #[arg(long)]
    short: bool,
}

#[derive(Serialize)]
struct Report {
    directory: PathBuf,
    exists: bool,
    project: PathBuf,
    enabled: bool,
    reason: String,
    memories: Counts,
    index: Option<IndexState>,
    last_change: Option<LastChange>,
    outside: Vec<OutsideChange>,
    settings: Vec<SetValue>,
    warnings: Vec<String>,
}

#[derive(Serialize, Default)]
struct Counts {
    total: usize,
    user: usize,
    feedback: usize,
    project: usize,
    reference: usize,
    untyped: usize,
    expired: usize,
}

#[derive(Serialize)]
struct IndexState {
    exists: bool,
    lines: usize,
    max_lines: usize,
    bytes: usize,
    max_bytes: usize,
    /// Lines that lead to no file.
    dead: usize,
    /// Memories without a line.
    missing: usize,
}

#[derive(Serialize)]
struct LastChange {
    operation: u64,
    at: Timestamp,
    who: Author,
    what: String,
}

#[derive(Serialize)]
struct OutsideChange {
    path: MemoryPath,
    change: &'static str,
}

/// A setting that is not as it is built in.
#[derive(Serialize)]
struct SetValue {
    key: &'static str,
    value: String,
    origin: String,
}

#[derive(Serialize)]
struct Short {
    enabled: bool,
    memories: usize,
    index_lines: usize,
    index_max_lines: usize,
}

impl Status {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if self.short {
            return short(workplace, output);
        }
        let mut warnings = remarks::all(workplace);
        warnings.extend(remarks::about_instructions(workplace));
        let sweep = workplace.store.sweep().unwrap_or_else(|error| {
            warnings.push(format!("what changed outside was not recorded: {error}"));
            Sweep::default()
        });
        background::tell_of_outside(workplace, &sweep);
        let index = MemoryPath::new(INDEX_NAME).map_err(Error::from)?;
        let found = workplace.store.read(&index).ok().flatten();
        let is_cut = found.is_some_and(|found| found.is_cut());
        let indexes = sweep.skipped.iter().filter(|skipped| {
            skipped.unread
                && skipped
                    .path
                    .file_name()
                    .is_some_and(|name| name == INDEX_NAME)
        });
        warnings.extend(indexes.map(|skipped| {
            let reason = &skipped.reason;
            match is_cut {
                true => {
                    format!("{reason}; its beginning counts, and `memdir index --rebuild` mends it")
                }
                false => reason.clone(),
            }
        }));
        // Recall learns here of what was overwritten in place; where it cannot, it says so itself when asked.
        let finder = workplace.finder();
        let recall = finder.built();
        // What is missing altogether the background reads, not whoever wants to know how it is.
        if recall.is_some_and(|built| built.pending == 0) {
            let _ = finder.sweep();
        }
        let scan = workplace.store.scan()?;
        if let Some(built) = recall.filter(|built| built.pending > 0) {
            warnings.push(being_built(built.memories, built.pending));
        }
        let report = gather(workplace, &scan, &sweep, warnings)?;
        if output.json {
            return Ok(output.json(&report)?);
        }
        print(&report, workplace, output)?;
        output.flush()?;
        warn_of_skipped(output, &scan.skipped)?;
        for warning in &report.warnings {
            output.warn(warning);
        }
        Ok(())
    }
}

fn short(workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    let memories = workplace.store.scan()?.memories.len();
    let loaded = index::load(&read_index(workplace)?.unwrap_or_default());
    let enabled = workplace.places.memory.enabled;
    if output.json {
        return Ok(output.json(&Short {
            enabled,
            memories,
            index_lines: loaded.lines,
            index_max_lines: index::MAX_LINES,
        })?);
    }
    let off = if enabled { "" } else { "memory off, " };
    let memories = count(memories, "memory", "memories");
    Ok(output.line(format!(
        "{off}{memories}, index {}/{}",
        loaded.lines,
        index::MAX_LINES
    ))?)
}

fn read_index(workplace: &Workplace) -> Result<Option<Vec<u8>>, Error> {
    let found = workplace.store.read(&MemoryPath::new(INDEX_NAME)?)?;
    Ok(found.map(|found| found.bytes))
}

fn gather(
    workplace: &Workplace,
    scan: &Scan,
    sweep: &Sweep,
    mut warnings: Vec<String>,
) -> Result<Report, Failure> {
    let places = &workplace.places;
    let clock = Clock::new();
    let memories = counts(scan, &clock);
    for root in remarks::other_roots(workplace) {
        warnings.push(remarks::about_other_root(workplace, &root));
    }
    if sweep.orphans > 0 {
        let removed = count(sweep.orphans, "leftover file is", "leftover files are");
        warnings.push(format!("a command was killed earlier; {removed} removed"));
    }
    if memories.expired > 0 {
        let expired = count(memories.expired, "memory has", "memories have");
        let list = workplace.command("list --expired");
        warnings.push(format!("{expired} expired: {list}"));
    }
    let stands = |read: &History| read.operations.iter().any(|one| !one.failed);
    let last_change = match workplace.store.history_until(stands) {
        Ok(history) => {
            let damaged = sweep.damaged.max(history.damaged);
            if damaged > 0 {
                let lines = count(damaged, "line", "lines");
                let doctor = workplace.command("doctor");
                warnings.push(format!("{lines} of the history cannot be read: {doctor}"));
            }
            history
                .operations
                .iter()
                .rev()
                .find(|operation| !operation.failed)
                .map(|operation| LastChange {
                    operation: operation.id,
                    at: operation.at,
                    who: operation.reason.who,
                    what: operation.reason.what.clone(),
                })
        }
        Err(error) => {
            let told = error.to_string();
            // What stops the sweep mostly stops this as well.
            if warnings.iter().all(|warning| !warning.ends_with(&told)) {
                warnings.push(format!("the history cannot be read: {told}"));
            }
            None
        }
    };
    let outside = sweep.outside.iter().map(|(path, change)| OutsideChange {
        path: path.clone(),
        change: match change {
            Outside::Added => "added",
            Outside::Changed => "changed",
            Outside::Removed => "removed",
        },
    });
    Ok(Report {
        directory: workplace.store.memory_directory().to_path_buf(),
        exists: workplace.store.memory_directory().is_dir(),
        project: places.project.root.clone(),
        enabled: places.memory.enabled,
        reason: places.memory.reason.to_string(),
        index: index_state(workplace, scan)?,
        memories,
        last_change,
        outside: outside.collect(),
        settings: set_values(workplace),
        warnings,
    })
}

fn set_values(workplace: &Workplace) -> Vec<SetValue> {
    let values = workplace.places.settings.values().iter();
    let set = values.filter(|sourced| sourced.origin != Origin::BuiltIn);
    set.map(|sourced| SetValue {
        key: sourced.key.name,
        value: sourced.value.to_string(),
        origin: shown_origin(workplace, &sourced.origin),
    })
    .collect()
}

fn counts(scan: &Scan, clock: &Clock) -> Counts {
    let mut counts = Counts {
        total: scan.memories.len(),
        ..Counts::default()
    };
    for memory in &scan.memories {
        *match memory.header.memory_type {
            Some(MemoryType::User) => &mut counts.user,
            Some(MemoryType::Feedback) => &mut counts.feedback,
            Some(MemoryType::Project) => &mut counts.project,
            Some(MemoryType::Reference) => &mut counts.reference,
            None => &mut counts.untyped,
        } += 1;
        counts.expired += usize::from(clock.is_expired(memory));
    }
    counts
}

/// The index against its limits and the files; `None` where there is nothing to index.
fn index_state(workplace: &Workplace, scan: &Scan) -> Result<Option<IndexState>, Failure> {
    let content = read_index(workplace)?;
    if content.is_none() && scan.memories.is_empty() {
        return Ok(None);
    }
    let checks = workplace.store.check_indexes(scan)?;
    let loaded = index::load(content.as_deref().unwrap_or_default());
    Ok(Some(IndexState {
        exists: content.is_some(),
        lines: loaded.lines,
        max_lines: index::MAX_LINES,
        bytes: loaded.bytes,
        max_bytes: index::MAX_BYTES,
        dead: checks.iter().map(|check| check.dead.len()).sum(),
        missing: checks.iter().map(|check| check.missing.len()).sum(),
    }))
}

fn print(report: &Report, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
    output.line(headline(report, workplace))?;
    let mut rows = vec![("directory", workplace.shown(&report.directory))];
    if report.memories.total > 0 {
        rows.push(("memories", memories_text(&report.memories)));
    }
    if let Some(index) = &report.index {
        rows.push(("index", index_text(index)));
        rows.push(("", agreement_text(index, workplace)));
    }
    if let Some(last) = &report.last_change {
        rows.push(("last change", last_text(last)));
    }
    if !report.outside.is_empty() {
        rows.push(("outside", outside_text(&report.outside)));
    }
    for (at, set) in report.settings.iter().enumerate() {
        let name = if at == 0 { "settings" } else { "" };
        let SetValue { key, value, origin } = set;
        rows.push((name, format!("{key} = {value} {FAINT}({origin}){FAINT:#}")));
    }
    for row in table::pairs(&rows) {
        output.line(row)?;
    }
    if report.memories.total == 0 {
        output.line(format!("\n{}", nothing_yet(workplace)))?;
    }
    Ok(())
}

fn headline(report: &Report, workplace: &Workplace) -> String {
    if workplace.everywhere {
        return format!("{STRONG}Memory for all your projects{STRONG:#}");
    }
    let project = workplace.shown(&report.project);
    match (report.enabled, report.reason.as_str()) {
        (true, "built-in") => format!("{STRONG}Memory of {project} is {GOOD}on{GOOD:#}{STRONG:#}"),
        (true, reason) => {
            format!("{STRONG}Memory of {project} is {GOOD}on{GOOD:#}{STRONG:#} (by {reason})")
        }
        (false, reason) => format!(
            "{STRONG}Memory of {project} is {WARN}off{WARN:#}{STRONG:#} (by {reason}): agents do not \
             see it, commands still work"
        ),
    }
}

fn memories_text(counts: &Counts) -> String {
    let kinds = [
        (counts.user, "user"),
        (counts.feedback, "feedback"),
        (counts.project, "project"),
        (counts.reference, "reference"),
        (counts.untyped, "without a type"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, kind)| format!("{} {kind}", thousands(*number)))
        .collect();
    format!("{} ({})", thousands(counts.total), kinds.join(", "))
}

fn index_text(index: &IndexState) -> String {
    let lines = index.lines * BAR / index.max_lines;
    let bytes = index.bytes * BAR / index.max_bytes;
    let full = lines.max(bytes).min(BAR);
    let style = match index.lines > index.max_lines || index.bytes > index.max_bytes {
        true => BAD,
        false if full >= BAR * 8 / 10 => WARN,
        false => GOOD,
    };
    format!(
        "{} of {} lines, {} of {} bytes {style}[{}{}]{style:#}",
        index.lines,
        index.max_lines,
        thousands(index.bytes),
        thousands(index.max_bytes),
        "#".repeat(full),
        "-".repeat(BAR - full),
    )
}

fn agreement_text(index: &IndexState, workplace: &Workplace) -> String {
    let over = match index.lines > index.max_lines || index.bytes > index.max_bytes {
        true => format!("{WARN}agents see only the beginning of it{WARN:#}; "),
        false => String::new(),
    };
    if index.dead == 0 && index.missing == 0 {
        return format!("{over}agrees with the files");
    }
    let mut parts = Vec::new();
    if index.missing > 0 {
        parts.push(count(
            index.missing,
            "memory has no line",
            "memories have no line",
        ));
    }
    if index.dead > 0 {
        parts.push(count(
            index.dead,
            "line leads nowhere",
            "lines lead nowhere",
        ));
    }
    let disagrees = parts.join(", ");
    let rebuild = workplace.command("index --rebuild");
    format!("{over}{WARN}{disagrees}{WARN:#}: {rebuild} mends it")
}

fn last_text(last: &LastChange) -> String {
    let at = moment::shown(last.at);
    match last.who {
        // What happened behind our back says so itself.
        Author::Outside => format!("#{} {}, {at}", last.operation, last.what),
        who => format!("#{} {} by {who}, {at}", last.operation, last.what),
    }
}

fn outside_text(outside: &[OutsideChange]) -> String {
    let named = outside.iter().take(NAMED);
    let mut texts: Vec<String> = named
        .map(|change| format!("{} {}", change.path, change.change))
        .collect();
    if let Some(more) = outside.len().checked_sub(NAMED).filter(|more| *more > 0) {
        texts.push(format!("{} more", thousands(more)));
    }
    format!("{} {FAINT}(now in the history){FAINT:#}", texts.join(", "))
}
