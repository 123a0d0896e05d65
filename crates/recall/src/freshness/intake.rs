//! Files read into a new segment, by as many threads as there are cores where they are many.

use std::thread;
use std::time::Instant;

use memdir_memory::MemoryPath;
use memdir_store::Directory;

use super::listing::{Listing, Name};
use super::read::{Read, read};
use crate::segment::{Builder, Folder, Skipped};

/// From so many files on another thread is worth its price.
const FILES_A_THREAD: usize = 256;
/// So many files of a folder each thread reads however late it is: an ordinary directory is never left half read.
const IN_ANY_CASE: usize = FILES_A_THREAD;
/// More threads would wait for the same disk.
const MOST_THREADS: usize = 8;

/// What was read so far.
#[derive(Default)]
pub(super) struct Intake {
    pub(super) builder: Builder,
    pub(super) skipped: Vec<Skipped>,
    pub(super) read: u32,
}

impl Intake {
    pub(super) fn skip(&mut self, folder: &Folder, name: &str, reason: impl ToString) {
        self.skipped.push(Skipped {
            root: folder.root,
            folder: folder.path.clone(),
            name: name.to_owned(),
            reason: reason.to_string(),
        });
    }

    /// Reads files of one folder, some of them in any case and the rest `until` a time; how many are left.
    pub(super) fn add_all(
        &mut self,
        opened: &Directory,
        folder: &Folder,
        listing: &Listing,
        names: &[Name],
        until: Option<Instant>,
    ) -> usize {
        let threads = names.len().div_ceil(FILES_A_THREAD).min(MOST_THREADS);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(cores);
        if threads < 2 {
            return self.add_each(opened, folder, listing, names, until);
        }
        let share = names.len().div_ceil(threads).max(1);
        let shares = names.chunks(share);
        let parts: Vec<(Intake, &[Name])> = shares
            .map(|share| {
                let builder = self.builder.sibling(folder);
                let part = Intake {
                    builder,
                    ..Intake::default()
                };
                (part, share)
            })
            .collect();
        let mut left = 0;
        thread::scope(|scope| {
            let working: Vec<_> = parts
                .into_iter()
                .map(|(mut part, share)| {
                    let work = move || {
                        let left = part.add_each(opened, folder, listing, share, until);
                        (part, left)
                    };
                    (thread::Builder::new().spawn_scoped(scope, work), share)
                })
                .collect();
            for (thread, share) in working {
                match thread.map(thread::ScopedJoinHandle::join) {
                    Ok(Ok((part, behind))) => {
                        self.append(part);
                        left += behind;
                    }
                    // No thread to be had, or one that ended: what it had is read here.
                    _ => left += self.add_each(opened, folder, listing, share, until),
                }
            }
        });
        left
    }

    fn add_each(
        &mut self,
        opened: &Directory,
        folder: &Folder,
        listing: &Listing,
        names: &[Name],
        until: Option<Instant>,
    ) -> usize {
        for (at, name) in names.iter().enumerate() {
            if at >= IN_ANY_CASE && until.is_some_and(|until| Instant::now() >= until) {
                return names.len() - at;
            }
            let text = listing.text(name);
            if name.is_other {
                let shown = String::from_utf8_lossy(text);
                self.skip(folder, &shown, "it is not a plain file");
            } else {
                self.add(opened, folder, text, Some(name.inode));
            }
        }
        0
    }

    fn append(&mut self, other: Intake) {
        self.builder.append(other.builder);
        self.skipped.extend(other.skipped);
        self.read += other.read;
    }

    /// Reads a file into the new segment. `inode` is the number that the folder gives, since that is what the next
    /// listing is compared with; without one it is the file's own.
    pub(super) fn add(
        &mut self,
        opened: &Directory,
        folder: &Folder,
        name: &[u8],
        inode: Option<u64>,
    ) {
        let shown = String::from_utf8_lossy(name);
        let checked = std::str::from_utf8(name)
            .map_err(|_| "its name is not valid UTF-8".to_owned())
            .and_then(|name| {
                MemoryPath::try_from([&folder.path, name].concat())
                    .map_err(|problem| problem.to_string())
            });
        let path = match checked {
            Ok(path) => path,
            Err(reason) => return self.skip(folder, &shown, reason),
        };
        match read(opened, &shown, path.as_str(), self.builder.terms()) {
            Read::File(own, facts, draft) => {
                self.read += 1;
                let place = (folder.root, folder.path.as_str(), shown.as_ref());
                self.builder.add(place, inode.unwrap_or(own), &facts, draft);
            }
            Read::Gone => {}
            Read::Failed(reason) => self.skip(folder, &shown, reason),
        }
    }
}
