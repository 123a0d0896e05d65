//! Purging what waits, and what was taken out of the inbox: its history has the words of memories too.

use std::collections::BTreeSet;

use memdir_memory::{MemoryPath, Topic};

use super::marks::TARGET;
use super::past::accepted_numbers;
use super::{Inbox, number_of};
use crate::error::Result;
use crate::history::History;
use crate::purge::{Purged, SharedLines};
use crate::store::Store;

impl Inbox {
    /// Removes every suggestion, present or past, that was for one of these memories, became one of them, or says what
    /// they say.
    pub(crate) fn purge_about(&self, memories: &Store, purged: &Purged) -> Result<usize> {
        let doomed = self.about(memories, purged)?;
        if doomed.is_empty() {
            return Ok(0);
        }
        Ok(self.store.purge(&doomed, SharedLines::Keep)?.files)
    }

    /// Removes suggestions, present or past, with every version of them.
    pub fn purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        self.store.purge(paths, SharedLines::Keep)
    }

    /// What [`Inbox::purge`] would remove. Writes nothing.
    pub fn plan_purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        self.store.plan_purge(paths)
    }

    /// Every suggestion there ever was, by its file.
    pub fn paths(&self) -> Result<Vec<MemoryPath>> {
        let history = self.store.history()?;
        let past = history.operations.iter().flat_map(|one| &one.changes);
        let mut paths: BTreeSet<MemoryPath> = past.map(|change| change.path.clone()).collect();
        paths.extend(self.store.files()?);
        paths.retain(|path| number_of(path).is_some());
        Ok(paths.into_iter().collect())
    }

    fn about(&self, memories: &Store, purged: &Purged) -> Result<Vec<MemoryPath>> {
        let history = self.store.history()?;
        let numbers = accepted_as(&memories.history()?, &purged.names);
        let is_about = |bytes: &[u8]| {
            let topic = Topic::parse(bytes);
            let target = topic.metadata(TARGET);
            let named = target.is_some_and(|target| {
                let names = &mut purged.names.iter();
                names.any(|name| name.as_str() == target)
            });
            let text = String::from_utf8_lossy(bytes);
            named || purged.needles.iter().any(|needle| text.contains(needle))
        };
        let mut doomed = Vec::new();
        for path in self.paths()? {
            let became = number_of(&path).is_some_and(|number| numbers.contains(&number));
            let present = self.store.read(&path)?;
            let past = history
                .operations
                .iter()
                .flat_map(|operation| &operation.changes)
                .filter(|change| change.path == path)
                .filter_map(|change| history.content(&path, change.after?).ok());
            let mut versions = present.map(|found| found.bytes).into_iter().chain(past);
            if became || versions.any(|bytes| is_about(&bytes)) {
                doomed.push(path);
            }
        }
        Ok(doomed)
    }
}

/// The numbers of suggestions that became one of these memories.
fn accepted_as(history: &History, names: &[MemoryPath]) -> BTreeSet<u64> {
    let mut numbers = BTreeSet::new();
    for operation in &history.operations {
        let touches = |change: &crate::history::Change| names.contains(&change.path);
        if operation.changes.iter().any(touches) {
            numbers.extend(accepted_numbers(operation));
        }
    }
    numbers
}
