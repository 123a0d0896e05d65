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

/// Takes the texts out of everything that memdir keeps beneath a folder, histories and inboxes apart: out of the strings of
/// a record, the lines of a text; what is neither goes.
pub fn scrub(folder: &Path, needles: &[String]) -> Result<()> {
    let matcher = Matcher::anywhere(needles);
    let plain = Matcher::plain(needles);
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
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            bytes => bytes.map_err(failed)?,
        };
        match scrubbed(&bytes, &matcher, &plain, needles) {
            Some(clean) => replace(&path, &clean)?,
            None => remove_file(&path)?,
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
fn scrubbed(
    bytes: &[u8],
    matcher: &Matcher,
    plain: &Matcher,
    needles: &[String],
) -> Option<Vec<u8>> {
    if let Ok(mut value) = serde_json::from_slice::<Value>(bytes) {
        clean(&mut value, plain, needles);
        let clean = serde_json::to_vec(&value).ok()?;
        return (!matcher.is_in(&clean)).then_some(clean);
    }
    std::str::from_utf8(bytes).ok()?;
    Some(matcher.cut(bytes))
}

fn clean(value: &mut Value, plain: &Matcher, needles: &[String]) {
    match value {
        Value::String(text) if plain.is_in(text.as_bytes()) => {
            for needle in needles {
                *text = text.replace(needle.as_str(), PURGED);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|one| clean(one, plain, needles)),
        Value::Object(fields) => {
            fields.retain(|key, _| !plain.is_in(key.as_bytes()));
            fields
                .values_mut()
                .for_each(|one| clean(one, plain, needles));
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
    let Ok(file) = File::open(path) else {
        return false;
    };
    matcher.is_in_stream(BufReader::with_capacity(256 * 1024, file))
}
