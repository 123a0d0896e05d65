//! When to say nothing.
//!
//! A logistic model over a handful of features that mean the same in a directory of twenty files and of ten thousand.
//! Its numbers were fitted on questions with and without an answer. `tests/it/silence.rs` says on which, measures them on
//! directories that had no part in it, and holds the model to what it reaches.

use super::evidence::Evidence;
use super::gather::Gathered;
use super::question::Asked;
use crate::Totals;

/// From here on a file answers the query.
const ENOUGH: f32 = -1.4;
/// So much less is asked of the files that come with one that answers.
const COMPANION: f32 = 3.0;
/// Cosines below this are noise.
const NEAR: f32 = 0.3;
/// A query of one word is answered by that word, or by one that means the same.
const SAME: f32 = 0.6;
/// What a word of the file that speaks for another word of the query already is worth the second time.
const AGAIN: f32 = 0.5;
/// Words as common as this count for nothing, however well they match.
const COMMON: f32 = 4.0;
/// The rarest words are so much rarer.
const SPAN: f32 = 9.0;
/// The logarithm of the number of passages up to which chance matches grow with it; beyond, they hardly do.
const GROWTH: f32 = 7.2;
/// Chance in the smallest directories.
const LEAST_CHANCE: f32 = 6.3;

/// How sure one can be that a file answers a query. The unit is that of log odds.
pub(super) fn relevance(
    asked: &Asked,
    gathered: &Gathered,
    evidence: &Evidence,
    totals: &Totals,
) -> f32 {
    let possible = gathered.possible();
    let (mut shared, mut shared_amount, mut near, mut near_amount) = (0.0, 0.0, 0.0, 0.0);
    let (mut familiar, mut strange) = (0.0, 0.0);
    for (number, word) in asked.words.iter().enumerate() {
        let weight = evidence.weights.get(number).copied().unwrap_or_default();
        let found = evidence.matches.get(number).copied().unwrap_or_default();
        let rare = (word.rarity - COMMON).max(0.0) / SPAN;
        let amount = rare * word.telling;
        if found.cosine > 0.0 && found.near.is_none() {
            shared += weight / possible;
            shared_amount += amount;
        } else if found.cosine > 0.0 {
            let nearness = (found.own - NEAR).max(AGAIN * (found.cosine - NEAR));
            near += weight * nearness / possible;
            near_amount += amount * nearness;
            if asked.words.len() == 1 && found.cosine < SAME {
                return f32::NEG_INFINITY;
            }
        }
        let known = gathered.familiar(number);
        familiar += weight * known / possible;
        if known < 0.5 {
            // A word that the table does not have may be the user's own name for something that is there.
            strange += rare * if word.near.is_empty() { 0.3 } else { 1.0 };
        }
    }
    6.8 + 4.6 * shared_amount
        + 3.1 * shared * shared_amount
        + 5.0 * near
        + 9.2 * near_amount
        + 3.9 * familiar
        - 1.3 * strange
        - 1.76 * chance(totals)
}

/// How likely it is that some passage matches by chance: the more passages there are, and the longer they are.
#[expect(clippy::cast_precision_loss, reason = "logarithms are taken")]
fn chance(totals: &Totals) -> f32 {
    let passages = totals.passages.max(1) as f32;
    let terms = (totals.lengths + totals.header_lengths) as f32 / passages;
    let many = passages.ln();
    let grown = GROWTH - (GROWTH - many).max(0.0) * 0.97 + (many - GROWTH).max(0.0) * 0.15;
    (grown + terms.max(1.0).ln()).max(LEAST_CHANCE)
}

/// Which of the best files may be shown: none, unless one of them answers the query.
pub(super) fn shown(relevances: &[f32]) -> Vec<bool> {
    let answered = relevances.iter().any(|relevance| *relevance >= ENOUGH);
    relevances
        .iter()
        .map(|relevance| answered && *relevance >= ENOUGH - COMPANION)
        .collect()
}
