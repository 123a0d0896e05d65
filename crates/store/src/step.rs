//! One file of an operation on its way into place.

use std::thread::Builder;

use memdir_memory::MemoryPath;

use crate::directory::{Directory, Found};
use crate::error::{Error, Result};
use crate::gate::{Gate, Notice};
use crate::history::journal::{Entry, Journal};
use crate::history::record::Reason;
use crate::intent::Intent;
use crate::limits::{MAX_FILE_BYTES, RACE_ATTEMPTS};
use crate::place::{self, Placing, Race};
use crate::retired;
use crate::temporary::{Temporary, temporary_name};

/// So many files are synced at a time.
const SYNCING: usize = 16;
/// So few are synced one after another: threads would cost more.
const ONE_BY_ONE: usize = 3;

/// One file of an operation.
pub(crate) struct Step<'a> {
    pub(crate) path: MemoryPath,
    /// `None`: the file is to go, and its folder is not there either.
    pub(crate) folder: Option<Directory>,
    /// What stood there when the lock was held.
    pub(crate) current: Option<Found>,
    pub(crate) changes: bool,
    pub(crate) applied: Option<Applied>,
    intent: Intent<'a>,
    /// The content it is to have, written and synced under a temporary name.
    prepared: Option<(Temporary, Vec<u8>)>,
    /// Where a file that is to go is moved first.
    aside: String,
    /// It failed halfway into place and could not be taken back: what the temporary name holds may not be ours.
    pub(crate) stuck: bool,
}

/// What stands where after a step is done.
pub(crate) struct Applied {
    /// Where the content that it replaced is kept until all steps are done.
    pub(crate) aside: Option<String>,
    /// That content: after a race one of ours, not the one that stood there before.
    came_out: Option<Vec<u8>>,
}

/// What every step of an operation needs to know.
pub(crate) struct Context<'a> {
    pub(crate) gate: Gate,
    /// Whether a file that is not what its author saw is a conflict.
    pub(crate) strict: bool,
    pub(crate) reason: &'a Reason,
    pub(crate) notices: Vec<Notice>,
}

