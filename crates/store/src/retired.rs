//! Files that came out of their place, kept while somebody may still write to them.
//!
//! A shell that opened a memory with `>>` before a change of ours, or an editor that writes through a handle, goes on writing to
//! the file that came out of the exchange. So that file is no garbage yet: it lies in a folder beside the history, with
//! a record of what it held when it came out. Whoever takes the lock next looks at it, and what came late is put into
//! the file that stands in the place now, as a change from outside. It goes once no process has it open for writing.

mod late;
mod waiting;
mod writers;

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use memdir_memory::MemoryPath;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};
use serde::{Deserialize, Serialize};

use self::writers::Identity;
use crate::digest::Digest;
use crate::directory::{Directory, Found, Stamp};
use crate::error::{Error, Result};
use crate::history::journal::Journal;
use crate::limits::{MAX_FILE_BYTES, MAX_RETIRED, RETIRED_PATIENCE, RETIRED_UNSEEN, RETIRED_UNTIL};
use crate::temporary::bare_name;
use crate::walk::{Skipped, names_in};

/// The folder of the files that came out, in the state folder.
pub(crate) const RETIRED_FOLDER: &str = "retired";
const RECORD_SUFFIX: &str = ".json";
const VERSION: u64 = 1;
/// So long between two looks at somebody who is writing.
const PAUSE: Duration = Duration::from_millis(20);

/// One file that came out of its place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Retired {
    v: u64,
    /// Where it stood.
    path: MemoryPath,
    /// The name that a rename gave to what it held.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    renamed: Option<MemoryPath>,
    /// What of it is known: the history has this content, or the file in the place does.
    digest: Digest,
    length: u64,
    /// How it looked then; zeros when it has to be looked at again.
    mtime: i64,
    size: u64,
    at: Timestamp,
    /// When it was last asked who has it open.
    asked: Timestamp,
    /// The state folder is on another file system: it lies where it came out, under its temporary name.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    beside: bool,
}

/// What came of a look at the files that came out.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// Memories into which something came late.
    pub(crate) late: Vec<MemoryPath>,
    /// What could not be looked at.
    pub(crate) skipped: Vec<Skipped>,
    /// Temporary names in the memory directory that are in use.
    pub(crate) beside: Vec<String>,
}

/// Keeps a file that came out of its place, under the name `aside`. `base` is what it is known to have held; `None`: what
/// it holds. What cannot be kept is removed, as if nobody wrote to it.
pub(crate) fn keep(
    journal: &Journal<'_>,
    folder: &Directory,
    aside: &str,
    path: &MemoryPath,
    base: Option<&[u8]>,
) {
    if try_keep(journal, folder, aside, path, base, None).is_err() {
        // What cannot be removed now, a later sweep removes.
        let _ = folder.remove(aside);
    }
}

/// As [`keep`], for a file whose content has another name from now on.
pub(crate) fn keep_renamed(
    journal: &Journal<'_>,
    folder: &Directory,
    aside: &str,
    path: &MemoryPath,
    base: &[u8],
    renamed: Option<MemoryPath>,
) -> Result<()> {
    try_keep(journal, folder, aside, path, Some(base), renamed)
}

fn try_keep(
    journal: &Journal<'_>,
    folder: &Directory,
    aside: &str,
    path: &MemoryPath,
    base: Option<&[u8]>,
    renamed: Option<MemoryPath>,
) -> Result<()> {
    let Some(found) = folder.read(aside, MAX_FILE_BYTES)? else {
        return Ok(());
    };
    let base = base.unwrap_or(&found.bytes);
    let stamp = match found.bytes == base {
        true => found.stamp,
        false => Stamp::default(),
    };
    let shelf = journal.state.folder_or_create(RETIRED_FOLDER)?;
    let (name, now) = (bare_name(aside), Timestamp::now());
    let mut retired = Retired {
        v: VERSION,
        path: path.clone(),
        renamed,
        digest: Digest::of(base),
        length: u64::try_from(base.len()).unwrap_or(u64::MAX),
        mtime: stamp.mtime,
        size: stamp.size,
        at: now,
        asked: now,
        beside: false,
    };
    retired.save(&shelf, name)?;
    let moved =
        retry_on_intr(|| rustix::fs::renameat(folder.handle(), aside, shelf.handle(), name));
    match moved {
        Ok(()) => Ok(()),
        Err(Errno::XDEV) => {
            retired.beside = true;
            retired.save(&shelf, name)
        }
        Err(error) => {
            let _ = shelf.remove(&record_name(name));
            Err(Error::io("keep", folder.path_of(aside), error))
        }
    }
}

