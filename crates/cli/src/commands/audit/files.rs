//! Looks at every file.

use std::collections::HashSet;
use std::path::Path;

use memdir_memory::index::IndexProblem;
use memdir_memory::{
    MemoryPath, MemoryType, Topic, TopicProblem, hidden, links, private_spans, secrets, words,
};
use memdir_store::{Error, IndexCheck, Memory, Scan, Skipped};

use super::copies::{self, Copies};
use super::findings::{Findings, Kind, Level};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::table::{count, thousands};
use crate::workplace::Workplace;

/// What recall shows of a memory at most.
const RECALL_BYTES: usize = 4096;
const RECALL_LINES: usize = 200;
/// More than any memory should have.
const LARGE_BYTES: usize = 40 * 1024;
/// From this age on a memory may no longer hold.
const STALE_DAYS: u64 = 90;
const STALE_PROJECT_DAYS: u64 = 30;

/// Everything that is wrong with the memories and the index.
pub(super) fn audit(workplace: &Workplace) -> Result<Findings, Failure> {
    let store = &workplace.store;
    let scan = store.scan()?;
    let checks = store.check_indexes(&scan)?;
    let clock = Clock::new();
    let mut findings = Findings::default();
    for check in &checks {
        audit_index(workplace, check, &mut findings)?;
    }
    for skipped in &scan.skipped {
        let path = skipped.path.to_string_lossy();
        findings.files += 1;
        findings.warn(Kind::Unreadable, &path, None, &skipped.reason);
    }
    let names = Names::of(&scan);
    let mut compared = Vec::new();
    let mut copies = Copies::default();
    let mut progress = Progress::of("audited", scan.memories.len(), "files");
    for (done, memory) in scan.memories.iter().enumerate() {
        progress.at(done);
        audit_age(memory, &clock, &mut findings);
        findings.files += 1;
        let Some(topic) = read(workplace, &memory.path, &mut findings)? else {
            continue;
        };
        audit_topic(memory, &topic, &names, &mut findings);
        copies.add(&statement(&topic));
        compared.push(memory);
    }
    drop(progress);
    audit_other_files(workplace, &scan, &checks, &mut findings)?;
    audit_copies(workplace, copies, &compared, &mut findings)?;
    Ok(findings)
}

/// Daily logs, and whatever else is neither a topic nor an index that is checked: what must not be there can be in
/// any of them.
fn audit_other_files(
    workplace: &Workplace,
    scan: &Scan,
    checks: &[IndexCheck],
    findings: &mut Findings,
) -> Result<(), Failure> {
    let topics = scan.memories.iter().map(|memory| &memory.path);
    let seen: HashSet<&MemoryPath> = topics
        .chain(checks.iter().map(|check| &check.path))
        .collect();
    for path in workplace
        .store
        .files()?
        .iter()
        .filter(|path| !seen.contains(path))
    {
        // What the scan could not read is a finding already.
        let skipped = |skipped: &Skipped| skipped.path == Path::new(path.as_str());
        if scan.skipped.iter().any(skipped) {
            continue;
        }
        if let Some(topic) = read(workplace, path, findings)? {
            findings.files += 1;
            let text = String::from_utf8_lossy(topic.bytes());
            audit_text(path.as_str(), &text, findings);
        }
    }
    Ok(())
}

