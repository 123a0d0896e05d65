//! The derived index of one memory directory: a large base, a small delta, and what of the base is gone.
//!
//! Both are immutable files that are replaced whole. Deleting them at any time loses nothing: the next query makes
//! them anew. A process that cannot write answers from what it has in memory.

mod files;
mod lists;

pub(crate) use files::{IndexFiles, Kind, Mark};
pub(crate) use lists::Lists;

use crate::Totals;
use crate::segment::{Damaged, Facts, Folder, Segment, Skipped};

/// The base is made anew once delta and removed files are more than this share of it, and more than a few.
const MERGE_SHARE: u32 = 32;
const MERGE_LEAST: u32 = if cfg!(test) { 4 } else { 256 };

/// The index as it was when it was opened, or as it was brought up to date since.
#[derive(Default)]
pub(crate) struct Index {
    pub(crate) base: Option<Segment>,
    pub(crate) delta: Option<Segment>,
    pub(crate) removed: Removed,
}

/// Which state of the index was seen: base and delta.
pub(crate) type State = (Option<u64>, Option<u64>);

impl Index {
    /// Puts two segments together; a delta that belongs to another base is none.
    pub(crate) fn new(base: Option<Segment>, delta: Option<Segment>) -> Index {
        let Some(base) = base else {
            return Index::default();
        };
        let belonging = delta.filter(|delta| delta.base() == base.id());
        let removed = match belonging.as_ref().map(Segment::removed) {
            None => Removed::default(),
            Some(Ok(files)) => Removed::new(files),
            Some(Err(_)) => return Index::default(),
        };
        Index {
            base: Some(base),
            delta: belonging,
            removed,
        }
    }

    pub(crate) fn state(&self) -> State {
        (
            self.base.as_ref().map(Segment::id),
            self.delta.as_ref().map(Segment::id),
        )
    }

    /// The folders as they were last looked at.
    pub(crate) fn folders(&self) -> Vec<Folder> {
        let newest = self.delta.as_ref().or(self.base.as_ref());
        newest
            .map(|segment| segment.folders().cloned().collect())
            .unwrap_or_default()
    }

    /// How many files were seen and are not in it yet.
    pub(crate) fn pending(&self) -> u32 {
        let newest = self.delta.as_ref().or(self.base.as_ref());
        let pending = newest.map(|segment| segment.folders().map(|folder| folder.pending).sum());
        pending.unwrap_or(0)
    }

    /// What could not be indexed.
    pub(crate) fn skipped(&self) -> Result<Vec<Skipped>, Damaged> {
        match self.delta.as_ref().or(self.base.as_ref()) {
            Some(segment) => segment.skipped(),
            None => Ok(Vec::new()),
        }
    }

    /// Sums over all files that are there.
    pub(crate) fn totals(&self) -> Totals {
        let mut totals = self.base.as_ref().map(Segment::totals).unwrap_or_default();
        if let Some(delta) = &self.delta {
            let (added, gone) = (delta.totals(), delta.removed_totals());
            totals.files = totals.files.saturating_sub(gone.files) + added.files;
            totals.passages = totals.passages.saturating_sub(gone.passages) + added.passages;
            totals.header_lengths =
                totals.header_lengths.saturating_sub(gone.header_lengths) + added.header_lengths;
            totals.lengths = totals.lengths.saturating_sub(gone.lengths) + added.lengths;
        }
        totals
    }

    /// Whether the base should be made anew, given how many files a delta would add and remove.
    pub(crate) fn is_worn(&self, added: u32, removed: u32) -> bool {
        let base = self.base.as_ref().map_or(0, |base| base.totals().files);
        added.saturating_add(removed) > MERGE_LEAST.max(base / MERGE_SHARE)
    }

    /// The segment of a file, and the file's number in it.
    fn segment_of(&self, file: u32) -> Result<(&Segment, u32), Damaged> {
        let in_base = self.base.as_ref().map_or(0, |base| base.totals().files);
        let found = match file.checked_sub(in_base) {
            None => self.base.as_ref().map(|base| (base, file)),
            Some(file) => self.delta.as_ref().map(|delta| (delta, file)),
        };
        found.ok_or(Damaged)
    }

    /// What is known of a file without reading it.
    pub(crate) fn facts(&self, file: u32) -> Result<Facts, Damaged> {
        let (segment, file) = self.segment_of(file)?;
        segment.facts(file)
    }

    /// Folder and name of a file.
    pub(crate) fn name(&self, file: u32) -> Result<(&Folder, String), Damaged> {
        let (segment, file) = self.segment_of(file)?;
        segment.name(file)
    }
}

/// Files of the base that are gone, one bit each.
#[derive(Default)]
pub(crate) struct Removed {
    bits: Vec<u64>,
    pub(crate) count: u32,
}

impl Removed {
    fn new(files: Vec<u32>) -> Removed {
        let mut removed = Removed::default();
        for file in files {
            removed.insert(file);
        }
        removed
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn contains(&self, file: u32) -> bool {
        let word = self.bits.get(file as usize / 64).copied().unwrap_or(0);
        word >> (file % 64) & 1 == 1
    }

    pub(crate) fn insert(&mut self, file: u32) {
        let at = file as usize / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        if let Some(word) = self.bits.get_mut(at)
            && *word >> (file % 64) & 1 == 0
        {
            *word |= 1 << (file % 64);
            self.count += 1;
        }
    }

    /// All of them, ascending.
    pub(crate) fn files(&self) -> Vec<u32> {
        let all = 0..u32::try_from(self.bits.len() * 64).unwrap_or(u32::MAX);
        all.filter(|file| self.contains(*file)).collect()
    }
}
