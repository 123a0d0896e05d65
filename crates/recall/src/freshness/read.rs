//! A file as it is indexed.

use memdir_memory::{Topic, contained, hidden};
use memdir_store::{Directory, limits::MAX_FILE_BYTES};

use crate::segment::{Facts, Terms};
use crate::{Document, Draft};

/// What became of reading a file.
pub(super) enum Read {
    File(u64, Facts, Draft<u32>),
    Gone,
    Failed(String),
}

/// Reads a memory. `path` is relative to its root and is searched as well; `terms` numbers what is found.
pub(super) fn read(folder: &Directory, name: &str, path: &str, terms: &mut Terms) -> Read {
    let found = match folder.read(name, MAX_FILE_BYTES) {
        Ok(Some(found)) => found,
        Ok(None) => return Read::Gone,
        Err(error) => return Read::Failed(error.to_string()),
    };
    let inode = found.stamp.inode;
    match contained(|| cut(found, path, terms)) {
        Ok((facts, draft)) => Read::File(inode, facts, draft),
        // The memory is whole and can be shown; it is only not found by its words.
        Err(panicked) => Read::Failed(panicked.to_string()),
    }
}

/// What is indexed of a file.
fn cut(found: memdir_store::Found, path: &str, terms: &mut Terms) -> (Facts, Draft<u32>) {
    let stamp = found.stamp;
    let topic = Topic::from_bytes(found.bytes);
    let header = topic.header();
    let body = topic.body_text();
    // What hides from the reader must not be what a memory is found by.
    let body = hidden::clean(&body).text;
    let document = Document {
        name: header.name.as_deref().unwrap_or_default(),
        description: header.description.as_deref().unwrap_or_default(),
        kind: header.memory_type.map_or("", |kind| kind.as_str()),
        path,
        body: &body,
    };
    let draft = Draft::cut(&document, |term| terms.number(term));
    let facts = Facts {
        mtime: stamp.mtime,
        size: stamp.size,
        kind: header.memory_type,
        expires: header.expires,
        ..Facts::default()
    };
    (facts, draft)
}
