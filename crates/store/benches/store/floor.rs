//! What the system itself takes, with nothing of ours around it: one thread, bare calls.

use std::fs::File;
use std::io::Write as _;
use std::mem::MaybeUninit;
use std::path::Path;

use rustix::fs::{
    CWD, FileType, FlockOperation, Mode, OFlags, RawDir, flock, fsync, openat, renameat,
};

use crate::Result;

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
const READ: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);
const NEW: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::TRUNC)
    .union(OFlags::CLOEXEC);

/// `getdents`, then `openat`, one `read` of 4 KiB and `close` for each file; how many there were.
pub(crate) fn scan(folder: &Path) -> Result<usize> {
    let folder = openat(CWD, folder, FOLDER, Mode::empty())?;
    let mut entries = vec![MaybeUninit::uninit(); 32 * 1024];
    let mut entries = RawDir::new(&folder, &mut entries);
    let mut content = [0; 4096];
    let mut files = 0;
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_type() == FileType::RegularFile {
            let file = openat(&folder, entry.file_name(), READ, Mode::empty())?;
            rustix::io::read(&file, &mut content)?;
            files += 1;
        }
    }
    Ok(files)
}

/// Writes a new file, syncs it, renames it into place and syncs the folder.
pub(crate) fn durable_change(folder: &File, name: &str, content: &[u8]) -> Result<()> {
    replace(folder, name, content)?;
    fsync(folder)?;
    Ok(())
}

/// The same under a lock and without the folder's sync: the plain loop.
pub(crate) fn locked_change(lock: &File, folder: &File, name: &str, content: &[u8]) -> Result<()> {
    flock(lock, FlockOperation::LockExclusive)?;
    replace(folder, name, content)?;
    flock(lock, FlockOperation::Unlock)?;
    Ok(())
}

fn replace(folder: &File, name: &str, content: &[u8]) -> Result<()> {
    let mut file = File::from(openat(folder, ".new", NEW, Mode::RUSR | Mode::WUSR)?);
    file.write_all(content)?;
    fsync(&file)?;
    renameat(folder, ".new", folder, name)?;
    Ok(())
}
