//! A history of many operations on few memories.

use std::path::Path;

use memdir_memory::{INDEX_NAME, Index, MemoryPath};
use memdir_store::{Author, Reason, Store};

use crate::{Result, scan};

/// Memories that there are at a time.
const MEMORIES: usize = 50;

/// Saves, changes and removes memories until the history has so many operations.
pub(crate) fn grow(memory: &Path, state: &Path, operations: usize) -> Result<()> {
    let store = Store::new(memory, state);
    let index = MemoryPath::new(INDEX_NAME)?;
    let path_of = |number: usize| MemoryPath::new(&format!("project_topic-{number:06}.md"));
    for number in 0..operations {
        let mut operation = store.operation(Reason::new(Author::User, "remember"));
        let (path, next) = match number % 3 {
            // A new memory with its index line, and every third time the oldest goes.
            0 => (path_of(number)?, true),
            1 => (path_of(number - 1)?, true),
            _ => (path_of((number - 2).saturating_sub(3 * MEMORIES))?, false),
        };
        let seen = store.read(&path)?;
        match (next, seen) {
            (false, Some(seen)) => {
                operation.remove(&path, seen);
                operation.update(&index, move |current| {
                    let index = Index::parse(current.unwrap_or_default());
                    Some(index.without_target(&path).into_bytes())
                });
            }
            (_, seen) => {
                operation.write(&path, seen, scan::topic(number).into_bytes());
                operation.update(&index, move |current| {
                    let index = Index::parse(current.unwrap_or_default());
                    let hook = format!("what there is to know about topic {number}");
                    let title = format!("Topic {number}");
                    Some(index.with_entry(&title, &path, &hook).into_bytes())
                });
            }
        }
        operation.commit()?;
    }
    Ok(())
}
