//! Looking at the folders: which changed, and what in them.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::time::{Duration, Instant};

use memdir_store::{Directory, limits::MAX_DEPTH};

use super::changes::{Changes, Refreshed};
use super::diff::{Difference, Number, compare};
use super::listing::{Listing, Name};
use super::names::Names;
use super::{Root, Scope, open_folder, split};
use crate::Error;
use crate::index::{Index, IndexFiles};
use crate::segment::{Damaged, Folder, UNCLEAN};

/// Up to so many names each file's time and size are looked at when the folder is listed: then an overwrite in place is
/// found with it, and so is a file that was replaced twice and has its first inode number again. In larger folders that
/// would cost more than all the rest.
const STAT_LIMIT: usize = 2_000;
/// Daily logs are no memories.
const LOGS: &str = "logs/";

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// At folders whose time is another.
    Changed,
    /// At every file's time and size.
    All,
}

/// How many files that the index does not have are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of them.
    All,
    /// The newest, as many as a message can wait for. What is left is counted, and not looked for again at each message.
    AtOnce,
    /// So many of what is left.
    Step(usize),
}

/// So long a message waits for files to be read, however slow the disk is.
const PATIENCE: Duration = Duration::from_millis(500);
/// So many files are read while a message waits: a fraction of a second.
const AT_ONCE: usize = if cfg!(test) { 8 } else { 2_000 };
/// The same in a folder of which many are left already: what was written since is among them.
const AT_ONCE_LATER: usize = if cfg!(test) { 2 } else { 200 };

/// Brings an index up to date and writes it down where nobody else does. `suspects` are files that are known to be other
/// than the index says.
pub(crate) fn refresh(
    index: &mut Index,
    files: &IndexFiles,
    roots: &[Root],
    (look, reach): (Look, Reach),
    suspects: &HashSet<(Scope, String)>,
) -> Result<Refreshed, Error> {
    let mut refresh = Refresh {
        index,
        names: OnceCell::new(),
        look,
        reach,
        room: 0,
        until: (reach == Reach::AtOnce).then(|| Instant::now() + PATIENCE),
        suspects,
        changes: Changes::default(),
    };
    for root in roots {
        refresh.look_at(root)?;
    }
    let changes = refresh.changes;
    changes.apply(index, files, reach != Reach::AtOnce)
}

/// A refresh under way.
struct Refresh<'a> {
    index: &'a Index,
    names: OnceCell<Names>,
    look: Look,
    reach: Reach,
    /// So many files may still be read beneath the root that is looked at.
    room: usize,
    /// Files that are not read by then are left for later as well.
    until: Option<Instant>,
    suspects: &'a HashSet<(Scope, String)>,
    changes: Changes,
}

