//! What a look at the folders found, and the segment that says so.

use std::collections::HashSet;

use super::diff::Number;
use super::intake::Intake;
use super::names::Place;
use crate::index::{Index, IndexFiles, Kind};
use crate::segment::{Damaged, Folder, Segment, Skipped};
use crate::{Error, Totals};

/// What a refresh did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refreshed {
    /// Files that were read.
    pub(crate) read: u32,
    /// Files that are gone, or were read anew.
    pub(crate) gone: u32,
    /// Whether the index on disk says it as well.
    pub(crate) written: bool,
}

/// Changes on their way into the index.
#[derive(Default)]
pub(super) struct Changes {
    /// Folders as they are now.
    pub(super) folders: Vec<Folder>,
    /// Files of the index that are gone or were read anew.
    pub(super) gone: HashSet<Number>,
    /// Folders about which `skipped` says all.
    pub(super) listed: HashSet<Place>,
    /// What was read and what could not be.
    pub(super) intake: Intake,
}

impl Changes {
    /// Puts the changes into the index, and into its files where nobody else is writing.
    pub(super) fn apply(
        mut self,
        index: &mut Index,
        files: &IndexFiles,
        is_builder: bool,
    ) -> Result<Refreshed, Error> {
        let mut result = Refreshed {
            read: self.intake.read,
            gone: u32::try_from(self.gone.len()).unwrap_or(u32::MAX),
            written: false,
        };
        let mut known = index.folders();
        for folders in [&mut known, &mut self.folders] {
            folders.sort_by(|one, other| (one.root, &one.path).cmp(&(other.root, &other.path)));
        }
        let known_skipped = index.skipped()?;
        self.keep_skipped(&known_skipped);
        let is_news = result.read > 0
            || result.gone > 0
            || known != self.folders
            || known_skipped != self.intake.skipped;
        if is_news || index.base.is_none() {
            let seen = index.state();
            let (kind, bytes) = self.build(index)?;
            // A folder that cannot be written to keeps nobody from finding. Whoever builds is not disturbed: what it has read
            // would be lost, and what is left out here it finds itself.
            let may_write = is_builder || !files.is_being_built();
            result.written = may_write && files.replace(seen, kind, &bytes).unwrap_or(false);
            let made = Segment::from_bytes(bytes)?;
            *index = match kind {
                Kind::Base => Index::new(Some(made), None),
                Kind::Delta => Index::new(index.base.take(), Some(made)),
            };
        }
        Ok(result)
    }

    /// What was passed over in folders that were not listed now still is.
    fn keep_skipped(&mut self, known: &[Skipped]) {
        let kept = known.iter().filter(|one| {
            let is_there = |folder: &Folder| (folder.root, &folder.path) == (one.root, &one.folder);
            !self.listed.contains(&(one.root, one.folder.clone()))
                && self.folders.iter().any(is_there)
        });
        let mut all: Vec<Skipped> = kept.cloned().collect();
        all.append(&mut self.intake.skipped);
        all.sort();
        all.dedup();
        self.intake.skipped = all;
    }

    /// The new delta, or a new base where there is none or it is worn.
    fn build(self, index: &mut Index) -> Result<(Kind, Vec<u8>), Damaged> {
        let mut builder = self.intake.builder;
        for folder in self.folders {
            builder.set_folder(folder);
        }
        for skipped in self.intake.skipped {
            builder.skip(skipped);
        }
        let gone = self.gone;
        if let Some(delta) = &mut index.delta {
            builder.absorb(delta, |file| !gone.contains(&Number::Delta(file)))?;
        }
        let gone: HashSet<u32> = gone
            .iter()
            .filter_map(|file| match file {
                Number::Base(file) => Some(*file),
                Number::Delta(_) => None,
            })
            .collect();
        gone.iter().for_each(|file| index.removed.insert(*file));
        let is_worn = index.is_worn(builder.files(), index.removed.count);
        let Some(base) = &mut index.base else {
            return Ok((Kind::Base, builder.encode(0)));
        };
        let removed = &index.removed;
        if is_worn {
            builder.absorb(base, |file| !removed.contains(file))?;
            return Ok((Kind::Base, builder.encode(0)));
        }
        let mut totals = index
            .delta
            .as_ref()
            .map(Segment::removed_totals)
            .unwrap_or_default();
        if !gone.is_empty() {
            base.prepare()?;
            add_totals(&mut totals, base, &gone);
        }
        builder.set_removed(removed.files(), totals);
        Ok((Kind::Delta, builder.encode(base.id())))
    }
}

/// Adds what some files of the base count for.
fn add_totals(totals: &mut Totals, base: &Segment, files: &HashSet<u32>) {
    totals.files += u32::try_from(files.len()).unwrap_or(u32::MAX);
    let mut last = None;
    for passage in 0..base.totals().passages {
        let place = base.place(passage);
        if files.contains(&place.file) {
            totals.passages += 1;
            totals.lengths += u64::from(place.length);
            if last != Some(place.file) {
                totals.header_lengths += u64::from(place.header_length);
                last = Some(place.file);
            }
        }
    }
}
