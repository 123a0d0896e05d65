//! What can go wrong while finding.

use crate::segment;

/// Why nothing could be looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The memory directory cannot be read.
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
    /// The derived index is not what was written; it is made anew.
    #[error("the recall index is damaged; `memdir reindex` makes it anew")]
    Damaged,
    /// A question that trips a mistake of ours costs itself, not the one after it.
    #[error("this question has no answer: {0}")]
    Panicked(#[from] memdir_memory::Panicked),
}

impl From<segment::Damaged> for Error {
    fn from(_: segment::Damaged) -> Error {
        Error::Damaged
    }
}