/// Reads a file; one that cannot be read is a finding, one that is gone meanwhile is nothing.
fn read(
    workplace: &Workplace,
    path: &MemoryPath,
    findings: &mut Findings,
) -> Result<Option<Topic>, Failure> {
    match workplace.store.read(path) {
        Ok(found) => Ok(found.map(|found| Topic::from_bytes(found.bytes))),
        Err(error @ (Error::Io { .. } | Error::NotPlain { .. } | Error::TooLarge { .. })) => {
            findings.warn(Kind::Unreadable, path.as_str(), None, error);
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// What a memory says, for comparing.
fn statement(topic: &Topic) -> String {
    let description = topic.header().description.as_deref().unwrap_or_default();
    format!("{description}\n{}", topic.body_text())
}

fn audit_index(
    workplace: &Workplace,
    check: &IndexCheck,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let path = check.path.as_str();
    for (line, target) in &check.dead {
        findings.warn(
            Kind::Index,
            path,
            Some(*line),
            format!("leads to {target}, which is not there"),
        );
    }
    for missing in &check.missing {
        findings.warn(
            Kind::Index,
            missing.as_str(),
            None,
            format!("has no line in {path}"),
        );
    }
    for problem in &check.problems {
        let (level, line) = match problem {
            IndexProblem::LongLine { line, .. } => (Level::Note, Some(*line)),
            IndexProblem::SameTarget { line, .. }
            | IndexProblem::BadTarget { line, .. }
            | IndexProblem::NotText { line } => (Level::Warning, Some(*line)),
            _ => (Level::Warning, None),
        };
        findings.add(Kind::Index, level, path, line, problem);
    }
    let found = match check.exists {
        true => workplace.store.read(&check.path)?,
        false => None,
    };
    if let Some(found) = found {
        findings.files += 1;
        audit_text(path, &String::from_utf8_lossy(&found.bytes), findings);
    }
    Ok(())
}

/// Secrets and hidden text, which can be in any file.
fn audit_text(path: &str, text: &str, findings: &mut Findings) {
    for finding in secrets::scan(text) {
        let what = format!("{}: {}", finding.rule.id, finding.rule.description);
        findings.warn(Kind::Secret, path, Some(finding.line), what);
    }
    for span in private_spans(text) {
        let before = text.get(..span.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        findings.warn(Kind::Hidden, path, Some(line), "words marked <private>");
    }
    let hidden = hidden::find(text);
    for run in hidden.chunk_by(|one, next| {
        one.kind == next.kind && one.line == next.line && one.column + 1 == next.column
    }) {
        let Some(first) = run.first() else { continue };
        let name = first.kind.name();
        let what = count(run.len(), name, &format!("{name}s"));
        findings.warn(Kind::Hidden, path, Some(first.line), what);
        if let Some(added) = findings.all.last_mut() {
            added.column = Some(first.column);
        }
    }
}

fn audit_topic(memory: &Memory, topic: &Topic, names: &Names<'_>, findings: &mut Findings) {
    let path = memory.path.as_str();
    let text = String::from_utf8_lossy(topic.bytes());
    audit_text(path, &text, findings);
    for problem in topic.problems() {
        let (level, line) = match problem {
            TopicProblem::NoName | TopicProblem::NoType | TopicProblem::UnknownType => {
                (Level::Note, None)
            }
            TopicProblem::NotText { line } | TopicProblem::Nul { line } => {
                (Level::Warning, Some(line))
            }
            _ => (Level::Warning, None),
        };
        findings.add(Kind::Header, level, path, line, problem);
    }
    audit_size(path, &text, findings);
    if let Some(source) = topic
        .header()
        .source
        .filter(|source| !source.may_instruct())
    {
        findings.note(Kind::Origin, path, None, format!("from {source}"));
    }
    // Lines of a link count from the body; a person counts from the top of the file.
    let body = topic.body_text();
    let above = topic.bytes().len() - topic.body().len();
    let above = topic
        .bytes()
        .iter()
        .take(above)
        .filter(|byte| **byte == b'\n')
        .count();
    for link in links(&body).iter().filter(|link| !names.has(link.name)) {
        let what = format!("[[{}]] leads to nothing", link.name);
        findings.note(Kind::Link, path, Some(above + link.line), what);
    }
}

fn audit_size(path: &str, text: &str, findings: &mut Findings) {
    let (bytes, lines) = (text.len(), text.lines().count());
    if bytes > LARGE_BYTES {
        findings.warn(
            Kind::Large,
            path,
            None,
            format!("{} bytes", thousands(bytes)),
        );
    } else if bytes > RECALL_BYTES || lines > RECALL_LINES {
        let what = format!(
            "{} bytes, {}",
            thousands(bytes),
            count(lines, "line", "lines")
        );
        findings.note(Kind::Cut, path, None, what);
    }
}

fn audit_age(memory: &Memory, clock: &Clock, findings: &mut Findings) {
    let path = memory.path.as_str();
    if let Some(expires) = memory.header.expires.filter(|_| clock.is_expired(memory)) {
        findings.warn(Kind::Expired, path, None, format!("expired {expires}"));
        return;
    }
    let days = clock.days(memory);
    let limit = match memory.header.memory_type {
        Some(MemoryType::Project) => STALE_PROJECT_DAYS,
        _ => STALE_DAYS,
    };
    if days >= limit {
        findings.note(Kind::Stale, path, None, format!("{days} days old"));
    }
}

fn audit_copies(
    workplace: &Workplace,
    copies: Copies,
    compared: &[&Memory],
    findings: &mut Findings,
) -> Result<(), Failure> {
    let mut found = copies.find();
    copies::nearest_first(&mut found);
    for copy in found {
        let (Some(memory), Some(like)) = (compared.get(copy.text), compared.get(copy.like)) else {
            continue;
        };
        // Read again rather than kept: near-copies are few, and memories may be many.
        let texts = [&memory.path, &like.path].map(|path| workplace.store.read(path));
        let [Ok(Some(one)), Ok(Some(other))] = texts else {
            continue;
        };
        let (one, other) = (Topic::from_bytes(one.bytes), Topic::from_bytes(other.bytes));
        let denies = words::negation_differs(&statement(&one), &statement(&other));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a percentage"
        )]
        let percent = (copy.similarity * 100.0).floor() as u32;
        let mut what = format!("{percent} % like {}", like.path);
        if denies {
            what.push_str(", but one seems to deny what the other says");
        }
        findings.warn(Kind::NearCopy, memory.path.as_str(), None, what);
    }
    Ok(())
}

/// Everything that a link may name.
struct Names<'a>(HashSet<&'a str>);

impl<'a> Names<'a> {
    fn of(scan: &'a Scan) -> Names<'a> {
        let names = scan.memories.iter().flat_map(|memory| {
            let own = [memory.path.as_str(), memory.path.stem()];
            own.into_iter().chain(memory.header.name.as_deref())
        });
        Names(names.collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
