//! Purge: really removing memories, from the files and from every version in the history.
//!
//! It goes by content: `lives` tells which files of the past are one memory, and `needles` finds their lines in whatever
//! else there is. Files go first and the history last, in one step: whoever is killed in between runs the same command
//! again, and the history still tells what the memory ever said.

mod elsewhere;
mod lives;
mod needles;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::ErrorKind;

use memdir_memory::index::Entry;
use memdir_memory::{Index, MemoryPath};
use rustix::io::Errno;

use crate::digest::Digest;
use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::history::journal::Journal;
use crate::history::past::{Past, Texts};
use crate::history::record::{FileRecord, Reason, Record, VERSION};
use crate::history::replace::{self, Rewritten};
use crate::history::splice::Delta;
use crate::index::index_of;
use crate::limits::{MAX_FILE_BYTES, RACE_ATTEMPTS};
use crate::lock::LOCK_NAME;
use crate::oversized;
use crate::place;
use crate::retired;
use crate::store::Store;

pub use elsewhere::{named_as, remove_traces, scrub, traces, unsearched};
use lives::Lives;
use needles::{Matcher, Origins, needles};

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

/// What becomes of lines that another memory has as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SharedLines {
    /// They stay, there and in the history of that memory.
    Keep,
    /// They are cut out of it.
    Cut,
}

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
    /// Words of the user that the memories stood on, by which conversations can be found.
    pub quotes: Vec<String>,
    /// Conversations that the memories came from.
    pub conversations: Vec<String>,
    /// Lines that other memories have too, with the text in them that was purged.
    pub shared: Vec<SharedLine>,
}

/// A line that another memory has too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedLine {
    /// The other memory, or an index.
    pub path: MemoryPath,
    /// Its line.
    pub line: String,
}

/// What is to go, and from where.
struct Reach {
    lives: Lives,
    /// Every line of every version of them.
    needles: BTreeSet<String>,
    /// Finds them.
    lines: Matcher,
    /// Finds those that a file of another memory, or an index, may not keep.
    kept: HashMap<MemoryPath, Matcher>,
}

impl Store {
    /// What a purge of these memories would remove. Writes nothing.
    pub fn plan_purge(&self, paths: &[MemoryPath]) -> Result<Purged> {
        let mut records = self.every_record()?;
        records.extend(self.unrecorded(&records)?);
        Ok(self.survey(&records, paths, SharedLines::Keep)?.1)
    }

    /// Removes memories with every version of them, whatever they were called, and every line of theirs.
    pub fn purge(&self, paths: &[MemoryPath], shared: SharedLines) -> Result<Purged> {
        self.sweep()?;
        let mut journal = Journal::open(self, "purge")?;
        let old = self.every_record()?;
        let (reach, purged) = self.survey(&old, paths, shared)?;
        // While the history can still tell which suggestion became which memory.
        self.inbox().purge_about(self, &purged)?;
        for path in self.files()? {
            if path.is_index() {
                oversized::set_index_aside(&mut journal, &path)?;
            }
            match reach.lives.covers_now(&path) {
                true => remove_file(&journal.memory, &path)?,
                false => reach.change(&journal.memory, &path)?,
            }
        }
        oversized::purge(self.state_directory(), &purged)?;
        retired::empty(&journal, |path| purged.names.contains(path))?;
        for name in DERIVED {
            elsewhere::remove_folder(&self.state_directory().join(name))?;
        }
        scrub(self.state_directory(), &purged.needles)?;
        journal.replace_history(reach.rewritten(old))?;
        journal.close().sync()?;
        Ok(purged)
    }

    /// Removes what a purge that was killed has left. Cheap where there is nothing.
    pub fn finish_purge(&self) -> Result<()> {
        match replace::is_left(self.state_directory()) {
            true => Journal::open(self, "purge")?.close().sync(),
            false => Ok(()),
        }
    }

