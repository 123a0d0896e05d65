//! A quick look that lets most messages pass by: no cue, no wish.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

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
        .kind(Some(AhoCorasickKind::DFA))
        .build(&cues)
        .ok()
}
