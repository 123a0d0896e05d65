//! A memory directory in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};

use memdir_memory::MemoryPath;
use memdir_store::{Author, Outcome, Reason, Store};

pub(crate) struct Fixture {
    folder: tempfile::TempDir,
    pub(crate) store: Store,
}

pub(crate) fn path(path: &str) -> MemoryPath {
    MemoryPath::new(path).unwrap()
}

pub(crate) fn reason(what: &str) -> Reason {
    Reason::new(Author::User, what)
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        let folder = memdir_testkit::temporary_folder().unwrap();
        let store = store_in(folder.path());
        Fixture { folder, store }
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn memory(&self) -> PathBuf {
        self.folder.path().join("memory")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// As another process would open it.
    pub(crate) fn another(&self) -> Store {
        store_in(self.folder.path())
    }

    /// Writes behind the store's back.
    pub(crate) fn outside(&self, name: &str, content: &str) {
        let file = self.memory().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// Writes through the store, over whatever is there.
    pub(crate) fn write(&self, name: &str, content: &str) -> Outcome {
        let seen = self.store.read(&path(name)).unwrap();
        let mut operation = self.store.operation(reason("write"));
        operation.write(&path(name), seen, content.into());
        operation.commit().unwrap()
    }

    pub(crate) fn remove(&self, name: &str) -> Outcome {
        let seen = self.store.read(&path(name)).unwrap().unwrap();
        let mut operation = self.store.operation(reason("remove"));
        operation.remove(&path(name), seen);
        operation.commit().unwrap()
    }

    pub(crate) fn content(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.memory().join(name)).ok()
    }

    /// Every file of the memory directory with its content, dot-files included.
    pub(crate) fn tree(&self) -> String {
        let mut lines = Vec::new();
        collect(&self.memory(), "", &mut lines);
        lines.sort();
        lines.join("\n")
    }

    /// The history, oldest first, as one line an operation.
    pub(crate) fn log(&self) -> String {
        let history = self.another().history().unwrap();
        let lines = history.operations.iter().map(|operation| {
            let files: Vec<String> = operation
                .changes
                .iter()
                .map(|change| {
                    let sign = match (change.before, change.after) {
                        (None, Some(_)) => '+',
                        (Some(_), None) => '-',
                        _ => '~',
                    };
                    format!("{sign}{}", change.path)
                })
                .collect();
            let failed = if operation.failed { " (failed)" } else { "" };
            format!(
                "#{} {} {}{failed}: {}",
                operation.id,
                operation.reason.who,
                operation.reason.what,
                files.join(" ")
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn store_in(root: &Path) -> Store {
    Store::new(root.join("memory"), root.join("state"))
}

fn collect(folder: &Path, prefix: &str, lines: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), lines);
        } else {
            let content = fs::read(entry.path()).unwrap();
            lines.push(format!("{name}: {:?}", String::from_utf8_lossy(&content)));
        }
    }
}