/// Looks at every file that came out: what came late is taken in, and what nobody writes to any more goes.
pub(crate) fn look(journal: &mut Journal<'_>) -> Looked {
    let mut looked = Looked::default();
    let Ok(Some(shelf)) = journal.state.folder(RETIRED_FOLDER) else {
        return looked;
    };
    let mut retired = list(&shelf);
    // Oldest first: what was written first stands first.
    retired.sort_by(|(a, one), (b, other)| (one.at, a).cmp(&(other.at, b)));
    let is_due = is_due(&retired);
    for at in 0..retired.len() {
        let Some((name, one)) = retired.get(at) else {
            break;
        };
        let looks = one.folder(journal, &shelf).and_then(|place| {
            let Some(place) = place else { return Ok(None) };
            stamp(&place, one.file_name(name).as_str())
        });
        match looks {
            Ok(Some((stamp, _))) if one.looks_as(stamp) => {}
            Ok(Some(_)) => take_late(journal, &shelf, &mut retired, at, false, &mut looked),
            Ok(None) => drop(shelf.remove(&record_name(name))),
            Err(error) => looked.fail(&one.path, &error),
        }
    }
    if is_due {
        release(journal, &shelf, &mut retired, &mut looked);
    }
    let beside = retired.iter().filter(|(_, one)| one.beside);
    looked.beside = beside.map(|(name, one)| one.file_name(name)).collect();
    looked
}

/// Lets go of what nobody can write to any more. Nothing goes whose content is not known.
fn release(
    journal: &mut Journal<'_>,
    shelf: &Directory,
    retired: &mut [(String, Retired)],
    looked: &mut Looked,
) {
    let identities: Vec<Option<Identity>> = retired
        .iter()
        .map(|(name, one)| {
            let place = one.folder(journal, shelf).ok()??;
            let (_, identity) = stamp(&place, &one.file_name(name)).ok()??;
            Some(identity)
        })
        .collect();
    let held = writers::held(&identities.iter().flatten().copied().collect(), None);
    // What goes may be known from the newest records alone: they must be on the disk.
    if journal.log.sync().is_err() {
        return;
    }
    let mut too_many = retired.len().saturating_sub(MAX_RETIRED);
    for (at, identity) in identities.into_iter().enumerate() {
        let Some((_, one)) = retired.get(at) else {
            break;
        };
        let age = one.age();
        let may_go = match (&held, identity) {
            (_, None) => false,
            (Some(held), Some(identity)) if !held.contains(&identity) => true,
            (Some(_), _) => age > RETIRED_UNTIL,
            (None, _) => age > RETIRED_UNSEEN,
        };
        if may_go || too_many > 0 {
            too_many = too_many.saturating_sub(1);
            take_late(journal, shelf, retired, at, true, looked);
            let Some((name, one)) = retired.get(at) else {
                break;
            };
            // Unless it could not be taken in: then it stays.
            if one.is_known(journal, shelf, name)
                && let Err(error) = one.remove(journal, shelf, name)
            {
                looked.fail(&one.path, &error);
            }
        } else if let Some((name, one)) = retired.get_mut(at) {
            one.asked = Timestamp::now();
            let _ = one.save(shelf, name);
        }
    }
}

