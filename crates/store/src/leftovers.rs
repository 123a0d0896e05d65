//! What killed processes left under temporary names in folders that the next change may not touch.

use rustix::fs::FileType;

use crate::directory::Directory;
use crate::history::HISTORY_FOLDER;
use crate::history::journal::Journal;
use crate::retired::RETIRED_FOLDER;
use crate::store::TEAM_FOLDER;
use crate::walk::{names_in, temporaries_in};

/// The folder of the daily logs: a year, a month and the days beneath.
const LOGS_FOLDER: &str = "logs";
const LOGS_DEPTH: usize = 2;
/// Where a dream says that it runs.
const CONSOLIDATION_FOLDER: &str = "consolidation";

/// Clears the few folders in which memdir itself begins files. What cannot be looked at is left to a sweep, which names it.
pub(crate) fn clear(journal: &Journal<'_>) {
    let kept = &journal.looked.beside;
    journal.memory.remove_orphans(kept);
    if let Ok(Some(team)) = journal.memory.folder(TEAM_FOLDER) {
        team.remove_orphans(kept);
    }
    if let Ok(Some(logs)) = journal.memory.folder(LOGS_FOLDER) {
        clear_beneath(&logs, LOGS_DEPTH, kept);
    }
    if let Ok(Some(folder)) = journal.state.folder(CONSOLIDATION_FOLDER) {
        folder.remove_orphans(&[]);
    }
}

fn clear_beneath(folder: &Directory, depth: usize, kept: &[String]) {
    folder.remove_orphans(kept);
    if depth > 0 {
        for beneath in folders_in(folder) {
            clear_beneath(&beneath, depth - 1, kept);
        }
    }
}

/// Clears the folders of records in the state of a memory directory, and says how many there were. History and retired files
/// are the journal's own matter.
pub(crate) fn clear_state(state: &Directory) -> usize {
    let records = folders_in(state).into_iter().filter(|folder| {
        let own = [HISTORY_FOLDER, RETIRED_FOLDER].map(|name| state.path().join(name));
        !own.iter().any(|own| own == folder.path())
    });
    let removed = records.map(|folder| {
        let names = temporaries_in(&folder).unwrap_or_default();
        let gone = names
            .iter()
            .filter(|name| matches!(folder.remove_orphan(name), Ok(true)));
        gone.count()
    });
    removed.sum()
}

fn folders_in(folder: &Directory) -> Vec<Directory> {
    let names = names_in(folder).unwrap_or_default().into_iter();
    let folders = names.filter(|(_, kind)| *kind == FileType::Directory);
    folders
        .filter_map(|(name, _)| folder.folder(&name).ok().flatten())
        .collect()
}
