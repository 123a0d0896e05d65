//! Purge: really removing memories, from the files and from every version in the history.
//!
//! The one command that rewrites the log. Files go first and the history last: whoever is killed in between runs the
//! same command again, and the history still tells which names the memory ever had.

use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use memdir_memory::{Index, MemoryPath};

use crate::digest::Digest;
use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::history::journal::Journal;
use crate::history::log::{LOG_NAME, Log};
use crate::history::record::{FileRecord, Record};
use crate::history::splice::Delta;
use crate::index::index_of;
use crate::limits::MAX_FILE_BYTES;
use crate::store::Store;

/// The `what` of an operation that gives a memory another name.
pub const RENAME: &str = "rename";

/// What a purge removed.
#[derive(Debug, Default)]
pub struct Purged {
    /// Names that the memories ever had; all are gone.
    pub names: Vec<MemoryPath>,
    /// Files that were removed.
    pub files: usize,
    /// Versions that were removed from the history.
    pub versions: usize,
    /// Texts by which traces elsewhere can be found.
    pub needles: Vec<String>,
}

impl Store {
    /// What a purge of these memories would remove. Writes nothing.
    pub fn plan_purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        let records = match self.open_log()? {
            Some(log) => records(&log)?,
            None => Vec::new(),
        };
        self.survey(&records, paths)
    }

    /// Removes memories with every version of them and every index line that ever led to them.
    pub fn purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        self.sweep()?;
        let mut journal = Journal::open(self, "purge")?;
        let old = records(&journal.log)?;
        let purged = self.survey(&old, paths)?;
        let names: HashSet<&MemoryPath> = purged.names.iter().collect();
        for path in &purged.names {
            remove_file(&journal.memory, path)?;
            remove_index_line(&journal.memory, path)?;
        }
        let mut lines = Vec::new();
        for record in rewritten(old, &names)? {
            let line = record
                .to_line()
                .map_err(|error| Error::io("write", LOG_NAME, error))?;
            lines.extend_from_slice(&line);
        }
        journal.replace_log(&lines)?;
        journal.close().sync()?;
        Ok(purged)
    }

    /// Removes every memory of this directory, its history and its state.
    pub fn purge_everything(&self) -> Result<Purged> {
        let purged = self.plan_purge(&self.every_path()?)?;
        let journal = Journal::open(self, "purge")?;
        for path in self.every_path()? {
            remove_file(&journal.memory, &path)?;
        }
        journal.memory.sync()?;
        // The lock is held on a file in this very folder: nobody can begin anything before it is gone.
        std::fs::remove_dir_all(self.state_directory())
            .map_err(|error| Error::io("remove", self.state_directory(), error))?;
        Ok(purged)
    }

    fn every_path(&self) -> Result<Vec<MemoryPath>> {
        let Some(memory) = Directory::open(self.memory_directory())? else {
            return Ok(Vec::new());
        };
        let mut paths = Vec::new();
        crate::walk::walk(&memory, |_| true, |met, _| paths.push(met.path))?;
        Ok(paths)
    }

    fn survey(&self, records: &[Record], paths: &[MemoryPath]) -> Result<Purged> {
        let mut purged = Purged {
            names: every_name(records, paths),
            ..Purged::default()
        };
        for path in &purged.names {
            let found = self.read(path)?;
            purged.files += usize::from(found.is_some());
            purged
                .needles
                .extend(found.iter().flat_map(|found| needles(&found.bytes)));
        }
        for file in records.iter().flat_map(|record| &record.files) {
            if purged.names.contains(&file.path) {
                purged.versions += usize::from(file.after.is_some());
                if let Some(Delta::Whole(text)) = &file.delta {
                    purged.needles.extend(needles(text.as_bytes()));
                }
            }
        }
        purged.needles.sort();
        purged.needles.dedup();
        Ok(purged)
    }
}

fn records(log: &Log) -> Result<Vec<Record>> {
    Ok(log
        .read_from(0)?
        .records
        .into_iter()
        .map(|(record, _)| record)
        .collect())
}

/// The names that these memories have and had.
fn every_name(records: &[Record], paths: &[MemoryPath]) -> Vec<MemoryPath> {
    let mut names = paths.to_vec();
    for record in records
        .iter()
        .rev()
        .filter(|record| record.reason.what == RENAME)
    {
        let made = |file: &&FileRecord| file.before.is_none() && names.contains(&file.path);
        if record.files.iter().find(made).is_some() {
            let gone = record.files.iter().filter(|file| file.after.is_none());
            names.extend(gone.map(|file| file.path.clone()).collect::<Vec<_>>());
        }
    }
    names.sort();
    names.dedup();
    names
}

