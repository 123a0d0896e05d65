//! The memories as they are, and as they shall be: every step of a dream changes the draft, and in the end the two are
//! compared.

use std::collections::{BTreeMap, HashSet};

use jiff::Timestamp;
use memdir_memory::{INDEX_NAME, Index, MemoryPath, Topic, words};
use memdir_store::{Error, Found, IndexLine, Stamp, Store};

use crate::mend::{self, After, Before};

/// The header's key under which a memory names those that were merged into it.
pub(super) const MERGED: &str = "merged";

/// What stands in a memory directory.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    /// What a dream may change: the user's own memories, and the index.
    pub(super) own: BTreeMap<MemoryPath, Found>,
    /// What it only reads: the logs, and the team's memories.
    pub(super) others: BTreeMap<MemoryPath, Found>,
}

/// A file as it shall be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) text: Vec<u8>,
    /// When it is from, in nanoseconds since 1970; none: the moment in which it is written.
    pub(super) mtime: Option<i64>,
}

/// The memories as they shall be.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    pub(super) files: BTreeMap<MemoryPath, Item>,
    /// Memories that were merged, each with the one that says now what it said.
    pub(super) merged: BTreeMap<MemoryPath, MemoryPath>,
}

/// What becomes of one file.
#[derive(Debug, Clone)]
pub struct Change {
    /// Which.
    pub path: MemoryPath,
    /// As it was found; none: there was none.
    pub before: Option<Found>,
    /// What it becomes; none: it goes.
    pub after: Option<Vec<u8>>,
    /// When that is from, in nanoseconds since 1970; none: the moment in which it is written.
    pub mtime: Option<i64>,
    /// The memory that says now what it said.
    pub into: Option<MemoryPath>,
}

/// A file that cannot be read.
fn unread() -> Found {
    Found {
        bytes: Vec::new(),
        stamp: Stamp::default(),
        mode: 0,
    }
}

impl Snapshot {
    /// Reads every file. What is no text is no concern of a dream's.
    pub(super) fn read(store: &Store) -> Result<Self, Error> {
        let mut snapshot = Self::default();
        for path in store.every_file()? {
            let found = match store.read(&path) {
                // It is there, and that is all that can be said of it.
                Err(Error::TooLarge { .. }) => {
                    snapshot.others.insert(path, unread());
                    continue;
                }
                found => found?,
            };
            let Some(found) = found else {
                continue;
            };
            match is_shared(&path) || std::str::from_utf8(&found.bytes).is_err() {
                true => snapshot.others.insert(path, found),
                false => snapshot.own.insert(path, found),
            };
        }
        Ok(snapshot)
    }

    /// The memories among the files that may change.
    pub(super) fn topics(&self) -> impl Iterator<Item = (&MemoryPath, &Found)> {
        self.own.iter().filter(|(path, _)| !path.is_index())
    }

    /// Everything as it is.
    pub(super) fn draft(&self) -> Draft {
        let item = |(path, found): (&MemoryPath, &Found)| {
            let item = Item {
                text: found.bytes.clone(),
                mtime: Some(found.stamp.mtime),
            };
            (path.clone(), item)
        };
        Draft {
            files: self.own.iter().map(item).collect(),
            merged: BTreeMap::new(),
        }
    }

    /// What a draft changes.
    pub(super) fn changes(&self, draft: &Draft) -> Vec<Change> {
        let paths: HashSet<&MemoryPath> = self.own.keys().chain(draft.files.keys()).collect();
        let mut changes: Vec<Change> = paths
            .into_iter()
            .filter_map(|path| {
                let before = self.own.get(path);
                let item = draft.files.get(path);
                let text = item.map(|item| item.text.as_slice());
                if before.map(|found| found.bytes.as_slice()) == text {
                    return None;
                }
                Some(Change {
                    path: path.clone(),
                    before: before.cloned(),
                    after: text.map(<[u8]>::to_vec),
                    mtime: item.and_then(|item| item.mtime),
                    into: draft.survivor(path).filter(|into| *into != path).cloned(),
                })
            })
            .collect();
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        changes
    }
}

impl Draft {
    /// The memory that says what this one said: itself, or the one that it was merged into.
    pub(super) fn survivor<'a>(&'a self, path: &'a MemoryPath) -> Option<&'a MemoryPath> {
        let mut path = path;
        for _ in 0..=self.merged.len() {
            if self.files.contains_key(path) {
                return Some(path);
            }
            path = self.merged.get(path)?;
        }
        None
    }

    /// A file becomes this, and the index has the line for it.
    pub(super) fn write(&mut self, path: &MemoryPath, item: Item) -> Result<(), Error> {
        let before = self.files.get(path).map(|item| item.text.clone());
        self.line(path, before.as_deref(), Some(&item.text))?;
        self.files.insert(path.clone(), item);
        Ok(())
    }

