//! Purge: really removing memories, from the files and from every version in the history.
//!
//! The one command that rewrites the log. Files go first and the history last: whoever is killed in between runs the
//! same command again, and the history still tells which names the memory ever had.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use memdir_memory::index::Entry;
use memdir_memory::{Index, MemoryPath};
use rustix::io::Errno;

use crate::digest::Digest;
use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::history::journal::Journal;
use crate::history::log::{LOG_NAME, Log};
use crate::history::record::{FileRecord, Record};
use crate::history::splice::Delta;
use crate::index::index_of;
use crate::limits::{MAX_FILE_BYTES, RACE_ATTEMPTS};
use crate::lock::LOCK_NAME;
use crate::oversized;
use crate::place;
use crate::retired;
use crate::store::Store;

/// The `what` of an operation that gives a memory another name.
pub const RENAME: &str = "rename";

/// Folders beside the history that a purge removes whole: the index of recall, what conversations were given, what a dream
/// proposes, what the user has not been told yet, and conversations that wait to be looked at.
const DERIVED: [&str; 5] = [
    "recall",
    "conversations",
    "proposals",
    "untold",
    "handed-over",
];

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
        let records = self.every_record()?;
        self.survey(&records, &self.reach(&records, paths)?)
    }

    /// Removes memories with every version of them and every index line that ever led to them.
    pub fn purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        self.sweep()?;
        let mut journal = Journal::open(self, "purge")?;
        let old = records(&journal.log)?;
        let reach = self.reach(&old, paths)?;
        let purged = self.survey(&old, &reach)?;
        // While the history can still tell which suggestion became which memory.
        self.inbox().purge_about(self, &purged)?;
        for path in reach.whole() {
            remove_file(&journal.memory, path)?;
            oversized::set_index_aside(&mut journal, &index_of(path)?.0)?;
            remove_index_line(&journal.memory, path)?;
        }
        oversized::purge(self.state_directory(), &purged)?;
        retired::empty(&journal, |path| reach.0.contains_key(path))?;
        let mut lines = Vec::new();
        for record in rewritten(old, &reach)? {
            let line = record
                .to_line()
                .map_err(|error| Error::io("write", LOG_NAME, error))?;
            lines.extend_from_slice(&line);
        }
        self.remove_derived()?;
        journal.replace_log(&lines)?;
        journal.close().sync()?;
        Ok(purged)
    }

    /// What a purge of everything would remove. Writes nothing.
    pub fn plan_purge_everything(&self) -> Result<Purged> {
        let records = self.every_record()?;
        let of_the_past = records.iter().flat_map(|record| &record.files);
        let mut paths = self.files()?;
        paths.extend(of_the_past.map(|file| file.path.clone()));
        self.survey(&records, &self.reach(&records, &paths)?)
    }

    /// Removes every memory of this directory, its history and its state.
    pub fn purge_everything(&self) -> Result<Purged> {
        self.sweep()?;
        let purged = self.plan_purge_everything()?;
        let journal = Journal::open(self, "purge")?;
        for path in self.files()? {
            remove_file(&journal.memory, &path)?;
        }
        journal.memory.sync()?;
        // The lock is held on a file in this very folder. It goes last: nobody can begin anything before the rest is gone.
        let state = self.state_directory();
        let failed = |error| Error::io("remove", state, error);
        for entry in std::fs::read_dir(state).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            match entry.file_type().map_err(failed)?.is_dir() {
                true => std::fs::remove_dir_all(entry.path()).map_err(failed)?,
                false if entry.file_name() != LOCK_NAME => {
                    std::fs::remove_file(entry.path()).map_err(failed)?;
                }
                false => {}
            }
        }
        std::fs::remove_file(state.join(LOCK_NAME)).map_err(failed)?;
        match std::fs::remove_dir(state) {
            // Somebody begins anew already.
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(purged),
            removed => removed.map(|()| purged).map_err(failed),
        }
    }

    /// Removes what was derived from the memories or tells which of them were used: it has words of theirs.
    fn remove_derived(&self) -> Result<()> {
        for name in DERIVED {
            let folder = self.state_directory().join(name);
            match std::fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Error::io("remove", folder, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn every_record(&self) -> Result<Vec<Record>> {
        match self.open_log()? {
            Some(log) => records(&log),
            None => Ok(Vec::new()),
        }
    }

    fn reach(&self, records: &[Record], paths: &[MemoryPath]) -> Result<Reach> {
        let mut reach = Reach::of(records, paths);
        for (path, last) in &mut reach.0 {
            // Nothing lives under the old name: then all that is left of it is meant.
            if self.read(path)?.is_none() {
                *last = u64::MAX;
            }
        }
        Ok(reach)
    }

    fn survey(&self, records: &[Record], reach: &Reach) -> Result<Purged> {
        let mut purged = Purged::default();
        let mut contents = HashMap::<&MemoryPath, Vec<u8>>::new();
        let mut texts = BTreeSet::new();
        for record in records {
            for file in record
                .files
                .iter()
                .filter(|file| reach.covers(&file.path, record.op))
            {
                let content = contents.entry(&file.path).or_default();
                if let Some(next) = file.delta.as_ref().and_then(|delta| delta.apply(content)) {
                    purged.versions += 1;
                    texts.extend(needles(&next));
                    *content = next;
                }
            }
        }
        for path in reach.whole() {
            let found = self.read(path)?;
            purged.files += usize::from(found.is_some());
            texts.extend(found.iter().flat_map(|found| needles(&found.bytes)));
        }
        purged.names = reach.0.keys().cloned().collect();
        purged.needles = texts.into_iter().collect();
        Ok(purged)
    }
}

/// Which names a purge reaches, each with the last operation in which it was this memory's name. Under an old name
/// another memory may live by now, which is not meant.
struct Reach(BTreeMap<MemoryPath, u64>);

impl Reach {
    fn of(records: &[Record], paths: &[MemoryPath]) -> Reach {
        let mut reach = Reach(paths.iter().map(|path| (path.clone(), u64::MAX)).collect());
        for record in records
            .iter()
            .rev()
            .filter(|record| record.reason.what == RENAME)
        {
            let is_new_name =
                |file: &FileRecord| file.before.is_none() && reach.covers(&file.path, record.op);
            if record.files.iter().any(is_new_name) {
                for file in record.files.iter().filter(|file| file.after.is_none()) {
                    reach.0.entry(file.path.clone()).or_insert(record.op);
                }
            }
        }
        reach
    }

    /// Names that are this memory's to the end.
    fn whole(&self) -> impl Iterator<Item = &MemoryPath> {
        self.0
            .iter()
            .filter(|(_, last)| **last == u64::MAX)
            .map(|(path, _)| path)
    }

    fn covers(&self, path: &MemoryPath, operation: u64) -> bool {
        self.0.get(path).is_some_and(|last| operation <= *last)
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
    // Somebody may write it in the same instant; then theirs is looked at.
    for _ in 0..RACE_ATTEMPTS {
        let Some(found) = folder.read(index.file_name(), MAX_FILE_BYTES)? else {
            return Ok(());
        };
        let mut without = found.clone();
        without.bytes = Index::parse(&found.bytes)
            .without_target(&target)
            .into_bytes();
        if without.bytes == found.bytes {
            return Ok(());
        }
        place::change(
            &folder,
            index.file_name(),
            Some(&found.bytes),
            Some(&without),
            None,
        )?;
        folder.sync()?;
    }
    Err(Error::io(
        "remove a line from",
        folder.path_of(index.file_name()),
        Errno::BUSY,
    ))
}

/// The history as if the memories had never been: their versions out, and their lines out of every version of an index.
fn rewritten(records: Vec<Record>, reach: &Reach) -> Result<Vec<Record>> {
    let mut indexes = HashMap::<MemoryPath, Versions>::new();
    let mut kept = Vec::new();
    for mut record in records {
        let mut files = Vec::new();
        for file in std::mem::take(&mut record.files) {
            if reach.covers(&file.path, record.op) {
                continue;
            }
            if file.path.is_index() {
                let versions = indexes.entry(file.path.clone()).or_default();
                files.extend(versions.next(file, record.op, reach)?);
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
        operation: u64,
        reach: &Reach,
    ) -> Result<Option<FileRecord>> {
        let before = self.purged.clone();
        self.real = match &file.delta {
            Some(delta) => delta.apply(self.real.as_deref().unwrap_or_default()),
            None => None,
        };
        self.purged = match &self.real {
            Some(real) => Some(without(real, &file.path, operation, reach)?),
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

fn without(content: &[u8], path: &MemoryPath, operation: u64, reach: &Reach) -> Result<Vec<u8>> {
    let mut gone = HashSet::new();
    for name in reach.0.keys().filter(|name| reach.covers(name, operation)) {
        let (listed_in, target) = index_of(name)?;
        if listed_in == *path {
            gone.insert(target);
        }
    }
    let is_kept = |entry: &Entry<'_>| entry.path().map_or(true, |path| !gone.contains(&path));
    Ok(Index::parse(content).retain(is_kept).into_bytes())
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
