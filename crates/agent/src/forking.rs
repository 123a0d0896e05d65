//! What forks share that have nothing to do with memories.

use memdir_conversation::{Kind, Message, Role};
use memdir_memory::MemoryPath;
use memdir_model::Body;
use memdir_store::{Error, Found, Outcome};
use memdir_tools::Shelf;
use serde::Deserialize;

/// The tools with which memories are read and written.
pub(crate) const FOR_MEMORIES: [&str; 3] = ["Read", "Write", "Edit"];
/// The tool with which notes are.
pub(crate) const FOR_NOTES: [&str; 1] = ["Edit"];

#[derive(Deserialize)]
struct Offering {
    #[serde(default)]
    tools: Vec<Offered>,
}

/// A tool, in the form of either API.
#[derive(Deserialize)]
struct Offered {
    name: Option<String>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
}

/// Whether a request offers all of these tools. A fork has those of its parent and no others: told to write where nobody
/// can, it would write nothing, and nobody would look at the same messages again.
pub(crate) fn offers(parent: &Body, tools: &[&str]) -> bool {
    if tools.is_empty() {
        return true;
    }
    let Ok(offering) = serde_json::from_str::<Offering>(&parent.json) else {
        return false;
    };
    let has = |tool: &Offered, name: &str| match (&tool.name, &tool.function) {
        (Some(own), _) => own == name,
        (None, Some(function)) => function.name == name,
        (None, None) => false,
    };
    let mut tools = tools.iter();
    tools.all(|name| offering.tools.iter().any(|tool| has(tool, name)))
}

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
