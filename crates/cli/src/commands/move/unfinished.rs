//! A move that was killed between its two halves: both projects know of it until it is finished.

use std::path::PathBuf;

use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use crate::elsewhere::Elsewhere;
use crate::workplace::Workplace;

/// One move at a time concerns a project.
const KEY: &str = "move";

/// A move that has begun, in the state of both projects.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Moving {
    pub(crate) old: PathBuf,
    pub(crate) new: PathBuf,
}

impl Record for Moving {
    const KIND: &'static str = "moving";
    const VERSION: u64 = 1;
}

/// The notes of a move, to be taken away when all of it is done.
pub(super) struct Begun([Records; 2]);

/// Notes a move in both projects, before anything moves.
pub(super) fn begin(old: &Elsewhere, new: &Elsewhere) -> Result<Begun, RecordError> {
    let notes = [old, new].map(|place| Records::new(place.store.state_directory()));
    for note in &notes {
        note.update(KEY, |_| Moving {
            old: old.root.clone(),
            new: new.root.clone(),
        })?;
    }
    Ok(Begun(notes))
}

impl Begun {
    pub(super) fn end(self) {
        for note in &self.0 {
            if let Ok(Some((_, seen))) = note.get::<Moving>(KEY) {
                // A note too many says nothing: it counts only while both places have the same memories.
                let _ = note.remove::<Moving>(KEY, &seen);
            }
        }
    }
}

/// The move of this project that stopped halfway: noted, and the same memory is in both places.
pub(crate) fn find(workplace: &Workplace) -> Option<Moving> {
    let notes = Records::new(workplace.store.state_directory());
    let (moving, _) = notes.get::<Moving>(KEY).ok()??;
    let old = Elsewhere::find(workplace, &moving.old).ok()?;
    let new = Elsewhere::find(workplace, &moving.new).ok()?;
    let files = old.store.files().ok()?;
    let is_in_both = files.iter().filter(|path| !path.is_index()).any(|path| {
        let here = old.store.read(path).ok().flatten();
        let there = new.store.read(path).ok().flatten();
        matches!((here, there), (Some(here), Some(there)) if here.bytes == there.bytes)
    });
    is_in_both.then_some(moving)
}
