//! The lines of an index that follow from what becomes of memories.

use std::collections::BTreeMap;

use memdir_memory::{Header, Index, MemoryPath};

use crate::error::Result;
use crate::index::{index_of, index_words};
use crate::operation::Operation;

/// What becomes of a memory's line in its index.
#[derive(Debug, Clone)]
pub struct IndexLine {
    index: MemoryPath,
    target: MemoryPath,
    old: Option<(String, String)>,
    new: Option<(String, String)>,
}

impl IndexLine {
    /// From what a memory was and will be; none is no file.
    pub fn of(path: &MemoryPath, before: Option<&[u8]>, after: Option<&[u8]>) -> Result<IndexLine> {
        let words = |content: &[u8]| {
            let header = Header::read(content);
            let (title, hook) = index_words(path, &header);
            (title.to_owned(), hook.to_owned())
        };
        let (index, target) = index_of(path)?;
        Ok(IndexLine {
            index,
            target,
            old: before.map(words),
            new: after.map(words),
        })
    }

    /// The index with this line as it shall be.
    pub fn apply(&self, index: Index) -> Index {
        match (&self.old, &self.new) {
            (_, None) => index.without_target(&self.target),
            (None, Some((title, hook))) => index.with_entry(title, &self.target, hook),
            (Some(old), Some(new)) if old == new => index,
            (Some(old), Some(new)) => {
                index.reworded(&self.target, (&old.0, &old.1), (&new.0, &new.1))
            }
        }
    }
}

impl Operation<'_> {
    /// Brings the indexes in step with what the operation does to memories, whatever stands in them by then.
    pub fn index_lines(&mut self, lines: Vec<IndexLine>) -> &mut Self {
        let mut by_index = BTreeMap::<MemoryPath, Vec<IndexLine>>::new();
        for line in lines {
            by_index.entry(line.index.clone()).or_default().push(line);
        }
        for (index, lines) in by_index {
            self.update(&index, move |current| {
                let had = current.is_some();
                let index = Index::parse(current.unwrap_or_default());
                let index = lines.iter().fold(index, |index, line| line.apply(index));
                (had || !index.bytes().is_empty()).then(|| index.into_bytes())
            });
        }
        self
    }
}
