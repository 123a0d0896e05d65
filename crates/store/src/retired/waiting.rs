//! Files that came out of their places, as whoever uses the store asks about them.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use super::writers::{self, Identity};
use super::{PAUSE, RETIRED_FOLDER, Retired, is_due, list, stamp};
use crate::directory::Directory;
use crate::error::Result;
use crate::limits::{RETIRED_PATIENCE, WRITERS_TIME};
use crate::store::Store;

impl Store {
    /// Whether the files that came out of their places have to be looked at.
    pub(crate) fn has_late(&self) -> Result<bool> {
        let Some(shelf) = self.retired_folder()? else {
            return Ok(false);
        };
        let retired = list(&shelf);
        Ok(is_due(&retired)
            || retired
                .iter()
                .any(|(name, one)| self.is_late(&shelf, name, one)))
    }

    fn is_late(&self, shelf: &Directory, name: &str, one: &Retired) -> bool {
        match self.place_of(shelf, one) {
            Some(place) => !matches!(
                stamp(&place, &one.file_name(name)),
                Ok(Some((stamp, _))) if one.looks_as(stamp)
            ),
            None => true,
        }
    }

    fn place_of(&self, shelf: &Directory, one: &Retired) -> Option<Directory> {
        match one.beside {
            true => Directory::open(self.memory_directory())
                .ok()??
                .parent_of(&one.path)
                .ok()?,
            false => shelf.same().ok(),
        }
    }

    fn retired_folder(&self) -> Result<Option<Directory>> {
        match Directory::open(self.state_directory())? {
            Some(state) => state.folder(RETIRED_FOLDER),
            None => Ok(None),
        }
    }

    /// Waits for whoever still writes to a file that a change of ours has just replaced, and takes in what they wrote. For
    /// commands that a person types, after a change; everybody else leaves it to the next one.
    pub fn wait_for_writers(&self, patience: Duration) -> Result<()> {
        let Some(shelf) = self.retired_folder()? else {
            return Ok(());
        };
        let begin = Instant::now();
        let files: HashSet<Identity> = list(&shelf)
            .iter()
            .filter(|(_, one)| one.age() < RETIRED_PATIENCE)
            .filter_map(|(name, one)| {
                let place = self.place_of(&shelf, one)?;
                let (_, identity) = stamp(&place, &one.file_name(name)).ok()??;
                Some(identity)
            })
            .collect();
        if files.is_empty() {
            return Ok(());
        }
        let is_held = |files: &HashSet<Identity>, time| {
            writers::held(files, time).filter(|held| !held.is_empty())
        };
        let mut held = is_held(&files, Some(WRITERS_TIME));
        while let Some(writing) = held
            && begin.elapsed() < patience
        {
            thread::sleep(PAUSE);
            held = is_held(&writing, None);
        }
        match self.has_late()? {
            true => self.sweep().map(drop),
            false => Ok(()),
        }
    }
}
