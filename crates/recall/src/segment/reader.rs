//! Reading a segment: what every query needs at once, the rest where it is asked for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::os::unix::fs::FileExt;

use super::Damaged;
use super::bytes::{Cursor, Hasher, checked, u32_at};
use super::dictionary::{Blocks, find_in_block, scan_block};
use super::layout::{
    FACTS_BYTES, Facts, Folder, HEADER_BYTES, Header, PLACE_BYTES, Section, Skipped,
};
use super::list::read_list;
use crate::{Place, Posting, REVISION, Totals};

/// A segment that is smaller than this is read whole, by one call.
const WHOLE_BYTES: u64 = 128 * 1024;
/// One that is asked again and again is read whole up to here.
const HELD_BYTES: u64 = 8 * 1024 * 1024;
/// Facts are read so many files at a time: few, because candidates lie anywhere.
const FACTS_CHUNK: u32 = 32;

/// An open segment. It stays what it is, also when its file is replaced meanwhile.
pub(crate) struct Segment {
    source: Source,
    header: Header,
    folders: Vec<(Folder, u32, u32)>,
    places: Vec<Place>,
    block_offsets: Vec<u8>,
    blocks: Vec<u8>,
    facts: RefCell<HashMap<u32, Vec<u8>>>,
    /// Blocks and lists are read into it one after the other: fresh memory would cost more than the reading.
    buffer: RefCell<Vec<u8>>,
}

enum Source {
    File(File),
    Memory(Vec<u8>),
}

/// The names that were in the folders of a segment: hash, inode and file of each, sorted by hash within a folder.
pub(crate) struct Known {
    hashes: Vec<u8>,
    inodes: Vec<u8>,
    files: Vec<u8>,
    ranges: Vec<(u32, u32)>,
}

impl Segment {
    /// Opens a segment in a file.
    pub(crate) fn open(file: File) -> Result<Segment, Damaged> {
        let length = file.metadata()?.len();
        if length <= WHOLE_BYTES {
            let mut bytes = vec![0; usize::try_from(length).map_err(|_| Damaged)?];
            file.read_exact_at(&mut bytes, 0)?;
            return Segment::from_bytes(bytes);
        }
        Segment::new(Source::File(file), length)
    }

