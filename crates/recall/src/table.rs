//! Which terms are near in meaning, and how rare terms are in general text: a table that ships with the program.
//!
//! `table/make.py` makes it from a language model; its head says from which, and describes the format. Nothing is
//! parsed when the program starts: a look-up touches a few pages of the program's own file.

use crate::tokens;

const BYTES: &[u8] = include_bytes!("../table/table.bin");
const MAGIC: &[u8] = b"MDNEAR01";
/// Rarity of a word that the table does not have: less than once in a million words.
const UNKNOWN: f32 = 13.0;

/// The table, cut into its columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    count: usize,
    starts: &'static [u8],
    rarities: &'static [u8],
    begins: &'static [u8],
    terms: &'static [u8],
    cosines: &'static [u8],
    text: &'static [u8],
}

impl Table {
    /// The shipped table. Were it broken, every term would be unknown and have no neighbours.
    pub(crate) fn shipped() -> Self {
        Self::parse(BYTES).unwrap_or(Self {
            count: 0,
            starts: &[],
            rarities: &[],
            begins: &[],
            terms: &[],
            cosines: &[],
            text: &[],
        })
    }

    fn parse(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let count = number(rest, 0)?;
        let rest = rest.get(4..)?;
        let (starts, rest) = rest.split_at_checked(4 * (count + 1))?;
        let (rarities, rest) = rest.split_at_checked(count)?;
        let (begins, rest) = rest.split_at_checked(4 * (count + 1))?;
        let neighbours = number(begins, count)?;
        let (terms, rest) = rest.split_at_checked(2 * neighbours)?;
        let (cosines, text) = rest.split_at_checked(neighbours)?;
        Some(Self {
            count,
            starts,
            rarities,
            begins,
            terms,
            cosines,
            text,
        })
    }

    fn term(&self, at: usize) -> Option<&'static str> {
        let text = self
            .text
            .get(number(self.starts, at)?..number(self.starts, at + 1)?)?;
        std::str::from_utf8(text).ok()
    }

    fn find(&self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.term(middle)?.as_bytes().cmp(term.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The nearest terms with their cosines, the nearest first.
    pub(crate) fn near(&self, term: &str) -> impl Iterator<Item = (&'static str, f32)> {
        let range = self
            .find(term)
            .and_then(|at| Some(number(self.begins, at)?..number(self.begins, at + 1)?))
            .unwrap_or_default();
        let table = *self;
        range.filter_map(move |place| {
            let pair = table.terms.get(2 * place..2 * place + 2)?;
            let other = u16::from_le_bytes(pair.try_into().ok()?);
            let cosine = table.cosines.get(place)?;
            Some((table.term(usize::from(other))?, f32::from(*cosine) / 255.0))
        })
    }

    /// How rare a term is in general text: from about 3, a word of every other sentence, to 13.
    pub(crate) fn rarity(&self, term: &str) -> f32 {
        if let Some(rarity) = self.find(term).and_then(|at| self.rarities.get(at)) {
            return (f32::from(*rarity) / 16.0).min(UNKNOWN);
        }
        let mut characters = term.chars();
        let (first, second) = (characters.next(), characters.next());
        match (first, second) {
            (Some(first), None) if tokens::is_paired(first) => 6.0,
            // Written in hiragana: endings and particles rather than nouns.
            (Some('\u{3040}'..='\u{309F}'), Some('\u{3040}'..='\u{309F}')) => 5.0,
            (Some(first), Some(_)) if tokens::is_paired(first) => 9.0,
            (Some(_), None) => 5.0,
            _ if term.bytes().all(|byte| byte.is_ascii_digit()) => match term.len() {
                ..=2 => 6.5,
                _ => 9.0,
            },
            _ => UNKNOWN,
        }
    }
}

/// The little-endian number at a place of a column.
fn number(column: &[u8], place: usize) -> Option<usize> {
    let bytes = column.get(4 * place..4 * place + 4)?;
    usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn near(term: &str) -> String {
        let table = Table::shipped();
        let near = table.near(term).take(5);
        near.map(|(term, cosine)| format!("{term} {cosine:.2}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn neighbours_mean_much_the_same() {
        insta::assert_snapshot!(near("doctor"), @"physician 0.80, medic 0.69, dr 0.68, surgeon 0.60, medicin 0.57");
        insta::assert_snapshot!(near("kubernet"), @"k8s 0.58, argocd 0.56, cluster 0.56, configmap 0.55, contain 0.55");
        insta::assert_snapshot!(near("no such term"), @"");
    }

    #[test]
    fn every_term_is_found_and_every_neighbour_is_a_term() {
        let table = Table::shipped();
        assert!(table.count > 20_000);
        for at in 0..table.count {
            let term = table.term(at).unwrap();
            assert_eq!(table.find(term), Some(at));
            assert!(
                table
                    .near(term)
                    .all(|(other, cosine)| other != term && cosine >= 0.34)
            );
        }
    }

    #[test]
    fn the_script_stems_as_the_program_does() {
        let table = Table::shipped();
        let mut strange = Vec::new();
        let lines = include_str!("../table/glosses.txt").lines();
        for (word, _) in lines.filter_map(|line| line.split_once(':')) {
            crate::tokens::for_each_term(word, |term| {
                // Of an identifier with digits the table has the whole only.
                let is_whole = !word.contains(|character: char| character.is_ascii_digit());
                if is_whole && table.find(term).is_none() {
                    strange.push(format!("{word}: {term}"));
                }
            });
        }
        assert!(strange.is_empty(), "{strange:?}");
    }
}
