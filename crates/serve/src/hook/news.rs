//! What is new in the memory since the last conversation, in a line.

use memdir_memory::MemoryPath;
use memdir_store::{Author, PastOperation, Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::fragment::{inline, within};
use super::scene::Scene;

const KEY: &str = "opening";
/// So many files are named of each sort.
const NAMED: usize = 5;
/// The most that it takes, in characters: the rest of what a hook may say is for the memory section.
const MOST_CHARACTERS: usize = 450;

/// Up to which operation the last conversation could know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    operation: u64,
}

impl Record for Known {
    const KIND: &'static str = "known";
    const VERSION: u64 = 1;
}

/// The line, where something is new.
pub(super) fn since_last(scene: &Scene) -> Option<String> {
    let operations = scene.attempt("history", scene.home.store.latest())?;
    let newest = operations.last().map_or(0, |last| last.id);
    let records = Records::new(scene.home.store.state_directory()).light();
    let known = match records.get::<Known>(KEY) {
        Err(RecordError::Damaged { .. }) => Ok(None),
        known => known,
    };
    let known = scene.attempt("news", known)?.map(|(known, _)| known);
    if known.is_some_and(|known| known.operation == newest) {
        return None;
    }
    let noted = records.update(KEY, |_| Known { operation: newest });
    scene.attempt("news", noted);
    // To a first conversation everything would be new.
    let known = known?;
    let new = operations.iter().filter(|one| one.id > known.operation);
    line(new)
}

fn line<'a>(operations: impl Iterator<Item = &'a PastOperation>) -> Option<String> {
    let (mut saved, mut outside, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for operation in operations {
        for change in operation.changes.iter().filter(|one| !one.path.is_index()) {
            for list in [&mut saved, &mut outside, &mut gone] {
                list.retain(|path| *path != &change.path);
            }
            match (change.after, operation.reason.who) {
                (None, _) => gone.push(&change.path),
                (_, Author::Outside) if !operation.is_first_sight() => outside.push(&change.path),
                _ => saved.push(&change.path),
            }
        }
    }
    let sorts = [
        (saved, "saved or changed"),
        (
            outside,
            "changed by something other than memdir and you, so check them before you use them",
        ),
        (gone, "removed"),
    ];
    let parts: Vec<String> = sorts
        .iter()
        .filter(|(paths, _)| !paths.is_empty())
        .map(|(paths, what)| format!("{} ({what})", names(paths)))
        .collect();
    let line = format!(
        "New in memory since the last conversation: {}.\n",
        parts.join("; ")
    );
    (!parts.is_empty()).then(|| within(&line, MOST_CHARACTERS))
}

fn names(paths: &[&MemoryPath]) -> String {
    // The latest are the likeliest to matter.
    let latest = paths.iter().rev().take(NAMED);
    let mut names: Vec<String> = latest.map(|path| inline(path.as_str())).collect();
    let more = paths.len().saturating_sub(NAMED);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