    /// Opens a segment that was just made.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Segment, Damaged> {
        let length = bytes.len() as u64;
        Segment::new(Source::Memory(bytes), length)
    }

    fn new(source: Source, length: u64) -> Result<Segment, Damaged> {
        let mut first = [0; HEADER_BYTES];
        source.read(0, &mut first)?;
        let mut segment = Segment {
            header: Header::decode(&first, REVISION, length)?,
            source,
            folders: Vec::new(),
            places: Vec::new(),
            block_offsets: Vec::new(),
            blocks: Vec::new(),
            facts: RefCell::default(),
            buffer: RefCell::default(),
        };
        segment.folders = folders(&segment.section(Section::Folders)?)?;
        Ok(segment)
    }

    /// Reads what queries need. Not done where only folders are looked at.
    pub(crate) fn prepare(&mut self) -> Result<(), Damaged> {
        if self.block_offsets.is_empty() {
            self.places = self.read_places()?;
            self.block_offsets = self.section(Section::BlockOffsets)?;
            self.blocks = self.section(Section::Blocks)?;
        }
        Ok(())
    }

    /// Takes the whole of it into memory, unless it is large: a question reads it in hundreds of places.
    pub(crate) fn hold(&mut self) -> Result<(), Damaged> {
        let Source::File(file) = &self.source else {
            return Ok(());
        };
        let length = file.metadata()?.len();
        if length <= HELD_BYTES {
            let mut bytes = vec![0; usize::try_from(length).map_err(|_| Damaged)?];
            file.read_exact_at(&mut bytes, 0)?;
            self.source = Source::Memory(bytes);
        }
        Ok(())
    }

    pub(crate) fn id(&self) -> u64 {
        self.header.id
    }

    /// The segment that this one adds to.
    pub(crate) fn base(&self) -> u64 {
        self.header.base
    }

    pub(crate) fn totals(&self) -> Totals {
        self.header.totals
    }

    /// Sums over what of the base is gone.
    pub(crate) fn removed_totals(&self) -> Totals {
        self.header.removed
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.folders.iter().map(|(folder, ..)| folder)
    }

    /// Files of the base that are gone, ascending.
    pub(crate) fn removed(&self) -> Result<Vec<u32>, Damaged> {
        let bytes = self.section(Section::Removed)?;
        let count = bytes.len() / 4;
        Ok((0..count).filter_map(|at| u32_at(&bytes, at)).collect())
    }

    /// What could not be indexed.
    pub(crate) fn skipped(&self) -> Result<Vec<Skipped>, Damaged> {
        let bytes = self.section(Section::Skipped)?;
        let mut cursor = Cursor(&bytes);
        let mut skipped = Vec::new();
        while !cursor.is_at_end() {
            skipped.push(Skipped {
                root: cursor.byte()?,
                folder: cursor.text()?.to_owned(),
                name: cursor.text()?.to_owned(),
                reason: cursor.text()?.to_owned(),
            });
        }
        Ok(skipped)
    }

    /// The names of all folders.
    pub(crate) fn known(&self) -> Result<Known, Damaged> {
        Ok(Known {
            hashes: self.section(Section::Hashes)?,
            inodes: self.section(Section::Inodes)?,
            files: self.section(Section::Entries)?,
            ranges: self
                .folders
                .iter()
                .map(|(_, start, count)| (*start, *count))
                .collect(),
        })
    }

    /// Where a passage belongs. Asked for every posting of a question.
    pub(crate) fn place(&self, passage: u32) -> Place {
        self.places
            .get(passage as usize)
            .copied()
            .unwrap_or_default()
    }

    /// What is known of a file without reading it.
    pub(crate) fn facts(&self, file: u32) -> Result<Facts, Damaged> {
        let chunk = file / FACTS_CHUNK;
        let mut chunks = self.facts.borrow_mut();
        let bytes = match chunks.entry(chunk) {
            Entry::Occupied(read) => read.into_mut(),
            Entry::Vacant(free) => {
                let size = u64::from(FACTS_CHUNK) * FACTS_BYTES as u64;
                let extent = self.header.extent(Section::Facts);
                let from = u64::from(chunk) * size;
                let length = extent.length.checked_sub(from).ok_or(Damaged)?.min(size);
                free.insert(self.read(Section::Facts, from, length)?)
            }
        };
        let within = usize::try_from(file % FACTS_CHUNK).unwrap_or(0) * FACTS_BYTES;
        let bytes = bytes.get(within..);
        Facts::decode(bytes.ok_or(Damaged)?)
    }

    /// Folder and name of a file.
    pub(crate) fn name(&self, file: u32) -> Result<(&Folder, String), Damaged> {
        let offsets = self.read(Section::NameOffsets, u64::from(file) * 4, 8)?;
        let (Some(from), Some(to)) = (u32_at(&offsets, 0), u32_at(&offsets, 1)) else {
            return Err(Damaged);
        };
        let length = to.checked_sub(from).ok_or(Damaged)?;
        let bytes = self.read(Section::Names, u64::from(from), u64::from(length))?;
        self.name_in(&bytes)
    }

    fn name_in(&self, bytes: &[u8]) -> Result<(&Folder, String), Damaged> {
        let mut cursor = Cursor(checked(bytes)?);
        let folder = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
        let (folder, ..) = self.folders.get(folder).ok_or(Damaged)?;
        let name = std::str::from_utf8(cursor.0).map_err(|_| Damaged)?;
        Ok((folder, name.to_owned()))
    }

    /// Visits every file with its folder and name.
    pub(crate) fn each_name(
        &self,
        mut visit: impl FnMut(u32, &Folder, String),
    ) -> Result<(), Damaged> {
        let offsets = self.section(Section::NameOffsets)?;
        let names = self.section(Section::Names)?;
        for file in 0..self.header.totals.files {
            let at = usize::try_from(file).map_err(|_| Damaged)?;
            let place = |at| u32_at(&offsets, at).and_then(|place| usize::try_from(place).ok());
            let (from, to) = (place(at).ok_or(Damaged)?, place(at + 1).ok_or(Damaged)?);
            let (folder, name) = self.name_in(names.get(from..to).ok_or(Damaged)?)?;
            visit(file, folder, name);
        }
        Ok(())
    }

    /// Appends the postings of a term, each passage moved up by `offset`.
    pub(crate) fn postings(
        &self,
        term: &str,
        offset: u32,
        into: &mut Vec<Posting>,
    ) -> Result<(), Damaged> {
        let blocks = Blocks {
            offsets: &self.block_offsets,
            blocks: &self.blocks,
        };
        let Some(block) = blocks.find(term)? else {
            return Ok(());
        };
        let mut buffer = self.buffer.borrow_mut();
        let bytes = self.bytes(Section::Dictionary, block.offset, block.length, &mut buffer)?;
        let Some(list) = find_in_block(checked(bytes)?, term)? else {
            return Ok(());
        };
        let bytes = self.bytes(Section::Postings, list.offset, list.length, &mut buffer)?;
        read_list(checked(bytes)?, offset, into)
    }

    /// Visits every term with the bytes of its list, checked, in the order of the terms.
    pub(super) fn each_term(
        &self,
        mut visit: impl FnMut(&str, &[u8]) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        let dictionary = self.section(Section::Dictionary)?;
        let postings = self.section(Section::Postings)?;
        let blocks = Blocks {
            offsets: &self.block_offsets,
            blocks: &self.blocks,
        };
        for number in 0..blocks.count() {
            let block = blocks.get(number)?;
            let bytes = part(&dictionary, block.offset, block.length)?;
            scan_block(checked(bytes)?, |term, place| {
                let list = checked(part(&postings, place.offset, place.length)?)?;
                visit(std::str::from_utf8(term).map_err(|_| Damaged)?, list)?;
                Ok(true)
            })?;
        }
        Ok(())
    }

    /// The places of all passages, checked. Part by part, because a megabyte of fresh memory costs more than its content.
    fn read_places(&self) -> Result<Vec<Place>, Damaged> {
        const PART: u64 = 64 * 1024;
        let extent = self.header.extent(Section::Places);
        let mut places = Vec::with_capacity(self.header.totals.passages as usize);
        let mut hasher = Hasher::new(extent.length);
        let mut bytes = Vec::new();
        let mut from = 0;
        while from < extent.length {
            let length = PART.min(extent.length - from);
            self.read_into(Section::Places, from, length, &mut bytes)?;
            let (words, _) = bytes.as_chunks::<PLACE_BYTES>();
            for word in words {
                hasher = hasher.with(word);
                places.push(place(word));
            }
            from += length;
        }
        match hasher.finish(&[]) == extent.sum {
            true => Ok(places),
            false => Err(Damaged),
        }
    }

    /// A whole section, checked.
    fn section(&self, section: Section) -> Result<Vec<u8>, Damaged> {
        let extent = self.header.extent(section);
        let bytes = self.read(section, 0, extent.length)?;
        if super::hash_of(&bytes) == extent.sum {
            Ok(bytes)
        } else {
            Err(Damaged)
        }
    }

    fn read(&self, section: Section, from: u64, length: u64) -> Result<Vec<u8>, Damaged> {
        let mut bytes = Vec::new();
        self.read_into(section, from, length, &mut bytes)?;
        Ok(bytes)
    }

    /// The same without a copy where it is in memory.
    fn bytes<'a>(
        &'a self,
        section: Section,
        from: u64,
        length: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Damaged> {
        let Source::Memory(bytes) = &self.source else {
            self.read_into(section, from, length, buffer)?;
            return Ok(buffer);
        };
        let extent = self.header.extent(section);
        let end = from.checked_add(length).ok_or(Damaged)?;
        if end > extent.length {
            return Err(Damaged);
        }
        part(bytes, extent.offset + from, length)
    }

    fn read_into(
        &self,
        section: Section,
        from: u64,
        length: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Damaged> {
        let extent = self.header.extent(section);
        let end = from.checked_add(length).ok_or(Damaged)?;
        if end > extent.length {
            return Err(Damaged);
        }
        bytes.resize(usize::try_from(length).map_err(|_| Damaged)?, 0);
        self.source.read(extent.offset + from, bytes)
    }
}