    /// What a purge of everything would remove. Writes nothing.
    pub fn plan_purge_everything(&self) -> Result<Purged> {
        let mut records = self.every_record()?;
        records.extend(self.unrecorded(&records)?);
        let of_the_past = records.iter().flat_map(|record| &record.files);
        let paths: BTreeSet<MemoryPath> = of_the_past.map(|file| file.path.clone()).collect();
        let paths: Vec<MemoryPath> = paths.into_iter().collect();
        let (_, mut purged) = self.survey(&records, &paths, SharedLines::Cut)?;
        let indexes = paths.iter().filter(|path| path.is_index());
        for index in indexes {
            purged.files += usize::from(self.read(index)?.is_some());
            purged.names.push(index.clone());
        }
        let files = records.iter().flat_map(|record| &record.files);
        let versions = files.filter(|file| file.path.is_index() && file.after.is_some());
        purged.versions += versions.count();
        purged.names.sort();
        purged.shared.clear();
        Ok(purged)
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

    fn every_record(&self) -> Result<Vec<Record>> {
        let Some(log) = self.open_log()? else {
            return Ok(Vec::new());
        };
        let records = log.read_from(0)?.records.into_iter();
        Ok(records.map(|(record, _)| record).collect())
    }

    /// What a sweep would record now.
    fn unrecorded(&self, records: &[Record]) -> Result<Option<Record>> {
        let mut known = HashMap::<&MemoryPath, Digest>::new();
        for file in records.iter().flat_map(|record| &record.files) {
            match file.after {
                Some(digest) => known.insert(&file.path, digest),
                None => known.remove(&file.path),
            };
        }
        let mut record = Record {
            v: VERSION,
            op: records.last().map_or(1, |last| last.op + 1),
            at: self.now(),
            reason: Reason::outside(),
            undoes: None,
            aborts: None,
            purged: 0,
            files: Vec::new(),
        };
        let mut change = |path: MemoryPath, before, after: Option<&Found>| {
            record.files.push(FileRecord {
                path,
                before,
                after: after.map(|found| Digest::of(&found.bytes)),
                mtime_before: None,
                mtime: None,
                inode: 0,
                tmp: None,
                base: None,
                delta: after.map(|found| Delta::whole(&found.bytes)),
            });
        };
        for path in self.files()? {
            let found = match self.read(&path) {
                Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => None,
                found => found?,
            };
            let before = known.remove(&path);
            let now = found.as_ref().map(|found| Digest::of(&found.bytes));
            if now.is_some() && now != before {
                change(path, before, found.as_ref());
            }
        }
        for (path, before) in known {
            change(path.clone(), Some(before), None);
        }
        Ok((!record.files.is_empty()).then_some(record))
    }

    fn survey(
        &self,
        records: &[Record],
        paths: &[MemoryPath],
        shared: SharedLines,
    ) -> Result<(Reach, Purged)> {
        let mut lives = Lives::read(records);
        lives.doom(paths);
        let mut purged = Purged::default();
        let mut texts = BTreeSet::new();
        let mut origins = Origins::default();
        let mut past = Past::default();
        for record in records {
            for file in &record.files {
                let contents = past.step(file);
                if lives.covers(&file.path, record.op) {
                    purged.versions += usize::from(file.after.is_some());
                    for content in [contents.before(), contents.after()].into_iter().flatten() {
                        texts.extend(needles(&content));
                        origins.add(&content);
                    }
                }
            }
        }
        let everything = Matcher::plain(&texts);
        let mut kept = BTreeMap::<MemoryPath, BTreeSet<String>>::new();
        let files = self.files()?;
        for path in &files {
            if lives.covers_now(path) {
                purged.files += 1;
                continue;
            }
            let Ok(Some(found)) = self.read(path) else {
                continue;
            };
            let left = without_entries(&found.bytes, path, u64::MAX, &lives)?;
            let left = match path.is_index() {
                true => living_entries(&left, path, &files)?,
                false => left,
            };
            let lines = left.split(|byte| *byte == b'\n');
            for line in lines.filter(|line| everything.is_in(line)) {
                let line = String::from_utf8_lossy(line).trim().to_owned();
                if shared == SharedLines::Keep {
                    let lines = texts.iter().filter(|text| line.contains(*text));
                    // Its history has them under the names it had before, too.
                    for name in lives.names_of(path) {
                        let of_it = kept.entry(name).or_default();
                        of_it.extend(lines.clone().cloned());
                    }
                }
                let path = path.clone();
                purged.shared.push(SharedLine { path, line });
            }
        }
        purged.names = lives.names().into_iter().cloned().collect();
        purged.needles = texts.iter().cloned().collect();
        purged.quotes = origins.quotes.into_iter().collect();
        purged.conversations = origins.conversations.into_iter().collect();
        let kept = kept.into_iter();
        let kept = kept.map(|(path, kept)| (path, Matcher::plain(texts.difference(&kept))));
        Ok((
            Reach {
                lives,
                kept: kept.collect(),
                needles: texts,
                lines: everything,
            },
            purged,
        ))
    }
}

impl Reach {
    /// A content as it would have been without the memories.
    fn cut(&self, content: &[u8], path: &MemoryPath, operation: u64) -> Vec<u8> {
        let without = without_entries(content, path, operation, &self.lives);
        // Where a name has no index nothing leads to it.
        let lines = self.kept.get(path).unwrap_or(&self.lines);
        lines.cut(without.as_deref().unwrap_or(content))
    }

