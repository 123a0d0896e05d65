//! When to say nothing.

use super::gather::Evidence;
use super::question::Asked;

/// What a file's answer to a query amounts to.
pub(super) struct Features {
    /// Share of the query's weight that the file answers to.
    pub(super) coverage: f32,
    /// How much that is in itself.
    pub(super) evidence: f32,
}

pub(super) fn features(evidence: &Evidence, asked: &Asked) -> Features {
    let mut possible = 0.0;
    let mut covered = 0.0;
    let mut amount = 0.0;
    for ((word, (cosine, _)), weight) in asked
        .words
        .iter()
        .zip(&evidence.matches)
        .zip(&evidence.weights)
    {
        possible += weight;
        covered += weight * cosine;
        amount += (word.rarity - 4.0).max(0.0) / 9.0 * cosine;
    }
    Features {
        coverage: covered / f32::max(possible, f32::MIN_POSITIVE),
        evidence: amount,
    }
}

/// Whether a file is relevant enough to be shown.
pub(super) fn is_relevant(evidence: &Evidence, asked: &Asked) -> bool {
    let features = features(evidence, asked);
    features.coverage >= 0.4 && features.evidence >= 0.5
}
