//! What forks share that have nothing to do with memories.

use memdir_conversation::{Kind, Message, Role};
use memdir_memory::MemoryPath;
use memdir_store::{Error, Found, Outcome};
use memdir_tools::Shelf;

/// The reply to the parent, and how many of the messages a fork sees. One that calls tools stays out: their results are not
/// there yet, and no provider takes a call without one.
pub(crate) fn reply<'a>(visible: &[&'a Message]) -> (Option<&'a Message>, usize) {
    let all = visible.len();
    let Some(last) = visible.last().filter(|last| last.role == Role::Assistant) else {
        return (None, all);
    };
    let mut kinds = last.blocks.iter().map(|block| block.kind());
    match kinds.any(|kind| matches!(kind, Kind::ToolCall { .. })) {
        true => (None, all - 1),
        false => (Some(last), all),
    }
}

/// Whoever takes notes or sums up meets no memory.
pub(crate) struct NoShelf;

impl Shelf for NoShelf {
    fn read(&self, _: &MemoryPath) -> Result<Option<Found>, Error> {
        Ok(None)
    }

    fn write(&mut self, path: &MemoryPath, _: Option<Found>, _: &str) -> Result<Outcome, Error> {
        let reason = std::io::Error::other("no memory is written here");
        Err(Error::io("save", path.as_str(), reason))
    }
}
