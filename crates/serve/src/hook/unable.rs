//! That the model which the user has named could not be asked, so that the rules did its work: told to the user once, and kept
//! for `memdir doctor` until it can be asked again.

use std::path::Path;

use memdir_memory::scrub_to;
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::fragment::inline;

const KEY: &str = "model";
/// The most of a reason, in characters: a provider may repeat what it was sent.
const MOST_CHARACTERS: usize = 500;

/// Why a model could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Unable {
    why: String,
    told: bool,
}

impl Record for Unable {
    const KIND: &'static str = "unable";
    const VERSION: u64 = 1;
}

/// Notes it, in the state folder of a memory directory; for another reason than the last time the user is told anew.
///
/// # Errors
///
/// When it cannot be written down.
pub fn note(state: &Path, why: &str) -> Result<(), RecordError> {
    let why = &scrub_to(why, MOST_CHARACTERS);
    let told = |found: Option<Unable>| found.is_some_and(|found| found.told && found.why == *why);
    let update = |found| Unable {
        why: why.clone(),
        told: told(found),
    };
    Records::new(state).light().update(KEY, update).map(drop)
}

/// Takes out of it what may not be kept.
///
/// # Errors
///
/// When the disk refuses.
pub fn scrub(state: &Path) -> Result<(), RecordError> {
    match read(state) {
        Some(why) if scrub_to(&why, MOST_CHARACTERS) != why => note(state, &why),
        _ => Ok(()),
    }
}

/// Forgets it: the model was asked.
///
/// # Errors
///
/// When the disk refuses.
pub fn forget(state: &Path) -> Result<(), RecordError> {
    let records = Records::new(state).light();
    match records.get::<Unable>(KEY) {
        Ok(Some((_, seen))) => records.remove::<Unable>(KEY, &seen),
        Ok(None) | Err(RecordError::Damaged { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Why the model could not be asked when it last should have been.
#[must_use]
pub fn read(state: &Path) -> Option<String> {
    let found = Records::new(state).get::<Unable>(KEY).ok()??;
    Some(found.0.why)
}

/// What the user is to be told now; whoever takes it is the only one.
pub(super) fn take(state: &Path) -> Result<Option<String>, RecordError> {
    let records = Records::new(state).light();
    let (unable, seen) = match records.get::<Unable>(KEY) {
        Ok(Some((unable, seen))) if !unable.told => (unable, seen),
        Ok(_) | Err(RecordError::Damaged { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let told = Unable {
        told: true,
        ..unable.clone()
    };
    match records.put(KEY, &told, Some(&seen)) {
        Err(RecordError::Conflict { .. }) => Ok(None),
        put => put.map(|_| {
            Some(format!(
                "memdir cannot ask the model that you have named ({}): the rules do its work until it can; `memdir doctor` says more",
                inline(&unable.why)
            ))
        }),
    }
}