fn remove_file(memory: &Directory, path: &MemoryPath) -> Result<()> {
    let Some(folder) = memory.parent_of(path)? else {
        return Ok(());
    };
    folder.remove(path.file_name())?;
    folder.sync()
}

fn remove_index_line(memory: &Directory, path: &MemoryPath) -> Result<()> {
    let (index, target) = index_of(path)?;
    let Some(folder) = memory.parent_of(&index)? else {
        return Ok(());
    };
    let Some(found) = folder.read(index.file_name(), MAX_FILE_BYTES)? else {
        return Ok(());
    };
    let without = Index::parse(&found.bytes)
        .without_target(&target)
        .into_bytes();
    if without == found.bytes {
        return Ok(());
    }
    let temporary = folder.temporary(&without, Some(found.mode), None)?;
    folder.rename_over(&temporary.name, index.file_name())?;
    folder.sync()
}

/// The history as if the memories had never been: their versions out, and their lines out of every version of an index.
fn rewritten(records: Vec<Record>, names: &HashSet<&MemoryPath>) -> Result<Vec<Record>> {
    let mut indexes = HashMap::<MemoryPath, Versions>::new();
    let mut kept = Vec::new();
    for mut record in records {
        let mut files = Vec::new();
        for file in std::mem::take(&mut record.files) {
            if names.contains(&file.path) {
                continue;
            }
            if file.path.is_index() {
                let versions = indexes.entry(file.path.clone()).or_default();
                files.extend(versions.next(file, names)?);
            } else {
                files.push(file);
            }
        }
        record.files = files;
        if !record.files.is_empty() {
            kept.push(record);
        }
    }
    Ok(kept)
}

/// One index through the history: as it was, and as it would have been.
#[derive(Default)]
struct Versions {
    real: Option<Vec<u8>>,
    purged: Option<Vec<u8>>,
}

impl Versions {
    fn next(
        &mut self,
        mut file: FileRecord,
        names: &HashSet<&MemoryPath>,
    ) -> Result<Option<FileRecord>> {
        let before = self.purged.clone();
        self.real = match &file.delta {
            Some(delta) => delta.apply(self.real.as_deref().unwrap_or_default()),
            None => None,
        };
        self.purged = match &self.real {
            Some(real) => Some(without(real, &file.path, names)?),
            None => None,
        };
        if self.purged == before {
            return Ok(None);
        }
        file.before = before.as_deref().map(Digest::of);
        file.after = self.purged.as_deref().map(Digest::of);
        file.delta = self.purged.as_deref().map(|purged| match &before {
            Some(before) => Delta::between(before, purged),
            None => Delta::whole(purged),
        });
        file.tmp = None;
        Ok(Some(file))
    }
}

fn without(
    index_bytes: &[u8],
    index_path: &MemoryPath,
    names: &HashSet<&MemoryPath>,
) -> Result<Vec<u8>> {
    let mut index = Index::parse(index_bytes);
    for name in names {
        let (listed_in, target) = index_of(name)?;
        if listed_in == *index_path {
            index = index.without_target(&target);
        }
    }
    Ok(index.into_bytes())
}

/// Lines long enough to be found again elsewhere.
fn needles(content: &[u8]) -> Vec<String> {
    let topic = memdir_memory::Topic::parse(content);
    let body = topic.body_text();
    let lines = body
        .lines()
        .map(str::trim)
        .filter(|line| line.chars().count() >= 16);
    lines.map(str::to_owned).collect()
}

/// Files beneath a folder that contain one of the texts, as they are or as JSON writes them. Reads, changes nothing.
pub fn traces(folder: &Path, needles: &[String]) -> Vec<PathBuf> {
    let mut patterns = Vec::new();
    for needle in needles {
        let json = serde_json::Value::from(needle.as_str()).to_string();
        patterns.push(json.trim_matches('"').to_owned());
        patterns.push(needle.clone());
    }
    patterns.sort();
    patterns.dedup();
    let Ok(matcher) = aho_corasick::AhoCorasick::new(&patterns) else {
        return Vec::new();
    };
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
            if kind.is_dir() {
                waiting.push(entry.path());
            } else if kind.is_file() && !patterns.is_empty() && contains(&entry.path(), &matcher) {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

fn contains(path: &Path, matcher: &aho_corasick::AhoCorasick) -> bool {
    let Ok(file) = std::fs::File::open(path) else {
        return false;
    };
    let stream = BufReader::with_capacity(256 * 1024, file).take(u64::MAX);
    matcher
        .stream_find_iter(stream)
        .next()
        .is_some_and(|found| found.is_ok())
}
