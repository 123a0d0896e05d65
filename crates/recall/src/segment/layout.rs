//! Where everything stands in a segment.

use jiff::civil::Date;
use memdir_memory::MemoryType;

use super::Damaged;
use super::bytes::{Cursor, hash_of};
use crate::Totals;

/// The length of the header, with room to grow.
pub(super) const HEADER_BYTES: usize = 512;
const MAGIC: &[u8; 16] = b"memdir recall\n\0\0";
/// Another layout gets another number; an index of any other is made anew.
const FORMAT: u32 = 2;
/// The time of a folder that must be listed again, whatever its time is.
pub(crate) const UNCLEAN: i64 = i64::MIN;
/// Bytes of one passage in its section.
pub(super) const PLACE_BYTES: usize = 8;
/// Bytes of one file's facts in their section.
pub(super) const FACTS_BYTES: usize = 32;

/// The parts of a segment, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Folders,
    Hashes,
    Inodes,
    Entries,
    Places,
    Facts,
    NameOffsets,
    Names,
    BlockOffsets,
    Blocks,
    Dictionary,
    Postings,
    Removed,
    Skipped,
}

pub(super) const SECTIONS: usize = 14;

/// Where a section is, and the sum of its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) sum: u64,
}

/// The beginning of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// Tells this segment from any other.
    pub(super) id: u64,
    /// The segment that this one adds to; 0 for one that stands alone.
    pub(super) base: u64,
    pub(super) totals: Totals,
    /// What of the base is gone.
    pub(super) removed: Totals,
    pub(super) extents: [Extent; SECTIONS],
}

impl Header {
    pub(super) fn extent(&self, section: Section) -> Extent {
        self.extents
            .get(section as usize)
            .copied()
            .unwrap_or_default()
    }

    pub(super) fn encode(&self, revision: u32, length: u64) -> [u8; HEADER_BYTES] {
        let mut out = Vec::with_capacity(HEADER_BYTES);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&revision.to_le_bytes());
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&self.id.to_le_bytes());
        out.extend_from_slice(&self.base.to_le_bytes());
        for totals in [&self.totals, &self.removed] {
            out.extend_from_slice(&totals.files.to_le_bytes());
            out.extend_from_slice(&totals.passages.to_le_bytes());
            out.extend_from_slice(&totals.header_lengths.to_le_bytes());
            out.extend_from_slice(&totals.lengths.to_le_bytes());
        }
        for extent in &self.extents {
            for number in [extent.offset, extent.length, extent.sum] {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        out.resize(HEADER_BYTES - 8, 0);
        out.extend_from_slice(&hash_of(&out).to_le_bytes());
        let mut header = [0; HEADER_BYTES];
        for (to, from) in header.iter_mut().zip(out) {
            *to = from;
        }
        header
    }

    /// Reads a header; an error for what is cut off, damaged, or of another format or revision.
    pub(super) fn decode(bytes: &[u8], revision: u32, length: u64) -> Result<Header, Damaged> {
        let body = bytes.get(..HEADER_BYTES - 8).ok_or(Damaged)?;
        let sum = Cursor(bytes.get(HEADER_BYTES - 8..).unwrap_or_default()).array::<8>()?;
        let mut cursor = Cursor(body);
        let is_ours = u64::from_le_bytes(sum) == hash_of(body)
            && cursor.array::<16>()? == *MAGIC
            && u32::from_le_bytes(cursor.array()?) == FORMAT
            && u32::from_le_bytes(cursor.array()?) == revision
            && u64::from_le_bytes(cursor.array()?) == length;
        if !is_ours {
            return Err(Damaged);
        }
        let mut header = Header {
            id: u64::from_le_bytes(cursor.array()?),
            base: u64::from_le_bytes(cursor.array()?),
            ..Header::default()
        };
        for totals in [&mut header.totals, &mut header.removed] {
            totals.files = u32::from_le_bytes(cursor.array()?);
            totals.passages = u32::from_le_bytes(cursor.array()?);
            totals.header_lengths = u64::from_le_bytes(cursor.array()?);
            totals.lengths = u64::from_le_bytes(cursor.array()?);
        }
        for extent in &mut header.extents {
            extent.offset = u64::from_le_bytes(cursor.array()?);
            extent.length = u64::from_le_bytes(cursor.array()?);
            extent.sum = u64::from_le_bytes(cursor.array()?);
            let end = extent.offset.checked_add(extent.length).ok_or(Damaged)?;
            if end > length {
                return Err(Damaged);
            }
        }
        Ok(header)
    }
}