impl<'a> Step<'a> {
    /// Writes the content, where it is known before the lock is held. It is synced by [`Step::sync_all`].
    pub(crate) fn prepare(
        memory: &Directory,
        path: MemoryPath,
        intent: Intent<'a>,
        context: &mut Context<'_>,
    ) -> Result<Step<'a>> {
        let folder = match intent.may_create() {
            true => Some(memory.parent_of_or_create(&path)?),
            false => memory.parent_of(&path)?,
        };
        let aside = temporary_name();
        let mut step = Step {
            path,
            intent,
            folder,
            prepared: None,
            aside,
            current: None,
            changes: false,
            applied: None,
            stuck: false,
        };
        if let Intent::Set {
            seen,
            content: Some(content),
            ..
        } = &step.intent
        {
            let old = seen.as_ref().map(|found| found.bytes.as_slice());
            let content =
                context
                    .gate
                    .admit(&step.path, old, content.clone(), &mut context.notices)?;
            let mode = seen.as_ref().map(|found| found.mode);
            step.write(content, mode, false)?;
        }
        Ok(step)
    }

    /// Syncs what was prepared. Many files at once, because the disk takes them together: one by one each waits for it.
    pub(crate) fn sync_all(steps: &[Step<'_>]) -> Result<()> {
        let prepared = steps.iter().filter_map(|step| {
            let (temporary, _) = step.prepared.as_ref()?;
            Some((temporary, step.folder.as_ref()?))
        });
        let prepared: Vec<(&Temporary, &Directory)> = prepared.collect();
        let sync = |part: &[(&Temporary, &Directory)]| {
            part.iter()
                .try_for_each(|(temporary, folder)| temporary.sync(folder))
        };
        let share = prepared.len().div_ceil(SYNCING).max(1);
        if share == 1 && prepared.len() <= ONE_BY_ONE {
            return sync(&prepared);
        }
        std::thread::scope(|scope| {
            let mut running = Vec::with_capacity(SYNCING);
            for part in prepared.chunks(share) {
                match Builder::new().spawn_scoped(scope, move || sync(part)) {
                    Ok(thread) => running.push(thread),
                    // No more threads are to be had; it takes longer, no more.
                    Err(_) => sync(part)?,
                }
            }
            running.into_iter().try_for_each(|one| match one.join() {
                Ok(synced) => synced,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    fn write(&mut self, content: Vec<u8>, mode: Option<u32>, synced: bool) -> Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if length > MAX_FILE_BYTES {
            let path = folder.path_of(self.path.file_name());
            return Err(Error::TooLarge {
                path,
                bytes: length,
                limit: MAX_FILE_BYTES,
            });
        }
        let mtime = self.intent.mtime();
        let temporary = match synced {
            true => folder.temporary(&content, mode, mtime),
            false => folder.temporary_unsynced(&content, mode, mtime),
        }?;
        self.unprepare();
        self.prepared = Some((temporary, content));
        Ok(())
    }

    fn unprepare(&mut self) {
        if let (Some(folder), Some((temporary, _))) = (&self.folder, self.prepared.take()) {
            // What cannot be removed now, a later sweep removes.
            let _ = folder.remove(&temporary.name);
        }
    }

    fn content(&self) -> Option<&[u8]> {
        self.prepared
            .as_ref()
            .map(|(_, content)| content.as_slice())
    }

    /// Reads what stands in the place, under the lock.
    pub(crate) fn look(&self) -> Result<Option<Found>> {
        match &self.folder {
            Some(folder) => folder.read(self.path.file_name(), MAX_FILE_BYTES),
            None => Ok(None),
        }
    }

    /// Decides what the file is to become, given what stands there.
    pub(crate) fn aim(&mut self, current: Option<Found>, context: &mut Context<'_>) -> Result<()> {
        let now = current.as_ref().map(|found| found.bytes.as_slice());
        let prepared = self
            .prepared
            .as_ref()
            .map(|(_, content)| content.as_slice());
        if context.strict && !self.intent.is_as_seen(now) {
            return Err(Error::Conflict {
                path: self.path.clone(),
                merged: "it was changed meanwhile".to_owned(),
            });
        }
        let mut wanted = self.intent.wanted(&self.path, now, prepared)?;
        if let Some(content) = wanted.take_if(|content| prepared != Some(content.as_slice())) {
            wanted = Some(
                context
                    .gate
                    .admit(&self.path, now, content, &mut context.notices)?,
            );
        }
        self.changes = wanted.as_deref() != now;
        match wanted {
            Some(content) if self.changes => {
                if self.content() != Some(&content) {
                    self.write(content, current.as_ref().map(|found| found.mode), true)?;
                }
            }
            _ => self.unprepare(),
        }
        self.current = current;
        Ok(())
    }

    /// What the record of this step says.
    pub(crate) fn entry(&self) -> Entry<'_> {
        let after = self.prepared.as_ref();
        Entry {
            path: &self.path,
            before: self.current.as_ref(),
            after: after.map(|(temporary, content)| (content.as_slice(), temporary.stamp)),
            tmp: Some(after.map_or_else(
                || self.aside.clone(),
                |(temporary, _)| temporary.name.clone(),
            )),
        }
    }

    /// Puts the file into place. Where somebody else writes it in the same instant, theirs is recorded and merged in.
    pub(crate) fn apply(
        &mut self,
        journal: &mut Journal<'_>,
        context: &mut Context<'_>,
    ) -> Result<()> {
        let mut expected = self.current.as_ref().map(|found| found.bytes.clone());
        let mut attempts = 1..RACE_ATTEMPTS;
        loop {
            let Race { found, aside } = match self.place(expected.as_deref())? {
                Placing::Done(aside) => {
                    self.applied = Some(Applied {
                        aside,
                        came_out: expected,
                    });
                    return Ok(());
                }
                Placing::Raced(race) => race,
            };
            let ours = self.content().map(<[u8]>::to_vec);
            let theirs = found.as_ref().map(|found| found.bytes.clone());
            expected = if aside.is_some() { ours } else { theirs };
            if aside.is_some() {
                // That name now belongs to their content, which must not be removed with ours.
                self.prepared = None;
                self.aside = temporary_name();
            }
            let settled = match attempts.next() {
                Some(_) => self.settle(journal, found, context),
                None => Err(Error::Conflict {
                    path: self.path.clone(),
                    merged: "it is being written all the time".to_owned(),
                }),
            };
            if let Some(aside) = aside {
                let stays = settled.is_err() || !self.changes;
                let cleared = self.clear(journal, &aside, expected.as_deref(), stays);
                self.stuck = cleared.is_err();
                cleared?;
            }
            settled?;
            if !self.changes {
                return Ok(());
            }
        }
    }

    fn place(&mut self, expected: Option<&[u8]>) -> Result<Placing> {
        let Some(folder) = &self.folder else {
            return Ok(Placing::Done(None));
        };
        let name = self.path.file_name();
        let (placing, aside) = match (&self.prepared, expected) {
            (Some((temporary, _)), _) => (
                place::put(folder, name, &temporary.name, expected),
                &temporary.name,
            ),
            (None, Some(expected)) => (
                place::take(folder, name, &self.aside, expected),
                &self.aside,
            ),
            (None, None) => return Ok(Placing::Done(None)),
        };
        if placing.is_err() {
            let back = place::give_back(folder, name, aside, self.content());
            self.stuck = !matches!(back, Ok(true));
        }
        placing
    }

    /// Records what somebody else wrote in the same instant and aims anew. The log has theirs before it goes anywhere.
    fn settle(
        &mut self,
        journal: &mut Journal<'_>,
        found: Option<Found>,
        context: &mut Context<'_>,
    ) -> Result<()> {
        journal.append_outside(&self.path, found.as_ref())?;
        self.aim(found, context)?;
        if !self.changes {
            return Ok(());
        }
        let mut ours = journal.record(context.reason.clone());
        ours.files.push(journal.file(self.entry()));
        journal.append(&[ours])
    }

    /// Clears away what somebody else wrote in the same instant, which the history has; if it `stays`, it goes back into
    /// the place first.
    fn clear(
        &self,
        journal: &mut Journal<'_>,
        aside: &str,
        ours: Option<&[u8]>,
        stays: bool,
    ) -> Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        if stays && !place::give_back(folder, self.path.file_name(), aside, ours)? {
            // They wrote there once more: that stays instead.
            let left = folder.read(aside, MAX_FILE_BYTES)?;
            journal.append_outside(&self.path, left.as_ref())?;
        }
        retired::keep(journal, folder, aside, &self.path, None);
        Ok(())
    }

    /// Keeps what came out of the place for whoever still writes to it. `renamed`: its content has this name from now on.
    pub(crate) fn retire(&mut self, journal: &Journal<'_>, renamed: Option<&MemoryPath>) {
        let renamed = renamed.filter(|_| self.prepared.is_none()).cloned();
        let (Some(folder), Some(applied)) = (&self.folder, &mut self.applied) else {
            return;
        };
        let (Some(aside), Some(base)) = (&applied.aside, &applied.came_out) else {
            return;
        };
        // What cannot be kept is removed as if nobody wrote to it.
        if retired::keep_renamed(journal, folder, aside, &self.path, base, renamed).is_ok() {
            applied.aside = None;
        }
    }

    /// The name that a memory gets in this step of a rename.
    pub(crate) fn new_name(&self) -> Option<&MemoryPath> {
        let is_new = self.current.is_none() && self.prepared.is_some() && !self.path.is_index();
        is_new.then_some(&self.path)
    }

    /// Brings back what stood in the place before this step.
    pub(crate) fn revert(&self) -> Result<()> {
        let (Some(folder), Some(applied)) = (&self.folder, &self.applied) else {
            return Ok(());
        };
        let before = self.current.as_ref();
        let mut aside = applied.aside.as_deref();
        if applied.came_out.as_deref() != before.map(|found| found.bytes.as_slice())
            && let Some(ours) = aside.take()
        {
            folder.remove(ours)?;
        }
        let name = self.path.file_name();
        place::change(folder, name, self.content(), before, aside)
    }

    /// Removes what is left under temporary names: contents that went nowhere, or that the history has.
    pub(crate) fn discard(&self) {
        let Some(folder) = &self.folder else { return };
        if self.stuck {
            return;
        }
        let aside = self
            .applied
            .as_ref()
            .and_then(|applied| applied.aside.as_deref());
        let unused = self.prepared.as_ref().filter(|_| self.applied.is_none());
        for name in aside
            .into_iter()
            .chain(unused.map(|(temporary, _)| temporary.name.as_str()))
        {
            // What cannot be removed now, a later sweep removes.
            let _ = folder.remove(name);
        }
    }
}
