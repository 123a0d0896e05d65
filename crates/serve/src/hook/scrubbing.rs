//! Records of earlier versions, which kept words of messages as they were said: cleaned once, by the first background work
//! after an upgrade, those of conversations that are over too.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_agent::jobs::Jobs;
use memdir_memory::scrub;
use memdir_recall::ConversationRecords;
use memdir_store::{Directory, Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::{Failures, handed_over, unable};

/// Raised whenever records are to be cleaned anew, because more is found than before.
const RULES: u64 = 2;
/// What was typed into `memdir chat`, in memdir's own folder: one JSON string a line.
pub const CHAT_HISTORY: &str = "chat-history";
const KEY: &str = "records";
/// Folders of records that hold words of messages, in the state of a memory directory. Damaged ones are kept beside them.
const CONVERSATIONS: &str = "conversations";
const WITH_WORDS: [&str; 3] = [CONVERSATIONS, "unable", "jobs/past"];
/// How the name of a damaged record goes on.
const DAMAGED: &str = ".bad-";
/// A damaged record of more bytes is removed: nothing of ours is that large.
const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// That records were cleaned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Scrubbed {
    rules: u64,
    at: Timestamp,
}

impl Record for Scrubbed {
    const KIND: &'static str = "scrubbed";
    const VERSION: u64 = 1;
}

/// How far cleaning has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// How many folders of records still hold what an earlier version wrote.
    pub due: usize,
    /// When the last one was cleaned, if one was.
    pub last: Option<Timestamp>,
}

/// How far cleaning has come beneath memdir's own folder. Writes nothing.
#[must_use]
pub fn progress(own_dir: &Path) -> Progress {
    let folders = folders(own_dir);
    let done = folders.iter().map(|folder| done_at(folder));
    let done: Vec<Option<Timestamp>> = done.collect();
    Progress {
        due: done.iter().filter(|at| at.is_none()).count(),
        last: done.into_iter().flatten().max(),
    }
}

/// Cleans everything beneath memdir's own folder that was not yet, of all projects. Killed midway, it goes on the next time.
///
/// # Errors
///
/// The first that was met; what else there is was cleaned all the same.
pub fn run(own_dir: &Path, now: Timestamp) -> Result<(), RecordError> {
    let mut result = Ok(());
    for folder in folders(own_dir) {
        if done_at(&folder).is_some() {
            continue;
        }
        let cleaned = match folder == own_dir {
            true => Failures::new(own_dir)
                .scrub()
                .map_err(RecordError::from)
                .and_then(|()| chat_history(own_dir)),
            false => state(&folder),
        };
        let noted = cleaned.and_then(|()| {
            let done = Scrubbed {
                rules: RULES,
                at: now,
            };
            // A newer memdir has been here: it knows better.
            match Records::new(&folder).update(KEY, |_| done.clone()) {
                Err(RecordError::Newer { .. }) => Ok(()),
                noted => noted.map(drop),
            }
        });
        if result.is_ok() {
            result = noted;
        }
    }
    result
}

/// Cleans what was typed before. A line that cannot be read goes: nobody is offered it.
fn chat_history(own_dir: &Path) -> Result<(), RecordError> {
    let Some(folder) = Directory::open(own_dir)? else {
        return Ok(());
    };
    let Some(found) = folder.read(CHAT_HISTORY, MOST_BYTES)? else {
        return Ok(());
    };
    let text = String::from_utf8_lossy(&found.bytes);
    let line = |line: &str| {
        let typed: String = serde_json::from_str(line).ok()?;
        Some(format!("{}\n", serde_json::Value::from(scrub(&typed))))
    };
    let lines: String = text.lines().filter_map(line).collect();
    if lines.as_bytes() != found.bytes {
        folder.replace_file(CHAT_HISTORY, lines.as_bytes())?;
    }
    Ok(())
}

/// Cleans the state of one memory directory.
fn state(state: &Path) -> Result<(), RecordError> {
    ConversationRecords::new(state).scrub()?;
    let jobs = Jobs::new(state).scrub();
    jobs.map_err(|error| match error {
        memdir_agent::jobs::JobsError::Record(error) => error,
        memdir_agent::jobs::JobsError::Store(error) => RecordError::Store(error),
    })?;
    unable::scrub(state)?;
    handed_over::scrub_all(state)?;
    for kind in WITH_WORDS {
        damaged(&state.join(kind))?;
    }
    Ok(())
}

/// What was damaged has words in it as well.
fn damaged(folder: &Path) -> Result<(), RecordError> {
    let Some(folder) = Directory::open(folder)? else {
        return Ok(());
    };
    let mut names = Vec::new();
    folder.list(|entry| names.extend(String::from_utf8(entry.name.to_vec())))?;
    for name in names.iter().filter(|name| name.contains(DAMAGED)) {
        match folder.read(name, MOST_BYTES) {
            Ok(Some(found)) => {
                let text = String::from_utf8_lossy(&found.bytes);
                let clean = scrub(&text);
                if clean.as_bytes() != found.bytes {
                    folder.replace_file(name, clean.as_bytes())?;
                }
            }
            Ok(None) => {}
            Err(_) => folder.remove(name)?,
        }
    }
    Ok(())
}

/// When the records of a folder were cleaned, by these rules or newer ones.
fn done_at(folder: &Path) -> Option<Timestamp> {
    match Records::new(folder).get::<Scrubbed>(KEY) {
        Ok(Some((done, _))) => (done.rules >= RULES).then_some(done.at),
        Err(RecordError::Newer { .. }) => Some(Timestamp::UNIX_EPOCH),
        Ok(None) | Err(_) => None,
    }
}

/// Memdir's own folder, and the states of memory directories in it.
fn folders(own_dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(own_dir) else {
        return Vec::new();
    };
    let mut folders = Vec::new();
    if Failures::new(own_dir).path().is_file() || own_dir.join(CHAT_HISTORY).is_file() {
        folders.push(own_dir.to_path_buf());
    }
    for entry in entries.filter_map(Result::ok) {
        // A link is nobody's state.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let path = entry.path();
        let holds = || {
            let mut kinds = WITH_WORDS.iter().chain(&["handed-over"]);
            kinds.any(|kind| path.join(kind).is_dir())
        };
        if is_folder && holds() {
            folders.push(path);
        }
    }
    folders.sort();
    folders
}
