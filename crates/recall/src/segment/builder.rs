//! Making a segment: new files, and what is kept of segments that it takes the place of.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Damaged;
use super::bytes::{hash_of, put_checked, put_number, put_text};
use super::dictionary::{DictionaryWriter, ListPlace};
use super::layout::{
    Extent, Facts, Folder, HEADER_BYTES, Header, PLACE_BYTES, SECTIONS, Skipped, UNCLEAN,
};
use super::list::{ListWriter, end_of, read_list};
use super::reader::Segment;
use super::terms::Terms;
use super::tie_of;
use crate::{Draft, Place, Posting, REVISION, Totals};

/// A segment in the making.
#[derive(Default)]
pub(crate) struct Builder {
    folders: Vec<Folder>,
    numbers: HashMap<(u8, String), u32>,
    /// Folder, hash, inode, file.
    entries: Vec<(u32, u64, u64, u32)>,
    places: Vec<u8>,
    facts: Vec<u8>,
    name_offsets: Vec<u8>,
    names: Vec<u8>,
    terms: Terms,
    /// By the numbers of their terms.
    lists: Vec<ListWriter>,
    totals: Totals,
    removed: Vec<u32>,
    removed_totals: Totals,
    skipped: Vec<Skipped>,
}

impl Builder {
    /// How many files it has so far.
    pub(crate) fn files(&self) -> u32 {
        self.totals.files
    }

    /// Notes a folder with the time at which its listing is complete.
    pub(crate) fn set_folder(&mut self, folder: Folder) {
        let number = self.folder(folder.root, &folder.path);
        if let Some(known) = self.folders.get_mut(number as usize) {
            *known = folder;
        }
    }

    /// An empty one for files of a folder of this one; what it takes is put behind this one's by [`Builder::append`].
    pub(crate) fn sibling(&mut self, folder: &Folder) -> Builder {
        self.folder(folder.root, &folder.path);
        Builder {
            folders: self.folders.clone(),
            numbers: self.numbers.clone(),
            ..Builder::default()
        }
    }

    /// Puts the files of a sibling behind its own.
    pub(crate) fn append(&mut self, other: Builder) {
        let (files, passages) = (self.totals.files, self.totals.passages);
        let moved = |(folder, hash, inode, file)| (folder, hash, inode, file + files);
        self.entries.extend(other.entries.into_iter().map(moved));
        let (places, _) = other.places.as_chunks::<PLACE_BYTES>();
        for [a, b, c, d, lengths @ ..] in places {
            let file = u32::from_le_bytes([*a, *b, *c, *d]) + files;
            self.places.extend_from_slice(&file.to_le_bytes());
            self.places.extend_from_slice(lengths);
        }
        self.facts.extend_from_slice(&other.facts);
        let names = self.names.len() as u32;
        let (offsets, _) = other.name_offsets.as_chunks::<4>();
        for offset in offsets {
            let offset = u32::from_le_bytes(*offset) + names;
            self.name_offsets.extend_from_slice(&offset.to_le_bytes());
        }
        self.names.extend_from_slice(&other.names);
        for (term, number) in other.terms.into_all() {
            if let Some(list) = other.lists.get(number as usize) {
                let known = self.terms.number(&term);
                self.list(known, |known| known.append(list, passages));
            }
        }
        self.totals.files += other.totals.files;
        self.totals.passages += other.totals.passages;
        self.totals.header_lengths += other.totals.header_lengths;
        self.totals.lengths += other.totals.lengths;
    }

    /// What numbers the terms of the files that are added.
    pub(crate) fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    /// Notes what of the base is gone.
    pub(crate) fn set_removed(&mut self, mut files: Vec<u32>, totals: Totals) {
        files.sort_unstable();
        self.removed = files;
        self.removed_totals = totals;
    }

    /// Notes something that could not be indexed.
    pub(crate) fn skip(&mut self, skipped: Skipped) {
        self.skipped.push(skipped);
    }

    /// Adds a file with its terms, numbered by [`Builder::terms`].
    pub(crate) fn add(
        &mut self,
        (root, folder, name): (u8, &str, &str),
        inode: u64,
        facts: &Facts,
        draft: Draft<u32>,
    ) {
        let file = self.add_file(root, folder, name, inode, facts);
        self.totals.header_lengths += u64::from(draft.header_length);
        for passage in draft.passages {
            let number = self.add_place(Place {
                file,
                header_length: draft.header_length,
                length: passage.length,
            });
            for (term, weight) in passage.terms {
                let posting = Posting {
                    passage: number,
                    weight,
                };
                self.list(term, |list| list.push(posting));
            }
        }
    }

