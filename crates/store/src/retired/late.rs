//! What was written to a file after it had come out of its place, put into the one that stands there.

use std::collections::HashSet;

use memdir_memory::MemoryPath;

use super::Retired;
use crate::digest::Digest;
use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::history::content::look_up;
use crate::history::journal::Journal;
use crate::limits::{MAX_FILE_BYTES, RACE_ATTEMPTS};
use crate::merge::{Merged, merge_beside};
use crate::place::{self, Placing};

/// Puts a late content together with what stands at `path`; whether that changed anything. What stands there no more
/// stays away: then the history alone has what came late.
pub(super) fn take_in(
    journal: &mut Journal<'_>,
    retired: &Retired,
    path: &MemoryPath,
    late: &Found,
) -> Result<bool> {
    let base = base(journal, retired, &late.bytes);
    let mut is_recorded = false;
    for _ in 0..RACE_ATTEMPTS {
        let folder = journal.memory.parent_of(path)?;
        let current = match &folder {
            Some(folder) => folder.read(path.file_name(), MAX_FILE_BYTES)?,
            None => None,
        };
        let (Some(folder), Some(current)) = (folder, current) else {
            journal.append_outside(path, Some(late))?;
            return journal.append_outside(path, None).map(|()| true);
        };
        let (bytes, is_clean) = together(base.as_deref(), &current.bytes, &late.bytes);
        if bytes == current.bytes {
            return Ok(is_recorded);
        }
        if !is_clean && !is_recorded {
            // Not all of it fits into the file: the history has it as it was written.
            journal.append_outside(path, Some(late))?;
            journal.append_outside(path, Some(&current))?;
            is_recorded = true;
        }
        if swap_in(journal, &folder, path, &current, &bytes)? {
            // The file first, then the history: a crash in between leaves what a sweep records just so.
            let now = folder.read(path.file_name(), MAX_FILE_BYTES)?;
            return journal.append_outside(path, now.as_ref()).map(|()| true);
        }
    }
    Err(Error::Conflict {
        path: path.clone(),
        merged: "it is being written all the time".to_owned(),
    })
}

/// What the file held when it came out: the beginning of what it holds now, where something was appended, else from
/// the history.
fn base(journal: &Journal<'_>, retired: &Retired, late: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(retired.length).ok()?;
    if let Some(beginning) = late.get(..length)
        && Digest::of(beginning) == retired.digest
    {
        return Some(beginning.to_vec());
    }
    look_up(&journal.log, &retired.path, retired.digest).ok()
}

/// Both changes in one, and whether they fit. Where they do not, the lines that are new in the late one stand at the end.
fn together(base: Option<&[u8]>, current: &[u8], late: &[u8]) -> (Vec<u8>, bool) {
    if let Some(base) = base
        && let Merged::Clean(bytes) = merge_beside(base, (current, "now"), (late, "late"), true)
    {
        return (bytes, true);
    }
    let lines = |bytes: &[u8]| -> HashSet<Vec<u8>> {
        let lines = bytes.split(|byte| *byte == b'\n');
        lines.map(|line| line.trim_ascii_end().to_vec()).collect()
    };
    let mut known = lines(current);
    known.extend(lines(base.unwrap_or_default()));
    let mut bytes = current.to_vec();
    for line in late.split_inclusive(|byte| *byte == b'\n') {
        if known.contains(line.trim_ascii_end()) {
            continue;
        }
        if !bytes.is_empty() && !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line);
    }
    (bytes, false)
}

/// Puts a content where `current` stands; `false` when somebody else was faster, and is there.
fn swap_in(
    journal: &Journal<'_>,
    folder: &Directory,
    path: &MemoryPath,
    current: &Found,
    bytes: &[u8],
) -> Result<bool> {
    let name = path.file_name();
    let temporary = folder.temporary(bytes, Some(current.mode), None)?;
    let placed = place::put(folder, name, &temporary.name, Some(&current.bytes))?;
    let is_placed = matches!(placed, Placing::Done(_));
    let is_back = match &placed {
        Placing::Raced(race) if race.aside.is_some() => {
            place::give_back(folder, name, &temporary.name, Some(bytes))?
        }
        _ => !is_placed,
    };
    if is_back {
        // It holds ours again, which went nowhere.
        folder.remove(&temporary.name)?;
    } else {
        // What came out may have a writer too; and where somebody was faster, what they wrote is late as well.
        super::keep(journal, folder, &temporary.name, path, Some(&current.bytes));
    }
    folder.sync()?;
    Ok(is_placed)
}
