//! Which files are meant, oldest first: what was said later holds.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use memdir_agent::cursor::FileMark;

use super::report::Tally;
use crate::failure::Failure;

/// How deep folders are searched.
const DEPTH: usize = 12;

/// A file that may be a transcript.
#[derive(Debug)]
pub(super) struct Transcript {
    /// Where it really is.
    pub(super) path: PathBuf,
    pub(super) mark: FileMark,
    /// Whether it was named itself, and not only its folder.
    pub(super) named: bool,
}

impl Transcript {
    /// A name for the conversation where the file has none.
    pub(super) fn stem(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }
}

/// The transcripts among what was named.
pub(super) fn find(named: &[PathBuf], tally: &mut Tally) -> Result<Vec<Transcript>, Failure> {
    let mut found: BTreeMap<PathBuf, Transcript> = BTreeMap::new();
    for path in named {
        let real = fs::canonicalize(path).map_err(|error| {
            let shown = path.display();
            Failure::new(format!("{shown} cannot be read: {error}"), "")
        })?;
        if real.is_dir() {
            walk(&real, DEPTH, &mut found, tally);
        } else if let Some(transcript) = transcript(&real, true) {
            found.insert(real, transcript);
        }
    }
    let mut all: Vec<Transcript> = found.into_values().collect();
    all.sort_by(|one, other| {
        let key = |one: &Transcript| one.mark.mtime;
        key(one)
            .cmp(&key(other))
            .then_with(|| one.path.cmp(&other.path))
    });
    Ok(all)
}

/// Every `*.jsonl` and `*.json` beneath a folder; links are not followed.
fn walk(folder: &Path, depth: usize, found: &mut BTreeMap<PathBuf, Transcript>, tally: &mut Tally) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            tally.unreadable(folder, error.to_string());
            return;
        }
    };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let path = entry.path();
        if kind.is_dir() && depth > 0 {
            walk(&path, depth - 1, found, tally);
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        if kind.is_file()
            && matches!(ending, Some("jsonl" | "json"))
            && !found.contains_key(&path)
            && let Some(transcript) = transcript(&path, false)
        {
            found.insert(path, transcript);
        }
    }
}

fn transcript(path: &Path, named: bool) -> Option<Transcript> {
    let meta = fs::metadata(path).ok()?;
    let mtime = meta.mtime().saturating_mul(1_000_000_000);
    Some(Transcript {
        path: path.to_path_buf(),
        mark: FileMark {
            size: meta.len(),
            mtime: mtime.saturating_add(meta.mtime_nsec()),
        },
        named,
    })
}
