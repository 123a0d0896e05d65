//! The index brought into agreement with the memories, and within what is ever loaded of it.
//!
//! Only lines that lead to memories change; headings, prose and links to elsewhere are the user's. Text that stands in such
//! a line alone goes into its memory before the line is shortened or taken out. Where there are more memories than lines
//! fit, those that changed last are listed, as in a manifest; no memory goes for that, and recall finds all of them.

use std::collections::{BTreeMap, HashSet};

use jiff::civil::Date;
use memdir_memory::index::{LINE_CHARACTERS, MAX_BYTES, MAX_LINES, entry_line, load};
use memdir_memory::{Index, MemoryPath, MemoryType, Topic, dates};
use memdir_store::index_words;

use super::Before;
use super::hooks::{is_said, title_is_known};
use super::known::{LOGS, TEAM, is_memory, problem};
use super::told::Mending;

/// The work on one index.
pub(super) struct Listing<'a> {
    /// Which index.
    pub(super) path: &'a MemoryPath,
    /// `team/`, or nothing.
    pub(super) folder: &'a str,
    pub(super) files: &'a mut BTreeMap<MemoryPath, Before>,
    /// Memories that went into others.
    pub(super) gone: &'a BTreeMap<MemoryPath, MemoryPath>,
    /// The day each memory was written.
    pub(super) day: &'a dyn Fn(&Topic, &Before) -> Date,
    pub(super) told: &'a mut Vec<Mending>,
}

