//! A large index that is missing: built beside the messages, in steps that are kept, by one process.

use std::collections::HashSet;
use std::fs::File;
use std::time::Duration;

use super::{Finder, OpenFinder, Unread, Updated};
use crate::Error;
use crate::freshness::{Look, Reach};

/// The first step; each is as large as what there is by then, so that all of them together write the index twice.
const FIRST_STEP: u32 = if cfg!(test) { 4 } else { 16_384 };
/// A step that was not kept is tried again so often: somebody else wrote in between.
const TRIES: usize = 3;
/// Longer than a look takes.
const A_MOMENT: Duration = Duration::from_millis(20);

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
        let Some(_lock) = self.take_building()? else {
            return Ok(None);
        };
        let mut open = self.open();
        let mut all = Updated::default();
        let (mut tries, mut is_stuck) = (0, false);
        loop {
            let before = open.index.totals().files;
            let reach = match is_stuck {
                true => Reach::All,
                false => Reach::Step(usize::try_from(before.max(FIRST_STEP)).unwrap_or(usize::MAX)),
            };
            let done = open.update_within(Look::Changed, reach)?;
            // Files that cannot be read stay left: a whole step of them must not be taken again and again.
            is_stuck = done.memories <= before;
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

impl Finder {
    /// The right to build. Whoever only looks whether it is taken has it for a moment.
    fn take_building(&self) -> Result<Option<File>, Error> {
        for _ in 0..TRIES {
            let taken = self.files.try_build().map_err(|error| {
                memdir_store::Error::io("make the index in", self.folder(), error)
            })?;
            if taken.is_some() {
                return Ok(taken);
            }
            std::thread::sleep(A_MOMENT);
        }
        Ok(None)
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
    pub(super) fn reach_of(&self, wanted: Reach) -> (Reach, Option<File>) {
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
