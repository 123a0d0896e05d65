//! An estimate without a table, for where nothing may be loaded.

use super::Estimate;
use super::allowance::allowance;
use super::makeup::{Feature, makeup};

/// Counts words, digits, punctuation, line ends and letters of other scripts, each with a weight. A hook has no time to
/// load a tokeniser; this takes none to load and is within a few per cent on what agents read, where a count of bytes
/// is off by half.
///
/// ```
/// use memdir_conversation::tokens::{Bytes, Classes, Estimate};
///
/// let listing = "-rw-r--r-- 1 dev dev 4096 Nov 16 03:44 Cargo.toml\n";
/// assert_eq!((Bytes.text(listing), Classes.text(listing)), (13, 22));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Classes;

/// Thousandths of a token for each feature: least squares against o200k over 36 kinds of text (code, Markdown, JSON, logs,
/// listings, searches, diffs, encoded bytes, fourteen languages), half of the pieces held out.
const WEIGHTS: [(Feature, u64); Feature::COUNT] = [
    (Feature::Word, 666),
    (Feature::Glued, 770),
    (Feature::Mixed, 1_072),
    (Feature::Middle, 265),
    (Feature::Tail, 378),
    (Feature::Capitals, 150),
    (Feature::Rare, 878),
    (Feature::Accented, 607),
    (Feature::Digits, 1_153),
    (Feature::SpaceBeforeDigits, 1_000),
    (Feature::MarksBeforeWord, 300),
    (Feature::Marks, 744),
    (Feature::MoreMarks, 538),
    (Feature::SameMarks, 222),
    (Feature::Gap, 1_121),
    (Feature::LineAfterMark, 250),
    (Feature::Line, 1_000),
    (Feature::Ideograph, 800),
    (Feature::Syllable, 732),
    (Feature::EasternWord, 1_416),
    (Feature::Eastern, 160),
    (Feature::Script, 445),
    (Feature::Wide, 777),
    (Feature::Other, 1_224),
    (Feature::SameOther, 100),
];

impl Estimate for Classes {
    fn text(&self, text: &str) -> u64 {
        let makeup = makeup(text);
        let thousandths: u64 = WEIGHTS
            .iter()
            .zip(makeup)
            .map(|((_, weight), count)| weight * u64::from(count))
            .sum();
        thousandths.div_ceil(1_000)
    }

    fn allowance(&self, text: &str) -> u64 {
        allowance(text)
    }

    fn name(&self) -> &'static str {
        "classes"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stand_in_the_order_of_the_features() {
        for (place, (feature, _)) in WEIGHTS.iter().enumerate() {
            assert_eq!(*feature as usize, place);
        }
    }
}
