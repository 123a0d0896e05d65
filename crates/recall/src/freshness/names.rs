//! The names that the index knows, folder by folder.

use std::collections::HashMap;

use super::diff::Number;
use crate::index::Index;
use crate::segment::{Damaged, Folder, Known, Segment};

/// Root and path of a folder.
pub(super) type Place = (u8, String);

/// The names of both segments. Read where the first folder is compared, and not before.
pub(super) struct Names {
    base: Part,
    delta: Part,
}

#[derive(Default)]
struct Part {
    folders: HashMap<Place, usize>,
    known: Option<Known>,
}

impl Names {
    pub(super) fn of(index: &Index) -> Result<Names, Damaged> {
        Ok(Names {
            base: Part::of(index.base.as_ref())?,
            delta: Part::of(index.delta.as_ref())?,
        })
    }

    /// Hash, inode and file of the base's names in a folder, sorted by hash.
    pub(super) fn in_base(
        &self,
        folder: &Folder,
        index: &Index,
    ) -> impl Iterator<Item = (u64, u64, u32)> {
        let known = self.base.of_folder(folder);
        known.filter(|(.., file)| !index.removed.contains(*file))
    }

    /// The same of the delta.
    pub(super) fn in_delta(&self, folder: &Folder) -> impl Iterator<Item = (u64, u64, u32)> {
        self.delta.of_folder(folder)
    }

    /// Every file in a folder, with the hash of its name.
    pub(super) fn all(
        &self,
        folder: &Folder,
        index: &Index,
    ) -> impl Iterator<Item = (u64, Number)> {
        let base = self
            .in_base(folder, index)
            .map(|(hash, _, file)| (hash, Number::Base(file)));
        let delta = self.in_delta(folder);
        base.chain(delta.map(|(hash, _, file)| (hash, Number::Delta(file))))
    }
}

impl Part {
    fn of(segment: Option<&Segment>) -> Result<Part, Damaged> {
        let Some(segment) = segment else {
            return Ok(Part::default());
        };
        let folders = segment.folders().enumerate();
        Ok(Part {
            folders: folders
                .map(|(at, folder)| ((folder.root, folder.path.clone()), at))
                .collect(),
            known: Some(segment.known()?),
        })
    }

    fn of_folder(&self, folder: &Folder) -> impl Iterator<Item = (u64, u64, u32)> {
        let place = (folder.root, folder.path.clone());
        let found = self.known.as_ref().zip(self.folders.get(&place).copied());
        found.into_iter().flat_map(|(known, at)| known.of(at))
    }
}
