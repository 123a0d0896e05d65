//! The index and the memories as resources, by address.

use memdir_memory::{INDEX_NAME, MemoryPath};
use memdir_store::Memory;

use super::refusal::Refusal;
use super::room::Room;
use super::shown::{self, Word, in_line};
use super::tools::{read, read_index};

/// The address of the index.
pub(crate) const INDEX: &str = "memdir://index";
/// How addresses of memories begin.
pub(crate) const TOPIC: &str = "memdir://memory/";
/// The pattern of addresses of memories.
pub(crate) const TEMPLATE: &str = "memdir://memory/{+path}";
/// So many are listed at once.
const PAGE: usize = 200;

/// A resource as a client lists it.
pub(crate) struct Listed {
    pub(crate) address: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) size: u64,
}

/// A page of what there is, newest first, and where the next one begins.
pub(crate) fn page(
    room: &Room,
    cursor: Option<&str>,
) -> Result<(Vec<Listed>, Option<String>), Refusal> {
    let from: usize = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| {
            Refusal::new(
                "The cursor is not one of ours",
                "List without a cursor to begin anew",
            )
        })?,
    };
    let scan = room.store().scan()?;
    let mut listed = Vec::new();
    if from == 0
        && let Some(index) = room.store().read(&index_path()?)?
    {
        listed.push(Listed {
            address: INDEX.to_owned(),
            name: INDEX_NAME.to_owned(),
            description: Some("The index of all memories of this project".to_owned()),
            size: index.stamp.size,
        });
    }
    listed.extend(scan.memories.iter().skip(from).take(PAGE).map(one));
    let next = from.saturating_add(PAGE);
    Ok((
        listed,
        (next < scan.memories.len()).then(|| next.to_string()),
    ))
}

fn one(memory: &Memory) -> Listed {
    // Words of others are not shown outside of quotation marks, and a list has none.
    let own = Word::of(&memory.path, &memory.header) == Word::Own;
    let description = memory.header.description.as_deref().filter(|_| own);
    Listed {
        address: address(&memory.path),
        name: memory.path.to_string(),
        description: description.map(in_line),
        size: memory.stamp.size,
    }
}

/// The text behind an address.
pub(crate) fn text(room: &Room, address: &str) -> Result<String, Refusal> {
    match target(address) {
        Some(Target::Index) => {
            let read = read_index(room, &index_path()?)?;
            Ok(read.word.spoken(&read.text))
        }
        Some(Target::Memory(path)) => {
            let read = read(room, path.as_str())?;
            Ok(match read.word {
                Word::Own => read.word.spoken(&read.text),
                word => shown::memory(&read.name, read.days, word, &read.text),
            })
        }
        None => Err(unknown(address)),
    }
}

/// What an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// The index.
    Index,
    /// A memory.
    Memory(MemoryPath),
}

impl Target {
    /// The file that it is.
    pub(crate) fn path(&self) -> Result<MemoryPath, Refusal> {
        match self {
            Self::Index => index_path(),
            Self::Memory(path) => Ok(path.clone()),
        }
    }
}

/// What an address leads to, whether or not it is there.
pub(crate) fn target(address: &str) -> Option<Target> {
    if address == INDEX {
        return Some(Target::Index);
    }
    let path = decoded(address.strip_prefix(TOPIC)?)?;
    let path = MemoryPath::new(&path)
        .ok()
        .filter(|path| !path.is_index())?;
    Some(Target::Memory(path))
}

/// What to say about an address that leads nowhere.
pub(crate) fn unknown(address: &str) -> Refusal {
    Refusal::new(
        format!("There is no resource {}", address.escape_debug()),
        "List the resources to see what there is",
    )
}

fn index_path() -> Result<MemoryPath, Refusal> {
    MemoryPath::new(INDEX_NAME).map_err(|problem| Refusal::new(problem.to_string(), ""))
}

/// The address of a memory.
pub(crate) fn address(path: &MemoryPath) -> String {
    let mut address = TOPIC.to_owned();
    for byte in path.as_str().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                address.push(char::from(byte));
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

fn decoded(text: &str) -> Option<String> {
    String::from_utf8(super::roots::decoded(text)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_to_its_memory_and_nowhere_else() {
        for path in ["user_role.md", "team/größe & maß.md", "a b.md"] {
            let path = MemoryPath::new(path).unwrap();
            assert_eq!(target(&address(&path)), Some(Target::Memory(path)));
        }
        assert_eq!(target(INDEX), Some(Target::Index));
        for wrong in [
            "memdir://memory/../x.md",
            "memdir://memory/%2e%2e/x.md",
            "memdir://memory/%252e.md",
            "memdir://memory//etc/passwd",
            "memdir://memory/MEMORY.md",
            "memdir://memory/",
            "file:///etc/passwd",
            "",
        ] {
            assert_eq!(target(wrong), None, "{wrong}");
        }
    }
}
