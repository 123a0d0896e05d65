//! A change through us, put into the index without listing anything.
//!
//! Whoever changes files looks at the folders first ([`watch`]) and says afterwards which files it changed ([`note`]). If a
//! folder was as the index knew it right before, only these files are read and the folder's new time is taken over.
//!
//! What somebody else does to the same folder between the two looks is hidden by that: the folder has the time that the
//! index knows. It is found at the folder's next change or by the next sweep. The alternative, a listing after each write
//! of ours, costs fifty times the write in a large directory.

use std::collections::BTreeMap;

use memdir_memory::MemoryPath;

use super::changes::Changes;
use super::diff::Number;
use super::names::Names;
use super::{Root, Scope, open_folder, split};
use crate::Error;
use crate::index::{Index, IndexFiles, State};
use crate::segment::{Folder, UNCLEAN, hash_of};

/// What the folders of a memory directory were like before a change.
#[derive(Debug)]
pub struct Watch {
    seen: State,
    /// Folders that are as the index knows them.
    settled: Vec<String>,
}

/// Looks at the folders before a change; `None` where there is no index that could be kept up.
pub(crate) fn watch(files: &IndexFiles, root: &Root) -> Option<Watch> {
    let index = files.open();
    index.base.as_ref()?;
    let directory = root.open().ok()??;
    let settled = index.folders().into_iter().filter_map(|folder| {
        let beneath = open_folder(&directory, &folder.path).ok()?;
        let is_there = folder.path.is_empty() || beneath.is_some();
        let modified = beneath.as_ref().unwrap_or(&directory).modified().ok()?;
        (folder.root == root.scope.number()
            && folder.mtime != UNCLEAN
            && is_there
            && modified == folder.mtime)
            .then_some(folder.path)
    });
    Some(Watch {
        seen: index.state(),
        settled: settled.collect(),
    })
}

/// Puts changed files into the index. Where anything is not as expected, nothing is done: the next query looks itself.
pub(crate) fn note(
    files: &IndexFiles,
    root: &Root,
    watch: &Watch,
    changed: &[MemoryPath],
) -> Result<bool, Error> {
    let mut index = files.open();
    if index.base.is_none() || index.state() != watch.seen || root.scope != Scope::Project {
        return Ok(false);
    }
    let mut by_folder = BTreeMap::<&str, Vec<&str>>::new();
    for path in changed {
        let (folder, name) = split(path.as_str());
        by_folder.entry(folder).or_default().push(name);
    }
    by_folder.retain(|folder, _| watch.settled.iter().any(|settled| settled == folder));
    let Some(directory) = root.open()? else {
        return Ok(false);
    };
    let names = Names::of(&index)?;
    let mut changes = Changes::default();
    for folder in index.folders() {
        let is_ours = folder.root == root.scope.number();
        let Some(changed) = by_folder.get(folder.path.as_str()).filter(|_| is_ours) else {
            changes.folders.push(folder);
            continue;
        };
        let beneath = open_folder(&directory, &folder.path)?;
        if beneath.is_none() && !folder.path.is_empty() {
            return Ok(false);
        }
        let opened = beneath.as_ref().unwrap_or(&directory);
        // Before the files are read: what changes from here on changes it again.
        let mtime = opened.modified()?;
        for name in changed {
            take_out(&mut changes, &names, &index, &folder, name);
            if !name.eq_ignore_ascii_case(memdir_memory::INDEX_NAME) {
                changes.intake.add(opened, &folder, name.as_bytes(), None);
            }
        }
        changes.folders.push(Folder { mtime, ..folder });
    }
    drop(names);
    Ok(changes.apply(&mut index, files, false)?.written)
}

fn take_out(changes: &mut Changes, names: &Names, index: &Index, folder: &Folder, name: &str) {
    let hash = hash_of(name.as_bytes());
    let known = names.all(folder, index);
    let gone = known.filter(|(one, _)| *one == hash);
    changes
        .gone
        .extend(gone.map(|(_, file): (u64, Number)| file));
}