    /// Takes over the files of another segment for which `is_kept` says yes and whose folders are `known`.
    pub(crate) fn absorb(
        &mut self,
        segment: &mut Segment,
        is_kept: impl Fn(u32) -> bool,
    ) -> Result<(), Damaged> {
        segment.prepare()?;
        let mut inodes = vec![0; segment.totals().files as usize];
        let known = segment.known()?;
        for folder in 0..segment.folders().count() {
            for (_, inode, file) in known.of(folder) {
                if let Some(place) = inodes.get_mut(file as usize) {
                    *place = inode;
                }
            }
        }
        // Files in their own order, so that passages stay in the order of their files.
        let mut moved: Vec<Option<u32>> = Vec::new();
        let mut failed = None;
        segment.each_name(|file, folder, name| {
            let facts = segment.facts(file);
            failed = failed.or(facts.err());
            let kept = is_kept(file).then_some(()).and(facts.ok());
            moved.push(kept.map(|facts| {
                let inode = inodes.get(file as usize).copied().unwrap_or(0);
                self.add_file(folder.root, &folder.path, &name, inode, &facts)
            }));
        })?;
        failed.map_or(Ok(()), Err)?;
        let mut passages: Vec<Option<u32>> = Vec::new();
        let mut last = None;
        let before = self.totals.passages;
        for passage in 0..segment.totals().passages {
            let place = segment.place(passage);
            let file = moved.get(place.file as usize).copied().flatten();
            passages.push(file.map(|file| {
                if last != Some(file) {
                    self.totals.header_lengths += u64::from(place.header_length);
                    last = Some(file);
                }
                self.add_place(Place { file, ..place })
            }));
        }
        // Where nothing is left out, every passage moves up by as many, and lists are taken over as they are.
        let all = segment.totals().passages;
        let keeps_all = self.totals.passages - before == all;
        let mut postings = Vec::new();
        segment.each_term(|term, list| {
            if keeps_all {
                let end = end_of(list)?;
                if end > all {
                    return Err(Damaged);
                }
                let term = self.terms.number(term);
                self.list(term, |known| known.append_bytes(list, end, before));
                return Ok(());
            }
            postings.clear();
            read_list(list, 0, &mut postings)?;
            let mut kept = postings.iter().filter_map(|posting| {
                let passage = passages.get(posting.passage as usize).copied().flatten()?;
                Some(Posting {
                    passage,
                    ..*posting
                })
            });
            if let Some(first) = kept.next() {
                let term = self.terms.number(term);
                self.list(term, |writer| {
                    writer.push(first);
                    kept.for_each(|posting| writer.push(posting));
                });
            }
            Ok(())
        })
    }

    /// Puts something behind the list of a term.
    fn list(&mut self, term: u32, put: impl FnOnce(&mut ListWriter)) {
        let at = term as usize;
        if at >= self.lists.len() {
            self.lists.resize_with(at + 1, ListWriter::default);
        }
        if let Some(list) = self.lists.get_mut(at) {
            put(list);
        }
    }

    fn folder(&mut self, root: u8, path: &str) -> u32 {
        if let Some(number) = self.numbers.get(&(root, path.to_owned())) {
            return *number;
        }
        let number = self.folders.len() as u32;
        self.folders.push(Folder {
            root,
            path: path.to_owned(),
            mtime: UNCLEAN,
            pending: 0,
        });
        self.numbers.insert((root, path.to_owned()), number);
        number
    }

    fn add_file(&mut self, root: u8, path: &str, name: &str, inode: u64, facts: &Facts) -> u32 {
        let file = self.totals.files;
        let folder = self.folder(root, path);
        self.entries
            .push((folder, hash_of(name.as_bytes()), inode, file));
        let tie = tie_of(root, &[path, name]);
        self.facts
            .extend_from_slice(&Facts { tie, ..*facts }.encode());
        self.name_offsets
            .extend_from_slice(&(self.names.len() as u32).to_le_bytes());
        let mut record = Vec::with_capacity(name.len() + 2);
        put_number(&mut record, u64::from(folder));
        record.extend_from_slice(name.as_bytes());
        put_checked(&mut self.names, &record);
        self.totals.files += 1;
        file
    }

