//! `memdir list`: the memories, newest first.
//!
//! The command that people and scripts run most, so that it does nothing twice: one scan, one write, and the local
//! calendar only where a memory has an end.

use std::collections::HashSet;
use std::path::Path;

use clap::{Args, ValueEnum};
use jiff::{Timestamp, civil::Date};
use memdir_memory::{MemoryType, Source, age};
use memdir_recall::ConversationRecords;
use memdir_store::{Memory, Skipped};
use serde::Serialize;

use crate::arguments::memory_type;
use crate::clock::{Clock, modified};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG, WARN};
use crate::table::{GAP, cut, one_line, push_padded, widest, width};
use crate::workplace::Workplace;

/// A description with less room than this goes on a line of its own.
const LEAST_DESCRIPTION: usize = 24;
/// How many skipped files are named before the rest is counted.
const SKIPPED_SHOWN: usize = 10;

/// The memories, newest first
///
/// A memory has a path, a type, an age and a one-line description. WORDS keep those that have all
/// of them in path, name or description; `memdir show` prints a memory whole.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir list
  memdir list --type feedback
  memdir list deploy friday
  memdir list --unused

JSON: an array of {path, name, description, type, source, modified, age_days, bytes, expires, \
expired}; what is unknown is null.")]
pub(crate) struct List {
    /// Only memories with all of these words
    words: Vec<String>,
    /// Only memories of this type
    #[arg(long = "type", value_name = "TYPE", value_parser = memory_type())]
    kind: Option<MemoryType>,
    /// Only memories that no conversation was given and nobody has read since they were written
    #[arg(long)]
    unused: bool,
    /// Only memories whose time is over
    #[arg(long)]
    expired: bool,
    /// What comes first
    #[arg(long, value_name = "ORDER", default_value = "newest")]
    sort: Order,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Order {
    /// The newest first
    Newest,
    /// By path
    Path,
    /// The largest first
    Size,
}

/// One memory as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    r#type: Option<MemoryType>,
    source: Option<Source>,
    modified: Timestamp,
    age_days: u64,
    bytes: u64,
    expires: Option<Date>,
    expired: bool,
}

impl<'a> Row<'a> {
    fn new(memory: &'a Memory, clock: &Clock) -> Row<'a> {
        let header = &memory.header;
        Row {
            path: memory.path.as_str(),
            name: header.name.as_deref(),
            description: header.description.as_deref(),
            r#type: header.memory_type,
            source: header.source,
            modified: modified(memory),
            age_days: clock.days(memory),
            bytes: memory.stamp.size,
            expires: header.expires,
            expired: clock.is_expired(memory),
        }
    }
}

impl List {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let used = match self.unused {
            true => Some(Used::of(workplace)?),
            false => None,
        };
        let mut scan = workplace.store.scan()?;
        let clock = Clock::new();
        let is_empty = scan.memories.is_empty();
        let words: Vec<String> = self.words.iter().map(|word| word.to_lowercase()).collect();
        scan.memories
            .retain(|memory| self.wants(memory, &words, &clock, used.as_ref()));
        match self.sort {
            Order::Newest => {}
            Order::Path => scan
                .memories
                .sort_by(|one, other| one.path.cmp(&other.path)),
            Order::Size => {
                scan.memories
                    .sort_by_key(|memory| std::cmp::Reverse(memory.stamp.size));
            }
        }
        if output.json {
            let rows: Vec<Row<'_>> = scan
                .memories
                .iter()
                .map(|memory| Row::new(memory, &clock))
                .collect();
            output.json(&rows)?;
        } else if !scan.memories.is_empty() {
            print(&scan.memories, &clock, output)?;
        } else if is_empty {
            output.line(nothing_yet(workplace))?;
        } else {
            let list = workplace.command("list");
            output.line(format!("No memory is like that. {list} shows all of them."))?;
        }
        warn_of_skipped(output, &scan.skipped)
    }

    fn wants(
        &self,
        memory: &Memory,
        words: &[String],
        clock: &Clock,
        used: Option<&Used<'_>>,
    ) -> bool {
        self.kind
            .is_none_or(|kind| memory.header.memory_type == Some(kind))
            && (!self.expired || clock.is_expired(memory))
            && used.is_none_or(|used| !used.has(memory))
            && (words.is_empty() || has_words(memory, words))
    }
}

fn has_words(memory: &Memory, words: &[String]) -> bool {
    let header = &memory.header;
    let texts = [
        Some(memory.path.as_str()),
        header.name.as_deref(),
        header.description.as_deref(),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().map(str::to_lowercase).collect();
    words
        .iter()
        .all(|word| texts.iter().any(|text| text.contains(word.as_str())))
}

/// What a newcomer reads.
pub(crate) fn nothing_yet(workplace: &Workplace) -> String {
    let (where_it_is, flag) = match workplace.everywhere {
        true => ("for all your projects", " --everywhere"),
        false => ("here", ""),
    };
    format!(
        "No memories {where_it_is} yet. Begin with:\n  memdir remember \"Never push to main on a Friday\"{flag}"
    )
}

/// What is known about who used which memory.
struct Used<'a> {
    directory: &'a Path,
    /// What conversations were given or read by themselves, by path.
    in_conversations: HashSet<String>,
    /// Whether the file system keeps when a file was read. Not all do.
    has_access_times: bool,
}

