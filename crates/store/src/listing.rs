//! What stands in a folder, as cheaply as the system tells it: names, kinds and inode numbers, no look at any file.

use std::mem::MaybeUninit;

use rustix::fs::{AtFlags, FileType, RawDir};
use rustix::io::{Errno, retry_on_intr};

use crate::directory::{Directory, Stamp, nanoseconds, stat_of};
use crate::error::{Error, Result};

/// One name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The name, which need not be text.
    pub name: &'a [u8],
    /// What it is the name of.
    pub kind: EntryKind,
    /// The inode number that the folder gives: a file that was replaced has another.
    pub inode: u64,
}

/// What a name in a folder stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// Neither: a link, FIFO, socket or device.
    Other,
    /// The file system does not say; opening it will.
    Unknown,
}

impl Directory {
    /// When the folder last gained, lost or exchanged a name, in nanoseconds since 1970.
    pub fn modified(&self) -> Result<i64> {
        let stat = stat_of(self.handle())
            .map_err(|error| Error::io("look at the folder", self.path(), error))?;
        Ok(nanoseconds(stat.st_mtime, stat.st_mtime_nsec))
    }

    /// Visits every name in the folder, in no order. `.` and `..` are left out.
    ///
    /// ```
    /// use memdir_store::Directory;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("a.md"), "")?;
    /// let directory = Directory::open(folder.path())?.unwrap();
    /// let mut names = Vec::new();
    /// directory.list(|entry| names.push(entry.name.to_vec()))?;
    /// assert_eq!(names, [b"a.md"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, mut visit: impl FnMut(Entry<'_>)) -> Result<()> {
        let folder = self.reopened()?;
        // Large, because most of the time goes into the calls.
        let mut buffer = vec![MaybeUninit::uninit(); 256 * 1024];
        let mut entries = RawDir::new(folder.handle(), &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(Error::io("list", self.path(), error)),
            };
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                visit(Entry {
                    name,
                    kind: kind_of(entry.file_type()),
                    inode: entry.ino(),
                });
            }
        }
        Ok(())
    }

    /// The stamp of a plain file directly beneath, without opening it; `None` when there is none.
    pub fn stamp_of(&self, name: &str) -> Result<Option<Stamp>> {
        let look = || rustix::fs::statat(self.handle(), name, AtFlags::SYMLINK_NOFOLLOW);
        match retry_on_intr(look) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                Ok(Some(Stamp::of(&stat)))
            }
            Ok(_) | Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(Error::io("look at", self.path_of(name), error)),
        }
    }
}

fn kind_of(kind: FileType) -> EntryKind {
    match kind {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Folder,
        FileType::Unknown => EntryKind::Unknown,
        _ => EntryKind::Other,
    }
}
