//! The memories that there are, a line each, as a model reads them.

use jiff::Timestamp;
use memdir_memory::{hidden, manifest_line, secrets};
use memdir_recall::MANIFEST_LINES;
use memdir_store::{Error, Memory, Store};

/// So many characters of a line are shown; a description is one line, and not a text.
const LINE_CHARACTERS: usize = 300;

/// The newest memories, a line each.
pub(super) fn manifest(store: &Store) -> Result<String, Error> {
    let scan = store.scan()?;
    let newest = scan.memories.iter().take(MANIFEST_LINES);
    Ok(newest.map(line).collect::<Vec<_>>().join("\n"))
}

fn line(memory: &Memory) -> String {
    let modified = Timestamp::from_nanosecond(i128::from(memory.stamp.mtime));
    let line = manifest_line(
        &memory.path,
        memory.header.memory_type,
        modified.unwrap_or(Timestamp::UNIX_EPOCH),
        memory.header.description.as_deref(),
    );
    let clean = hidden::clean(&line);
    let shown = secrets::redact(&clean.text);
    shown.text.chars().take(LINE_CHARACTERS).collect()
}
