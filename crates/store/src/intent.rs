//! What an operation wants of one file, decided against what stands there.

use memdir_memory::MemoryPath;

use crate::directory::Found;
use crate::error::{Error, Result};
use crate::merge::{Merged, merge};

/// Computes a content from the current one.
pub(crate) type Edit<'a> = Box<dyn FnMut(Option<&[u8]>) -> Option<Vec<u8>> + 'a>;

/// What is wanted of one file.
pub(crate) enum Intent<'a> {
    /// This content (`None`: no file), by an author who saw that one.
    Set {
        seen: Option<Found>,
        content: Option<Vec<u8>>,
        mtime: Option<i64>,
    },
    /// What the function makes of whatever stands there.
    Update(Edit<'a>),
}

impl Intent<'_> {
    /// Whether a file may be there afterwards.
    pub(crate) fn may_create(&self) -> bool {
        !matches!(self, Intent::Set { content: None, .. })
    }

    /// The modification time that the file shall have, where not that of the change.
    pub(crate) fn mtime(&self) -> Option<i64> {
        match self {
            Intent::Set { mtime, .. } => *mtime,
            Intent::Update(_) => None,
        }
    }

    /// Whether the current content is the one that the author saw.
    pub(crate) fn is_as_seen(&self, current: Option<&[u8]>) -> bool {
        match self {
            Intent::Set { seen, .. } => {
                seen.as_ref().map(|found| found.bytes.as_slice()) == current
            }
            Intent::Update(_) => true,
        }
    }

    /// The content that the file shall have, given the current one. `admitted` is a set content as it passed the gate.
    pub(crate) fn wanted(
        &mut self,
        path: &MemoryPath,
        current: Option<&[u8]>,
        admitted: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>> {
        let (seen, content) = match self {
            Intent::Update(edit) => return Ok(edit(current)),
            Intent::Set { seen, content, .. } => (seen, admitted.or(content.as_deref())),
        };
        let seen = seen.as_ref().map(|found| found.bytes.as_slice());
        if current == seen || current == content {
            return Ok(content.map(<[u8]>::to_vec));
        }
        let conflict = |merged: &str| Error::Conflict {
            path: path.clone(),
            merged: merged.to_owned(),
        };
        match (seen, content, current) {
            (Some(seen), Some(content), Some(current)) => match merge(seen, content, current) {
                Merged::Clean(bytes) => Ok(Some(bytes)),
                Merged::Conflict(text) => Err(conflict(&text)),
            },
            (None, _, Some(_)) => Err(Error::Exists(path.clone())),
            (Some(_), Some(_), None) => Err(conflict("the file was removed")),
            (_, None, Some(current)) => Err(conflict(&String::from_utf8_lossy(current))),
            (_, _, None) => Ok(None),
        }
    }
}
