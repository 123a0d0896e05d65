//! Random sequences of everything that can happen to memories, with purges in between: no byte of a purged memory may be
//! left in any file, and no other memory may change.
//!
//! `MEMDIR_PURGE_SEQUENCES=1000 cargo test -p memdir-store --test it purge_sequences` runs as many as that.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use memdir_memory::{Index, MemoryPath, Topic};
use memdir_store::{Author, RENAME, Reason, SharedLines, Store, Suggested, index_of};

use crate::fixture::{Fixture, path, reason};

const SEQUENCES: u64 = 12;
const STEPS: usize = 24;

/// Small numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// A directory, and what is known about whose words are whose.
struct World {
    fixture: Fixture,
    random: Random,
    words: usize,
    /// Of each line that was ever made the memory that it was made for.
    lines: BTreeMap<String, usize>,
    memories: usize,
    /// Memories that were merged with one another.
    merged: BTreeSet<(usize, usize)>,
    gone: BTreeSet<String>,
    told: Vec<String>,
}

impl World {
    fn new(seed: u64) -> World {
        World {
            fixture: Fixture::new(),
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            words: 0,
            lines: BTreeMap::new(),
            memories: 0,
            merged: BTreeSet::new(),
            gone: BTreeSet::new(),
            told: Vec::new(),
        }
    }

    fn store(&self) -> &Store {
        &self.fixture.store
    }

    /// A line that no other memory has.
    fn line(&mut self, memory: usize) -> String {
        self.words += 1;
        let line = format!(
            "Walrus {} of herd {memory} likes \"herring\"\tand ice",
            self.words
        );
        self.lines.insert(line.clone(), memory);
        line
    }

    fn topics(&self) -> Vec<MemoryPath> {
        let mut files = self.store().files().unwrap();
        files.retain(|file| !file.is_index());
        files
    }

    fn any(&mut self) -> Option<MemoryPath> {
        let topics = self.topics();
        let at = self.random.below(topics.len().max(1));
        topics.get(at).cloned()
    }

    fn free_name(&mut self) -> MemoryPath {
        let names = self.random.below(9);
        let folder = ["", "", "deep/"][self.random.below(3)];
        path(&format!("{folder}walrus-{names}.md"))
    }

    fn text(&self, path: &MemoryPath) -> String {
        fs::read_to_string(self.fixture.memory().join(path.as_str())).unwrap_or_default()
    }

    /// The memory that a file is.
    fn memory_of(&self, path: &MemoryPath) -> Option<usize> {
        named(&self.text(path))
    }

    fn commit(&self, what: &str, author: Author, files: &[(MemoryPath, Option<String>)]) {
        let mut operation = self.store().operation(Reason::new(author, what));
        let mut lines = BTreeMap::<MemoryPath, Vec<(MemoryPath, Option<String>)>>::new();
        for (path, text) in files {
            let seen = self.store().read(path).unwrap();
            let (index, target) = index_of(path).unwrap();
            let hook = text.as_ref().map(|text| {
                let hook = text.lines().rev().find(|line| line.starts_with("Walrus"));
                hook.unwrap_or_default().to_owned()
            });
            lines.entry(index).or_default().push((target, hook));
            match (text, seen) {
                (Some(text), seen) => operation.write(path, seen, text.clone().into_bytes()),
                (None, Some(seen)) => operation.remove(path, seen),
                (None, None) => &mut operation,
            };
        }
        for (index, lines) in lines {
            operation.update(&index, move |current| {
                let index = Index::parse(current.unwrap_or_default());
                let index = lines
                    .iter()
                    .fold(index, |index, (target, hook)| match hook {
                        Some(hook) => index.with_entry("walrus", target, hook),
                        None => index.without_target(target),
                    });
                Some(index.into_bytes())
            });
        }
        operation.commit().unwrap();
    }

    fn new_text(&mut self) -> String {
        self.memories += 1;
        let memory = self.memories;
        let description = self.line(memory);
        let body = self.line(memory);
        format!(
            "---\nname: walrus {memory}\ndescription: {description}\n---\n\n{body}\n{description}\n"
        )
    }

