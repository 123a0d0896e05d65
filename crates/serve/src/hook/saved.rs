//! What background work saved: told to the user once, at the next event, and never to the model.

use std::path::Path;

use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::fragment::inline;

const KEY: &str = "user";
/// So many names are told; the rest is counted.
const NAMED: usize = 5;
/// So many names are kept until somebody is told.
const MOST_NAMES: usize = 100;

/// What the user has not been told yet.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Untold {
    saved: Vec<String>,
    waiting: usize,
    tidied: usize,
    operations: Vec<u64>,
    #[serde(default)]
    outside: Vec<String>,
    #[serde(default)]
    passed_over: Vec<String>,
}

/// Files that the user has been told are passed over.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct PassedOver {
    told: Vec<String>,
}

impl Record for PassedOver {
    const KIND: &'static str = "passed";
    const VERSION: u64 = 1;
}

/// Notes which files are passed over, so that the user is told of each of them once for as long as it is there.
pub(super) fn note_passed_over(state: &Path, files: &[String]) -> Result<(), RecordError> {
    let files = files.get(..MOST_NAMES).unwrap_or(files);
    let records = Records::new(state).light();
    let known = match records.get::<PassedOver>(KEY) {
        Ok(known) => known.map(|(known, _)| known.told).unwrap_or_default(),
        Err(RecordError::Damaged { .. }) => Vec::new(),
        Err(error) => return Err(error),
    };
    if known == files {
        return Ok(());
    }
    let is_new = |file: &&String| !known.contains(file);
    let did = Did {
        passed_over: files.iter().filter(is_new).cloned().collect(),
        ..Did::default()
    };
    note(state, &did)?;
    let told = |_: Option<PassedOver>| PassedOver {
        told: files.to_vec(),
    };
    let noted = records.update(KEY, told);
    noted.map(drop)
}

impl Record for Untold {
    const KIND: &'static str = "untold";
    const VERSION: u64 = 1;
}

/// What a piece of background work did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Did {
    /// The memories that it saved, by name.
    pub saved: Vec<String>,
    /// How many wait in the inbox.
    pub waiting: usize,
    /// How many files it tidied up.
    pub tidied: usize,
    /// The operation that takes it back.
    pub operation: Option<u64>,
    /// What something other than memdir changed, and what is wrong with it.
    pub outside: Vec<String>,
    /// What is in no history and never read, and why.
    pub passed_over: Vec<String>,
}

/// Notes what the user is to be told, in the state folder of a memory directory.
///
/// # Errors
///
/// When it cannot be written down.
pub fn note(state: &Path, did: &Did) -> Result<(), RecordError> {
    let names = [&did.saved, &did.outside, &did.passed_over];
    if names.iter().all(|names| names.is_empty()) && did.waiting == 0 && did.tidied == 0 {
        return Ok(());
    }
    let records = Records::new(state).light();
    records
        .update(KEY, |found: Option<Untold>| {
            let mut untold = found.unwrap_or_default();
            for name in &did.saved {
                if !untold.saved.contains(name) && untold.saved.len() < MOST_NAMES {
                    untold.saved.push(name.clone());
                }
            }
            for change in &did.outside {
                if !untold.outside.contains(change) && untold.outside.len() < MOST_NAMES {
                    untold.outside.push(change.clone());
                }
            }
            for file in &did.passed_over {
                if !untold.passed_over.contains(file) && untold.passed_over.len() < MOST_NAMES {
                    untold.passed_over.push(file.clone());
                }
            }
            untold.waiting += did.waiting;
            untold.tidied += did.tidied;
            untold.operations.extend(did.operation);
            let more = untold.operations.len().saturating_sub(MOST_NAMES);
            untold.operations.drain(..more);
            untold
        })
        .map(drop)
}

