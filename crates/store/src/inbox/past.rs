//! What was accepted before: the history of the memories knows it, however the one who accepted ended.

use memdir_memory::MemoryPath;

use super::Waiting;
use crate::digest::Digest;
use crate::error::Result;
use crate::history::{Change, History, Operation};
use crate::store::Store;

/// How an operation on memories begins that accepted suggestions; their numbers follow.
pub const ACCEPT: &str = "accept";
/// How an operation begins that brought everything back to a time.
const UNDO_TO: &str = "undo to ";

/// That a suggestion was accepted, which stands.
pub(super) struct Before {
    /// The operation that did.
    pub(super) operation: u64,
    /// The memory.
    pub(super) path: MemoryPath,
}

impl Store {
    /// How this suggestion was accepted before, if it was and that was not taken back. `wanted` is what it becomes.
    pub(super) fn accepted_before(
        &self,
        waiting: &Waiting,
        wanted: &[u8],
    ) -> Result<Option<Before>> {
        let inbox = self.inbox().store.history()?;
        // After a purge a number may be given anew: what was accepted before this one came was another.
        let came = inbox.operations.iter().find(|operation| {
            let added = |change: &Change| change.path == waiting.path && change.before.is_none();
            operation.changes.iter().any(added)
        });
        let history = self.history()?;
        let undone = history.undone();
        let stands = |operation: &&Operation| {
            !operation.failed
                && !undone.contains(&operation.id)
                && came.is_none_or(|came| came.at <= operation.at)
                && accepted_numbers(operation).any(|number| number == waiting.number)
        };
        let accepted = history.operations.iter().rev().find(stands);
        Ok(accepted.and_then(|operation| {
            let change = change_of(operation, waiting, Digest::of(wanted))?;
            (!is_brought_back(&history, operation, change)).then(|| Before {
                operation: operation.id,
                path: change.path.clone(),
            })
        }))
    }
}

/// What the operation that accepted a suggestion did to its memory.
fn change_of<'a>(
    operation: &'a Operation,
    waiting: &Waiting,
    wanted: Digest,
) -> Option<&'a Change> {
    let target = &waiting.target;
    if waiting.base.is_some() || waiting.removes {
        let changes = &mut operation.changes.iter();
        return changes.find(|change| change.path == *target);
    }
    // A new memory may have another name than the one that was suggested.
    let is_new = |change: &&Change| change.before.is_none() && !change.path.is_index();
    let is_named = |change: &&Change| {
        change.path.folder() == target.folder() && change.path.stem().starts_with(target.stem())
    };
    let new = || operation.changes.iter().filter(is_new);
    new()
        .find(|change| change.after == Some(wanted))
        .or_else(|| new().find(is_named))
}

/// Whether a later undo of everything since a time took this change back.
fn is_brought_back(history: &History, operation: &Operation, change: &Change) -> bool {
    let undone = history.undone();
    let later = history.operations.iter().filter(|later| {
        later.id > operation.id
            && later.reason.what.starts_with(UNDO_TO)
            && !later.failed
            && !undone.contains(&later.id)
    });
    let is_same = |one: &Change| one.path == change.path && one.after == change.before;
    later.flat_map(|later| &later.changes).any(is_same)
}

/// The numbers of the suggestions that an operation on memories accepted.
pub(super) fn accepted_numbers(operation: &Operation) -> impl Iterator<Item = u64> {
    let list = operation.reason.what.strip_prefix(ACCEPT);
    let words = list.unwrap_or_default().split(' ');
    words.filter_map(|word| word.parse().ok())
}
