//! Finds the keywords of all rules in one pass.
//!
//! Its tables are made by the compiler, because every `remember` scans and a process that scans a
//! sentence should not first build an automaton: that cost more than the rest of the program's
//! start. A bit for each hash of three bytes says "no" to nearly every place of a text, and a bit
//! for the fourth byte to most of the rest; where both say "maybe", the keywords that begin so are
//! compared.

use std::ops::Range;

use super::rules::{self, Rule};

/// A keyword and the rule it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Keyword {
    pub(super) rule: &'static Rule,
    /// Place of the rule in the order of all rules.
    pub(super) order: usize,
    text: &'static str,
    /// The next keyword in the same bucket.
    next: Option<u16>,
}

/// How many bytes of a keyword are hashed: every keyword has at least so many.
const HASHED: usize = 3;
const BUCKETS: usize = 4096;

/// Everything the pass looks at.
struct Table {
    /// One bit for each 16-bit hash.
    maybe: [u64; 1024],
    /// For each bucket, one bit for each fourth byte with which one of its keywords goes on.
    fourth: [u32; BUCKETS],
    /// First keyword of each bucket.
    first: [Option<u16>; BUCKETS],
    keywords: [Keyword; rules::KEYWORDS],
}

static TABLE: Table = build();

/// The three bytes as one number, letters without their case.
const fn fold(window: u32, byte: u8) -> u32 {
    ((window << 8) | (byte | 0x20) as u32) & 0x00FF_FFFF
}

/// A 16-bit hash of three folded bytes.
const fn hash(window: u32) -> usize {
    (window.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

/// The bit of a fourth byte, letters without their case.
const fn bit(byte: u8) -> u32 {
    1 << (byte & 31)
}

const fn bucket(hash: usize) -> usize {
    hash % BUCKETS
}

#[expect(
    clippy::indexing_slicing,
    reason = "run by the compiler: a wrong index does not compile"
)]
const fn build() -> Table {
    let blank = Keyword {
        rule: &rules::FAMILIES[0][0],
        order: 0,
        text: "",
        next: None,
    };
    let mut table = Table {
        maybe: [0; 1024],
        fourth: [0; BUCKETS],
        first: [None; BUCKETS],
        keywords: [blank; rules::KEYWORDS],
    };
    let (mut family, mut order, mut count) = (0, 0, 0);
    while family < rules::FAMILIES.len() {
        let mut member = 0;
        while member < rules::FAMILIES[family].len() {
            let rule = &rules::FAMILIES[family][member];
            let mut place = 0;
            while place < rule.keywords.len() {
                let text = rule.keywords[place];
                let bytes = text.as_bytes();
                let hash = hash(fold(fold(fold(0, bytes[0]), bytes[1]), bytes[2]));
                table.maybe[hash / 64] |= 1 << (hash % 64);
                table.fourth[bucket(hash)] |= if bytes.len() > HASHED {
                    bit(bytes[HASHED])
                } else {
                    u32::MAX
                };
                let next = table.first[bucket(hash)];
                table.first[bucket(hash)] = Some(count as u16);
                table.keywords[count] = Keyword {
                    rule,
                    order,
                    text,
                    next,
                };
                count += 1;
                place += 1;
            }
            order += 1;
            member += 1;
        }
        family += 1;
    }
    table
}

/// Calls `visit` for every keyword in a text, in the order of their beginnings.
pub(super) fn each(text: &str, mut visit: impl FnMut(&'static Keyword, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut window = 0;
    for (last, byte) in bytes.iter().enumerate() {
        window = fold(window, *byte);
        let hash = hash(window);
        let maybe = TABLE
            .maybe
            .get(hash / 64)
            .is_some_and(|bits| bits >> (hash % 64) & 1 == 1);
        if !maybe {
            continue;
        }
        let fourth = TABLE.fourth.get(bucket(hash)).copied().unwrap_or_default();
        let goes_on = bytes
            .get(last + 1)
            .map_or(fourth == u32::MAX, |byte| fourth & bit(*byte) > 0);
        let Some(start) = last.checked_sub(HASHED - 1).filter(|_| goes_on) else {
            continue;
        };
        let mut next = TABLE.first.get(bucket(hash)).copied().flatten();
        while let Some(keyword) = next.and_then(|place| TABLE.keywords.get(usize::from(place))) {
            next = keyword.next;
            let end = start + keyword.text.len();
            let here = bytes.get(start..end);
            if here.is_some_and(|here| here.eq_ignore_ascii_case(keyword.text.as_bytes())) {
                visit(keyword, start..end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TABLE, each};

    #[test]
    fn finds_every_keyword_in_any_case() {
        for keyword in &TABLE.keywords {
            for text in [
                keyword.text.to_owned(),
                keyword.text.to_ascii_uppercase(),
                keyword.text.to_ascii_lowercase(),
            ] {
                let mut found = false;
                each(&format!("ab{text}c"), |other, range| {
                    found |= std::ptr::eq(keyword.rule, other.rule) && range == (2..2 + text.len());
                });
                assert!(found, "{text}");
            }
        }
    }
}
