//! Mending memories by fixed rules, without a model: what a dream does where there is none.
//!
//! Texts in, texts out: no files, no clock. Three things are done, until nothing is left to do:
//!
//! - **Dates** (`dated`): "by Friday" in a `project` memory becomes the day that was meant, counted from when it was written.
//! - **Copies** (`gather`): memories that say the same become one. They are compared statement by statement (`statements`):
//!   the same words, or the same but for words that carry nothing (`meaning`). A number, a date, a path, a flag, a command, a
//!   name or a negation that differs keeps two memories apart (`twins`), and where that is all that differs it is told. The
//!   older file stays and takes in, word for word, every statement that only the other had (`union`); links follow.
//! - **Index** (`lines`): lines that lead nowhere go, memories without a line get one, two lines for one memory become one, long
//!   ones are cut after their text has gone into the memory, and all of it fits into what is ever loaded.
//!
//! No statement is lost, and none becomes younger: every memory keeps its time, because nothing here says anything new.
//! Mending what is mended changes nothing.

mod blocks;
mod dated;
mod follow;
mod gather;
mod hooks;
mod known;
mod lines;
mod marks;
mod meaning;
mod statements;
mod told;
mod twins;
mod union;
mod vocabulary;

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_memory::{INDEX_NAME, MemoryPath, Topic, as_text};

use follow::Follower;
use known::{Known, TEAM, is_memory, problem, written};
use lines::Listing;
use meaning::Lexicon;

pub use told::Mending;

/// Two rounds are enough for nearly every directory; a merge can make two others copies.
const ROUNDS: usize = 12;

/// A file of the directory as it was found.
#[derive(Clone, PartialEq, Eq)]
pub struct Before {
    /// Its content.
    pub text: Vec<u8>,
    /// When it was last changed.
    pub modified: Timestamp,
}

impl fmt::Debug for Before {
    /// As text: a list of bytes tells nobody anything.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?} of {}", as_text(&self.text), self.modified)
    }
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// It has this content.
    Written {
        /// The content.
        text: Vec<u8>,
        /// Whether it is as old as before.
        keeps_time: bool,
    },
    /// It is gone.
    Removed {
        /// The file that says what it said.
        into: Option<MemoryPath>,
    },
}

/// What the rules make of a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mended {
    /// Files that change.
    pub changes: BTreeMap<MemoryPath, After>,
    /// What was done and what was left alone, a line each.
    pub told: Vec<Mending>,
}

/// Mends the files of a directory, indexes among them. Whoever calls it hands in every file: a line that leads to one
/// that is not there goes.
///
/// ```
/// use std::collections::BTreeMap;
/// use jiff::{Timestamp, tz::TimeZone};
/// use memdir_agent::mend::{After, Before, mend};
/// use memdir_memory::MemoryPath;
///
/// let file = |text: &str| Before { text: text.into(), modified: Timestamp::UNIX_EPOCH };
/// let files = BTreeMap::from([
///     (MemoryPath::new("MEMORY.md")?, file("# Mine\n- [Gone](gone.md)\n")),
///     (MemoryPath::new("tabs.md")?, file("---\nname: tabs\ndescription: Use tabs in Go\n---\n\nUse tabs in Go.\n")),
/// ]);
/// let mended = mend(&files, &TimeZone::UTC);
/// let index = After::Written { text: b"# Mine\n- [tabs](tabs.md) \xe2\x80\x94 Use tabs in Go\n".to_vec(), keeps_time: false };
/// assert_eq!(mended.changes, BTreeMap::from([(MemoryPath::new("MEMORY.md")?, index)]));
/// # Ok::<(), memdir_memory::PathProblem>(())
/// ```
#[must_use]
pub fn mend(files: &BTreeMap<MemoryPath, Before>, zone: &TimeZone) -> Mended {
    let mut work = Work {
        files: files.clone(),
        gone: BTreeMap::new(),
        told: Vec::new(),
        zone,
    };
    for _ in 0..ROUNDS {
        let before = work.files.clone();
        work.date();
        work.merge();
        work.list();
        if work.files == before {
            break;
        }
    }
    work.finished(files)
}

/// A directory that is being mended.
struct Work<'a> {
    files: BTreeMap<MemoryPath, Before>,
    /// Memories that went into others.
    gone: BTreeMap<MemoryPath, MemoryPath>,
    told: Vec<Mending>,
    zone: &'a TimeZone,
}

