//! Sweep: changes made behind our back, by an editor or another agent, go into the history when they are noticed.

use std::collections::HashSet;

use memdir_memory::MemoryPath;
use rustix::fs::AtFlags;

use crate::digest::Digest;
use crate::directory::{Directory, Stamp, stat_of};
use crate::error::{Error, Result};
use crate::history::heads::Heads;
use crate::history::journal::Journal;
use crate::history::log::Log;
use crate::history::record::{Author, CHANGED_OUTSIDE, FIRST_SIGHT, Reason};
use crate::leftovers;
use crate::limits::{MAX_FILE_BYTES, RECORD_BYTES, SMALL_FOLDER};
use crate::store::Store;
use crate::walk::{Skipped, walk};

const SMALL_LOG: u64 = 1024 * 1024;

/// What happened to a file behind our back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// It is new.
    Added,
    /// Its content is another.
    Changed,
    /// It is gone.
    Removed,
}

/// What a sweep found and recorded.
#[derive(Debug, Default)]
pub struct Sweep {
    /// The directory was seen for the first time: its contents are the baseline, not changes.
    pub first: bool,
    /// What changed behind our back.
    pub outside: Vec<(MemoryPath, Outside)>,
    /// What could not be looked at.
    pub skipped: Vec<Skipped>,
    /// Temporaries that a killed process had left, and that are gone now.
    pub orphans: usize,
    /// Lines of the history that cannot be read.
    pub damaged: usize,
}

impl Store {
    /// Compares every file with the last content known and records what changed. Takes the lock only if something did.
    pub fn sweep(&self) -> Result<Sweep> {
        let Some(memory) = Directory::open(self.memory_directory())? else {
            return Ok(Sweep::default());
        };
        let known = self.known_heads()?;
        let seen = look(&memory, known.as_ref())?;
        let first = known.as_ref().is_none_or(|heads| heads.last_operation == 0);
        let mut sweep = Sweep {
            first,
            skipped: seen.skipped,
            ..Sweep::default()
        };
        sweep.damaged = known.as_ref().map_or(0, |heads| heads.damaged);
        if let Some(state) = Directory::open(self.state_directory())? {
            sweep.orphans += leftovers::clear_state(&state);
        }
        let left_in_history = match self.history_folder()? {
            Some(history) => walk(&history, |_| false, |_, _| {})?.temporaries,
            None => Vec::new(),
        };
        let is_clean = seen.suspects.is_empty()
            && seen.temporaries.is_empty()
            && left_in_history.is_empty()
            && !self.has_late()?;
        if !is_clean {
            // A temporary may hold what came out of an exchange: the journal looks at it before it goes as an orphan,
            // and nobody exchanges anything while it is open.
            let mut journal = Journal::open(self, "sweep")?;
            record(&mut journal, seen.suspects, &mut sweep)?;
            let looked = std::mem::take(&mut journal.looked);
            for path in looked.late {
                if !sweep.outside.iter().any(|(known, _)| *known == path) {
                    sweep.outside.push((path, Outside::Changed));
                }
            }
            sweep.skipped.extend(looked.skipped);
            let mut temporaries = seen.temporaries;
            temporaries.retain(|(_, name)| !looked.beside.contains(name));
            remove_orphans(&memory, temporaries, &mut sweep);
            remove_orphans(&journal.folder, left_in_history, &mut sweep);
            journal.close().sync()?;
        }
        if first {
            sweep.outside.clear();
        }
        sweep.outside.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(sweep)
    }

    /// As [`Store::sweep`], where that is a matter of a millisecond; `None` where there are so many files, or so long a history,
    /// that somebody with more time should do it.
    pub fn sweep_if_small(&self) -> Result<Option<Sweep>> {
        let Some(memory) = Directory::open(self.memory_directory())? else {
            return Ok(Some(Sweep::default()));
        };
        let stat =
            stat_of(memory.handle()).map_err(|error| Error::io("look at", memory.path(), error))?;
        // How large a folder is tells how many names are in it, without looking at one.
        if u64::try_from(stat.st_size).unwrap_or(u64::MAX) > SMALL_FOLDER || self.is_far_behind()? {
            return Ok(None);
        }
        self.sweep().map(Some)
    }

    /// Whether much of the history would have to be read to know the last content of each file.
    fn is_far_behind(&self) -> Result<bool> {
        let Some(folder) = self.history_folder()? else {
            return Ok(false);
        };
        let Some(log) = Log::open(&folder)? else {
            return Ok(false);
        };
        Ok(log.length > SMALL_LOG && log.length - Heads::load(&folder, &log).upto > SMALL_LOG)
    }

