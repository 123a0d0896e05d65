//! However an index came about, its answers are those of the files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use memdir_memory::{MemoryPath, Topic};
use memdir_store::{Author, Reason, Store};
use proptest::prelude::*;

use super::*;
use crate::{Collection, Document, rank};

const NAMES: [&str; 8] = [
    "a.md",
    "b.md",
    "c.md",
    "team/a.md",
    "team/d.md",
    "x/y/z.md",
    "logs/l.md",
    "MEMORY.md",
];
const WORDS: [&str; 8] = [
    "hive", "bees", "deploy", "friday", "tabs", "spaces", "honey", "release",
];

/// What happens to a memory directory.
#[derive(Clone, Debug)]
enum Event {
    /// An editor saves: a new file takes the place of the old one.
    Save(usize, String),
    /// Somebody removes a file.
    Remove(usize),
    /// A whole folder goes.
    RemoveFolder,
    /// A change through the store, noted.
    Through(usize, String),
    /// An overwrite in place, and the sweep that finds it.
    Overwrite(usize, String),
    /// The index is deleted.
    Forget,
    /// A byte of the index changes.
    Damage(bool, prop::sample::Index),
    /// Somebody else holds the lock while a question is asked.
    AskLocked,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let text = prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..6)
        .prop_map(|words| words.join(" "));
    let name = 0..NAMES.len();
    let event = prop_oneof![
        4 => (name.clone(), text.clone()).prop_map(|(name, text)| Event::Save(name, text)),
        2 => name.clone().prop_map(Event::Remove),
        1 => Just(Event::RemoveFolder),
        4 => (name.clone(), text.clone()).prop_map(|(name, text)| Event::Through(name, text)),
        2 => (name, text).prop_map(|(name, text)| Event::Overwrite(name, text)),
        1 => Just(Event::Forget),
        1 => (any::<bool>(), any::<prop::sample::Index>()).prop_map(|(base, at)| Event::Damage(base, at)),
        1 => Just(Event::AskLocked),
    ];
    prop::collection::vec(event, 1..24)
}

struct World {
    _folder: tempfile::TempDir,
    store: Store,
    finder: Finder,
    minutes: u64,
}

impl World {
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
        fs::create_dir(store.memory_directory()).unwrap();
        World {
            finder: Finder::new(&store),
            store,
            _folder: folder,
            minutes: 0,
        }
    }

    fn path(&self, name: usize) -> PathBuf {
        self.store.memory_directory().join(NAMES[name])
    }

    /// Gives every folder a time of its own in the past, as if the change had been a while ago.
    fn settle(&mut self) {
        self.minutes += 1;
        let root = self.store.memory_directory();
        for folder in ["", "team", "x", "x/y", "logs"] {
            if let Ok(folder) = File::open(root.join(folder)) {
                let time = SystemTime::now() - Duration::from_secs(100_000 - self.minutes * 60);
                folder.set_modified(time).unwrap();
            }
        }
    }

    fn happen(&mut self, event: &Event) {
        match event {
            Event::Save(name, text) => {
                let path = self.path(*name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path.with_extension("new"), text).unwrap();
                fs::rename(path.with_extension("new"), path).unwrap();
                self.settle();
            }
            Event::Remove(name) => {
                let _ = fs::remove_file(self.path(*name));
                self.settle();
            }
            Event::RemoveFolder => {
                let _ = fs::remove_dir_all(self.store.memory_directory().join("x"));
                self.settle();
            }
            Event::Through(name, text) => {
                let path = MemoryPath::new(NAMES[*name]).unwrap();
                let watch = self.finder.watch();
                let mut operation = self.store.operation(Reason::new(Author::User, "test"));
                let seen = self.store.read(&path).unwrap();
                operation.write(&path, seen, text.clone().into_bytes());
                let outcome = operation.commit().unwrap();
                self.finder.note(watch.as_ref(), &outcome.changed);
            }
            Event::Overwrite(name, text) => {
                let path = self.path(*name);
                if path.exists() {
                    fs::write(&path, text).unwrap();
                    let later = SystemTime::now() - Duration::from_secs(self.minutes + 1);
                    File::open(&path).unwrap().set_modified(later).unwrap();
                }
                self.finder.sweep().unwrap();
            }
            Event::Forget => {
                let _ = fs::remove_dir_all(self.finder.folder());
            }
            Event::Damage(is_base, at) => {
                let name = if *is_base { "base" } else { "delta" };
                let path = self.finder.folder().join(name);
                if let Ok(mut bytes) = fs::read(&path) {
                    let at = at.index(bytes.len());
                    bytes[at] ^= 0x55;
                    fs::write(&path, bytes).unwrap();
                }
            }
            Event::AskLocked => {
                fs::create_dir_all(self.finder.folder()).unwrap();
                let lock = File::create(self.finder.folder().join("lock")).unwrap();
                lock.lock().unwrap();
                self.check(&self.finder.clone());
            }
        }
    }

    /// What the scorer says about the files themselves.
    fn expected(&self, query: &str) -> BTreeMap<String, f32> {
        let mut paths = Vec::new();
        collect(self.store.memory_directory(), "", &mut paths);
        let mut collection = Collection::default();
        for path in &paths {
            let bytes = fs::read(self.store.memory_directory().join(path)).unwrap();
            let topic = Topic::from_bytes(bytes);
            collection.add(&Document {
                path,
                body: &topic.body_text(),
                ..Document::default()
            });
        }
        let options = Options {
            limit: 50,
            silence: false,
        };
        let light = |_| Some(Light::default());
        let ranked = rank(query, &mut collection, light, &options).unwrap();
        let hits = ranked.hits.iter();
        hits.map(|hit| (paths[hit.file as usize].clone(), hit.score))
            .collect()
    }

    fn check(&self, finder: &Finder) {
        for query in ["hive bees honey", "deploy friday", "tabs spaces release"] {
            let question = Question {
                limit: 50,
                silence: false,
                ..Question::new(query)
            };
            let answer = finder.find(&question).unwrap();
            let found: BTreeMap<String, f32> = answer
                .found
                .iter()
                .map(|found| (found.path.to_string(), found.score))
                .collect();
            assert_eq!(found, self.expected(query), "{query}");
            assert_eq!(found.len(), answer.found.len(), "each once");
        }
    }
}

fn collect(root: &Path, prefix: &str, into: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(prefix)).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            if name != "logs" {
                collect(root, &format!("{name}/"), into);
            }
        } else if name.ends_with(".md") && !name.ends_with("MEMORY.md") && !name.starts_with('.') {
            into.push(name);
        }
    }
    into.sort();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn answers_are_those_of_the_files_however_the_index_came_about(events in events()) {
        let mut world = World::new();
        for event in &events {
            world.happen(event);
            world.check(&world.finder);
        }
        let finder = world.finder.clone();
        let read = finder.reindex().unwrap();
        prop_assert_eq!(read.read, read.memories);
        world.check(&finder);
    }

    #[test]
    fn an_open_index_stays_right_while_others_write(events in events()) {
        let mut world = World::new();
        let reader = world.finder.clone();
        let mut open = reader.open();
        for event in &events {
            world.happen(event);
            let question = Question { limit: 50, silence: false, ..Question::new("hive deploy") };
            let answer = open.find(&question).unwrap();
            let mut found: Vec<String> = answer.found.iter().map(|found| found.path.to_string()).collect();
            found.sort();
            let expected: Vec<String> = world.expected("hive deploy").into_keys().collect();
            prop_assert_eq!(found, expected);
        }
    }
}