/// Takes in what came late into one of the files. Unless it is `released`, half a line waits for its other half.
fn take_late(
    journal: &mut Journal<'_>,
    shelf: &Directory,
    retired: &mut [(String, Retired)],
    at: usize,
    released: bool,
    looked: &mut Looked,
) {
    let Some((name, one)) = retired.get(at) else {
        return;
    };
    let path = destination(retired, one);
    match one.late(journal, shelf, name, released) {
        Ok(Some((late, stamp))) => {
            let known = Digest::of(&late.bytes);
            let taken = match known == one.digest {
                true => Ok(false),
                false => late::take_in(journal, one, &path, &late),
            };
            let Some((name, one)) = retired.get_mut(at) else {
                return;
            };
            match taken {
                Ok(is_news) => {
                    if is_news && !looked.late.contains(&path) {
                        looked.late.push(path);
                    }
                    one.digest = known;
                    one.length = u64::try_from(late.bytes.len()).unwrap_or(u64::MAX);
                    (one.mtime, one.size) = (stamp.mtime, stamp.size);
                    // If this fails, the same is taken in again, which changes nothing.
                    let _ = one.save(shelf, name);
                }
                Err(error) => looked.fail(&one.path, &error),
            }
        }
        Ok(None) => {}
        Err(error) => looked.fail(&one.path, &error),
    }
}

/// The name that what a file held has by now.
fn destination(retired: &[(String, Retired)], one: &Retired) -> MemoryPath {
    let mut path = one.renamed.as_ref().unwrap_or(&one.path);
    let mut since = one.at;
    let later = retired.iter().filter(|_| one.renamed.is_some());
    for (_, other) in later {
        if let Some(renamed) = &other.renamed
            && other.path == *path
            && other.at > since
        {
            (path, since) = (renamed, other.at);
        }
    }
    path.clone()
}

/// Takes every word of the past out of the files that came out, which a purge has to; what their writers append from now on
/// is still taken in, except for the memories that are `purged`: those go, and with them what anybody writes there.
pub(crate) fn empty(journal: &Journal<'_>, purged: impl Fn(&MemoryPath) -> bool) -> Result<()> {
    let Some(shelf) = journal.state.folder(RETIRED_FOLDER)? else {
        return Ok(());
    };
    for (name, mut one) in list(&shelf) {
        let Some(place) = one.folder(journal, &shelf)? else {
            continue;
        };
        let file = one.file_name(&name);
        let is_empty = truncate(&place, &file).is_ok();
        if !is_empty || purged(&one.path) || one.renamed.as_ref().is_some_and(&purged) {
            one.remove(journal, &shelf, &name)?;
            continue;
        }
        let stamp = stamp(&place, &file)?.map_or_else(Stamp::default, |(stamp, _)| stamp);
        (one.mtime, one.size) = (stamp.mtime, stamp.size);
        (one.digest, one.length) = (Digest::of(b""), 0);
        match one.save(&shelf, &name) {
            // The shelf itself is gone, and with it every word.
            Err(error) if error.is_missing() => {}
            saved => saved?,
        }
    }
    Ok(())
}

impl Retired {
    fn save(&self, shelf: &Directory, name: &str) -> Result<()> {
        let record = record_name(name);
        let bytes = serde_json::to_vec(self)
            .map_err(|error| Error::io("write", shelf.path_of(&record), error))?;
        shelf.replace_light(&record, &bytes)
    }

    fn file_name(&self, name: &str) -> String {
        match self.beside {
            true => crate::temporary::full_name(name),
            false => name.to_owned(),
        }
    }

    /// The folder in which it lies now.
    fn folder(&self, journal: &Journal<'_>, shelf: &Directory) -> Result<Option<Directory>> {
        match self.beside {
            true => journal.memory.parent_of(&self.path),
            false => shelf.same().map(Some),
        }
    }

    fn looks_as(&self, stamp: Stamp) -> bool {
        (self.mtime, self.size) == (stamp.mtime, stamp.size)
    }

    fn age(&self) -> SignedDuration {
        Timestamp::now().duration_since(self.at)
    }