impl Work<'_> {
    /// Every memory that may be changed.
    fn topics(&mut self) -> Vec<(MemoryPath, Topic)> {
        let mut found = Vec::new();
        for (path, before) in self.files.iter().filter(|(path, _)| is_memory(path)) {
            let topic = Topic::parse(&before.text);
            match problem(&topic) {
                None => found.push((path.clone(), topic)),
                Some(problem) => self.told.push(Mending::Left {
                    path: path.clone(),
                    problem,
                }),
            }
        }
        found
    }

    fn written(&self, path: &MemoryPath, topic: &Topic) -> Timestamp {
        let modified = self.files.get(path).map(|before| before.modified);
        written(topic.header(), modified.unwrap_or_default(), self.zone)
    }

    fn write(&mut self, path: &MemoryPath, topic: Topic) {
        if let Some(before) = self.files.get_mut(path) {
            before.text = topic.into_bytes();
        }
    }

    fn date(&mut self) {
        for (path, topic) in self.topics() {
            let day = self
                .written(&path, &topic)
                .to_zoned(self.zone.clone())
                .date();
            if let Some(dated) = dated::dated(&path, &topic, day, &mut self.told) {
                self.write(&path, dated);
            }
        }
    }

    fn merge(&mut self) {
        let mut lexicon = Lexicon::default();
        let topics = self.topics();
        let names: BTreeMap<MemoryPath, Option<String>> = topics
            .iter()
            .map(|(path, topic)| (path.clone(), topic.header().name.clone()))
            .collect();
        let memories = topics
            .into_iter()
            .map(|(path, topic)| {
                let written = self.written(&path, &topic);
                Known::new(&path, topic, written, &mut lexicon)
            })
            .collect();
        let gathered = gather::gather(memories, &mut lexicon);
        self.told.extend(gathered.told);
        for (path, text) in gathered.grown {
            if let Some(before) = self.files.get_mut(&path) {
                before.text = text;
            }
        }
        if gathered.gone.is_empty() {
            return;
        }
        self.files
            .retain(|path, _| !gathered.gone.contains_key(path));
        let gone = gathered
            .gone
            .iter()
            .map(|(path, into)| {
                (
                    path.clone(),
                    (into.clone(), names.get(path).cloned().flatten()),
                )
            })
            .collect();
        let left = names
            .iter()
            .filter(|(path, _)| !gathered.gone.contains_key(path))
            .map(|(path, name)| (path, name.clone()))
            .collect();
        let follower = Follower::new(&gone, &left);
        for (path, topic) in self.topics() {
            if let Some(followed) = follower.followed(&path, &topic, &mut self.told) {
                self.write(&path, followed);
            }
        }
        // What went into a memory that has gone itself is where that went.
        for into in self.gone.values_mut() {
            if let Some(further) = gathered.gone.get(into) {
                *into = further.clone();
            }
        }
        self.gone.extend(gathered.gone);
    }

    fn list(&mut self) {
        let zone = self.zone;
        let day = |topic: &Topic, before: &Before| {
            written(topic.header(), before.modified, zone)
                .to_zoned(zone.clone())
                .date()
        };
        for folder in ["", TEAM] {
            let Some(path) = self.index(folder) else {
                continue;
            };
            let listing = Listing {
                path: &path,
                folder,
                files: &mut self.files,
                gone: &self.gone,
                day: &day,
                told: &mut self.told,
            };
            let text = listing.repaired();
            let known = self.files.get_mut(&path);
            match known {
                Some(before) => before.text = text,
                // There is something to index now.
                None if !text.is_empty() => {
                    let modified = Timestamp::UNIX_EPOCH;
                    self.files.insert(path, Before { text, modified });
                }
                None => {}
            }
        }
    }

    /// The index of a folder, in whatever case its name is written.
    fn index(&self, folder: &str) -> Option<MemoryPath> {
        let exact = MemoryPath::new(&format!("{folder}{INDEX_NAME}")).ok()?;
        if self.files.contains_key(&exact) {
            return Some(exact);
        }
        let other = self.files.keys().find(|path| {
            path.is_index() && path.as_str().strip_suffix(path.file_name()) == Some(folder)
        });
        Some(other.cloned().unwrap_or(exact))
    }

    fn finished(self, files: &BTreeMap<MemoryPath, Before>) -> Mended {
        let mut changes = BTreeMap::new();
        for path in files.keys().filter(|path| !self.files.contains_key(path)) {
            let into = self.gone.get(path).cloned();
            changes.insert(path.clone(), After::Removed { into });
        }
        for (path, now) in self.files {
            if files
                .get(&path)
                .is_none_or(|before| before.text != now.text)
            {
                let keeps_time = !path.is_index();
                let text = now.text;
                changes.insert(path, After::Written { text, keeps_time });
            }
        }
        let mut told: Vec<Mending> = Vec::new();
        for mending in self.told {
            if !told.contains(&mending) {
                told.push(mending);
            }
        }
        Mended { changes, told }
    }
}
