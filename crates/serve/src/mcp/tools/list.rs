//! `list`: what there is, newest first.

use memdir_memory::{MemoryType, manifest_line};
use memdir_store::Memory;
use serde::Deserialize;
use serde_json::json;

use super::read::INBOX;
use super::{Definition, arguments, schema};
use crate::mcp::people::{count, from_whom};
use crate::mcp::refusal::Refusal;
use crate::mcp::room::Room;
use crate::mcp::shown::{Word, in_line};

const LIMIT: usize = 100;
const MOST: usize = 500;
/// So much of what waits is named.
const WAITING: usize = 20;

pub(super) const TOOL: Definition = Definition {
    name: "list",
    title: "List memories",
    description: "List the memories of this project, newest first, one line each. With `words` only those whose name or description has \
                  all of them.",
    reads: true,
    destroys: false,
    once: true,
    schema: || {
        schema(
            json!({
                "words": {"type": "string", "description": "Words that must stand in the name or the description"},
                "type": {"type": "string", "enum": MemoryType::ALL.map(MemoryType::as_str)},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "description": "At most so many; 100 by default"},
                "offset": {"type": "integer", "minimum": 0, "description": "How many to pass over, for the next page"},
            }),
            &[],
        )
    },
    run: |room, given| told(room, &arguments(given)?),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    words: Option<String>,
    r#type: Option<MemoryType>,
    limit: Option<usize>,
    offset: Option<usize>,
}

fn told(room: &Room, wanted: &Arguments) -> Result<String, Refusal> {
    let scan = room.store().scan()?;
    let words = wanted.words.as_deref().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    let fitting = scan.memories.iter().filter(|memory| {
        let of_type = wanted
            .r#type
            .is_none_or(|kind| memory.header.memory_type == Some(kind));
        of_type && has(memory, &words)
    });
    let fitting: Vec<&Memory> = fitting.collect();
    let offset = wanted.offset.unwrap_or(0);
    let limit = wanted.limit.unwrap_or(LIMIT).clamp(1, MOST);
    let page = fitting.iter().skip(offset).take(limit);
    let mut lines: Vec<String> = page.map(|memory| line(memory)).collect();
    let next = offset.saturating_add(lines.len());
    if lines.is_empty() {
        lines.push(match (scan.memories.is_empty(), offset) {
            (true, _) => "There are no memories for this project yet.".to_owned(),
            (false, 0) => "No memory is like that.".to_owned(),
            (false, _) => format!(
                "There are only {}.",
                count(fitting.len(), "memory", "memories")
            ),
        });
    } else if next < fitting.len() {
        let total = fitting.len();
        lines.push(format!("{next} of {total}; offset {next} shows the next."));
    }
    if !scan.skipped.is_empty() {
        let files = count(scan.skipped.len(), "file", "files");
        lines.push(format!(
            "{files} could not be read; `memdir doctor` says why."
        ));
    }
    lines.extend(waiting(room)?);
    Ok(lines.join("\n"))
}

fn has(memory: &Memory, words: &[&str]) -> bool {
    let header = &memory.header;
    let texts = [
        Some(memory.path.as_str()),
        header.name.as_deref(),
        header.description.as_deref(),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().map(str::to_lowercase).collect();
    words
        .iter()
        .all(|word| texts.iter().any(|text| text.contains(word)))
}

fn line(memory: &Memory) -> String {
    let seconds = memory.stamp.mtime.div_euclid(1_000_000_000);
    let modified = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    let header = &memory.header;
    let described =
        |description| manifest_line(&memory.path, header.memory_type, modified, description);
    match (
        Word::of(&memory.path, header),
        header.description.as_deref(),
    ) {
        (Word::Foreign(source), Some(description)) => {
            let whose = from_whom(source);
            let quoted = format!("{whose}, quoted: {:?}", in_line(description));
            described(Some(&quoted))
        }
        (_, description) => in_line(&described(description)),
    }
}

/// What waits for the user, by name alone.
fn waiting(room: &Room) -> Result<Option<String>, Refusal> {
    let waiting = room.store().inbox().list()?;
    if waiting.is_empty() {
        return Ok(None);
    }
    let names = waiting
        .iter()
        .take(WAITING)
        .map(|one| format!("{INBOX}{}", one.path));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match waiting.len().saturating_sub(WAITING) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Ok(Some(format!(
        "{} from elsewhere for the user's decision (`memdir inbox`): {names}{more}.",
        count(waiting.len(), "suggestion waits", "suggestions wait")
    )))
}
