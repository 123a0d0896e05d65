//! Noticing that memories changed, whoever changed them: a few looks at times of folders and files, a second apart.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use memdir_memory::MemoryPath;

use super::resources::target;
use super::room::Room;

/// More folders than this are not watched.
const MOST_FOLDERS: usize = 1_000;

/// What a file or folder looked like.
pub(crate) type Look = Option<(i64, i64, u64, u64)>;

/// What was seen last.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    directory: PathBuf,
    folders: BTreeMap<PathBuf, Look>,
    names: BTreeSet<MemoryPath>,
    addresses: BTreeMap<String, Look>,
}

/// What is other than it was.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// Memory was switched on or off, and the tools with it.
    pub(crate) tools: bool,
    /// Memories came or went.
    pub(crate) list: bool,
    /// Addresses whose text changed.
    pub(crate) updated: Vec<String>,
}

impl Watch {
    /// Looks, and says what changed since the last look, or for an address that is new since it was subscribed to. The first
    /// look at a directory only takes it in.
    pub(crate) fn look(&mut self, room: &Room, addresses: Vec<(String, Look)>) -> Changes {
        let is_known = self.directory == room.directory();
        if !is_known {
            *self = Self {
                directory: room.directory().to_owned(),
                ..Self::default()
            };
        }
        let list = self.look_at_names(room) && is_known;
        let mut seen = BTreeMap::new();
        let mut updated = Vec::new();
        for (address, subscribed) in addresses {
            let now = look_at(room, &address);
            if *self.addresses.get(&address).unwrap_or(&subscribed) != now {
                updated.push(address.clone());
            }
            seen.insert(address, now);
        }
        self.addresses = seen;
        Changes {
            tools: false,
            list,
            updated,
        }
    }

    /// Whether a memory came or went. A folder whose time is the same has the same names in it.
    fn look_at_names(&mut self, room: &Room) -> bool {
        let is_same = |(folder, before): (&PathBuf, &Look)| look(folder) == *before;
        if !self.folders.is_empty() && self.folders.iter().all(is_same) {
            return false;
        }
        // Before the names: what happens in between is seen at the next look.
        let folders = folders_of(&self.directory);
        let Ok(files) = room.store().files() else {
            return false;
        };
        self.folders = folders;
        let names: BTreeSet<MemoryPath> = files
            .into_iter()
            .filter(|path| path.components().next() != Some("logs"))
            .collect();
        let changed = names != self.names;
        self.names = names;
        changed
    }
}

/// Every folder there is, those without a memory too: one may come. Each is looked at before what is in it.
fn folders_of(directory: &Path) -> BTreeMap<PathBuf, Look> {
    let mut folders = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(folder) = open.pop() {
        if folders.len() >= MOST_FOLDERS {
            break;
        }
        let seen = look(&folder);
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let inside = entries.filter(|entry| {
            let is_hidden = entry.file_name().as_bytes().starts_with(b".");
            !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
        });
        open.extend(inside.map(|entry| entry.path()));
        folders.insert(folder, seen);
    }
    folders
}

/// What the file behind an address looks like now.
pub(crate) fn look_at(room: &Room, address: &str) -> Look {
    let path = target(address).and_then(|target| target.path().ok())?;
    look(&room.directory().join(path.as_str()))
}

fn look(path: &Path) -> Look {
    let facts = std::fs::symlink_metadata(path).ok()?;
    Some((facts.mtime(), facts.mtime_nsec(), facts.size(), facts.ino()))
}
