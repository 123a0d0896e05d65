//! Which files a project's repository tracks.
//!
//! Git keeps a list of them, its index. It is read here and git is not run: a repository's configuration can name programs
//! for git to start. A library for the index would bring thirty crates along for this one question.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::project::Project;
use crate::reader::read_regular;

/// Room for two million files.
const MAX_INDEX: u64 = 256 * 1024 * 1024;
/// Times, numbers and sizes in front of an entry's mode.
const BEFORE_MODE: usize = 24;
/// From the mode to the checksum of the content: owner, group, size.
const BEFORE_CHECKSUM: usize = 12;
const CHECKSUM: usize = 20;
const EXTENDED: u16 = 0x4000;
const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// The files that a repository tracks, as far as its index can be read.
#[derive(Debug, Default)]
pub struct Tracked {
    checkout: PathBuf,
    files: HashSet<Vec<u8>>,
}

impl Tracked {
    /// Those of a project. Where there is no repository, or its index cannot be read, there are none.
    #[must_use]
    pub fn of(project: &Project) -> Self {
        let index = project.git_folder().map(|folder| folder.join("index"));
        let bytes = index.and_then(|index| read_regular(&index, MAX_INDEX).ok().flatten());
        Self {
            checkout: project.checkout.clone(),
            files: bytes.and_then(|bytes| files(&bytes)).unwrap_or_default(),
        }
    }

    /// Whether this file, as it lies there now, is a tracked one. A tracked link to somewhere else is not.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        let Ok(real) = file.canonicalize() else {
            return false;
        };
        let inside = real.strip_prefix(&self.checkout).ok();
        inside.is_some_and(|inside| self.files.contains(OsStr::as_bytes(inside.as_os_str())))
    }
}

/// The regular files that an index of git's versions 2 to 4 lists; nothing where it is not one.
fn files(index: &[u8]) -> Option<HashSet<Vec<u8>>> {
    let mut rest = Rest(index);
    if rest.take(4)? != b"DIRC" {
        return None;
    }
    let version = rest.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut files = HashSet::new();
    let mut path = Vec::new();
    for _ in 0..rest.number()? {
        let before = rest.0.len();
        rest.take(BEFORE_MODE)?;
        let mode = rest.number()?;
        rest.take(BEFORE_CHECKSUM + CHECKSUM)?;
        let flags = u16::from_be_bytes(rest.take(2)?.try_into().ok()?);
        if flags & EXTENDED != 0 {
            rest.take(2)?;
        }
        if version == 4 {
            // What this path shares with the one before is left out.
            let dropped = rest.varying()?;
            path.truncate(path.len().checked_sub(dropped)?);
            path.extend_from_slice(rest.until_nul()?);
        } else {
            path = rest.until_nul()?.to_vec();
            // An entry ends with one to eight zeroes, at a multiple of eight.
            let long = before - rest.0.len();
            rest.take(long.next_multiple_of(8) - long)?;
        }
        if mode & FILE_TYPE == REGULAR {
            files.insert(path.clone());
        }
    }
    Some(files)
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, long: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(long)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// A number in as many bytes as it needs, as in git's packs with offsets.
    fn varying(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let byte = *self.take(1)?.first()?;
            value = value.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?.checked_mul(128)?;
        }
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }
}
