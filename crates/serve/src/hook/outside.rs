//! Memories that something other than memdir changed, past every gate: looked at when they are noticed, and the user is told.

use std::fmt::Display;

use memdir_memory::{MemoryPath, hidden::visible};
use memdir_store::{Objection, RecordError, Store, Sweep, objections};

use super::saved::{self, Did};

/// Has the user told what a sweep found, with the secrets and the invisible text in it.
///
/// # Errors
///
/// When it cannot be written down.
pub fn note(store: &Store, sweep: &Sweep) -> Result<(), RecordError> {
    let passed_over = sweep.skipped.iter().filter(|skipped| !skipped.unread);
    let passed_over = passed_over.map(|skipped| {
        let path = skipped.path.to_string_lossy();
        format!("{} ({})", visible(&path), skipped.reason)
    });
    let mut passed_over: Vec<String> = passed_over.collect();
    passed_over.sort_unstable();
    saved::note_passed_over(store.state_directory(), &passed_over)?;
    // What was there before us is nobody's change.
    if sweep.first || sweep.outside.is_empty() {
        return Ok(());
    }
    let outside = sweep.outside.iter();
    let outside = outside.map(|(path, _)| described(store, path)).collect();
    saved::note(
        store.state_directory(),
        &Did {
            outside,
            ..Did::default()
        },
    )
}

/// Has the user told what a sweep found in the memories for all projects, in the state folder of the project at hand. Where
/// they are seen for the first time, what is wrong with them is told all the same: a shell may just have made them.
pub(super) fn note_everywhere(
    state: &std::path::Path,
    store: &Store,
    sweep: &Sweep,
) -> Result<(), RecordError> {
    let paths: Vec<MemoryPath> = match sweep.first {
        true => store.files().unwrap_or_default(),
        false => sweep.outside.iter().map(|(path, _)| path.clone()).collect(),
    };
    let told = paths.iter().map(|path| described(store, path));
    let told = told.filter(|told| !sweep.first || told.contains("(it holds"));
    let outside = told.map(|told| format!("everywhere/{told}")).collect();
    saved::note(
        state,
        &Did {
            outside,
            ..Did::default()
        },
    )
}

/// A memory, and what is wrong with it.
fn described(store: &Store, path: &MemoryPath) -> String {
    let name: &dyn Display = match path.is_index() {
        true => path,
        false => &path.stem(),
    };
    let found = store.read(path).ok().flatten();
    let text = found.map(|found| String::from_utf8_lossy(&found.bytes).into_owned());
    let objections = text.map(|text| objections(None, &text)).unwrap_or_default();
    let has = |wanted: fn(&Objection) -> bool| objections.iter().any(wanted);
    let secret = has(|one| matches!(one, Objection::Secret { .. }));
    let hidden = has(|one| matches!(one, Objection::Hidden { .. }));
    match (secret, hidden) {
        (false, false) => name.to_string(),
        (true, false) => format!("{name} (it holds a secret: `memdir audit`)"),
        (false, true) => format!("{name} (it holds invisible text: `memdir audit`)"),
        (true, true) => format!("{name} (it holds a secret and invisible text: `memdir audit`)"),
    }
}
