//! Terms in blocks: within a block each term is told by what differs from the one before it.

use std::cmp::Ordering;

use super::Damaged;
use super::bytes::{Cursor, put_checked, put_number, u32_at};

/// How many terms a block has: large enough that the first terms of all blocks are small, small enough to read whole.
const BLOCK_TERMS: usize = 48;

/// Where a posting list is in its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListPlace {
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The three sections of a dictionary, being written. Terms come sorted.
#[derive(Default)]
pub(super) struct DictionaryWriter {
    pub(super) block_offsets: Vec<u8>,
    pub(super) blocks: Vec<u8>,
    pub(super) dictionary: Vec<u8>,
    block: Vec<u8>,
    terms: usize,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl DictionaryWriter {
    pub(super) fn push(&mut self, term: &str, list: ListPlace) {
        let term = term.as_bytes();
        if self.terms == 0 {
            self.first = term.to_vec();
            self.last.clear();
            put_number(&mut self.block, list.offset);
        }
        let shared = self
            .last
            .iter()
            .zip(term)
            .take_while(|(one, other)| one == other)
            .count();
        let rest = term.get(shared..).unwrap_or_default();
        put_number(&mut self.block, shared as u64);
        put_number(&mut self.block, rest.len() as u64);
        self.block.extend_from_slice(rest);
        put_number(&mut self.block, list.length);
        self.last = term.to_vec();
        self.terms += 1;
        if self.terms == BLOCK_TERMS {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        if self.terms == 0 {
            return;
        }
        let offset = self.dictionary.len() as u64;
        put_checked(&mut self.dictionary, &self.block);
        let length = self.dictionary.len() as u64 - offset;
        self.push_block_offset();
        put_number(&mut self.blocks, offset);
        put_number(&mut self.blocks, length);
        self.blocks.extend_from_slice(&self.first);
        self.block.clear();
        self.terms = 0;
    }

    fn push_block_offset(&mut self) {
        let offset = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        self.block_offsets.extend_from_slice(&offset.to_le_bytes());
    }

    /// The sections, whole: offsets of blocks, blocks, dictionary.
    pub(super) fn finish(mut self) -> [Vec<u8>; 3] {
        self.close_block();
        self.push_block_offset();
        [self.block_offsets, self.blocks, self.dictionary]
    }
}

/// Where a dictionary block is, and its first term.
pub(super) struct Block<'a> {
    pub(super) offset: u64,
    pub(super) length: u64,
    first: &'a [u8],
}

/// The blocks of a dictionary.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) offsets: &'a [u8],
    pub(super) blocks: &'a [u8],
}

impl<'a> Blocks<'a> {
    pub(super) fn count(&self) -> usize {
        (self.offsets.len() / 4).saturating_sub(1)
    }

    pub(super) fn get(&self, number: usize) -> Result<Block<'a>, Damaged> {
        let at = |number| {
            let offset = u32_at(self.offsets, number).ok_or(Damaged)?;
            usize::try_from(offset).map_err(|_| Damaged)
        };
        let bytes = self.blocks.get(at(number)?..at(number + 1)?);
        let mut cursor = Cursor(bytes.ok_or(Damaged)?);
        Ok(Block {
            offset: cursor.number()?,
            length: cursor.number()?,
            first: cursor.0,
        })
    }

    /// The one block that can have a term.
    pub(super) fn find(&self, term: &str) -> Result<Option<Block<'a>>, Damaged> {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle)?.first.cmp(term.as_bytes()) {
                Ordering::Greater => high = middle,
                Ordering::Less | Ordering::Equal => low = middle + 1,
            }
        }
        low.checked_sub(1)
            .map(|number| self.get(number))
            .transpose()
    }
}

/// Visits the terms of a block until `visit` says stop.
pub(super) fn scan_block(
    block: &[u8],
    mut visit: impl FnMut(&[u8], ListPlace) -> Result<bool, Damaged>,
) -> Result<(), Damaged> {
    let mut cursor = Cursor(block);
    let mut offset = cursor.number()?;
    let mut term = Vec::new();
    while !cursor.is_at_end() {
        let shared = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
        let rest = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
        if shared > term.len() {
            return Err(Damaged);
        }
        term.truncate(shared);
        term.extend_from_slice(cursor.take(rest)?);
        let length = cursor.number()?;
        if !visit(&term, ListPlace { offset, length })? {
            return Ok(());
        }
        offset = offset.checked_add(length).ok_or(Damaged)?;
    }
    Ok(())
}

/// The place of a term's list, if the block has the term.
///
/// No term is put together: what one shares with the term before it says most of how it compares to the one that is sought.
pub(super) fn find_in_block(block: &[u8], term: &str) -> Result<Option<ListPlace>, Damaged> {
    let term = term.as_bytes();
    let mut cursor = Cursor(block);
    let mut offset = cursor.number()?;
    // So many bytes the terms so far, all of them smaller, have in common with the one that is sought.
    let mut known = 0;
    while !cursor.is_at_end() {
        let shared = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
        let rest = usize::try_from(cursor.number()?).map_err(|_| Damaged)?;
        let rest = cursor.take(rest)?;
        let length = cursor.number()?;
        if shared < known {
            // It differs where the one before was still the same, and is greater there.
            return Ok(None);
        }
        if shared == known {
            let sought = term.get(known..).unwrap_or_default();
            match rest.cmp(sought) {
                Ordering::Equal => return Ok(Some(ListPlace { offset, length })),
                Ordering::Greater => return Ok(None),
                Ordering::Less => {}
            }
            let same = rest
                .iter()
                .zip(sought)
                .take_while(|(one, other)| one == other);
            known += same.count();
        }
        offset = offset.checked_add(length).ok_or(Damaged)?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::bytes::checked;
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn every_term_is_found_and_no_other(terms in prop::collection::btree_set("[a-eé]{1,5}", 0..300), other in "[a-fé]{0,6}") {
            let mut writer = DictionaryWriter::default();
            let mut offset = 0;
            let places: Vec<(String, ListPlace)> = terms
                .iter()
                .map(|term| {
                    let place = ListPlace { offset, length: term.len() as u64 + 1 };
                    offset += place.length;
                    writer.push(term, place);
                    (term.clone(), place)
                })
                .collect();
            let [offsets, blocks, dictionary] = writer.finish();
            let find = |term: &str| {
                let blocks = Blocks { offsets: &offsets, blocks: &blocks };
                let block = blocks.find(term).unwrap()?;
                let (from, to) = (block.offset as usize, (block.offset + block.length) as usize);
                find_in_block(checked(&dictionary[from..to]).unwrap(), term).unwrap()
            };
            for (term, place) in &places {
                prop_assert_eq!(find(term), Some(*place));
            }
            let known: BTreeSet<String> = terms;
            prop_assert_eq!(find(&other).is_some(), known.contains(&other));
        }
    }
}
