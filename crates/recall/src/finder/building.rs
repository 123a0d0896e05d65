//! A large index that is missing: built beside the messages, in steps that are kept, by one process.

use std::collections::HashSet;

use super::{Finder, OpenFinder, Unread, Updated};
use crate::Error;
use crate::freshness::{Look, Reach};

/// The first step; each is as large as what there is by then, so that all of them together write the index twice.
const FIRST_STEP: u32 = if cfg!(test) { 4 } else { 4_096 };
/// A step that was not kept is tried again so often: somebody else wrote in between.
const TRIES: usize = 3;

/// How much of the memories the index has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Memories that can be found.
    pub memories: u32,
    /// Memories that were seen and cannot be found yet.
    pub pending: u32,
    /// Whether somebody is reading them just now.
    pub under_way: bool,
}

impl Built {
    /// How many memories there are, as far as they were seen.
    #[must_use]
    pub fn all(self) -> u32 {
        self.memories.saturating_add(self.pending)
    }
}

impl Finder {
    /// How much of the memories the index on disk has, by the index alone; `None` where there is none.
    #[must_use]
    pub fn built(&self) -> Option<Built> {
        let index = self.files.open();
        index.base.as_ref()?;
        Some(Built {
            memories: index.totals().files,
            pending: index.pending(),
            under_way: self.files.is_being_built(),
        })
    }

    /// What could not be indexed, by the index on disk alone.
    #[must_use]
    pub fn unread(&self) -> Vec<Unread> {
        self.open().unread().unwrap_or_default()
    }

    /// Reads the memories that the index does not have yet, until it has all of them or `goes_on` says no. What is read is
    /// kept at every step: whoever comes after a kill goes on from there. `None` where somebody else is at it.
    ///
    /// # Errors
    ///
    /// When the memory directory cannot be read.
    pub fn complete(&self, goes_on: &dyn Fn(Built) -> bool) -> Result<Option<Updated>, Error> {
        let lock = self
            .files
            .try_build()
            .map_err(|error| memdir_store::Error::io("make the index in", self.folder(), error))?;
        let Some(_lock) = lock else { return Ok(None) };
        let mut open = self.open();
        let mut all = Updated::default();
        let mut tries = 0;
        loop {
            let step = open.index.totals().files.max(FIRST_STEP);
            let reach = Reach::Step(usize::try_from(step).unwrap_or(usize::MAX));
            let done = open.update_within(Look::Changed, reach)?;
            let read = all.read.saturating_add(done.read);
            all = Updated { read, ..done };
            let built = Built {
                memories: all.memories,
                pending: all.pending,
                under_way: true,
            };
            tries = if all.written { 0 } else { tries + 1 };
            if all.pending == 0 && all.written || tries == TRIES || !goes_on(built) {
                return Ok(Some(all));
            }
            if !all.written {
                open = self.open();
            }
        }
    }
}

impl OpenFinder {
    /// Has what was left read on a thread of its own, for a process that stays. Once: what cannot be kept is not tried
    /// again at each question.
    pub fn complete_beside(&mut self) {
        if std::mem::replace(&mut self.is_completed, true) {
            return;
        }
        let finder = self.finder.clone();
        // Where there is no thread to be had, questions are answered from what there is.
        let _ = std::thread::Builder::new()
            .name("memdir-index".to_owned())
            .spawn(move || finder.complete(&|_| true));
    }

    /// How far a question or a look may read: whoever would read very much does it alone, the others answer from what
    /// there is.
    pub(super) fn reach_of(&self, wanted: Reach) -> (Reach, Option<std::fs::File>) {
        let is_whole = self.index.base.is_some() && self.index.pending() == 0;
        if wanted != Reach::All || is_whole {
            return (wanted, None);
        }
        match self.finder.files.try_build() {
            Ok(None) => (Reach::AtOnce, None),
            // Where nothing can be written nobody builds, and everybody reads for himself.
            taken => (Reach::All, taken.ok().flatten()),
        }
    }

    /// Brings the index up to date within a reach.
    pub(super) fn update_within(&mut self, look: Look, reach: Reach) -> Result<Updated, Error> {
        let done = match self.refresh_within(look, reach, &HashSet::new()) {
            Err(Error::Damaged) => {
                self.start_anew();
                self.refresh_within(look, reach, &HashSet::new())?
            }
            done => done?,
        };
        Ok(Updated {
            memories: self.index.totals().files,
            pending: self.index.pending(),
            read: done.read,
            gone: done.gone,
            bytes: self.finder.files.bytes(),
            written: done.written || (done.read == 0 && done.gone == 0),
            unread: self.unread()?,
        })
    }
}