    /// What the history knows, without taking the lock or writing anything.
    fn known_heads(&self) -> Result<Option<Heads>> {
        let Some(folder) = self.history_folder()? else {
            return Ok(None);
        };
        let Some(log) = Log::open(&folder)? else {
            return Ok(None);
        };
        let mut heads = Heads::load(&folder, &log);
        heads.advance(&log)?;
        Ok(Some(heads))
    }
}

/// Takes the contents of a directory that has no history yet as its baseline.
pub(crate) fn adopt(journal: &mut Journal<'_>) -> Result<()> {
    let suspects = look(&journal.memory, None)?.suspects;
    record(journal, suspects, &mut Sweep::default())
}

#[derive(Default)]
struct Seen {
    /// Files that do not look as they did when last known, or are gone.
    suspects: Vec<MemoryPath>,
    temporaries: Vec<(String, String)>,
    skipped: Vec<Skipped>,
}

fn look(memory: &Directory, known: Option<&Heads>) -> Result<Seen> {
    let mut suspects = Vec::new();
    let mut present = HashSet::new();
    let aside = walk(
        memory,
        |_| true,
        |met, aside| match rustix::fs::statat(met.folder, met.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                let head = known.and_then(|heads| heads.get(&met.path));
                if head.map(|head| head.stamp()) != Some(Stamp::of(&stat)) {
                    suspects.push(met.path.clone());
                }
                present.insert(met.path);
            }
            Err(error) => aside.fail(met.path.as_str(), std::io::Error::from(error)),
        },
    )?;
    let gone = known
        .into_iter()
        .flat_map(Heads::paths)
        .filter(|path| !present.contains(*path));
    suspects.extend(gone.cloned());
    Ok(Seen {
        suspects,
        temporaries: aside.temporaries,
        skipped: aside.skipped,
    })
}

/// Records what is really different, in records of bounded size.
fn record(journal: &mut Journal<'_>, suspects: Vec<MemoryPath>, sweep: &mut Sweep) -> Result<()> {
    let first = journal.heads.last_operation == 0;
    let what = if first { FIRST_SIGHT } else { CHANGED_OUTSIDE };
    let mut record = journal.record(Reason::new(Author::Outside, what));
    let mut weight = 0;
    for path in suspects {
        let current = match journal.memory.parent_of(&path) {
            Ok(Some(folder)) => folder.read(path.file_name(), MAX_FILE_BYTES),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        let current = match current {
            Ok(current) => current,
            Err(error @ (Error::NotPlain { .. } | Error::TooLarge { .. } | Error::Io { .. })) => {
                sweep.skipped.push(Skipped {
                    path: path.as_str().into(),
                    reason: error.to_string(),
                    unread: true,
                });
                continue;
            }
            Err(error) => return Err(error),
        };
        let known = journal.heads.get(&path).map(|head| head.digest);
        let Some(file) = journal.outside(&path, current.as_ref()) else {
            if let Some(found) = &current {
                journal.heads.restamp(&path, found.stamp);
            }
            continue;
        };
        weight += current.as_ref().map_or(0, |found| found.bytes.len());
        sweep.outside.push((path, kind(known, file.after)));
        record.files.push(file);
        if weight > RECORD_BYTES {
            journal.append(&[record])?;
            record = journal.record(Reason::new(Author::Outside, what));
            weight = 0;
        }
    }
    if record.files.is_empty() {
        Ok(())
    } else {
        journal.append(&[record])
    }
}

fn kind(before: Option<Digest>, after: Option<Digest>) -> Outside {
    match (before, after) {
        (None, _) => Outside::Added,
        (_, None) => Outside::Removed,
        _ => Outside::Changed,
    }
}

fn remove_orphans(root: &Directory, temporaries: Vec<(String, String)>, sweep: &mut Sweep) {
    for (folder, name) in temporaries {
        match remove_orphan(root, &folder, &name) {
            Ok(removed) => sweep.orphans += usize::from(removed),
            Err(error) => sweep.skipped.push(Skipped {
                path: [folder, name].concat().into(),
                reason: error.to_string(),
                unread: true,
            }),
        }
    }
}

fn remove_orphan(root: &Directory, folder: &str, name: &str) -> Result<bool> {
    let mut place = root.same()?;
    for component in folder.split('/').filter(|component| !component.is_empty()) {
        match place.folder(component)? {
            Some(next) => place = next,
            None => return Ok(false),
        }
    }
    place.remove_orphan(name)
}
