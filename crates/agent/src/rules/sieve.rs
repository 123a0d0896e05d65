//! A quick look that lets most messages pass by: no cue, no wish.

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::phrases::Phrases;
use super::{chinese, english};

/// Whether a message has a phrase without which no rule finds anything.
pub(super) fn may_hold_a_wish(message: &str) -> bool {
    static CUES: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let Some(cues) = CUES.get_or_init(automaton) else {
        return true;
    };
    cues.find_overlapping_iter(message)
        .any(|found| Phrases::is_whole(message, found.range()))
}

fn automaton() -> Option<AhoCorasick> {
    let lists = english::CUES.iter().chain(chinese::CUES.iter());
    let mut cues: Vec<String> = Vec::new();
    for cue in lists.flat_map(|list| list.each()) {
        cues.push(cue.to_owned());
        if cue.contains('\'') {
            cues.push(cue.replace('\'', "’"));
        }
    }
    cues.sort_unstable();
    cues.dedup();
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(&cues)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::may_hold_a_wish;
    use crate::rules::{chinese, english, speech};

    /// What the rules find in a sentence of the labelled messages, they find behind the sieve.
    #[test]
    fn lets_every_wish_through() {
        let labelled = [
            include_str!("../../tests/data/wishes.tsv"),
            include_str!("../../tests/data/wishes_others.tsv"),
            include_str!("../../tests/data/wishes_fresh.tsv"),
            include_str!("../../tests/data/wishes_later.tsv"),
            include_str!("../../tests/data/wishes_third.tsv"),
            include_str!("../../tests/data/wishes_fourth.tsv"),
            include_str!("../../tests/data/wishes_fifth.tsv"),
            include_str!("../../tests/data/wishes_blind.tsv"),
            include_str!("../../tests/data/wishes_blind_second.tsv"),
            include_str!("../../tests/data/wishes_after.tsv"),
        ];
        let today = jiff::civil::date(2026, 11, 16);
        for line in labelled.iter().flat_map(|file| file.lines()) {
            for sentence in speech::sentences(line.trim_start_matches(|sign| sign != '\t')) {
                let wished = match sentence.chinese {
                    true => chinese::find(&sentence, today),
                    false => english::find(&sentence, today),
                }
                .is_some();
                assert!(
                    !wished || may_hold_a_wish(sentence.text),
                    "{}",
                    sentence.text
                );
            }
        }
    }
}