    /// A file goes, into another one where that says what it said.
    pub(super) fn remove(
        &mut self,
        path: &MemoryPath,
        into: Option<MemoryPath>,
    ) -> Result<(), Error> {
        let Some(item) = self.files.remove(path) else {
            return Ok(());
        };
        self.line(path, Some(&item.text), None)?;
        if let Some(into) = into {
            self.merged.insert(path.clone(), into);
        }
        Ok(())
    }

    fn line(
        &mut self,
        path: &MemoryPath,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<(), Error> {
        let index_path = MemoryPath::new(INDEX_NAME)?;
        let had = self.files.get(&index_path);
        let text = had.map(|item| item.text.clone()).unwrap_or_default();
        let line = IndexLine::of(path, before, after)?;
        let index = line.apply(Index::parse(&text)).into_bytes();
        if index != text {
            let item = Item {
                text: index,
                mtime: None,
            };
            self.files.insert(index_path, item);
        }
        Ok(())
    }

    /// Lets the rules mend it; what they did is told, a line each. They see what is no text as well, to which lines of the
    /// index may lead, and change only what is ours to change.
    pub(super) fn mend(
        &mut self,
        others: &BTreeMap<MemoryPath, Found>,
        zone: &jiff::tz::TimeZone,
        now: Timestamp,
    ) -> Vec<String> {
        let before = |(path, item): (&MemoryPath, &Item)| {
            let modified = item.mtime.map(i128::from);
            let modified = modified.and_then(|mtime| Timestamp::from_nanosecond(mtime).ok());
            let before = Before {
                text: item.text.clone(),
                modified: modified.unwrap_or(now),
            };
            (path.clone(), before)
        };
        let mut files: BTreeMap<MemoryPath, Before> = self.files.iter().map(before).collect();
        let own = others.iter().filter(|(path, _)| !is_shared(path));
        files.extend(own.map(|(path, found)| {
            let text = found.bytes.clone();
            (
                path.clone(),
                Before {
                    text,
                    modified: now,
                },
            )
        }));
        let mended = mend::mend(&files, zone);
        for (path, after) in mended.changes {
            if others.contains_key(&path) {
                continue;
            }
            match after {
                After::Written { text, keeps_time } => {
                    let had = self.files.get(&path).and_then(|item| item.mtime);
                    let mtime = had.filter(|_| keeps_time);
                    self.files.insert(path, Item { text, mtime });
                }
                After::Removed { into } => {
                    self.files.remove(&path);
                    if let Some(into) = into {
                        self.merged.insert(path, into);
                    }
                }
            }
        }
        mended.told.iter().map(ToString::to_string).collect()
    }

    /// Has every memory name those that were merged into it.
    pub(super) fn name_merged(&mut self) {
        let mut named: BTreeMap<MemoryPath, Vec<MemoryPath>> = BTreeMap::new();
        for path in self.merged.keys() {
            if let Some(into) = self.survivor(path).filter(|into| *into != path) {
                named.entry(into.clone()).or_default().push(path.clone());
            }
        }
        for (into, paths) in named {
            let Some(item) = self.files.get_mut(&into) else {
                continue;
            };
            let topic = Topic::parse(&item.text);
            let mut all = merged_names(&topic);
            let new: Vec<String> = paths
                .iter()
                .map(ToString::to_string)
                .filter(|path| !all.contains(path))
                .collect();
            if new.is_empty() {
                continue;
            }
            all.extend(new);
            // In a header that cannot be edited it cannot be named, and then it counts as lost.
            if let Ok(topic) = topic.with_metadata(MERGED, &all.join(", ")) {
                item.text = topic.into_bytes();
            }
        }
    }
}

/// The memories that a memory names as merged into it.
pub(super) fn merged_names(topic: &Topic) -> Vec<String> {
    let named = topic.metadata(MERGED).unwrap_or_default();
    let names = named.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a file is the team's, or a log: to be read and not to be changed.
fn is_shared(path: &MemoryPath) -> bool {
    path.as_str().starts_with("team/") || is_log(path)
}

/// Whether a file is a log of a day.
pub(super) fn is_log(path: &MemoryPath) -> bool {
    path.as_str().starts_with("logs/")
}

/// A content as a tool finds it.
pub(super) fn found(item: &Item) -> Found {
    Found {
        bytes: item.text.clone(),
        stamp: Stamp {
            mtime: item.mtime.unwrap_or_default(),
            ..Stamp::default()
        },
        mode: 0o600,
    }
}

/// The content words of a memory: of its name, its description and its body.
pub(super) fn terms_of(text: &[u8]) -> HashSet<String> {
    let topic = Topic::parse(text);
    let header = topic.header();
    let name = header.name.as_deref().unwrap_or_default();
    let name = name.replace(['-', '_'], " ");
    let description = header.description.as_deref().unwrap_or_default();
    words::terms(&format!("{name}\n{description}\n{}", topic.body_text()))
}

/// Whether at least half of what a memory says is still said.
pub(super) fn is_retained(before: &[u8], after: &HashSet<String>) -> bool {
    let topic = Topic::parse(before);
    let said = words::terms(&topic.body_text());
    said.intersection(after).count() * 2 >= said.len()
}
