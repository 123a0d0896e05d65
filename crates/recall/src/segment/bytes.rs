//! Numbers and texts as bytes, and the sums by which they are checked.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::Damaged;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
const OFFSET: u64 = 0x2545_f491_4f6c_dd1d;

/// A number that tells damaged bytes from whole ones, and names from one another. Eight bytes a step: sections of a
/// megabyte are checked at every start.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    let hasher = Hasher::new(bytes.len() as u64);
    let (words, rest) = bytes.as_chunks::<8>();
    let hasher = words.iter().fold(hasher, Hasher::with);
    hasher.finish(rest)
}

/// The same, of bytes that come in parts.
#[derive(Clone, Copy)]
pub(super) struct Hasher(u64);

impl Hasher {
    /// For so many bytes.
    pub(super) fn new(length: u64) -> Hasher {
        Hasher(length.wrapping_mul(MULTIPLIER))
    }

    pub(super) fn with(self, word: &[u8; 8]) -> Hasher {
        Hasher(mixed(self.0, u64::from_le_bytes(*word)))
    }

    /// The hash, after what is left over.
    pub(super) fn finish(self, rest: &[u8]) -> u64 {
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        mixed(self.with(&last).0, MULTIPLIER)
    }
}

fn mixed(hash: u64, word: u64) -> u64 {
    // Both halves of the long product, so that every bit moves others in both directions.
    let product = u128::from(hash ^ word ^ OFFSET) * u128::from(MULTIPLIER);
    (product >> 64) as u64 ^ product as u64
}

/// Hashes terms for tables in memory, faster than the standard one. Seeded anew by each process: nobody can write a memory
/// whose terms all fall into one place.
#[derive(Clone)]
pub(crate) struct TermState(u64);

impl Default for TermState {
    fn default() -> TermState {
        static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u8));
        TermState(*SEED)
    }
}

impl BuildHasher for TermState {
    type Hasher = TermHasher;

    fn build_hasher(&self) -> TermHasher {
        TermHasher(self.0)
    }
}

/// One hash on its way.
pub(crate) struct TermHasher(u64);

impl std::hash::Hasher for TermHasher {
    fn write(&mut self, bytes: &[u8]) {
        let hasher = Hasher(self.0 ^ (bytes.len() as u64).wrapping_mul(MULTIPLIER));
        let (words, rest) = bytes.as_chunks::<8>();
        self.0 = words.iter().fold(hasher, Hasher::with).finish(rest);
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 ^= u64::from(byte);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The short sum in front of a block or list.
pub(super) fn short_sum(bytes: &[u8]) -> u32 {
    let hash = hash_of(bytes);
    u32::try_from(hash >> 32).unwrap_or(0)
}

/// Bytes behind their short sum; an error when it does not fit.
pub(super) fn checked(bytes: &[u8]) -> Result<&[u8], Damaged> {
    let (sum, rest) = bytes.split_first_chunk::<4>().ok_or(Damaged)?;
    if u32::from_le_bytes(*sum) == short_sum(rest) {
        Ok(rest)
    } else {
        Err(Damaged)
    }
}

/// Appends bytes behind their short sum.
pub(super) fn put_checked(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&short_sum(bytes).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// Appends a number, seven bits a byte.
pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a text behind its length.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads from the front of some bytes.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a>(pub(super) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.0.split_first().ok_or(Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    pub(super) fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0_u64;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            if shift > 63 {
                return Err(Damaged);
            }
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    pub(super) fn small(&mut self) -> Result<u32, Damaged> {
        u32::try_from(self.number()?).map_err(|_| Damaged)
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Damaged> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Damaged> {
        let length = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        std::str::from_utf8(self.take(length)?).map_err(|_| Damaged)
    }
}

/// The number at a place of an array of fixed numbers.
pub(super) fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    let at = index.checked_mul(4)?;
    let chunk = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_put_is_read(number: u64, text in "\\PC{0,40}") {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_text(&mut out, &text);
            let mut cursor = Cursor(&out);
            prop_assert_eq!(cursor.number().unwrap(), number);
            prop_assert_eq!(cursor.text().unwrap(), text);
            prop_assert!(cursor.is_at_end());
        }

        #[test]
        fn any_changed_byte_is_noticed(mut bytes in prop::collection::vec(any::<u8>(), 1..200), at: prop::sample::Index, by in 1_u8..) {
            let mut out = Vec::new();
            put_checked(&mut out, &bytes);
            prop_assert_eq!(checked(&out), Ok(bytes.as_slice()));
            let at = at.index(bytes.len());
            bytes[at] = bytes[at].wrapping_add(by);
            out.truncate(4);
            out.extend_from_slice(&bytes);
            prop_assert_eq!(checked(&out), Err(Damaged));
        }
    }

    #[test]
    fn names_that_differ_little_have_other_hashes() {
        let mut hashes: Vec<u64> = (0..100_000)
            .map(|number| hash_of(format!("note_{number:06}.md").as_bytes()))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 100_000);
        assert_ne!(hash_of(b"a"), hash_of(b"a\0"));
    }
}