/// What the user is to be told now; whoever takes it is the only one.
pub(super) fn take(state: &Path) -> Result<Option<String>, RecordError> {
    let records = Records::new(state).light();
    let (untold, seen) = match records.get::<Untold>(KEY) {
        Ok(Some(found)) => found,
        Ok(None) | Err(RecordError::Damaged { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    match records.remove::<Untold>(KEY, &seen) {
        // Somebody else tells it, or there is more by now: then at the next event.
        Err(RecordError::Conflict { .. }) => Ok(None),
        removed => removed.map(|()| Some(untold.message())),
    }
}

impl Untold {
    fn message(&self) -> String {
        let mut told = Vec::new();
        if !self.saved.is_empty() {
            let mut names: Vec<String> = self
                .saved
                .iter()
                .take(NAMED)
                .map(|name| inline(name))
                .collect();
            let more = self.saved.len().saturating_sub(NAMED);
            if more > 0 {
                names.push(format!("{more} more"));
            }
            let count = counted(self.saved.len(), "memory", "memories");
            told.push(format!("Saved {count}: {}", names.join(", ")));
        }
        if self.tidied > 0 {
            let files = counted(self.tidied, "file", "files");
            told.push(format!("Tidied up {files}"));
        }
        let undo: Vec<String> = match self.operations.as_slice() {
            [] => Vec::new(),
            [.., _, _, _, _] => vec!["`memdir history` shows how to take them back".to_owned()],
            [one] => vec![format!("`memdir undo {one}` takes it back")],
            several => {
                let commands: Vec<String> = several
                    .iter()
                    .rev()
                    .map(|operation| format!("`memdir undo {operation}`"))
                    .collect();
                vec![format!("{} take them back", commands.join(", "))]
            }
        };
        told.extend(undo);
        match self.waiting {
            0 => {}
            1 => told.push("1 suggestion waits for your word: `memdir inbox`".to_owned()),
            waiting => told.push(format!(
                "{waiting} suggestions wait for your word: `memdir inbox`"
            )),
        }
        if !self.outside.is_empty() {
            let named = self.outside.iter().take(NAMED).map(|one| inline(one));
            let mut named: Vec<String> = named.collect();
            let more = self.outside.len().saturating_sub(NAMED);
            if more > 0 {
                named.push(format!("{more} more"));
            }
            told.push(format!(
                "Changed by something other than memdir: {}; `memdir history` shows it",
                named.join(", ")
            ));
        }
        if !self.passed_over.is_empty() {
            let named = self.passed_over.iter().take(NAMED).map(|one| inline(one));
            let named: Vec<String> = named.collect();
            told.push(format!(
                "Passed over in the memory directory, and in no history: {}; `memdir doctor` names all",
                named.join(", ")
            ));
        }
        told.join("; ")
    }
}

fn counted(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_told_once() {
        let state = tempfile::tempdir().unwrap();
        let take = || take(state.path()).unwrap();
        let did = |saved: &[&str], operation: u64| Did {
            saved: saved.iter().map(|name| (*name).to_owned()).collect(),
            operation: Some(operation),
            ..Did::default()
        };
        assert_eq!(take(), None);
        note(state.path(), &Did::default()).unwrap();
        assert_eq!(take(), None);
        note(state.path(), &did(&["a", "b"], 12)).unwrap();
        let first = take().unwrap();
        insta::assert_snapshot!(first, @"Saved 2 memories: a, b; `memdir undo 12` takes it back");
        assert_eq!(take(), None);
        note(state.path(), &did(&["a", "b", "c", "d"], 12)).unwrap();
        let waiting = Did {
            waiting: 2,
            tidied: 3,
            ..did(&["d", "e", "f\u{202e}"], 14)
        };
        note(state.path(), &waiting).unwrap();
        insta::assert_snapshot!(take().unwrap(), @"Saved 6 memories: a, b, c, d, e, 1 more; Tidied up 3 files; `memdir undo 14`, `memdir undo 12` take them back; 2 suggestions wait for your word: `memdir inbox`");
    }
}
