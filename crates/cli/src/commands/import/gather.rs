//! What there is to import, read without following anything that leads elsewhere.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use memdir_memory::{MemoryPath, Topic, hidden, naming, secrets};
use memdir_store::{Directory, Store, limits, read_regular};
use serde::Serialize;

use super::super::remember::without_private;
use super::{Format, lines, pieces};
use crate::failure::Failure;

/// What was found.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) pieces: Vec<Piece>,
    pub(super) refused: Vec<Refused>,
    names: HashSet<MemoryPath>,
    /// The number that was last given to a name.
    numbers: HashMap<String, usize>,
}

impl Gathered {
    pub(super) fn add(&mut self, piece: Piece) {
        self.names.insert(piece.target.clone());
        self.pieces.push(piece);
    }

    pub(super) fn refuse(&mut self, path: &Path, reason: impl ToString) {
        self.refused.push(Refused {
            path: path.display().to_string(),
            reason: reason.to_string(),
        });
    }

    /// The first name like this that no other part has.
    pub(super) fn free(&mut self, stem: &str) -> Option<MemoryPath> {
        let number = self.numbers.entry(stem.to_owned()).or_default();
        loop {
            *number += 1;
            let path = MemoryPath::new(&format!("{}.md", naming::numbered(stem, *number))).ok()?;
            if !self.names.contains(&path) {
                return Some(path);
            }
        }
    }
}

/// A memory that may come in.
pub(super) struct Piece {
    pub(super) target: MemoryPath,
    pub(super) bytes: Vec<u8>,
    /// When it was last changed where it comes from, in nanoseconds since 1970.
    pub(super) mtime: Option<i64>,
    /// Where it comes from, for people.
    pub(super) from: String,
    /// What it was made of, where that was a part of a file.
    pub(super) part: Option<String>,
    /// Whether something private was left out of it.
    pub(super) is_cut: bool,
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
            let open = without_private(&clean.text);
            let is_blank = |open: &String| {
                let topic = Topic::parse(open.as_bytes());
                topic.body_text().trim().is_empty()
            };
            if open.as_ref().is_some_and(is_blank) {
                return Err("all of it is marked <private>".to_owned());
            }
            self.is_cut |= open.is_some();
            if removed > 0 || open.is_some() {
                let kept = open.unwrap_or_else(|| clean.text.into_owned());
                self.bytes = kept.into_bytes();
            }
        }
        let text = String::from_utf8_lossy(&self.bytes);
        let found = secrets::scan(&text);
        // Its name, and the path that is noted with it.
        let named = secrets::scan(&format!("{}\n{}", self.target, self.from));
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
        (Format::ClaudeCode, true) => {
            if let Some(inside) = beneath(path, "memory", &mut gathered)? {
                folder(&inside, &mut gathered)?;
            }
        }
        (Format::Markdown, true) => folder(&opened(path)?, &mut gathered)?,
        (Format::ClaudeCode | Format::Markdown, false) => file(path, &mut gathered),
        (Format::Codex, true) => {
            if let Some(inside) = beneath(path, "memories", &mut gathered)? {
                pieces::codex(&inside, &mut gathered);
            }
        }
        (Format::Gemini, true) => gemini(path, &mut gathered)?,
        (Format::Codex, false) => pieces::sections(Text::named(path), &mut gathered),
        (Format::Gemini, false) => pieces::gemini(Text::named(path), &mut gathered),
    }
    Ok(gathered)
}

/// Its memory folder with what its index says besides, and its instructions. Of another folder than that one nothing else is
/// read: what lies about there are extensions, commands and agents.
fn gemini(path: &Path, gathered: &mut Gathered) -> Result<(), Failure> {
    const MEMORY: &str = "memory";
    let outer = opened(path)?;
    let inside = match outer.folder(MEMORY) {
        Ok(Some(inside)) => Some(inside),
        Ok(None) if path.file_name().is_some_and(|name| name == MEMORY) => Some(opened(path)?),
        Ok(None) => None,
        Err(error) => {
            gathered.refuse(&path.join(MEMORY), error);
            None
        }
    };
    if let Some(inside) = inside {
        folder(&inside, gathered)?;
        pieces::gemini(Text::beneath(&inside, "MEMORY.md"), gathered);
    }
    pieces::gemini(Text::beneath(&outer, "GEMINI.md"), gathered);
    Ok(())
}

/// The folder that the user named, which may be reached through a link: it is the user's own word.
fn opened(path: &Path) -> Result<Directory, Failure> {
    Directory::open(path)?.ok_or_else(|| {
        Failure::new(
            format!("{} is gone", path.display()),
            "name a folder that is there",
        )
    })
}

/// The folder of this name in another where there is one, else that other. One that is a link is refused.
fn beneath(path: &Path, name: &str, gathered: &mut Gathered) -> Result<Option<Directory>, Failure> {
    let outer = opened(path)?;
    Ok(match outer.folder(name) {
        Ok(Some(inside)) => Some(inside),
        Ok(None) => Some(outer),
        Err(error) => {
            gathered.refuse(&path.join(name), error);
            None
        }
    })
}

/// Bytes, and when they were last changed, in nanoseconds since 1970.
pub(super) type Dated = (Vec<u8>, Option<i64>);

/// A text that holds several memories.
pub(super) struct Text {
    /// Its file, for people.
    pub(super) from: String,
    pub(super) is_index: bool,
    /// Nothing where there is no such file.
    pub(super) read: Result<Option<Dated>, String>,
}

impl Text {
    /// A file that the user named.
    fn named(path: &Path) -> Self {
        Self {
            from: path.display().to_string(),
            is_index: path.file_name().is_some_and(|name| name == "MEMORY.md"),
            read: read(path).map(Some),
        }
    }

    /// A file of a folder that the user named; no link is followed.
    pub(super) fn beneath(folder: &Directory, name: &str) -> Self {
        let read = folder.read(name, limits::MAX_FILE_BYTES);
        Self {
            from: folder.path().join(name).display().to_string(),
            is_index: name == "MEMORY.md",
            read: read
                .map(|found| found.map(|found| (found.bytes, Some(found.stamp.mtime))))
                .map_err(|error| error.to_string()),
        }
    }
}

/// Every topic file of a folder, as a memory directory is read: no link is followed, and only plain files are opened.
fn folder(folder: &Directory, gathered: &mut Gathered) -> Result<(), Failure> {
    let path = folder.path();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // Reading writes nothing, so that its state need not be anywhere.
    let store = Store::new(&path, path.join(".memdir"));
    let scan = store.scan()?;
    for memory in scan.memories {
        let from = path.join(memory.path.as_str()).display().to_string();
        match store.read(&memory.path) {
            Ok(Some(found)) => gathered.add(Piece {
                target: memory.path,
                bytes: found.bytes,
                mtime: Some(found.stamp.mtime),
                from,
                part: None,
                is_cut: false,
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
        (Ok(target), Ok((bytes, mtime))) => gathered.add(Piece {
            target,
            bytes,
            mtime,
            from: path.display().to_string(),
            part: None,
            is_cut: false,
        }),
        (Err(reason), _) | (_, Err(reason)) => gathered.refused.push(refuse(reason)),
    }
}

/// A file that the user named, with its time.
fn read(path: &Path) -> Result<Dated, String> {
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
