//! The order of the best candidates: what the scorer says of each, and what the model does.
//!
//! Three signals: the scorer's; *words*, where each word of the question counts, by how rare it is here, with the cosine of
//! its best match in a passage, and the best passage speaks for its file; *whole*, the cosine of the question with a
//! passage. They differ in scale and spread, so each is measured in its own standard deviation among the candidates.

use super::{Encoded, Vectors};
use crate::{Postings, tokens};

/// So many of the scorer's best are read by the model.
pub(crate) const CANDIDATES: usize = 80;
/// What the scorer, the words and the whole count.
const SHARES: [f32; 3] = [0.4, 0.4, 0.2];
/// A signal that varies less than this tells nothing apart.
const LEAST_SPREAD: f32 = 1e-6;

/// What the model says of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Signals {
    words: f32,
    whole: f32,
}

/// What each word of a question weighs: the rarer in these memories, the more.
pub(crate) fn weights<P: Postings>(words: &[String], index: &mut P) -> Result<Vec<f32>, P::Error> {
    let all = index.totals().files as f32;
    let mut weights = Vec::new();
    let mut list = Vec::new();
    for word in words {
        let mut terms = Vec::new();
        tokens::for_each_term(word, |term| terms.push(term.to_owned()));
        let mut weight = 0.0_f32;
        for term in terms {
            list.clear();
            index.read(&term, &mut list)?;
            let mut files: Vec<u32> = list
                .iter()
                .map(|one| index.place(one.passage).file)
                .collect();
            files.dedup();
            let having = files.len() as f32;
            weight = weight.max((1.0 + (all - having + 0.5).max(0.5) / (having + 0.5)).ln());
        }
        weights.push(weight);
    }
    Ok(weights)
}

/// What the vectors of a memory say to a question.
pub(crate) fn signals(asked: &Encoded, weights: &[f32], vectors: &Vectors) -> Signals {
    let mut sheets = vectors.sheets.iter().map(|sheet| sheet.matches(asked));
    let (header, header_whole) = sheets.next().unwrap_or_default();
    let possible: f32 = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    let score = |matches: &[f32]| {
        let both = matches.iter().zip(&header);
        let best = both.map(|(passage, header)| passage.max(*header));
        let sum: f32 = best
            .zip(weights)
            .map(|(cosine, weight)| cosine * weight)
            .sum();
        sum / possible
    };
    let passages: Vec<(f32, f32)> = sheets
        .map(|(words, whole)| (score(&words), whole))
        .collect();
    let best = passages
        .into_iter()
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    // A memory without a text is its header.
    let (words, whole) = best.unwrap_or_else(|| (score(&header), header_whole));
    Signals { words, whole }
}

/// The scores of the candidates, from 0 to 1, given the scorer's. Where the model has not read a file, the scorer speaks for
/// both.
pub(crate) fn fused(candidates: &[(f32, Option<Signals>)]) -> Vec<f32> {
    let read = || candidates.iter().filter_map(|(_, signals)| *signals);
    let parts = [
        Part::new(SHARES[0], candidates.iter().map(|(scorer, _)| *scorer)),
        Part::new(SHARES[1], read().map(|signals| signals.words)),
        Part::new(SHARES[2], read().map(|signals| signals.whole)),
    ];
    let [scorer, words, whole] = &parts;
    let shares: f32 = parts.iter().map(|part| part.share).sum();
    let steepness: f32 = parts.iter().map(|part| part.share / part.spread).sum();
    let middle: f32 = parts
        .iter()
        .map(|part| part.share * part.mean / part.spread)
        .sum();
    candidates
        .iter()
        .map(|(own, signals)| {
            let place = match signals {
                Some(signals) => {
                    let all = [
                        (scorer, own),
                        (words, &signals.words),
                        (whole, &signals.whole),
                    ];
                    all.iter()
                        .map(|(part, value)| part.share * part.place(**value))
                        .sum()
                }
                None => shares * scorer.place(*own),
            };
            // In units of the signals again: their mean, each weighted by how much it tells apart.
            if steepness > 0.0 {
                ((place + middle) / steepness).clamp(0.0, 1.0)
            } else {
                *own
            }
        })
        .collect()
}

/// A signal among the candidates.
struct Part {
    share: f32,
    mean: f32,
    spread: f32,
}

impl Part {
    fn new(share: f32, values: impl Iterator<Item = f32> + Clone) -> Part {
        let count = values.clone().count().max(1) as f32;
        let mean = values.clone().sum::<f32>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f32>() / count;
        let spread = variance.sqrt();
        match spread < LEAST_SPREAD {
            true => Part {
                share: 0.0,
                mean,
                spread: 1.0,
            },
            false => Part {
                share,
                mean,
                spread,
            },
        }
    }

    /// How far from the mean a value lies, in standard deviations.
    fn place(&self, value: f32) -> f32 {
        (value - self.mean) / self.spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(candidates: &[(f32, Option<(f32, f32)>)]) -> String {
        let signals = |(words, whole)| Signals { words, whole };
        let candidates: Vec<_> = candidates
            .iter()
            .map(|(own, read)| (*own, read.map(signals)))
            .collect();
        let scores = fused(&candidates);
        let scores: Vec<String> = scores.iter().map(|score| format!("{score:.3}")).collect();
        scores.join(" ")
    }

    #[test]
    fn signals_count_in_their_own_spread() {
        // The scorer prefers the first by a little, the words the second by much of what they vary.
        let shown_all = [
            shown(&[
                (0.6, Some((0.30, 0.2))),
                (0.5, Some((0.36, 0.2))),
                (0.1, Some((0.30, 0.1))),
            ]),
            // Nothing to tell apart, and one alone.
            shown(&[(0.5, Some((0.3, 0.2))), (0.5, Some((0.3, 0.2)))]),
            shown(&[(0.7, Some((0.3, 0.2)))]),
        ];
        insta::assert_snapshot!(shown_all.join("\n"), @r"
        0.306 0.339 0.240
        0.500 0.500
        0.700
        ");
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn a_file_that_was_not_read_keeps_its_place_in_the_scorers_order() {
        let some = [
            (0.9, None),
            (0.5, Some((0.4, 0.3))),
            (0.4, Some((0.5, 0.2))),
            (0.1, None),
        ];
        insta::assert_snapshot!(shown(&some), @"0.504 0.381 0.400 0.295");
        insta::assert_snapshot!(shown(&[(0.9, None), (0.5, None)]), @"0.900 0.500");
    }
}
