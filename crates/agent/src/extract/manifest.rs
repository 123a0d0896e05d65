//! The memories that there are, a line each, as a model reads them.

use jiff::Timestamp;
use memdir_memory::{Header, MemoryPath, hidden, manifest_line, secrets};
use memdir_recall::MANIFEST_LINES;
use memdir_store::{Error, Store};

/// So many characters of a line are shown; a description is one line, and not a text.
const LINE_CHARACTERS: usize = 300;

/// The newest memories, a line each.
pub(super) fn manifest(store: &Store) -> Result<String, Error> {
    let scan = store.scan()?;
    let newest = scan.memories.iter().take(MANIFEST_LINES);
    let lines = newest.map(|memory| line(&memory.path, &memory.header, memory.stamp.mtime));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The line of one memory, which was written so many nanoseconds after 1970 began.
pub(crate) fn line(path: &MemoryPath, header: &Header, mtime: i64) -> String {
    let modified = Timestamp::from_nanosecond(i128::from(mtime));
    let line = manifest_line(
        path,
        header.memory_type,
        modified.unwrap_or(Timestamp::UNIX_EPOCH),
        header.description.as_deref(),
    );
    let clean = hidden::clean(&line);
    let shown = secrets::redact(&clean.text);
    shown.text.chars().take(LINE_CHARACTERS).collect()
}