    fn add_place(&mut self, place: Place) -> u32 {
        let number = self.totals.passages;
        self.places.extend_from_slice(&place.file.to_le_bytes());
        self.places
            .extend_from_slice(&place.header_length.to_le_bytes());
        self.places.extend_from_slice(&place.length.to_le_bytes());
        self.totals.passages += 1;
        self.totals.lengths += u64::from(place.length);
        number
    }

    /// The bytes of the segment; `base` is the one that it adds to, 0 where it stands alone.
    pub(crate) fn encode(mut self, base: u64) -> Vec<u8> {
        self.name_offsets
            .extend_from_slice(&(self.names.len() as u32).to_le_bytes());
        let (folders, hashes, inodes, entries) = self.encode_folders();
        let (postings, [block_offsets, blocks, dictionary]) = self.encode_lists();
        let removed: Vec<u8> = self
            .removed
            .iter()
            .flat_map(|file| file.to_le_bytes())
            .collect();
        let mut skipped = Vec::new();
        for one in &self.skipped {
            skipped.push(one.root);
            for text in [&one.folder, &one.name, &one.reason] {
                put_text(&mut skipped, text);
            }
        }
        // In the order of `Section`.
        let sections: [Vec<u8>; SECTIONS] = [
            folders,
            hashes,
            inodes,
            entries,
            self.places,
            self.facts,
            self.name_offsets,
            self.names,
            block_offsets,
            blocks,
            dictionary,
            postings,
            removed,
            skipped,
        ];
        let mut header = Header {
            id: new_id(),
            base,
            totals: self.totals,
            removed: self.removed_totals,
            ..Header::default()
        };
        let mut offset = HEADER_BYTES as u64;
        for (extent, bytes) in header.extents.iter_mut().zip(&sections) {
            let length = bytes.len() as u64;
            *extent = Extent {
                offset,
                length,
                sum: hash_of(bytes),
            };
            offset += length;
        }
        let mut out = Vec::with_capacity(usize::try_from(offset).unwrap_or(0));
        out.extend_from_slice(&header.encode(REVISION, offset));
        for bytes in sections {
            out.extend_from_slice(&bytes);
        }
        out
    }

    fn encode_folders(&mut self) -> (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>) {
        self.entries.sort_unstable();
        let (mut hashes, mut inodes, mut files) = (Vec::new(), Vec::new(), Vec::new());
        let mut counts = vec![0_u64; self.folders.len()];
        for (folder, hash, inode, file) in &self.entries {
            if let Some(count) = counts.get_mut(*folder as usize) {
                *count += 1;
            }
            hashes.extend_from_slice(&hash.to_le_bytes());
            inodes.extend_from_slice(&inode.to_le_bytes());
            files.extend_from_slice(&file.to_le_bytes());
        }
        let mut folders = Vec::new();
        let mut start = 0;
        for (folder, count) in self.folders.iter().zip(counts) {
            folders.push(folder.root);
            folders.extend_from_slice(&folder.mtime.to_le_bytes());
            put_text(&mut folders, &folder.path);
            put_number(&mut folders, u64::from(folder.pending));
            put_number(&mut folders, start);
            put_number(&mut folders, count);
            start += count;
        }
        (folders, hashes, inodes, files)
    }

    fn encode_lists(&mut self) -> (Vec<u8>, [Vec<u8>; 3]) {
        let mut terms: Vec<(Box<str>, u32)> = std::mem::take(&mut self.terms).into_all().collect();
        terms.sort_unstable_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
        let mut postings = Vec::new();
        let mut dictionary = DictionaryWriter::default();
        for (term, number) in terms {
            let Some(list) = self.lists.get(number as usize) else {
                continue;
            };
            // The terms of a file that was given up have a number and no list.
            if list.bytes.is_empty() {
                continue;
            }
            let offset = postings.len() as u64;
            put_checked(&mut postings, &list.bytes);
            let length = postings.len() as u64 - offset;
            dictionary.push(&term, ListPlace { offset, length });
        }
        (postings, dictionary.finish())
    }
}

/// A number that no other segment has. Never 0, which stands for none.
fn new_id() -> u64 {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let time = std::time::SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_nanos() as u64;
    let parts = [
        time,
        u64::from(std::process::id()),
        COUNTER.fetch_add(1, Ordering::Relaxed),
    ];
    let bytes: Vec<u8> = parts.iter().flat_map(|part| part.to_le_bytes()).collect();
    hash_of(&bytes).max(1)
}
