//! `memdir show`: one memory, whole, with nothing in it that could hide or steer the terminal.

use clap::Args;
use jiff::Timestamp;
use memdir_memory::{INDEX_NAME, MemoryPath, MemoryType, Source, Topic, age, hidden, index, links};
use memdir_store::{Error, Found, Memory, Scan};
use serde::Serialize;

use crate::clock::{Clock, modified};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG, WARN};
use crate::resolve;
use crate::table::{one_line, wrapped};
use crate::visible::visible;
use crate::workplace::Workplace;

/// One memory, whole
///
/// NAME is a path, a file name with or without `.md`, the name in the header, or the beginning of
/// one of these. `MEMORY.md` shows the index as an agent is shown it. Characters that nobody can see
/// are written out, as in <U+202E>; --raw prints the file as it is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir show feedback_never_push
  memdir show MEMORY.md
  memdir show --raw user_role > role.md

JSON: {path, name, description, type, source, modified, age_days, caveat, bytes, expires, expired, \
hidden, links, body}; `hidden` counts characters that nobody can see, `links` has {name, path}.")]
pub(crate) struct Show {
    /// Which memory
    name: String,
    /// The bytes of the file as they are
    #[arg(long)]
    raw: bool,
}

/// One memory as `--json` prints it.
#[derive(Serialize)]
struct Shown<'a> {
    path: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    r#type: Option<MemoryType>,
    source: Option<Source>,
    modified: Timestamp,
    age_days: u64,
    caveat: Option<String>,
    bytes: u64,
    expires: Option<jiff::civil::Date>,
    expired: bool,
    hidden: usize,
    links: Vec<Target<'a>>,
    body: &'a str,
}

/// Where a `[[link]]` leads.
#[derive(Serialize)]
struct Target<'a> {
    name: &'a str,
    /// `None`: nothing of that name exists, which is allowed.
    path: Option<&'a str>,
}

/// An index as `--json` prints it.
#[derive(Serialize)]
struct ShownIndex<'a> {
    path: &'a str,
    lines: usize,
    bytes: usize,
    max_lines: usize,
    max_bytes: usize,
    warning: Option<&'a str>,
    text: &'a str,
}

impl Show {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if let Some(path) = as_index(&self.name) {
            let found = read(workplace, &path)?;
            return match self.raw {
                true => Ok(output.raw(&found.bytes)?),
                false => show_index(&path, &found, output),
            };
        }
        let scan = workplace.store.scan()?;
        let memory = resolve::memory(&scan, &self.name)?;
        let found = read(workplace, &memory.path)?;
        if self.raw {
            return Ok(output.raw(&found.bytes)?);
        }
        let topic = Topic::from_bytes(found.bytes);
        match output.json {
            true => show_json(memory, &topic, &scan, output),
            false => show_text(memory, &topic, &scan, output),
        }
    }
}

/// `MEMORY.md` and `team/MEMORY.md`, in any case.
fn as_index(typed: &str) -> Option<MemoryPath> {
    let path = MemoryPath::new(typed).ok().filter(MemoryPath::is_index)?;
    let folder = path
        .folder()
        .map_or(String::new(), |folder| format!("{folder}/"));
    MemoryPath::new(&format!("{folder}{INDEX_NAME}")).ok()
}

fn read(workplace: &Workplace, path: &MemoryPath) -> Result<Found, Failure> {
    match workplace.store.read(path)? {
        Some(found) => Ok(found),
        None if path.is_index() => Err(Failure::new(
            format!("there is no {path} yet"),
            "the first `memdir remember` writes it; `memdir index --rebuild` makes it from the files",
        )),
        None => Err(Error::NotFound(path.clone()).into()),
    }
}

