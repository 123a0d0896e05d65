//! `read`: one memory whole, or the index.

use jiff::Timestamp;
use memdir_memory::{INDEX_NAME, MemoryPath, Topic, age, index};
use memdir_store::{Found, Store};
use serde::Deserialize;
use serde_json::json;

use super::{Definition, arguments, schema};
use crate::mcp::refusal::Refusal;
use crate::mcp::room::Room;
use crate::mcp::shown::{self, MAX_BYTES, MAX_LINES, Word};

/// How the names of what waits for the user begin.
pub(crate) const INBOX: &str = "inbox/";
/// How the names of memories for all projects begin.
const EVERYWHERE: &str = "everywhere/";

pub(super) const TOOL: Definition = Definition {
    name: "read",
    title: "Read a memory",
    description: "Read one memory whole, by the name that `recall` or `list` gives it. `MEMORY.md` is the index of all.",
    reads: true,
    destroys: false,
    once: true,
    schema: || {
        schema(
            json!({
                "name": {"type": "string", "description": "Its file or its name, such as feedback_use_tabs.md"},
                "line": {"type": "integer", "minimum": 1, "description": "The line to begin with, in a long memory"},
                "byte": {"type": "integer", "minimum": 0, "description": "So many bytes of that line are passed over, in a very long line"},
            }),
            &["name"],
        )
    },
    run: |room, given| {
        let Arguments { name, line, byte } = arguments(given)?;
        let read = one(room, &name)?;
        let from = (line.unwrap_or(1), byte.unwrap_or(0));
        let (text, note) = shown::part(&read.text, from, MAX_LINES, MAX_BYTES);
        let mut told = shown::memory(&read.name, read.days, read.word, &text);
        if let Some(note) = note {
            told.push('\n');
            told.push_str(&note);
        }
        Ok(told)
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    line: Option<usize>,
    byte: Option<usize>,
}

/// A memory that was read.
pub(crate) struct Read {
    pub(crate) name: String,
    pub(crate) days: u64,
    pub(crate) word: Word,
    pub(crate) text: String,
}

/// The one that is meant by a name, wherever it is.
pub(crate) fn one(room: &Room, name: &str) -> Result<Read, Refusal> {
    if let Some(path) = as_index(name) {
        return read_index(room, &path);
    }
    // A folder of the project's own can have one of the names below.
    let is_elsewhere = name.starts_with(INBOX) || name.starts_with(EVERYWHERE);
    if is_elsewhere
        && let Ok(path) = MemoryPath::new(name)
        && room.store().read(&path)?.is_some()
    {
        return read_from(room.store(), &path, "");
    }
    if let Some(waiting) = name.strip_prefix(INBOX) {
        return read_waiting(room, waiting);
    }
    if let Some(beneath) = name.strip_prefix(EVERYWHERE) {
        let places = &room.home.places;
        let memory = places.everywhere_dir();
        let state = places.state_dir_of(&memory);
        let store = Store::new(memory, state);
        let scan = store.scan()?;
        let path = &room.named(&scan, beneath)?.path;
        return read_from(&store, path, EVERYWHERE);
    }
    let scan = room.store().scan()?;
    let path = &room.named(&scan, name)?.path;
    read_from(room.store(), path, "")
}

fn read_from(store: &Store, path: &MemoryPath, folder: &str) -> Result<Read, Refusal> {
    let found = store.read(path)?;
    let found = found.ok_or_else(|| memdir_store::Error::NotFound(path.clone()))?;
    let days = days(&found);
    let topic = Topic::from_bytes(found.bytes);
    Ok(Read {
        name: format!("{folder}{path}"),
        days,
        word: Word::of(path, topic.header()),
        text: String::from_utf8_lossy(topic.bytes()).into_owned(),
    })
}

fn read_waiting(room: &Room, name: &str) -> Result<Read, Refusal> {
    let waiting = room.store().inbox().list()?;
    let number = name.split_once('-').map_or(name, |(number, _)| number);
    let one = waiting
        .iter()
        .find(|one| one.path.as_str() == name || one.number.to_string() == number)
        .ok_or_else(|| {
            Refusal::new(
                format!("Nothing waits under the name `{}`", name.escape_debug()),
                "The user may have decided about it; call `recall` again",
            )
        })?;
    let seconds = one
        .stamp()
        .map_or(0, |stamp| stamp.mtime.div_euclid(1_000_000_000));
    let came = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    let source = one.origin.or(one.topic.header().source);
    Ok(Read {
        name: format!("{INBOX}{}", one.path),
        days: age::days_between(came, Timestamp::now()),
        word: Word::Waiting(source),
        text: String::from_utf8_lossy(one.content().bytes()).into_owned(),
    })
}

/// `MEMORY.md` and `team/MEMORY.md`, in any case.
fn as_index(name: &str) -> Option<MemoryPath> {
    let path = MemoryPath::new(name).ok().filter(MemoryPath::is_index)?;
    let folder = path
        .folder()
        .map_or(String::new(), |folder| format!("{folder}/"));
    MemoryPath::new(&format!("{folder}{INDEX_NAME}")).ok()
}

/// An index as an agent is shown it, within its limits.
pub(crate) fn read_index(room: &Room, path: &MemoryPath) -> Result<Read, Refusal> {
    let found = room.store().read(path)?.ok_or_else(|| {
        Refusal::new(
            format!("There is no {path}: nothing is remembered there yet"),
            "Go on without it",
        )
    })?;
    Ok(Read {
        name: path.to_string(),
        days: 0,
        word: Word::of(path, &memdir_memory::Header::default()),
        text: index::load(&found.bytes).to_string(),
    })
}

/// How old a file is, in whole days.
pub(super) fn days(found: &Found) -> u64 {
    let seconds = found.stamp.mtime.div_euclid(1_000_000_000);
    let modified = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
    age::days_between(modified, Timestamp::now())
}
