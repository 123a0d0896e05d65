//! Scan: the header of every topic file, newest first.

use memdir_memory::{HEADER_BYTES, Header, MemoryPath};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::directory::{Directory, Stamp, nanoseconds};
use crate::error::Result;
use crate::limits::HEADER_READ;
use crate::store::Store;
use crate::walk::{Aside, Met, Skipped, walk};

/// A topic file as the scan sees it.
#[derive(Debug, Clone)]
pub struct Memory {
    /// Where it is, beneath the memory directory.
    pub path: MemoryPath,
    /// What its first lines say.
    pub header: Header,
    /// When it was last modified, and its size.
    pub stamp: Stamp,
    /// When it was last read by anybody but a scan, in nanoseconds since 1970, as far as the file system keeps that.
    pub accessed: i64,
}

/// All topic files of a memory directory.
#[derive(Debug, Default)]
pub struct Scan {
    /// Newest first; of the same age by path.
    pub memories: Vec<Memory>,
    /// What could not be read or is not a memory, with the reason.
    pub skipped: Vec<Skipped>,
}

impl Scan {
    /// The memories that somebody can mean by a word: of this path, file name (with or without `.md`) or name, and where
    /// there is none those for which it is the beginning of one of these.
    pub fn called(&self, typed: &str) -> Vec<&Memory> {
        let begins = |memory: &&Memory| memory.names().any(|name| name.starts_with(typed));
        let exact = self.called_exactly(typed);
        match exact.is_empty() && !typed.is_empty() {
            true => self.memories.iter().filter(begins).collect(),
            false => exact,
        }
    }

    /// Those of exactly this path, file name or name: what is to be removed is not guessed.
    pub fn called_exactly(&self, typed: &str) -> Vec<&Memory> {
        let is_exact = |memory: &&Memory| {
            memory.path.as_str() == typed || memory.names().any(|name| name == typed)
        };
        self.memories.iter().filter(is_exact).collect()
    }
}

impl Memory {
    /// The names it answers to.
    fn names(&self) -> impl Iterator<Item = &str> {
        let path = self.path.as_str();
        let stem = path.strip_suffix(".md").unwrap_or(path);
        [self.path.file_name(), self.path.stem(), stem]
            .into_iter()
            .chain(self.header.name.as_deref())
    }
}

impl Store {
    /// Reads the headers of all topic files: recursively, `team/` included, without any index, `logs/` and
    /// dot-files. A file that cannot be read is skipped and reported. Writes nothing.
    pub fn scan(&self) -> Result<Scan> {
        let Some(memory) = Directory::open(self.memory_directory())? else {
            return Ok(Scan::default());
        };
        let mut reader = HeaderReader::new();
        let mut memories = Vec::new();
        let is_topic_folder = |path: &str| path != "logs/";
        let aside = walk(&memory, is_topic_folder, |met, aside| {
            if !met.path.is_index()
                && let Some(memory) = reader.read(met, aside)
            {
                memories.push(memory);
            }
        })?;
        memories.sort_unstable_by(|a: &Memory, b: &Memory| {
            b.stamp
                .mtime
                .cmp(&a.stamp.mtime)
                .then_with(|| a.path.cmp(&b.path))
        });
        Ok(Scan {
            memories,
            skipped: aside.skipped,
        })
    }
}

/// Reads the beginning of one file after another into one buffer.
struct HeaderReader {
    buffer: Vec<u8>,
    flags: OFlags,
}

impl HeaderReader {
    fn new() -> HeaderReader {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        HeaderReader {
            buffer: vec![0; HEADER_READ],
            flags: flags | OFlags::NOATIME,
        }
    }

    fn read(&mut self, met: Met<'_>, aside: &mut Aside) -> Option<Memory> {
        let (stat, length) = match self.fill(&met) {
            Ok(Some(filled)) => filled,
            Ok(None) => {
                aside.skip(met.path.as_str(), "it is not a plain file");
                return None;
            }
            Err(Errno::NOENT) => return None,
            Err(Errno::LOOP) => {
                aside.skip(met.path.as_str(), "it is a symbolic link");
                return None;
            }
            Err(error) => {
                aside.fail(met.path.as_str(), std::io::Error::from(error));
                return None;
            }
        };
        let header = Header::read(self.buffer.get(..length).unwrap_or_default());
        let accessed = nanoseconds(stat.st_atime, stat.st_atime_nsec);
        Some(Memory {
            path: met.path,
            header,
            stamp: Stamp::of(&stat),
            accessed,
        })
    }

    /// Reads one block, and more only where the header goes on; `None` for what is not a plain file.
    fn fill(&mut self, met: &Met<'_>) -> Result<Option<(Stat, usize)>, Errno> {
        let open = |flags| loop {
            match rustix::fs::openat(met.folder, met.name, flags, Mode::empty()) {
                Err(Errno::INTR) => {}
                opened => return opened,
            }
        };
        let file = match open(self.flags) {
            // Only the owner may read without leaving a trace.
            Err(Errno::PERM) => {
                self.flags.remove(OFlags::NOATIME);
                open(self.flags)?
            }
            opened => opened?,
        };
        let stat = rustix::fs::fstat(&file)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Ok(None);
        }
        let mut length = 0;
        loop {
            let Some(free) = self.buffer.get_mut(length..) else {
                return Ok(Some((stat, length)));
            };
            let read = match rustix::io::read(&file, free) {
                Err(Errno::INTR) => continue,
                read => read?,
            };
            length += read;
            let filled = self.buffer.get(..length).unwrap_or_default();
            if read == 0
                || length < self.buffer.len()
                || length >= HEADER_BYTES
                || !Header::is_cut_off(filled)
            {
                return Ok(Some((stat, length)));
            }
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }
}
