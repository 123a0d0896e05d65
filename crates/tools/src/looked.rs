//! The files that a search looks at: those on the disk, or those of the copy that a run works on.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ignore::DirEntry;
use memdir_memory::MemoryPath;
use memdir_store::Found;

use crate::glob::walk;
use crate::{Answer, Bench, Place, Program};

/// So many files are looked at before a search is ended.
const MOST_FILES: usize = 200_000;

/// A file that is looked at.
pub(crate) enum Looked {
    /// On the disk.
    OnDisk(DirEntry),
    /// In the copy.
    Copied(PathBuf, Found),
}

impl Looked {
    /// Where it is, or would be if it were not a copy.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::OnDisk(entry) => entry.path(),
            Self::Copied(path, _) => path,
        }
    }

    /// When it was last changed.
    pub(crate) fn modified(&self) -> SystemTime {
        let modified = match self {
            Self::OnDisk(entry) => entry
                .metadata()
                .ok()
                .and_then(|found| found.modified().ok()),
            Self::Copied(_, found) => {
                let since = u64::try_from(found.stamp.mtime).unwrap_or_default();
                SystemTime::UNIX_EPOCH.checked_add(Duration::from_nanos(since))
            }
        };
        modified.unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// The plain files at or beneath a place; on the disk those that git does not ignore, links not followed, for as long as a
/// search may take.
pub(crate) fn looked(bench: &Bench<'_>, place: &Place) -> Box<dyn Iterator<Item = Looked>> {
    let at = place.path(&bench.rooms);
    if matches!(place, Place::Memory(_) | Place::MemoryFolder(_))
        && let Some(copied) = bench.shelf.copied()
    {
        let memory = bench.rooms.memory().to_owned();
        let files = copied.into_iter().map(move |(path, found)| {
            let path: MemoryPath = path;
            Looked::Copied(memory.join(path.as_str()), found)
        });
        return Box::new(files.filter(move |file| file.path().starts_with(&at)));
    }
    let entries = walk(&at).take(MOST_FILES);
    let plain = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    Box::new(plain.map(Looked::OnDisk))
}

/// What a program would print about memories, where these are a copy that no program can see: `ls` and `find` list it,
/// the others have a tool in their place.
pub(crate) fn instead_of(bench: &Bench<'_>, program: &Program) -> Option<Answer> {
    bench.shelf.copied()?;
    let named = program.arguments().iter();
    let place = named
        .filter(|argument| !argument.starts_with('-'))
        .filter_map(|argument| bench.rooms.place(argument).ok())
        .find(|place| matches!(place, Place::Memory(_) | Place::MemoryFolder(_)))?;
    if !matches!(program.name(), "ls" | "find") {
        return Some(Answer::error(
            "memories are read with Read and searched with Grep in this run",
        ));
    }
    let mut listed: Vec<String> = looked(bench, &place)
        .map(|file| file.path().display().to_string())
        .collect();
    listed.sort();
    Some(match listed.is_empty() {
        true => Answer::ok("[no file]"),
        false => Answer::ok(listed.join("\n")),
    })
}