    /// Takes what is meant out of a file that stays.
    fn change(&self, memory: &Directory, path: &MemoryPath) -> Result<()> {
        let Some(folder) = memory.parent_of(path)? else {
            return Ok(());
        };
        // Somebody may write it in the same instant; then theirs is looked at.
        for _ in 0..RACE_ATTEMPTS {
            let found = match folder.read(path.file_name(), MAX_FILE_BYTES) {
                Err(Error::NotPlain { .. } | Error::TooLarge { .. }) => return Ok(()),
                found => found?,
            };
            let Some(found) = found else {
                return Ok(());
            };
            let mut without = found.clone();
            without.bytes = self.cut(&found.bytes, path, u64::MAX);
            if without.bytes == found.bytes {
                return Ok(());
            }
            let expected = Some(found.bytes.as_slice());
            place::change(&folder, path.file_name(), expected, Some(&without), None)?;
            folder.sync()?;
        }
        let path = folder.path_of(path.file_name());
        Err(Error::io("remove a line from", path, Errno::BUSY))
    }

    /// The history as if the memories had never been: their versions out, and their lines out of every other version.
    fn rewritten(&self, records: Vec<Record>) -> Vec<Rewritten> {
        let mut past = Past::default();
        let mut cut = BTreeMap::<MemoryPath, Vec<u8>>::new();
        let mut kept = Vec::new();
        let mut latest = HashMap::<MemoryPath, u64>::new();
        for record in &records {
            let paths = record.files.iter().map(|file| file.path.clone());
            latest.extend(paths.map(|path| (path, record.op)));
        }
        for mut record in records {
            let operation = record.op;
            let mut files = Vec::new();
            let mut contents = Vec::new();
            for file in std::mem::take(&mut record.files) {
                let texts = past.step(&file);
                if self.lives.covers(&file.path, operation) {
                    record.purged += 1;
                    continue;
                }
                let (before, after) = match texts {
                    Texts::Known(before, after) => (before, after),
                    Texts::Unknown => {
                        if self.is_in(&file) {
                            record.purged += 1;
                        } else {
                            files.push(file);
                            contents.push(Texts::Unknown);
                        }
                        continue;
                    }
                };
                let was = cut.remove(&file.path);
                let was = was.filter(|_| file.before.is_some());
                let new_before = match (was, &before) {
                    (Some(was), _) => Some(was),
                    (None, Some(before)) => Some(self.cut(before, &file.path, operation)),
                    (None, None) => None,
                };
                // What stands in the file now must be what the history ends with.
                let is_last = latest.get(&file.path) == Some(&operation);
                let now = if is_last { u64::MAX } else { operation };
                let new_after = after.as_ref();
                let new_after = new_after.map(|after| self.cut(after, &file.path, now));
                if let Some(after) = &new_after {
                    cut.insert(file.path.clone(), after.clone());
                }
                if !file.path.is_index() && (new_before != before || new_after != after) {
                    record.purged += 1;
                }
                // It did nothing but what never was.
                if new_before == new_after && before != after {
                    continue;
                }
                files.push(file);
                contents.push(Texts::Known(new_before, new_after));
            }
            record.files = files;
            if !record.files.is_empty() {
                kept.push(Rewritten { record, contents });
            }
        }
        kept
    }

    /// Whether a line of the memories is in what a record carries.
    fn is_in(&self, file: &FileRecord) -> bool {
        let delta = file.delta.as_ref().map(Delta::text);
        let texts = file.base.iter().chain(delta);
        let all = Matcher::plain(&self.needles);
        texts.into_iter().any(|text| all.is_in(text.as_bytes()))
    }
}

fn remove_file(memory: &Directory, path: &MemoryPath) -> Result<()> {
    let Some(folder) = memory.parent_of(path)? else {
        return Ok(());
    };
    folder.remove(path.file_name())?;
    folder.sync()
}

/// An index without the lines that lead to no file: they are nobody's.
fn living_entries(content: &[u8], index: &MemoryPath, files: &[MemoryPath]) -> Result<Vec<u8>> {
    let mut targets = HashSet::new();
    for file in files.iter().filter(|file| !file.is_index()) {
        let (listed_in, target) = index_of(file)?;
        if listed_in == *index {
            targets.insert(target);
        }
    }
    let is_kept = |entry: &Entry<'_>| entry.path().map_or(true, |path| targets.contains(&path));
    Ok(Index::parse(content).retain(is_kept).into_bytes())
}

/// An index without the lines that lead to a memory that is meant; any other file as it is.
fn without_entries(
    content: &[u8],
    path: &MemoryPath,
    operation: u64,
    lives: &Lives,
) -> Result<Vec<u8>> {
    if !path.is_index() {
        return Ok(content.to_vec());
    }
    let mut gone = HashSet::new();
    for name in lives.names() {
        let (listed_in, target) = index_of(name)?;
        let is_meant = match operation {
            // A line that leads nowhere is a memory's that is gone.
            u64::MAX => !lives.stays_now(name),
            operation => lives.covers(name, operation),
        };
        if listed_in == *path && is_meant {
            gone.insert(target);
        }
    }
    let is_kept = |entry: &Entry<'_>| entry.path().map_or(true, |path| !gone.contains(&path));
    Ok(Index::parse(content).retain(is_kept).into_bytes())
}
