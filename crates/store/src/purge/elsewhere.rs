//! What is written beside the memories and their history: records, logs, saved results, notes.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::needles::Matcher;
use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::history::HISTORY_FOLDER;
use crate::history::replace::OTHER_FOLDER;
use crate::inbox::INBOX_FOLDER;
use crate::limits::MAX_TRANSCRIPT_BYTES;
use crate::retired::RETIRED_FOLDER;

/// Folders that a purge looks after by other means, or that are not ours to change: memories for all projects, models.
const NOT_SCRUBBED: [&str; 6] = [
    HISTORY_FOLDER,
    OTHER_FOLDER,
    INBOX_FOLDER,
    // A file in there that reads otherwise than its record says would be taken for what somebody wrote late.
    RETIRED_FOLDER,
    "everywhere",
    "models",
];
/// The index of recall: it goes whole, or it would not fit together.
const RECALL_FOLDER: &str = "recall";
/// A file of ours above this size is not rewritten.
const MAX_SCRUBBED: u64 = 64 * 1024 * 1024;
/// What stands in a record where a purged line stood.
const PURGED: &str = "[purged]";

/// Files beneath a folder that contain one of the texts, as they are or as JSON writes them. Reads, changes nothing.
pub fn traces(folder: &Path, needles: &[String]) -> Vec<PathBuf> {
    let matcher = Matcher::anywhere(needles);
    let mut found = files(folder, &[]);
    found.retain(|path| contains(path, &matcher));
    found.sort();
    found
}

/// Files beneath a folder that are too large to be searched.
pub fn unsearched(folder: &Path) -> Vec<PathBuf> {
    let mut found = files(folder, &[]);
    found.retain(|path| is_too_large(path));
    found.sort();
    found
}

/// Files beneath a folder that are called as one of these conversations, whatever their names end with.
pub fn named_as(folder: &Path, conversations: &[String]) -> Vec<PathBuf> {
    let mut found = files(folder, &[]);
    found.retain(|path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        stem.is_some_and(|stem| conversations.iter().any(|one| one == stem))
    });
    found
}

fn is_too_large(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.len() > MAX_TRANSCRIPT_BYTES)
}

/// Takes the texts out of everything that memdir keeps beneath a folder, histories and inboxes apart: out of the strings of
/// a record, the lines of a text; what is neither goes.
pub fn scrub(folder: &Path, needles: &[String]) -> Result<()> {
    let matcher = Matcher::anywhere(needles);
    let loose = Matcher::loose(needles);
    for path in files(folder, &NOT_SCRUBBED) {
        if !contains(&path, &matcher) {
            continue;
        }
        let index = path
            .ancestors()
            .find(|above| above.file_name().is_some_and(|name| name == RECALL_FOLDER))
            .filter(|above| above.starts_with(folder));
        if let Some(index) = index {
            remove_folder(index)?;
            continue;
        }
        let failed = |error| Error::io("read", &path, error);
        // What is too large to be rewritten goes, as what cannot be told apart does.
        let is_large = std::fs::metadata(&path).is_ok_and(|about| about.len() > MAX_SCRUBBED);
        let clean = match is_large {
            true => None,
            false => match std::fs::read(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                bytes => scrubbed(&bytes.map_err(failed)?, &matcher, &loose),
            },
        };
        let done = match clean {
            Some(clean) => replace(&path, &clean),
            None => remove_file(&path),
        };
        match done {
            // Whoever wrote beside us has removed it.
            Err(error) if error.is_missing() => {}
            done => done?,
        }
    }
    Ok(())
}

/// Removes the files beneath a folder that contain one of the texts: results of tools that were saved.
pub fn remove_traces(folder: &Path, needles: &[String]) -> Result<usize> {
    let found = traces(folder, needles);
    for path in &found {
        remove_file(path)?;
    }
    Ok(found.len())
}

/// A file without the texts; `None` where it cannot be told what would be left of it.
fn scrubbed(bytes: &[u8], matcher: &Matcher, loose: &Matcher) -> Option<Vec<u8>> {
    if let Ok(mut value) = serde_json::from_slice::<Value>(bytes) {
        clean(&mut value, loose);
        let clean = serde_json::to_vec(&value).ok()?;
        return (!matcher.is_in(&clean)).then_some(clean);
    }
    std::str::from_utf8(bytes).ok()?;
    Some(matcher.cut(bytes))
}

fn clean(value: &mut Value, loose: &Matcher) {
    match value {
        Value::String(text) if loose.is_in(text.as_bytes()) => {
            *text = loose.replaced(text, PURGED);
        }
        Value::Array(values) => values.iter_mut().for_each(|one| clean(one, loose)),
        Value::Object(fields) => {
            fields.retain(|key, _| !loose.is_in(key.as_bytes()));
            fields.values_mut().for_each(|one| clean(one, loose));
        }
        _ => {}
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let (Some(folder), Some(name)) = (
        path.parent(),
        path.file_name().and_then(|name| name.to_str()),
    ) else {
        return remove_file(path);
    };
    match Directory::open(folder)? {
        Some(folder) => folder.replace_file(name, bytes),
        None => Ok(()),
    }
}

fn remove_file(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::io("remove", path, error)),
        _ => Ok(()),
    }
}

/// Removes a folder with all that is in it; missing is fine.
pub(super) fn remove_folder(path: &Path) -> Result<()> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::io("remove", path, error)),
        _ => Ok(()),
    }
}

/// Every file beneath a folder; links are not followed.
fn files(folder: &Path, but: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let is_left = but.iter().any(|name| entry.file_name() == *name);
            if kind.is_dir() && !is_left {
                waiting.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found
}

fn contains(path: &Path, matcher: &Matcher) -> bool {
    if is_too_large(path) {
        return false;
    }
    let Ok(file) = File::open(path) else {
        return false;
    };
    matcher.is_in_stream(BufReader::with_capacity(256 * 1024, file))
}
