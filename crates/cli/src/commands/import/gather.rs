//! What there is to import, read without following anything that leads elsewhere.

use std::path::Path;

use memdir_memory::{MemoryPath, hidden, secrets};
use memdir_store::{Store, limits, read_regular};
use serde::Serialize;

use super::{Format, lines, pieces};
use crate::failure::Failure;

/// What was found.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) pieces: Vec<Piece>,
    pub(super) refused: Vec<Refused>,
}

/// A memory that may come in.
pub(super) struct Piece {
    pub(super) target: MemoryPath,
    pub(super) bytes: Vec<u8>,
    /// When it was last changed where it comes from, in nanoseconds since 1970.
    pub(super) mtime: Option<i64>,
    /// Where it comes from, for people.
    pub(super) from: String,
}

/// Something that does not come in.
#[derive(Debug, Serialize)]
pub(super) struct Refused {
    pub(super) path: String,
    pub(super) reason: String,
}

impl Piece {
    /// Takes out what nobody can see, and says how much; or why it may not come in.
    pub(super) fn admit(&mut self) -> Result<usize, String> {
        if self.bytes.is_empty() {
            return Err("it is empty".to_owned());
        }
        if u64::try_from(self.bytes.len()).is_ok_and(|bytes| bytes > limits::MAX_FILE_BYTES) {
            return Err(format!(
                "it is larger than {} bytes",
                limits::MAX_FILE_BYTES
            ));
        }
        let mut removed = 0;
        if let Ok(text) = std::str::from_utf8(&self.bytes) {
            let clean = hidden::clean(text);
            removed = clean.removed;
            if removed > 0 {
                self.bytes = clean.text.into_owned().into_bytes();
            }
        }
        let text = String::from_utf8_lossy(&self.bytes);
        let found = secrets::scan(&text);
        let named = secrets::scan(self.target.as_str());
        match found.first().or(named.first()) {
            Some(finding) => Err(format!(
                "line {} looks like a secret (rule {}: {})",
                finding.line, finding.rule.id, finding.rule.description
            )),
            None => Ok(removed),
        }
    }
}

/// Everything of a format that is at a path.
pub(super) fn gather(format: Format, path: &Path, everywhere: bool) -> Result<Gathered, Failure> {
    let looked = std::fs::metadata(path).map_err(|error| {
        Failure::new(
            format!("cannot look at {}: {error}", path.display()),
            "name a folder or a file that is there",
        )
    })?;
    let mut gathered = Gathered::default();
    match (format, looked.is_dir()) {
        (Format::Jsonl, false) => lines::read(path, everywhere, &mut gathered)?,
        (Format::Jsonl, true) => {
            return Err(Failure::new(
                format!("{} is a folder", path.display()),
                "name the file that `memdir export jsonl` wrote",
            ));
        }
        (Format::ClaudeCode, true) => folder(&beneath(path, "memory"), &mut gathered)?,
        (Format::Markdown, true) => folder(path, &mut gathered)?,
        (Format::ClaudeCode | Format::Markdown, false) => file(path, &mut gathered),
        (Format::Codex, true) => pieces::codex(&beneath(path, "memories"), &mut gathered),
        (Format::Gemini, true) => {
            let memory = beneath(path, "memory");
            folder(&memory, &mut gathered)?;
            pieces::gemini(&memory.join("MEMORY.md"), &mut gathered);
            pieces::gemini(&path.join("GEMINI.md"), &mut gathered);
        }
        (Format::Codex, false) => pieces::sections(path, &mut gathered),
        (Format::Gemini, false) => pieces::gemini(path, &mut gathered),
    }
    Ok(gathered)
}

/// The folder of this name in another where there is one, else that other.
fn beneath(path: &Path, name: &str) -> std::path::PathBuf {
    let inside = path.join(name);
    match std::fs::symlink_metadata(&inside).is_ok_and(|found| found.is_dir()) {
        true => inside,
        false => path.to_path_buf(),
    }
}

/// Every topic file of a folder, as a memory directory is read: no link is followed, and only plain files are opened.
fn folder(path: &Path, gathered: &mut Gathered) -> Result<(), Failure> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // Reading writes nothing, so that its state need not be anywhere.
    let store = Store::new(&path, path.join(".memdir"));
    let scan = store.scan()?;
    for memory in scan.memories {
        let from = path.join(memory.path.as_str()).display().to_string();
        match store.read(&memory.path) {
            Ok(Some(found)) => gathered.pieces.push(Piece {
                target: memory.path,
                bytes: found.bytes,
                mtime: Some(found.stamp.mtime),
                from,
            }),
            Ok(None) => {}
            Err(error) => gathered.refused.push(Refused {
                path: from,
                reason: error.to_string(),
            }),
        }
    }
    gathered
        .refused
        .extend(scan.skipped.into_iter().map(|skipped| Refused {
            path: path.join(skipped.path).display().to_string(),
            reason: skipped.reason,
        }));
    Ok(())
}

/// One file.
fn file(path: &Path, gathered: &mut Gathered) {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let refuse = |reason: String| Refused {
        path: path.display().to_string(),
        reason,
    };
    let target = match MemoryPath::new(&name) {
        Ok(target) if target.is_index() => Err("it is an index, not a memory".to_owned()),
        target => target.map_err(|problem| problem.to_string()),
    };
    match (target, read(path)) {
        (Ok(target), Ok((bytes, mtime))) => gathered.pieces.push(Piece {
            target,
            bytes,
            mtime,
            from: path.display().to_string(),
        }),
        (Err(reason), _) | (_, Err(reason)) => gathered.refused.push(refuse(reason)),
    }
}

/// A file that the user named, with its time.
pub(super) fn read(path: &Path) -> Result<(Vec<u8>, Option<i64>), String> {
    let bytes = read_regular(path, limits::MAX_FILE_BYTES).map_err(|error| error.to_string())?;
    let bytes = bytes.ok_or_else(|| "there is no such file".to_owned())?;
    let modified = std::fs::metadata(path).and_then(|found| found.modified());
    let since = modified
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Ok((
        bytes,
        since.and_then(|since| i64::try_from(since.as_nanos()).ok()),
    ))
}