/// A folder that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    /// Number of the root it is beneath.
    pub(crate) root: u8,
    /// Relative to the root, with a `/` at its end; empty for the root itself.
    pub(crate) path: String,
    /// Its modification time when it was listed, or [`UNCLEAN`].
    pub(crate) mtime: i64,
    /// How many of its files the listing has and the index has not yet.
    pub(crate) pending: u32,
}

/// Something that could not be indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Skipped {
    /// Number of the root it is beneath.
    pub(crate) root: u8,
    /// The folder, as in [`Folder::path`].
    pub(crate) folder: String,
    /// Its name.
    pub(crate) name: String,
    /// Why.
    pub(crate) reason: String,
}

/// What is known of a file without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Modification time in nanoseconds since 1970.
    pub(crate) mtime: i64,
    pub(crate) size: u64,
    pub(crate) kind: Option<MemoryType>,
    /// The last day on which it holds.
    pub(crate) expires: Option<Date>,
    /// Decides between files that are equally good: a hash of where it is, so that the order does not depend on how
    /// the index came about.
    pub(crate) tie: u64,
}

impl Facts {
    pub(super) fn encode(&self) -> [u8; FACTS_BYTES] {
        let mut out = [0; FACTS_BYTES];
        let kind = self
            .kind
            .and_then(|kind| MemoryType::ALL.iter().position(|one| *one == kind));
        let kind = kind.map_or(0, |at| at as u8 + 1);
        let numbers = [
            self.mtime.to_le_bytes().as_slice(),
            &self.size.to_le_bytes(),
            &self.tie.to_le_bytes(),
            &self.expires.map_or(0, day_number).to_le_bytes(),
            &[kind],
        ]
        .concat();
        for (to, from) in out.iter_mut().zip(numbers) {
            *to = from;
        }
        out
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Facts, Damaged> {
        let mut cursor = Cursor(bytes);
        let mtime = i64::from_le_bytes(cursor.array()?);
        let size = u64::from_le_bytes(cursor.array()?);
        let tie = u64::from_le_bytes(cursor.array()?);
        let day = i32::from_le_bytes(cursor.array()?);
        let kind = usize::from(cursor.byte()?);
        Ok(Facts {
            mtime,
            size,
            tie,
            kind: kind
                .checked_sub(1)
                .and_then(|at| MemoryType::ALL.get(at).copied()),
            expires: date_of(day),
        })
    }
}

/// A date as a number that has the same order: 20261115.
fn day_number(date: Date) -> i32 {
    i32::from(date.year()) * 10_000 + i32::from(date.month()) * 100 + i32::from(date.day())
}

fn date_of(number: i32) -> Option<Date> {
    let part = |number: i32| i8::try_from(number).ok();
    let year = i16::try_from(number.div_euclid(10_000)).ok()?;
    let rest = number.rem_euclid(10_000);
    Date::new(year, part(rest / 100)?, part(rest % 100)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_back_as_they_were() {
        for facts in [
            Facts::default(),
            Facts {
                mtime: -5,
                size: u64::MAX,
                kind: Some(MemoryType::Reference),
                tie: 7,
                expires: Some(jiff::civil::date(2026, 12, 31)),
            },
            Facts {
                mtime: i64::MAX,
                size: 0,
                kind: Some(MemoryType::User),
                tie: u64::MAX,
                expires: Some(jiff::civil::date(-44, 3, 15)),
            },
        ] {
            assert_eq!(Facts::decode(&facts.encode()), Ok(facts));
        }
    }

    #[test]
    fn a_header_of_other_bytes_length_or_revision_is_none() {
        let header = Header {
            id: 7,
            base: 3,
            ..Header::default()
        };
        let bytes = header.encode(1, 4000);
        assert_eq!(Header::decode(&bytes, 1, 4000), Ok(header));
        assert_eq!(Header::decode(&bytes, 2, 4000), Err(Damaged));
        assert_eq!(Header::decode(&bytes, 1, 3999), Err(Damaged));
        for at in 0..HEADER_BYTES {
            let mut other = bytes;
            other[at] ^= 0x40;
            assert_eq!(Header::decode(&other, 1, 4000), Err(Damaged), "byte {at}");
        }
        assert_eq!(Header::decode(&bytes[..100], 1, 4000), Err(Damaged));
    }
}
