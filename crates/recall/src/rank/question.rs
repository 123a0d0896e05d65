//! What a query asks for: its terms, and what each of them is worth before any index is asked.

use std::collections::HashSet;

use crate::table::Table;
use crate::tokens;

/// So many terms of a query are looked at: the rarest of it.
const MOST_WORDS: usize = 24;
/// So many lists are read for one query, so that a long message costs no more than a question.
const MOST_LISTS: usize = 240;
/// What a word that is written like a name is worth more: names decide.
const NAME: f32 = 1.25;
/// Words that are less rare say nothing alone: "go", "work", "time".
const COMMON: f32 = 7.5;

/// One term of the query.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// As the index keeps it.
    pub(super) term: String,
    /// How rare it is in general text.
    pub(super) rarity: f32,
    /// More than 1 when it is a name.
    pub(super) emphasis: f32,
    /// Terms near in meaning with their cosines, the nearest first.
    pub(super) near: Vec<(&'static str, f32)>,
}

/// The terms of a query.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Each once, in the order of the query.
    pub(super) words: Vec<Word>,
}

impl Asked {
    pub(super) fn new(query: &str) -> Self {
        let table = Table::shipped();
        let mut seen = HashSet::new();
        let mut words: Vec<Word> = Vec::new();
        tokens::for_each_term(query, |term| {
            if seen.insert(term.to_owned()) {
                words.push(Word {
                    term: term.to_owned(),
                    rarity: table.rarity(term),
                    emphasis: 1.0,
                    near: Vec::new(),
                });
            }
        });
        if words.len() > MOST_WORDS {
            let mut rarities: Vec<f32> = words.iter().map(|word| word.rarity).collect();
            rarities.sort_by(|a, b| b.total_cmp(a));
            let least = rarities.get(MOST_WORDS - 1).copied().unwrap_or_default();
            words.retain(|word| word.rarity >= least);
            words.truncate(MOST_WORDS);
        }
        let names: HashSet<String> = tokens::names(query).into_iter().collect();
        let each = (MOST_LISTS / words.len().max(1)).saturating_sub(1);
        for word in &mut words {
            if names.contains(&word.term) {
                word.emphasis = NAME;
            }
            word.near = table.near(&word.term).take(each).collect();
        }
        Self { words }
    }

    /// Whether there are only common words, or one character.
    pub(super) fn says_nothing(&self) -> bool {
        let single = match self.words.as_slice() {
            [only] => only.term.chars().count() == 1,
            _ => false,
        };
        single || self.words.iter().all(|word| word.rarity < COMMON)
    }
}
