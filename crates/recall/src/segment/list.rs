//! Posting lists: differences between passages, and the weights where they are not the usual one.

use super::Damaged;
use super::bytes::{Cursor, put_number};
use crate::{Posting, Weight};

/// The header's weight follows; else it is none.
const HAS_HEADER: u64 = 1;
/// The body's weight follows; else it is one, as nearly always.
const HAS_BODY: u64 = 2;
const FLAG_BITS: u32 = 2;

/// A posting list that is being written.
#[derive(Debug, Default)]
pub(super) struct ListWriter {
    pub(super) bytes: Vec<u8>,
    next: u32,
}

impl ListWriter {
    /// Appends a posting; passages come in ascending order.
    pub(super) fn push(&mut self, posting: Posting) {
        let Weight { header, body } = posting.weight;
        let mut first = u64::from(posting.passage.saturating_sub(self.next)) << FLAG_BITS;
        first |= if header != 0 { HAS_HEADER } else { 0 };
        first |= if body != 1 { HAS_BODY } else { 0 };
        put_number(&mut self.bytes, first);
        if header != 0 {
            self.bytes.push(header);
        }
        if body != 1 {
            self.bytes.push(body);
        }
        self.next = posting.passage.saturating_add(1);
    }

    /// Puts another list behind this one, each passage moved up by `offset`: all but its first posting are the same bytes.
    pub(super) fn append(&mut self, other: &ListWriter, offset: u32) {
        self.append_bytes(&other.bytes, other.next, offset);
    }

    /// The same with a list that was written before; `end` is what [`end_of`] says about it.
    pub(super) fn append_bytes(&mut self, bytes: &[u8], end: u32, offset: u32) {
        let mut cursor = Cursor(bytes);
        let Ok(first) = cursor.number() else { return };
        let flags = first & (HAS_HEADER | HAS_BODY);
        let passage = (first >> FLAG_BITS) + u64::from(offset);
        let gap = passage.saturating_sub(u64::from(self.next));
        put_number(&mut self.bytes, gap << FLAG_BITS | flags);
        self.bytes.extend_from_slice(cursor.0);
        self.next = end.saturating_add(offset);
    }
}

/// The number after a list's last passage.
pub(super) fn end_of(bytes: &[u8]) -> Result<u32, Damaged> {
    let mut cursor = Cursor(bytes);
    let mut end = 0_u64;
    while !cursor.is_at_end() {
        let first = cursor.number()?;
        end = end.saturating_add(first >> FLAG_BITS).saturating_add(1);
        if first & HAS_HEADER != 0 {
            cursor.byte()?;
        }
        if first & HAS_BODY != 0 {
            cursor.byte()?;
        }
    }
    u32::try_from(end).map_err(|_| Damaged)
}

/// Reads a whole list, each passage moved up by `offset`.
pub(super) fn read_list(bytes: &[u8], offset: u32, into: &mut Vec<Posting>) -> Result<(), Damaged> {
    let mut cursor = Cursor(bytes);
    let mut next = offset;
    // Most postings are one byte or two.
    into.reserve(bytes.len() / 2 + 1);
    while !cursor.is_at_end() {
        let first = cursor.number()?;
        let gap = u32::try_from(first >> FLAG_BITS).map_err(|_| Damaged)?;
        let header = if first & HAS_HEADER != 0 {
            cursor.byte()?
        } else {
            0
        };
        let body = if first & HAS_BODY != 0 {
            cursor.byte()?
        } else {
            1
        };
        let passage = next.checked_add(gap).ok_or(Damaged)?;
        into.push(Posting {
            passage,
            weight: Weight { header, body },
        });
        next = passage.checked_add(1).ok_or(Damaged)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_list_is_read_as_it_was_written(gaps in prop::collection::vec((0_u32..5000, 0_u8..5, 0_u8..9), 0..60), offset in 0_u32..1000) {
            let mut writer = ListWriter::default();
            let mut expected = Vec::new();
            let mut next = 0;
            for (gap, header, body) in gaps {
                let posting = Posting { passage: next + gap, weight: Weight { header, body } };
                next = posting.passage + 1;
                writer.push(posting);
                expected.push(Posting { passage: posting.passage + offset, ..posting });
            }
            let mut read = Vec::new();
            read_list(&writer.bytes, offset, &mut read).unwrap();
            prop_assert_eq!(end_of(&writer.bytes), Ok(next));
            prop_assert_eq!(&read, &expected);
            let mut both = ListWriter::default();
            both.append(&writer, 0);
            both.append(&writer, next + offset);
            both.push(Posting { passage: both.next + 5, weight: Weight { header: 0, body: 1 } });
            let mut read = Vec::new();
            read_list(&both.bytes, 0, &mut read).unwrap();
            let moved = expected.iter().map(|posting| posting.passage - offset);
            let behind = expected.iter().map(|posting| posting.passage + next);
            let passages: Vec<u32> = moved.chain(behind).collect();
            let last = if passages.is_empty() { 5 } else { next + next + offset + 5 };
            let read: Vec<u32> = read.iter().map(|posting| posting.passage).collect();
            prop_assert_eq!(read, [passages, vec![last]].concat());
        }
    }
}
