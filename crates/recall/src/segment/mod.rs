//! One immutable part of the index, as bytes: in a file or in memory, read alike.
//!
//! ```text
//! header      magic, format, revision, id, sums, place and checksum of every section, its own checksum
//! folders     which folders were looked at, with the time that each had then
//! hashes …    for each folder its names by hash, with inode and file: what a listing is compared with
//! places      for each passage its file and lengths           facts   for each file time, size, kind, end
//! names       for each file its folder and name                blocks  first term of each dictionary block
//! dictionary  terms in blocks, each with the length of its list; every block with a checksum
//! postings    lists of passages and weights; every list with a checksum
//! removed     files of the base that are gone                  skipped what could not be indexed, and why
//! ```
//!
//! A query reads header, folders, places and blocks, and of the rest only what it needs, by `pread`.

mod builder;
mod bytes;
mod dictionary;
mod layout;
mod list;
mod reader;
mod terms;

pub(crate) use builder::Builder;
pub(crate) use bytes::{TermState, hash_of};
pub(crate) use layout::{Facts, Folder, Skipped, UNCLEAN};
pub(crate) use reader::{Known, Segment};
pub(crate) use terms::Terms;

/// By what a file is told from every other: its root, and its path in any number of parts.
pub(crate) fn tie_of(root: u8, parts: &[&str]) -> u64 {
    let mut bytes = Vec::with_capacity(128);
    bytes.push(root);
    parts
        .iter()
        .for_each(|part| bytes.extend_from_slice(part.as_bytes()));
    hash_of(&bytes)
}

/// Bytes that are not what was written. The index is made anew then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the index is damaged")]
pub(crate) struct Damaged;

impl From<std::io::Error> for Damaged {
    fn from(_: std::io::Error) -> Damaged {
        Damaged
    }
}