    fn step(&mut self) {
        let kind = self.random.below(16);
        if matches!(kind, 3 | 5) {
            // A copy that is changed before anybody has seen it is another memory with the same lines.
            self.store().sweep().unwrap();
        }
        let chosen = self.any();
        let name = self.free_name();
        let memory = self.fixture.memory();
        let is_free = !memory.join(name.as_str()).exists();
        self.told.push(format!("{kind} {chosen:?} {name}"));
        match (kind, chosen) {
            (0..=2, _) | (_, None) if is_free => {
                let text = self.new_text();
                self.commit("remember", Author::User, &[(name, Some(text))]);
            }
            (3, Some(chosen)) => {
                // Edited by hand or by command, at the end or whole.
                let Some(own) = self.memory_of(&chosen) else {
                    return;
                };
                let line = self.line(own);
                let text = format!("{}{line}\n", self.text(&chosen));
                match self.random.below(2) {
                    0 => self.fixture.outside(chosen.as_str(), &text),
                    _ => self.commit("edit", Author::User, &[(chosen, Some(text))]),
                }
            }
            (4, Some(chosen)) if is_free => {
                let text = self.text(&chosen).replace("name: walrus", "name: seal");
                self.commit(RENAME, Author::User, &[(name, Some(text)), (chosen, None)]);
            }
            (5, Some(chosen)) if is_free => {
                fs::create_dir_all(memory.join(name.as_str()).parent().unwrap()).unwrap();
                fs::rename(memory.join(chosen.as_str()), memory.join(name.as_str())).unwrap();
                if self.random.below(2) == 0
                    && let Some(own) = self.memory_of(&name)
                {
                    let line = self.line(own);
                    let text = format!("{}{line}\n", self.text(&name));
                    self.fixture.outside(name.as_str(), &text);
                }
            }
            (6, Some(chosen)) if is_free => {
                self.fixture.outside(name.as_str(), &self.text(&chosen));
            }
            (7, Some(chosen)) => self.commit("forget", Author::User, &[(chosen, None)]),
            (8 | 9, _) => self.undo(),
            (10, Some(chosen)) => self.merge(&chosen),
            (11, _) => self.suggest(&name),
            (12, Some(chosen)) => self.paste(&chosen),
            (13, _) => {
                self.store().sweep().unwrap();
            }
            (14 | 15, _) => self.purge(),
            _ => {}
        }
    }

    /// Takes back any operation, an undo among them.
    fn undo(&mut self) {
        self.store().sweep().unwrap();
        let history = self.store().history().unwrap();
        let at = self.random.below(history.operations.len().max(1));
        let Some(operation) = history.operations.get(at) else {
            return;
        };
        let Ok(plan) = self.store().plan_undo(&history, operation.id) else {
            return;
        };
        let _ = self.store().restore(plan);
    }

    /// As a dream does it: one memory takes up another and names it.
    fn merge(&mut self, into: &MemoryPath) {
        let Some(other) = self.any().filter(|other| other != into) else {
            return;
        };
        let (Some(one), Some(two)) = (self.memory_of(into), self.memory_of(&other)) else {
            return;
        };
        let taken = self.text(&other);
        let mut topic = Topic::parse(self.text(into).as_bytes());
        let named = topic.metadata("merged").map(|named| format!("{named}, "));
        let named = format!("{}{other}", named.unwrap_or_default());
        topic = topic.with_metadata("merged", &named).unwrap();
        let text = String::from_utf8(topic.into_bytes()).unwrap();
        let text = match self.random.below(2) {
            0 => text,
            _ => format!("{text}{}", Topic::parse(taken.as_bytes()).body_text()),
        };
        self.merged.insert((one.min(two), one.max(two)));
        self.commit(
            "dream",
            Author::Dream,
            &[(into.clone(), Some(text)), (other, None)],
        );
    }

    /// Something waits in the inbox and is accepted, rejected or left there.
    fn suggest(&mut self, target: &MemoryPath) {
        let inbox = self.store().inbox();
        let waiting = inbox.list().unwrap();
        match (self.random.below(3), waiting.first()) {
            (1, Some(one)) => {
                let _ = self
                    .store()
                    .accept(reason("accept 1"), std::slice::from_ref(one));
            }
            (2, Some(one)) => {
                inbox
                    .reject(reason("reject"), std::slice::from_ref(one))
                    .unwrap();
            }
            _ => {
                let topic = Topic::parse(self.new_text().as_bytes());
                let suggested = Suggested {
                    target: target.clone(),
                    base: None,
                    topic,
                    removes: false,
                    origin: None,
                    from: None,
                    dated: None,
                };
                let by = Reason::new(Author::Extraction, "suggest");
                inbox
                    .suggest(&by, &[suggested], Default::default())
                    .unwrap();
            }
        }
    }

    /// A line of one memory is written into another by hand.
    fn paste(&mut self, from: &MemoryPath) {
        let Some(to) = self.any().filter(|to| to != from) else {
            return;
        };
        let text = self.text(from);
        let Some(line) = text
            .lines()
            .rev()
            .find(|line| self.lines.contains_key(*line))
        else {
            return;
        };
        let (one, two) = (self.memory_of(from), self.memory_of(&to));
        if one.is_some() && two.is_some() && one != two {
            let text = format!("{}{line}\n", self.text(&to));
            self.fixture.outside(to.as_str(), &text);
        }
    }

