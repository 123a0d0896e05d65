//! Near-copies among many texts without comparing each with each.
//!
//! Two texts are as alike as the content words they share. Every text's words are sorted, the rarest of all first. Two
//! texts that share at least a known part of their words must share one of the first few in that order, so that only
//! texts with such a word in common are compared: no pair above the threshold is missed, and nearly none below it is
//! looked at.

use std::cmp::Reverse;
use std::collections::HashMap;

use memdir_memory::words;

/// From this share of common content words on, two texts are near-copies.
pub(super) const THRESHOLD: f64 = 0.8;

/// The content words of many texts, in the order in which they were added.
#[derive(Default)]
pub(super) struct Copies {
    numbers: HashMap<String, usize>,
    /// In how many texts each word stands.
    frequency: Vec<usize>,
    texts: Vec<Vec<usize>>,
}

/// A text that is nearly another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Copy {
    /// The later text.
    pub(super) text: usize,
    /// The earlier one that it is most like.
    pub(super) like: usize,
    /// From [`THRESHOLD`] to 1.
    pub(super) similarity: f64,
}

impl Copies {
    /// Adds a text; what has no words is like nothing.
    pub(super) fn add(&mut self, text: &str) {
        let mut numbers = Vec::new();
        for term in words::terms(text) {
            let next = self.numbers.len();
            let number = *self.numbers.entry(term).or_insert(next);
            match self.frequency.get_mut(number) {
                Some(frequency) => *frequency += 1,
                None => self.frequency.push(1),
            }
            numbers.push(number);
        }
        self.texts.push(numbers);
    }

    /// For every text the earlier one that it is most like, where that is near.
    pub(super) fn find(mut self) -> Vec<Copy> {
        self.number_by_rarity();
        let mut found = Vec::new();
        let mut same: HashMap<&[usize], usize> = HashMap::new();
        let mut with_word: Vec<Vec<usize>> = vec![Vec::new(); self.frequency.len()];
        let mut compared = vec![usize::MAX; self.texts.len()];
        for (at, text) in self.texts.iter().enumerate() {
            if text.is_empty() {
                continue;
            }
            if let Some(first) = same.get(text.as_slice()) {
                found.push(Copy {
                    text: at,
                    like: *first,
                    similarity: 1.0,
                });
                continue;
            }
            same.insert(text, at);
            let mut best: Option<Copy> = None;
            for word in text.iter().take(telling(text.len())) {
                let Some(candidates) = with_word.get_mut(*word) else {
                    continue;
                };
                for like in candidates.iter().copied() {
                    let Some(mark) = compared.get_mut(like) else {
                        continue;
                    };
                    if std::mem::replace(mark, at) == at {
                        continue;
                    }
                    let Some(other) = self.texts.get(like) else {
                        continue;
                    };
                    let Some(similarity) = similarity(text, other) else {
                        continue;
                    };
                    if best.is_none_or(|best| similarity > best.similarity) {
                        best = Some(Copy {
                            text: at,
                            like,
                            similarity,
                        });
                    }
                }
                candidates.push(at);
            }
            found.extend(best);
        }
        found
    }

    /// Gives the rarest word the number 0, and sorts the words of each text by their numbers.
    fn number_by_rarity(&mut self) {
        let mut by_rarity: Vec<(usize, usize)> = self
            .frequency
            .iter()
            .copied()
            .enumerate()
            .map(|(old, often)| (often, old))
            .collect();
        by_rarity.sort_unstable();
        let mut numbers = vec![0; by_rarity.len()];
        for (new, (_, old)) in by_rarity.into_iter().enumerate() {
            if let Some(number) = numbers.get_mut(old) {
                *number = new;
            }
        }
        for text in &mut self.texts {
            for word in text.iter_mut() {
                *word = numbers.get(*word).copied().unwrap_or(0);
            }
            text.sort_unstable();
        }
    }
}

/// Twice the common words over all words, where that is near; both texts sorted.
fn similarity(one: &[usize], other: &[usize]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = |common: usize| 2.0 * common as f64 / (one.len() + other.len()) as f64;
    let (mut a, mut b) = (one, other);
    let mut common = 0;
    while let ([first, rest_of_a @ ..], [second, rest_of_b @ ..]) = (a, b) {
        // Most candidates are given up here, after a few words.
        if share(common + a.len().min(b.len())) < THRESHOLD {
            return None;
        }
        if first <= second {
            a = rest_of_a;
        }
        if second <= first {
            b = rest_of_b;
        }
        common += usize::from(first == second);
    }
    Some(share(common)).filter(|share| *share >= THRESHOLD)
}

/// How many of a text's words, the rarest first, a near-copy must share one of.
///
/// A near-copy has at least `t / (2 - t)` of them in common with it, whatever its own length.
fn telling(words: usize) -> usize {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of words, shrunk"
    )]
    let common = (words as f64 * THRESHOLD / (2.0 - THRESHOLD)).ceil() as usize;
    words - common.min(words) + 1
}

/// Puts the nearest first.
pub(super) fn nearest_first(copies: &mut [Copy]) {
    copies.sort_by_key(|copy| {
        (
            Reverse((copy.similarity * 1000.0).round() as u32),
            copy.text,
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(texts: &[&str]) -> Vec<(usize, usize, u32)> {
        let mut copies = Copies::default();
        texts.iter().for_each(|text| copies.add(text));
        let percent = |copy: &Copy| (copy.text, copy.like, (copy.similarity * 100.0) as u32);
        copies.find().iter().map(percent).collect()
    }

    #[test]
    fn a_copy_is_named_once_with_the_text_it_is_most_like() {
        let texts = [
            "Run the integration tests with pnpm before every release",
            "Our office is closed on Fridays in August",
            "run integration tests with pnpm before every single release",
            "Before every release, run the integration tests with pnpm!",
            "",
        ];
        assert_eq!(find(&texts), [(2, 0, 93), (3, 0, 100)]);
    }

    #[test]
    fn no_pair_above_the_threshold_is_missed() {
        // Texts over a small vocabulary, so that all likenesses occur.
        let vocabulary = [
            "ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibex", "jay",
        ];
        let mut state = 7_u64;
        let mut texts = Vec::new();
        for _ in 0..300 {
            let mut text = String::new();
            for word in vocabulary {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                if state >> 62 != 0 {
                    text.push_str(word);
                    text.push(' ');
                }
            }
            texts.push(text);
        }
        let mut copies = Copies::default();
        texts.iter().for_each(|text| copies.add(text));
        let found: Vec<(usize, u32)> = copies
            .find()
            .iter()
            .map(|copy| (copy.text, (copy.similarity * 1e6) as u32))
            .collect();
        let mut expected = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let earlier = texts
                .iter()
                .take(at)
                .map(|other| words::similarity(text, other));
            let best = earlier.fold(0.0, f64::max);
            if best >= THRESHOLD && !text.is_empty() {
                expected.push((at, (best * 1e6) as u32));
            }
        }
        assert!(expected.len() > 200);
        assert_eq!(found, expected);
    }
}