fn show_index(path: &MemoryPath, found: &Found, output: &mut Output) -> Result<(), Failure> {
    let loaded = index::load(&found.bytes);
    if output.json {
        return Ok(output.json(&ShownIndex {
            path: path.as_str(),
            lines: loaded.lines,
            bytes: loaded.bytes,
            max_lines: index::MAX_LINES,
            max_bytes: index::MAX_BYTES,
            warning: loaded.warning.as_deref(),
            text: &loaded.text,
        })?);
    }
    // Hidden text is taken out on the way to a prompt; here a person looks for it.
    output.line(visible(loaded.text.trim_end()))?;
    if let Some(warning) = &loaded.warning {
        output.line(format!(
            "\n{WARN}{}{WARN:#}",
            wrapped(warning, 0, output.width)
        ))?;
    }
    Ok(())
}

fn show_json(
    memory: &Memory,
    topic: &Topic,
    scan: &Scan,
    output: &mut Output,
) -> Result<(), Failure> {
    let clock = Clock::new();
    let header = topic.header();
    let body = topic.body_text();
    let days = clock.days(memory);
    Ok(output.json(&Shown {
        path: memory.path.as_str(),
        name: header.name.as_deref(),
        description: header.description.as_deref(),
        r#type: header.memory_type,
        source: header.source,
        modified: modified(memory),
        age_days: days,
        caveat: age::caveat(days),
        bytes: memory.stamp.size,
        expires: header.expires,
        expired: clock.is_expired(memory),
        hidden: hidden::find(&String::from_utf8_lossy(topic.bytes())).len(),
        links: targets(&body, scan),
        body: &body,
    })?)
}

fn show_text(
    memory: &Memory,
    topic: &Topic,
    scan: &Scan,
    output: &mut Output,
) -> Result<(), Failure> {
    let clock = Clock::new();
    let header = topic.header();
    let days = clock.days(memory);
    output.line(format!("{STRONG}{}{STRONG:#}", memory.path))?;
    let kind = header.memory_type.map_or("no type", MemoryType::as_str);
    let mut facts = vec![kind.to_owned(), age::describe(days)];
    facts.extend(header.source.map(|source| format!("from {source}")));
    if let Some(expires) = header.expires {
        facts.push(match clock.is_expired(memory) {
            true => format!("{WARN}expired {expires}{WARN:#}"),
            false => format!("until {expires}"),
        });
    }
    output.line(facts.join(", "))?;
    if let Some(description) = &header.description {
        output.line(wrapped(&one_line(description), 0, output.width))?;
    }
    if let Some(caveat) = age::caveat(days) {
        output.line(format!(
            "{FAINT}{}{FAINT:#}",
            wrapped(&caveat, 0, output.width)
        ))?;
    }
    let body = topic.body_text();
    if !body.trim_end().is_empty() {
        output.line(format!("\n{}", visible(body.trim_end())))?;
    }
    let targets = targets(&body, scan);
    if !targets.is_empty() {
        output.line("")?;
    }
    for target in targets {
        let name = one_line(target.name);
        output.line(match target.path {
            Some(path) => format!("[[{name}]] is {path}"),
            None => format!("{FAINT}[[{name}]] leads to nothing yet{FAINT:#}"),
        })?;
    }
    if let Some(notice) = hidden::clean(&String::from_utf8_lossy(topic.bytes())).notice() {
        output.flush()?;
        output.warn(format!("{} has hidden text: {notice}", memory.path));
    }
    Ok(())
}

/// Each link once, in the order of the body.
fn targets<'a>(body: &'a str, scan: &'a Scan) -> Vec<Target<'a>> {
    let mut targets: Vec<Target<'a>> = Vec::new();
    for link in links(body) {
        if targets.iter().all(|target| target.name != link.name) {
            let path = linked(scan, link.name).map(|memory| memory.path.as_str());
            targets.push(Target {
                name: link.name,
                path,
            });
        }
    }
    targets
}

/// The memory that a link means: by its name, or by its file.
pub(crate) fn linked<'a>(scan: &'a Scan, name: &str) -> Option<&'a Memory> {
    let by_name = |memory: &&Memory| memory.header.name.as_deref() == Some(name);
    let by_file = |memory: &&Memory| memory.path.stem() == name || memory.path.as_str() == name;
    scan.memories
        .iter()
        .find(by_name)
        .or_else(|| scan.memories.iter().find(by_file))
}