    /// Whether it holds what is known of it, and nothing more.
    fn is_known(&self, journal: &Journal<'_>, shelf: &Directory, name: &str) -> bool {
        let Ok(Some(place)) = self.folder(journal, shelf) else {
            return false;
        };
        match stamp(&place, &self.file_name(name)) {
            Ok(Some((stamp, _))) => self.looks_as(stamp),
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// What it holds now, as far as it is whole, and how it looks.
    fn late(
        &self,
        journal: &Journal<'_>,
        shelf: &Directory,
        name: &str,
        released: bool,
    ) -> Result<Option<(Found, Stamp)>> {
        let Some(place) = self.folder(journal, shelf)? else {
            return Ok(None);
        };
        let file = self.file_name(name);
        let Some(mut late) = place.read(&file, MAX_FILE_BYTES)? else {
            return Ok(None);
        };
        let stamp = late.stamp;
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        let beginning = late.bytes.get(..length);
        let is_appended = beginning.is_some_and(|bytes| Digest::of(bytes) == self.digest);
        if !released && !is_appended && is_held(&place, &file) {
            // Somebody writes it anew, and may be in the middle of it.
            return Ok(None);
        }
        if !released && !late.bytes.ends_with(b"\n") {
            let lines = late.bytes.iter().rposition(|byte| *byte == b'\n');
            let whole = lines.map_or(0, |last| last + 1);
            late.bytes.truncate(whole.max(length.min(late.bytes.len())));
        }
        if self.length == 0 {
            // A purge emptied it; whoever goes on where they were leaves a hole before it.
            let hole = late.bytes.iter().take_while(|byte| **byte == 0).count();
            late.bytes.drain(..hole);
        }
        Ok(Some((late, stamp)))
    }

    fn remove(&self, journal: &Journal<'_>, shelf: &Directory, name: &str) -> Result<()> {
        if let Some(place) = self.folder(journal, shelf)? {
            place.remove(&self.file_name(name))?;
        }
        shelf.remove(&record_name(name))
    }
}

impl Looked {
    fn fail(&mut self, path: &MemoryPath, error: &Error) {
        self.skipped.push(Skipped {
            path: PathBuf::from(path.as_str()),
            reason: format!("what was written to it late could not be taken in: {error}"),
            unread: true,
        });
    }
}

/// Whether it is time to ask who still writes.
fn is_due(retired: &[(String, Retired)]) -> bool {
    let now = Timestamp::now();
    let is_old = |(_, one): &(String, Retired)| now.duration_since(one.asked) > RETIRED_PATIENCE;
    retired.len() > MAX_RETIRED / 16 || retired.iter().any(is_old)
}

fn is_held(place: &Directory, file: &str) -> bool {
    let Ok(Some((_, identity))) = stamp(place, file) else {
        return false;
    };
    writers::held(&HashSet::from([identity]), None).is_some_and(|held| !held.is_empty())
}

/// Every file that is kept, by name. A record that cannot be read belongs to a newer version, or is half of one.
fn list(shelf: &Directory) -> Vec<(String, Retired)> {
    let names = names_in(shelf).unwrap_or_default();
    let records = names.iter().filter_map(|(name, _)| {
        let name = name.strip_suffix(RECORD_SUFFIX)?;
        let found = shelf.read(&record_name(name), MAX_FILE_BYTES).ok()??;
        let retired: Retired = serde_json::from_slice(&found.bytes).ok()?;
        (retired.v <= VERSION).then(|| (name.to_owned(), retired))
    });
    records.collect()
}

fn record_name(name: &str) -> String {
    format!("{name}{RECORD_SUFFIX}")
}

fn stamp(place: &Directory, file: &str) -> Result<Option<(Stamp, Identity)>> {
    let look = || rustix::fs::statat(place.handle(), file, AtFlags::SYMLINK_NOFOLLOW);
    match retry_on_intr(look) {
        Ok(stat) => Ok(Some((Stamp::of(&stat), (stat.st_dev, stat.st_ino)))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(Error::io("look at", place.path_of(file), error)),
    }
}

fn truncate(place: &Directory, file: &str) -> Result<()> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let failed = |error: Errno| Error::io("empty", place.path_of(file), error);
    let open = || rustix::fs::openat(place.handle(), file, flags, Mode::empty());
    match retry_on_intr(open) {
        Ok(handle) => retry_on_intr(|| rustix::fs::ftruncate(&handle, 0)).map_err(failed),
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}