impl<'a> Used<'a> {
    fn of(workplace: &'a Workplace) -> Result<Used<'a>, Failure> {
        let directory = workplace.store.memory_directory();
        let records = ConversationRecords::new(workplace.store.state_directory());
        let mut in_conversations = HashSet::new();
        for (_, conversation) in records.all()? {
            in_conversations.extend(conversation.known().map(str::to_owned));
            // What a compaction took out was used all the same.
            let given = conversation.turns().iter().flat_map(|turn| &turn.given);
            in_conversations.extend(given.map(|given| given.path.clone()));
        }
        let keeps_none = rustix::fs::statvfs(directory).is_ok_and(|system| {
            let flags = system.f_flag;
            flags.contains(rustix::fs::StatVfsMountFlags::NOATIME)
        });
        Ok(Used {
            directory,
            in_conversations,
            has_access_times: !keeps_none,
        })
    }

    fn has(&self, memory: &Memory) -> bool {
        let path = self.directory.join(memory.path.as_str());
        let is_read = self.has_access_times && memory.accessed > memory.stamp.mtime;
        is_read || self.in_conversations.contains(&*path.to_string_lossy())
    }
}

/// Names the files that were passed over, with the reason, on standard error and after the answer.
pub(crate) fn warn_of_skipped(output: &mut Output, skipped: &[Skipped]) -> Result<(), Failure> {
    if skipped.is_empty() {
        return Ok(());
    }
    output.flush()?;
    for one in skipped.iter().take(SKIPPED_SHOWN) {
        let path = one.path.to_string_lossy();
        output.warn(format!(
            "{} was passed over: {}",
            one_line(&path),
            one_line(&one.reason)
        ));
    }
    if let Some(more) = skipped
        .len()
        .checked_sub(SKIPPED_SHOWN)
        .filter(|more| *more > 0)
    {
        output.warn(format!(
            "{more} more files were passed over; `memdir doctor` has all"
        ));
    }
    Ok(())
}

/// The texts of one row, and how wide the first three are at most.
#[derive(Default)]
struct Columns {
    path: usize,
    kind: usize,
    age: usize,
}

fn print(memories: &[Memory], clock: &Clock, output: &mut Output) -> Result<(), Failure> {
    let ages: Vec<String> = memories
        .iter()
        .map(|memory| age::describe(clock.days(memory)))
        .collect();
    let columns = Columns {
        path: widest(memories.iter().map(|memory| memory.path.as_str())),
        kind: widest(memories.iter().map(kind)),
        age: widest(ages.iter().map(String::as_str)),
    };
    let before = columns.path + columns.kind + columns.age + 3 * GAP.len();
    let stacked = output
        .width
        .is_some_and(|width| width < before + LEAST_DESCRIPTION);
    for (memory, age) in memories.iter().zip(&ages) {
        let mut row = first_columns(memory, age, &columns, output.width.filter(|_| stacked));
        let room = output
            .width
            .map(|width| width.saturating_sub(if stacked { GAP.len() } else { before }));
        row.push_str(if stacked { "\n" } else { "" });
        row.push_str(GAP);
        push_description(&mut row, memory, clock, room.unwrap_or(usize::MAX));
        output.line(row)?;
    }
    Ok(())
}

/// Path, type and age; where they stand on a line of their own, cut to fit it.
fn first_columns(memory: &Memory, age: &str, columns: &Columns, width: Option<usize>) -> String {
    let rest = columns.kind + columns.age + 2 * GAP.len();
    let room = width.map_or(columns.path, |width| {
        columns.path.min(width.saturating_sub(rest).max(12))
    });
    let mut row = format!("{STRONG}");
    push_padded(&mut row, &cut(memory.path.as_str(), room), room);
    row.push_str(&format!("{STRONG:#}{GAP}"));
    push_padded(&mut row, kind(memory), columns.kind);
    row.push_str(&format!("{GAP}{FAINT}"));
    push_padded(&mut row, age, if width.is_some() { 0 } else { columns.age });
    row.push_str(&format!("{FAINT:#}"));
    row
}

fn push_description(row: &mut String, memory: &Memory, clock: &Clock, room: usize) {
    let mut room = room;
    if clock.is_expired(memory)
        && let Some(expires) = memory.header.expires
    {
        let mark = format!("[expired {expires}]");
        room = room.saturating_sub(width(&mark) + 1);
        row.push_str(&format!("{WARN}{mark}{WARN:#} "));
    }
    match &memory.header.description {
        Some(description) => row.push_str(&cut(&one_line(description), room)),
        None => row.push_str(&format!(
            "{FAINT}{}{FAINT:#}",
            cut("(no description)", room)
        )),
    }
}

fn kind(memory: &Memory) -> &'static str {
    memory.header.memory_type.map_or("-", MemoryType::as_str)
}
