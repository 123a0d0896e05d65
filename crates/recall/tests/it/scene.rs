//! A memory directory in a temporary folder, and questions about it.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use memdir_memory::MemoryPath;
use memdir_recall::{Answer, Finder, Question, Scope};
use memdir_store::{Author, Reason, Store};

pub(crate) struct Scene {
    folder: tempfile::TempDir,
    pub(crate) store: Store,
    pub(crate) finder: Finder,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
        fs::create_dir(store.memory_directory()).unwrap();
        let finder = Finder::new(&store).with_everywhere(folder.path().join("everywhere"));
        Scene {
            folder,
            store,
            finder,
        }
    }

    /// With a few memories that have nothing to do with what is asked.
    pub(crate) fn with_some() -> Scene {
        let scene = Scene::new();
        scene.file("memory/tabs.md", "Indent with tabs, never with spaces.\n");
        scene.file("memory/release.md", "The release manager is Ada.\n");
        scene.settle();
        scene
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file beneath the temporary folder, in place.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Makes the memory directory look as if nothing had changed for a while.
    pub(crate) fn settle(&self) {
        self.settle_at(1_000);
    }

    pub(crate) fn settle_at(&self, seconds_ago: u64) {
        let time = SystemTime::now() - Duration::from_secs(seconds_ago);
        let folder = File::open(self.store.memory_directory()).unwrap();
        folder.set_modified(time).unwrap();
    }

    /// A change through the store that recall is told of.
    pub(crate) fn remember(&self, name: &str, text: &str) -> bool {
        let path = MemoryPath::new(name).unwrap();
        let watch = self.finder.watch();
        let mut operation = self.store.operation(Reason::new(Author::User, "remember"));
        let seen = self.store.read(&path).unwrap();
        operation.write(&path, seen, text.as_bytes().to_vec());
        let outcome = operation.commit().unwrap();
        self.finder.note(watch.as_ref(), &outcome.changed)
    }

    pub(crate) fn ask(&self, query: &str) -> Answer {
        let question = Question {
            limit: 20,
            silence: false,
            ..Question::new(query)
        };
        self.finder.find(&question).unwrap()
    }

    /// The paths that are found by a word of the question, sorted; those from elsewhere with where they are. What is only
    /// near in meaning is the scorer's business.
    pub(crate) fn found(&self, query: &str) -> String {
        let answer = self.ask(query);
        let mut paths: Vec<String> = answer
            .found
            .iter()
            .filter(|found| {
                let mut reasons = found.reasons.iter();
                reasons.any(|reason| matches!(reason, memdir_recall::Reason::Word(_)))
            })
            .map(|found| match found.scope {
                Scope::Project => found.path.to_string(),
                scope => format!("{scope:?}: {}", found.path),
            })
            .collect();
        paths.sort();
        paths.join(", ")
    }
}
