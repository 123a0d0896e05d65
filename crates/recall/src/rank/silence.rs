//! When to say nothing.
//!
//! A logistic model over a handful of features that mean the same in a directory of twenty files and of ten thousand.
//! Its numbers were fitted on questions with and without an answer: the memories and questions in `tests/data`, and
//! questions about everyday life asked of notes about programming and the other way round. `tests/it/ranking.rs`
//! holds it to what was reached.

use super::gather::{Evidence, Gathered};
use super::question::Asked;
use crate::Totals;

/// From here on a file answers the query.
const ENOUGH: f32 = -1.25;
/// So much less is asked of the files that come with one that answers.
const COMPANION: f32 = 3.0;
/// Cosines below this are noise.
const NEAR: f32 = 0.3;
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
        let (cosine, through) = evidence.matches.get(number).copied().unwrap_or_default();
        let amount = (word.rarity - COMMON).max(0.0) / SPAN;
        if cosine > 0.0 && through.is_none() {
            shared += weight / possible;
            shared_amount += amount;
        } else if cosine > 0.0 {
            near += weight * (cosine - NEAR) / possible;
            near_amount += amount * (cosine - NEAR);
        }
        let known = gathered.familiar(number);
        familiar += weight * known / possible;
        if known < 0.5 {
            // A word that the table does not have may be the user's own name for something that is there.
            strange += amount * if word.near.is_empty() { 0.3 } else { 1.0 };
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
