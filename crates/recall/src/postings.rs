//! What the scorer needs to know of an index.

use crate::Weight;

/// One passage that has a term, and how strongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Number of the passage in the index. The passages of a file follow each other.
    pub passage: u32,
    /// How strongly the term stands there.
    pub weight: Weight,
}

/// Where a passage belongs, and how long it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Number of the file in the index, from 0; files are in the order of their passages.
    pub file: u32,
    /// Terms of the file's header, weighted ([`crate::Draft::header_length`]).
    pub header_length: u16,
    /// Terms of this passage's text ([`crate::Passage::length`]).
    pub length: u16,
}

/// Sums over all files that are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many files there are.
    pub files: u32,
    /// How many passages they have.
    pub passages: u32,
    /// Sum of the files' header lengths.
    pub header_lengths: u64,
    /// Sum of the passages' lengths.
    pub lengths: u64,
}

/// An index that can be asked for posting lists.
///
/// ```
/// use memdir_recall::{Collection, Document, Postings};
///
/// let mut notes = Collection::default();
/// notes.add(&Document { body: "Deploy on Thursdays", ..Document::default() });
/// let mut list = Vec::new();
/// notes.read("deploy", &mut list)?;
/// assert_eq!(list.len(), 1);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub trait Postings {
    /// Why a list could not be read.
    type Error;

    /// Sums over all files that are there.
    fn totals(&self) -> Totals;

    /// How many numbers files and passages have: more than there are where some were removed.
    fn numbers(&self) -> (u32, u32) {
        let totals = self.totals();
        (totals.files, totals.passages)
    }

    /// Appends the postings of `term` in ascending order of their passages; nothing when no file has it.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    fn read(&mut self, term: &str, into: &mut Vec<Posting>) -> Result<(), Self::Error>;

    /// Where a passage belongs. Asked for every posting: it should cost no more than a look into an array.
    fn place(&self, passage: u32) -> Place;
}
