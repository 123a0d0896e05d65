//! Going through the history from its beginning with the content of every file at hand.

use std::collections::HashMap;

use memdir_memory::MemoryPath;

use super::record::FileRecord;
use super::splice::Delta;
use crate::digest::Digest;

/// The content of every file as of some operation.
#[derive(Debug, Default)]
pub(crate) struct Past {
    contents: HashMap<MemoryPath, Vec<u8>>,
}

/// What a record did to one file.
#[derive(Debug)]
pub(crate) enum Texts {
    /// The contents cannot be told: a line before is damaged.
    Unknown,
    /// Before and after; `None`: no file.
    Known(Option<Vec<u8>>, Option<Vec<u8>>),
}

impl Texts {
    /// The content before, where it is known and there is one.
    pub(crate) fn before(&self) -> Option<Vec<u8>> {
        match self {
            Texts::Known(before, _) => before.clone(),
            Texts::Unknown => None,
        }
    }

    /// The content after, where it is known and there is one.
    pub(crate) fn after(&self) -> Option<Vec<u8>> {
        match self {
            Texts::Known(_, after) => after.clone(),
            Texts::Unknown => None,
        }
    }
}

impl Past {
    /// Takes the next record of a file.
    pub(crate) fn step(&mut self, file: &FileRecord) -> Texts {
        let is = |digest: Option<Digest>, bytes: &Vec<u8>| digest == Some(Digest::of(bytes));
        let known = self.contents.remove(&file.path);
        let base = file.base.as_ref().map(|base| base.as_bytes().to_vec());
        let before = base.or(known).filter(|before| is(file.before, before));
        let after = file.delta.as_ref().and_then(|delta| match delta {
            Delta::Whole(_) => delta.apply(&[]),
            Delta::Splice { .. } => delta.apply(before.as_deref()?),
        });
        let after = after.filter(|after| is(file.after, after));
        if let Some(after) = &after {
            self.contents.insert(file.path.clone(), after.clone());
        }
        if file.before.is_some() != before.is_some() && file.delta.is_none()
            || file.after.is_some() != after.is_some()
        {
            return Texts::Unknown;
        }
        Texts::Known(before, after)
    }
}
