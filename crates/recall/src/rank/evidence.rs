//! What speaks for one file: which of its words answer to which of the query's.

use std::collections::HashSet;

use super::Reason;
use super::gather::{Gathered, file_passages};
use super::question::Asked;
use crate::Postings;

/// How well a file answers to each word of the query.
pub(super) struct Evidence {
    /// For each word of the query.
    pub(super) matches: Vec<Match>,
    /// What each word weighs.
    pub(super) weights: Vec<f32>,
}

/// What a file has for one word of the query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Match {
    /// The best cosine; 0 when there is nothing.
    pub(super) cosine: f32,
    /// Which neighbour of the word it was; none for the word itself.
    pub(super) near: Option<usize>,
    /// The best cosine of a word of the file that speaks for no other word of the query.
    pub(super) own: f32,
}

impl Evidence {
    /// How well a file, in its best passage and its header, answers to each word of the query.
    pub(super) fn new<P: Postings>(
        gathered: &Gathered,
        file: u32,
        passage: u32,
        index: &P,
    ) -> Self {
        let first = file_passages(passage, file, index).start;
        let mut present = Vec::new();
        for list in &gathered.lists {
            let postings = gathered.postings.get(list.range.clone());
            let postings = postings.unwrap_or_default();
            let has = |wanted: u32, header_only: bool| {
                postings
                    .binary_search_by_key(&wanted, |posting| posting.passage)
                    .ok()
                    .and_then(|at| postings.get(at))
                    .is_some_and(|posting| !header_only || posting.weight.header > 0)
            };
            if has(passage, false) || has(first, true) {
                present.push(list);
            }
        }
        present.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
        let mut matches = vec![Match::default(); gathered.weights.len()];
        let mut taken = HashSet::new();
        for list in present {
            let Some(found) = matches.get_mut(list.word) else {
                continue;
            };
            if list.cosine > found.cosine {
                found.cosine = list.cosine;
                found.near = list.near;
            }
            if found.own == 0.0 && taken.insert(list.range.start) {
                found.own = list.cosine;
            }
        }
        Self {
            matches,
            weights: gathered.weights.clone(),
        }
    }

    /// What speaks for the file, the strongest first.
    pub(super) fn reasons(&self, asked: &Asked) -> Vec<Reason> {
        let mut found: Vec<(f32, Reason)> = Vec::new();
        for ((word, one), weight) in asked.words.iter().zip(&self.matches).zip(&self.weights) {
            if one.cosine <= 0.0 {
                continue;
            }
            let reason = match one.near.and_then(|at| word.near.get(at)) {
                Some((other, _)) => Reason::Near(word.term.clone(), (*other).to_owned()),
                None => Reason::Word(word.term.clone()),
            };
            found.push((one.cosine * weight, reason));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, reason)| reason).collect()
    }
}