    /// Purges a memory, by a name that it has or had, and looks at every byte.
    fn purge(&mut self) {
        self.store().sweep().unwrap();
        let history = self.store().history().unwrap();
        let changes = history.operations.iter().flat_map(|one| &one.changes);
        let names: BTreeSet<MemoryPath> = changes.map(|change| change.path.clone()).collect();
        let names: Vec<MemoryPath> = names.into_iter().filter(|name| !name.is_index()).collect();
        let at = self.random.below(names.len().max(1));
        let Some(name) = names.get(at) else { return };
        // What it says now, or said last.
        let said = match self.store().read(name).unwrap() {
            Some(found) => found.bytes,
            None => {
                let changes = history.operations.iter().rev().flat_map(|one| &one.changes);
                let mut of_it = changes.filter(|change| change.path == *name);
                let digest = of_it.find_map(|change| change.after.or(change.before));
                history.content(name, digest.unwrap()).unwrap()
            }
        };
        let said = String::from_utf8(said).unwrap();
        let Some(memory) = named(&said) else {
            return;
        };
        for folder in ["conversations", "hooks", "resumable"] {
            let folder = self.fixture.state().join(folder);
            fs::create_dir_all(&folder).unwrap();
            let record =
                serde_json::json!({"version": 1, "turns": [{"query": said, "paused": true}]});
            fs::write(folder.join("one.json"), record.to_string()).unwrap();
        }
        let before: Vec<(MemoryPath, String)> = self
            .topics()
            .into_iter()
            .map(|path| {
                let text = self.text(&path);
                (path, text)
            })
            .collect();
        self.check_history("before the purge");
        let shared = [SharedLines::Keep, SharedLines::Cut][self.random.below(2)];
        let plan = self.store().plan_purge(std::slice::from_ref(name)).unwrap();
        let purged = self
            .store()
            .purge(std::slice::from_ref(name), shared)
            .unwrap();
        let told = format!(
            "{}\npurged {name} ({memory}), {shared:?}: {purged:?}",
            self.told.join("\n")
        );
        assert_eq!(plan.names, purged.names, "{told}");
        let is_shared = |line: &str| purged.shared.iter().any(|one| one.line.contains(line));
        for (line, of) in &self.lines {
            if *of == memory && !(shared == SharedLines::Keep && is_shared(line)) {
                self.gone.insert(line.clone());
            }
        }
        // Whose words were never near the purged memory has lost none.
        for (path, text) in before {
            let near = text.lines().filter_map(|line| self.lines.get(line));
            let is_near = |other: &usize| {
                *other == memory
                    || self
                        .merged
                        .iter()
                        .any(|pair| [pair.0, pair.1].contains(other))
            };
            if !near.clone().any(is_near) && near.count() > 0 && !purged.names.contains(&path) {
                let is_cut = |line: &str| {
                    let mut cut = purged.shared.iter().filter(|one| one.path == path);
                    shared == SharedLines::Cut && cut.any(|one| one.line == line.trim())
                };
                let lines = text.split_inclusive('\n');
                let left: String = lines.filter(|line| !is_cut(line)).collect();
                assert_eq!(self.text(&path), left, "{path}\n{told}");
            }
        }
        self.check(&told);
        let record = fs::read_to_string(self.fixture.state().join("hooks/one.json")).unwrap();
        assert!(record.contains("\"paused\":true"), "{record}");
    }

    /// No byte of what is gone is left anywhere.
    fn check(&self, told: &str) {
        let mut files = Vec::new();
        collect(self.fixture.root(), &mut files);
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for line in &self.gone {
                let json = serde_json::Value::from(line.as_str()).to_string();
                let is_left = text.contains(line) || text.contains(json.trim_matches('"'));
                assert!(!is_left, "{} has {line}\n{told}", file.display());
            }
        }
        let swept = self.fixture.another().sweep().unwrap();
        assert!(
            swept.outside.is_empty() && swept.damaged == 0,
            "{swept:?}\n{told}"
        );
        self.check_history(told);
    }

    /// Every content that the history names is in it.
    fn check_history(&self, told: &str) {
        let history = self.fixture.another().history().unwrap();
        for operation in &history.operations {
            for change in &operation.changes {
                for digest in [change.before, change.after].into_iter().flatten() {
                    let found = history.content(&change.path, digest);
                    assert!(found.is_ok(), "{found:?} {operation:?}\n{told}");
                }
            }
        }
    }
}

/// The number of a memory, which its name ends with whatever else becomes of it.
fn named(text: &str) -> Option<usize> {
    let name = text.lines().find(|line| line.starts_with("name: "))?;
    name.rsplit(' ').next()?.parse().ok()
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => collect(&entry.path(), files),
            false => files.push(entry.path()),
        }
    }
}

#[test]
fn purged_text_is_nowhere_after_random_sequences() {
    let sequences = std::env::var("MEMDIR_PURGE_SEQUENCES").ok();
    let sequences = sequences.map_or(SEQUENCES, |count| count.parse().unwrap());
    let mut purged = 0;
    for seed in 1..=sequences {
        let mut world = World::new(seed);
        for _ in 0..STEPS {
            world.step();
        }
        world.purge();
        world.store().sweep().unwrap();
        world.check(&format!("seed {seed}: {}", world.told.join("\n")));
        purged += world.gone.len();
    }
    assert!(purged > usize::try_from(sequences).unwrap(), "{purged}");
}