impl Source {
    fn read(&self, from: u64, into: &mut [u8]) -> Result<(), Damaged> {
        match self {
            Source::File(file) => Ok(file.read_exact_at(into, from)?),
            Source::Memory(bytes) => {
                into.copy_from_slice(part(bytes, from, into.len() as u64)?);
                Ok(())
            }
        }
    }
}

impl Known {
    /// The names of one folder: hash, inode and file.
    pub(crate) fn of(&self, folder: usize) -> impl Iterator<Item = (u64, u64, u32)> {
        let (start, count) = self.ranges.get(folder).copied().unwrap_or_default();
        let start = usize::try_from(start).unwrap_or(0);
        let count = usize::try_from(count).unwrap_or(0);
        let (hashes, _) = self.hashes.as_chunks::<8>();
        let (inodes, _) = self.inodes.as_chunks::<8>();
        let (files, _) = self.files.as_chunks::<4>();
        hashes
            .iter()
            .zip(inodes)
            .zip(files)
            .skip(start)
            .take(count)
            .map(|((hash, inode), file)| {
                (
                    u64::from_le_bytes(*hash),
                    u64::from_le_bytes(*inode),
                    u32::from_le_bytes(*file),
                )
            })
    }
}

fn part(bytes: &[u8], from: u64, length: u64) -> Result<&[u8], Damaged> {
    let from = usize::try_from(from).map_err(|_| Damaged)?;
    let length = usize::try_from(length).map_err(|_| Damaged)?;
    let end = from.checked_add(length).ok_or(Damaged)?;
    bytes.get(from..end).ok_or(Damaged)
}

fn place([a, b, c, d, e, f, g, h]: &[u8; PLACE_BYTES]) -> Place {
    Place {
        file: u32::from_le_bytes([*a, *b, *c, *d]),
        header_length: u16::from_le_bytes([*e, *f]),
        length: u16::from_le_bytes([*g, *h]),
    }
}

/// Folders, each with where its names begin and how many there are.
fn folders(bytes: &[u8]) -> Result<Vec<(Folder, u32, u32)>, Damaged> {
    let mut cursor = Cursor(bytes);
    let mut folders = Vec::new();
    while !cursor.is_at_end() {
        let folder = Folder {
            root: cursor.byte()?,
            mtime: i64::from_le_bytes(cursor.array()?),
            path: cursor.text()?.to_owned(),
            pending: cursor.small()?,
        };
        folders.push((folder, cursor.small()?, cursor.small()?));
    }
    Ok(folders)
}