impl Listing<'_> {
    /// The index as it should be.
    pub(super) fn repaired(mut self) -> Vec<u8> {
        let found = self.files.get(self.path).map(|before| before.text.clone());
        let index = Index::from_bytes(found.unwrap_or_default());
        let index = self.retargeted(index);
        let index = self.without_dead_or_doubled(&index);
        let index = self.dated(index);
        let index = self.shortened(index);
        self.fitted(&index).into_bytes()
    }

    /// The path in the directory of what a line leads to.
    fn meant(&self, target: &MemoryPath) -> Option<MemoryPath> {
        MemoryPath::new(&format!("{}{target}", self.folder)).ok()
    }

    /// How a memory is named in this index; none where it belongs to another.
    fn target(&self, path: &MemoryPath) -> Option<MemoryPath> {
        let is_team = path.as_str().starts_with(TEAM);
        let name = path.as_str().strip_prefix(self.folder)?;
        (is_memory(path) && is_team != self.folder.is_empty())
            .then(|| MemoryPath::new(name).ok())
            .flatten()
    }

    fn topic(&self, path: &MemoryPath) -> Option<Topic> {
        let before = self.files.get(path)?;
        let topic = Topic::parse(&before.text);
        (is_memory(path) && problem(&topic).is_none()).then_some(topic)
    }

    fn retargeted(&mut self, mut index: Index) -> Index {
        for (old, new) in self.gone {
            let (Some(old_target), Some(new_target)) = (self.target(old), self.target(new)) else {
                continue;
            };
            index = index.retarget(&old_target, &new_target);
            let text = String::from_utf8_lossy(index.bytes());
            if text.contains(old_target.as_str()) {
                self.told.push(Mending::Mentioned {
                    index: self.path.clone(),
                    gone: old.clone(),
                    into: new.clone(),
                });
            }
        }
        index
    }

    fn without_dead_or_doubled(&mut self, index: &Index) -> Index {
        let mut seen = HashSet::new();
        let mut goes = HashSet::new();
        for entry in index.entries() {
            let Some(meant) = entry.path().ok().and_then(|path| self.meant(&path)) else {
                // Not the name of a memory: what its user meant by it is not for us to say.
                continue;
            };
            let hook = entry.hook.as_deref().unwrap_or_default();
            let is_log = meant.as_str().starts_with(LOGS);
            if !self.files.contains_key(&meant) {
                if !is_log && !meant.is_index() && !hook.contains("](") {
                    self.told.push(Mending::Dead {
                        index: self.path.clone(),
                        line: format!("[{}]({}) {hook}", entry.title, entry.target)
                            .trim()
                            .to_owned(),
                    });
                    goes.insert(entry.line);
                }
            } else if is_memory(&meant)
                && !seen.insert(meant.clone())
                && self.keep(&meant, Some(&entry.title), hook)
            {
                self.told.push(Mending::Doubled {
                    index: self.path.clone(),
                    target: meant,
                });
                goes.insert(entry.line);
            }
        }
        match goes.is_empty() {
            true => index.clone(),
            false => index.retain(|entry| !goes.contains(&entry.line)),
        }
    }

    /// Puts what a line says into its memory, unless that says it; false where it cannot be put there. Where the line
    /// stays, so does its title.
    fn keep(&mut self, path: &MemoryPath, title: Option<&str>, hook: &str) -> bool {
        let Some(topic) = self.topic(path) else {
            return false;
        };
        let title = title.filter(|title| match hook.is_empty() {
            true => !is_said(&topic, title),
            false => !title_is_known(&topic, title),
        });
        let hook = Some(hook).filter(|hook| !is_said(&topic, hook));
        let mut changed = topic;
        for text in [title, hook].into_iter().flatten() {
            changed = changed.with_paragraph(text);
            self.told.push(Mending::Moved {
                path: path.clone(),
                text: super::gather::shown(text),
            });
        }
        if let Some(before) = self.files.get_mut(path) {
            before.text = changed.into_bytes();
        }
        true
    }

    /// Lines of projects with the dates that their memories have.
    fn dated(&mut self, mut index: Index) -> Index {
        for (path, title, hook) in lines_of(&index) {
            let Some(meant) = self.meant(&path) else {
                continue;
            };
            let (Some(topic), Some(before)) = (self.topic(&meant), self.files.get(&meant)) else {
                continue;
            };
            if topic.header().memory_type != Some(MemoryType::Project) {
                continue;
            }
            let new = dates::absolute(&hook, (self.day)(&topic, before)).into_owned();
            if new == hook {
                continue;
            }
            let fits = entry_line(&title, &path, &new).contains(new.as_str());
            if fits || self.keep(&meant, None, &new) {
                self.told.push(Mending::Dated {
                    path: self.path.clone(),
                    from: hook,
                    to: new.clone(),
                });
                index = index.with_entry(&title, &path, &new);
            }
        }
        index
    }

    fn shortened(&mut self, mut index: Index) -> Index {
        let text = String::from_utf8_lossy(index.bytes()).into_owned();
        let lengths: Vec<usize> = text
            .split(['\n', '\r'])
            .map(|line| line.chars().count())
            .collect();
        // Where every line is within bounds, lone CRs and all, none need be looked at.
        if lengths.iter().all(|length| *length <= LINE_CHARACTERS) {
            return index;
        }
        for (path, title, hook) in lines_of(&index) {
            let line = index
                .entry(&path)
                .map(|entry| entry.title.chars().count() + entry.target.chars().count());
            let length =
                line.unwrap_or_default() + hook.chars().count() + "- []() — ".chars().count();
            let Some(meant) = self.meant(&path) else {
                continue;
            };
            if length <= LINE_CHARACTERS || !is_memory(&meant) {
                continue;
            }
            let shorter = index.with_entry(&title, &path, &hook);
            if shorter.bytes().len() < index.bytes().len() && self.keep(&meant, None, &hook) {
                self.told.push(Mending::Shortened {
                    index: self.path.clone(),
                    target: meant,
                });
                index = shorter;
            }
        }
        index
    }

    /// With a line for each memory, as far as there is room.
    fn fitted(&mut self, index: &Index) -> Index {
        let listed: HashSet<MemoryPath> = index
            .entries()
            .filter_map(|entry| entry.path().ok())
            .collect();
        let mut missing: Vec<(MemoryPath, Topic)> = self
            .files
            .iter()
            .filter_map(|(path, before)| Some((self.target(path)?, Topic::parse(&before.text))))
            .filter(|(target, _)| !listed.contains(target))
            .collect();
        missing.sort_by_cached_key(|(target, topic)| (topic.header().memory_type, target.clone()));
        let whole = index.with_new_entries(missing.iter().map(|(target, topic)| {
            let (title, hook) = index_words(target, topic.header());
            (title, target, hook)
        }));
        let fitted = match fits(&whole) {
            true => whole,
            false => self.chosen(index, &whole),
        };
        let lines: HashSet<MemoryPath> = fitted
            .entries()
            .filter_map(|entry| entry.path().ok())
            .collect();
        let paths: Vec<MemoryPath> = self.files.keys().cloned().collect();
        for path in paths {
            let Some(target) = self.target(&path) else {
                continue;
            };
            let index = self.path.clone();
            match (listed.contains(&target), lines.contains(&target)) {
                (false, true) => self.told.push(Mending::Listed {
                    index,
                    target: path,
                }),
                (_, false) => self.told.push(Mending::Unlisted {
                    index,
                    target: path,
                }),
                _ => {}
            }
        }
        fitted
    }

    /// The lines of the memories that changed last, as many as there is room for beside what is not ours.
    fn chosen(&mut self, index: &Index, whole: &Index) -> Index {
        let mut candidates = Vec::new();
        let mut goes = HashSet::new();
        for entry in whole.entries() {
            let meant = entry.path().ok().and_then(|path| self.meant(&path));
            let Some(meant) = meant.filter(|meant| self.topic(meant).is_some()) else {
                continue;
            };
            let modified = self.files.get(&meant).map(|before| before.modified);
            candidates.push((std::cmp::Reverse(modified), meant, entry.line));
            goes.insert(entry.line);
        }
        let fixed = whole.retain(|entry| !goes.contains(&entry.line));
        if !fits(&fixed) {
            self.told.push(Mending::Overfull {
                index: self.path.clone(),
            });
            return index.clone();
        }
        candidates.sort();
        let text = String::from_utf8_lossy(whole.bytes()).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let mut room = Room::beside(&fixed);
        for (_, _, line) in &candidates {
            let length = line
                .checked_sub(1)
                .and_then(|at| lines.get(at))
                .map_or(0, |line| line.len());
            if room.takes(length) {
                goes.remove(line);
            }
        }
        for (path, title, hook) in lines_of(index) {
            let number = whole.entry(&path).map(|entry| entry.line);
            let Some(meant) = self.meant(&path) else {
                continue;
            };
            if number.is_some_and(|number| goes.contains(&number))
                && !self.keep(&meant, Some(&title), &hook)
            {
                goes.retain(|line| Some(*line) != number);
            }
        }
        whole.retain(|entry| !goes.contains(&entry.line))
    }
}

/// The lines that lead to paths: target, title and hook.
fn lines_of(index: &Index) -> Vec<(MemoryPath, String, String)> {
    index
        .entries()
        .filter_map(|entry| {
            let hook = entry.hook.as_deref().unwrap_or_default().to_owned();
            Some((entry.path().ok()?, entry.title.into_owned(), hook))
        })
        .collect()
}

fn fits(index: &Index) -> bool {
    load(index.bytes()).warning.is_none()
}

/// What may still be put into an index.
struct Room {
    lines: usize,
    bytes: usize,
}

impl Room {
    fn beside(fixed: &Index) -> Self {
        let text = String::from_utf8_lossy(fixed.bytes());
        Self {
            lines: MAX_LINES.saturating_sub(text.lines().count()),
            bytes: MAX_BYTES.saturating_sub(text.len()),
        }
    }

    /// Takes a line, if there is room for it and its end.
    fn takes(&mut self, length: usize) -> bool {
        let needed = length + "\r\n".len();
        if self.lines == 0 || self.bytes < needed {
            return false;
        }
        self.lines -= 1;
        self.bytes -= needed;
        true
    }
}