impl Refresh<'_> {
    fn look_at(&mut self, root: &Root) -> Result<(), Error> {
        self.room = match self.reach {
            Reach::All => usize::MAX,
            Reach::AtOnce => AT_ONCE,
            Reach::Step(files) => files,
        };
        let top = Folder {
            root: root.scope.number(),
            path: String::new(),
            mtime: UNCLEAN,
            pending: 0,
        };
        let mut waiting = self.index.folders();
        waiting.retain(|folder| folder.root == top.root);
        let directory = match root.open() {
            Ok(Some(directory)) => directory,
            Ok(None) => return waiting.iter().try_for_each(|folder| self.lose(folder)),
            // Without the memory directory there is no answer; without any other there is one.
            Err(error) if root.scope == Scope::Project => return Err(error),
            Err(error) => {
                self.changes.intake.skip(&top, "", error);
                return waiting.iter().try_for_each(|folder| self.lose(folder));
            }
        };
        let mut met: HashSet<String> = waiting.iter().map(|folder| folder.path.clone()).collect();
        if met.insert(String::new()) {
            waiting.push(top);
        }
        while let Some(folder) = waiting.pop() {
            for beneath in self.look_into(root.scope, &directory, &folder)? {
                if met.insert(beneath.path.clone()) {
                    waiting.push(beneath);
                }
            }
        }
        Ok(())
    }

    /// Looks at one folder; what it returns are folders beneath it.
    fn look_into(
        &mut self,
        scope: Scope,
        root: &Directory,
        folder: &Folder,
    ) -> Result<Vec<Folder>, Error> {
        let beneath;
        let opened = if folder.path.is_empty() {
            root
        } else {
            match open_folder(root, &folder.path) {
                Ok(Some(opened)) => {
                    beneath = opened;
                    &beneath
                }
                Ok(None) => return self.lose(folder).map(|()| Vec::new()),
                Err(error) => return self.give_up(folder, error),
            }
        };
        let is_suspect = |(suspected, path): &(Scope, String)| {
            *suspected == scope && split(path).0 == folder.path
        };
        let is_unchanged = |opened: &Directory| {
            self.look == Look::Changed
                && (folder.pending == 0 || self.reach == Reach::AtOnce)
                && opened
                    .modified()
                    .is_ok_and(|modified| modified == folder.mtime)
                && !self.suspects.iter().any(is_suspect)
        };
        if is_unchanged(opened) {
            self.changes.folders.push(folder.clone());
            return Ok(Vec::new());
        }
        match Listing::of(opened) {
            Ok(listing) => self.take(scope, opened, folder, &listing),
            Err(error) if scope == Scope::Project && folder.path.is_empty() => Err(error.into()),
            Err(error) => self.give_up(folder, error),
        }
    }

    /// Takes a listing over: reads what is new, marks what is gone.
    fn take(
        &mut self,
        scope: Scope,
        opened: &Directory,
        folder: &Folder,
        listing: &Listing,
    ) -> Result<Vec<Folder>, Error> {
        let names = self.names()?;
        let looks_closely = self.look == Look::All || listing.names.len() <= STAT_LIMIT;
        let Difference {
            mut new,
            gone,
            same,
        } = compare(
            listing,
            names.in_base(folder, self.index),
            names.in_delta(folder),
            looks_closely || !self.suspects.is_empty(),
        );
        self.changes.gone.extend(gone);
        let pending = self.leave(opened, folder, listing, &mut new);
        let mut changed = Vec::new();
        self.changes
            .listed
            .insert((folder.root, folder.path.clone()));
        for same in same {
            let name = std::str::from_utf8(listing.text(&same.name)).unwrap_or_default();
            if self.is_suspect(scope, folder, name)
                || (looks_closely && !self.is_as_known(opened, name, same.file)?)
            {
                self.changes.gone.insert(same.file);
                changed.push(same.name);
            }
        }
        // What is known to be other than the index says comes first.
        new.splice(0..0, changed);
        let late = (self.changes.intake).add_all(opened, folder, listing, &new, self.until);
        let pending = pending.saturating_add(u32::try_from(late).unwrap_or(u32::MAX));
        self.changes.folders.push(Folder {
            mtime: listing.mtime,
            pending,
            ..folder.clone()
        });
        Ok(self.folders_beneath(scope, folder, listing))
    }

    /// Leaves for later what there is no room for, the oldest first, and says how many that are.
    fn leave(
        &mut self,
        opened: &Directory,
        folder: &Folder,
        listing: &Listing,
        new: &mut Vec<Name>,
    ) -> u32 {
        let room = match self.reach {
            Reach::AtOnce if folder.pending > 0 => self.room.min(AT_ONCE_LATER),
            _ => self.room,
        };
        let left = new.len().saturating_sub(room);
        if left > 0 && self.reach == Reach::AtOnce {
            // Each is looked at once: the folder itself says nothing about their times.
            new.sort_by_cached_key(|name| {
                let is_late = self.until.is_some_and(|until| Instant::now() >= until);
                let name = std::str::from_utf8(listing.text(name)).unwrap_or_default();
                let stamp = match is_late {
                    true => None,
                    false => opened.stamp_of(name).ok().flatten(),
                };
                std::cmp::Reverse(stamp.map(|stamp| stamp.mtime))
            });
        }
        new.truncate(room);
        self.room = self.room.saturating_sub(new.len());
        u32::try_from(left).unwrap_or(u32::MAX)
    }

    fn names(&self) -> Result<&Names, Damaged> {
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let names = Names::of(self.index)?;
        Ok(self.names.get_or_init(|| names))
    }

    fn is_suspect(&self, scope: Scope, folder: &Folder, name: &str) -> bool {
        !self.suspects.is_empty()
            && self
                .suspects
                .contains(&(scope, [&folder.path, name].concat()))
    }

    fn is_as_known(&self, opened: &Directory, name: &str, file: Number) -> Result<bool, Damaged> {
        let (segment, file) = match file {
            Number::Base(file) => (&self.index.base, file),
            Number::Delta(file) => (&self.index.delta, file),
        };
        let facts = segment.as_ref().ok_or(Damaged)?.facts(file)?;
        // What cannot even be looked at is read again, which will say why it cannot.
        let stamp = opened.stamp_of(name).ok().flatten();
        Ok(stamp.is_some_and(|stamp| (stamp.mtime, stamp.size) == (facts.mtime, facts.size)))
    }

    fn folders_beneath(&mut self, scope: Scope, folder: &Folder, listing: &Listing) -> Vec<Folder> {
        let mut beneath = Vec::new();
        for name in &listing.folders {
            let Ok(name) = std::str::from_utf8(name) else {
                let shown = String::from_utf8_lossy(name);
                let reason = "its name is not valid UTF-8";
                self.changes.intake.skip(folder, &shown, reason);
                continue;
            };
            let path = format!("{}{name}/", folder.path);
            if path.matches('/').count() > MAX_DEPTH {
                self.changes
                    .intake
                    .skip(folder, name, "folders nest too deep");
            } else if scope != Scope::Project || path != LOGS {
                beneath.push(Folder {
                    root: folder.root,
                    path,
                    mtime: UNCLEAN,
                    pending: 0,
                });
            }
        }
        beneath
    }

    /// A folder cannot be looked at. Its files go, and it is tried again each time.
    fn give_up(
        &mut self,
        folder: &Folder,
        error: memdir_store::Error,
    ) -> Result<Vec<Folder>, Error> {
        self.lose(folder)?;
        self.changes.intake.skip(folder, "", error);
        self.changes.folders.push(Folder {
            mtime: UNCLEAN,
            ..folder.clone()
        });
        Ok(Vec::new())
    }

    /// A folder is gone, with all its files.
    fn lose(&mut self, folder: &Folder) -> Result<(), Error> {
        let gone: Vec<Number> = self
            .names()?
            .all(folder, self.index)
            .map(|(_, file)| file)
            .collect();
        self.changes.gone.extend(gone);
        self.changes
            .listed
            .insert((folder.root, folder.path.clone()));
        Ok(())
    }
}
