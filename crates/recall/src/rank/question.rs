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
const COMMON: f32 = 7.4;
/// Terms that say nothing of a subject, rare as some are in general text: the four types, which stand in every memory
/// directory, and the words by which a user steers a conversation.
const HOLLOW: [&str; 40] = [
    "feedback", "project", "refer", "user", "again", "ahead", "alright", "continu", "cool", "done",
    "fine", "go", "good", "great", "hello", "hi", "keep", "next", "nice", "no", "nope", "ok",
    "okay", "perfect", "pleas", "proceed", "right", "same", "step", "stop", "sure", "thank",
    "undo", "wait", "work", "yeah", "yep", "yes", "agre", "correct",
];
/// Terms that say when or how many rather than what: files that have nothing else in common have them.
const TIMES: [&str; 63] = [
    "januari",
    "februari",
    "march",
    "april",
    "may",
    "june",
    "juli",
    "august",
    "septemb",
    "octob",
    "novemb",
    "decemb",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "minut",
    "hour",
    "day",
    "week",
    "weekend",
    "month",
    "year",
    "morn",
    "even",
    "night",
    "noon",
    "midnight",
    "yesterday",
    "today",
    "tomorrow",
    "spring",
    "summer",
    "autumn",
    "winter",
    "christma",
    "easter",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "last",
    "once",
    "twice",
    "earli",
    "late",
    "soon",
    "date",
    "time",
];
/// What a term of time tells of what others do.
const TELLS_TIME: f32 = 0.4;

/// One term of the query.
#[derive(Clone, Debug)]
pub(super) struct Word {
    /// As the index keeps it.
    pub(super) term: String,
    /// How rare it is in general text.
    pub(super) rarity: f32,
    /// More than 1 when it is a name.
    pub(super) emphasis: f32,
    /// How much it says of what the query is about, as a share of what a word as rare as it says.
    pub(super) telling: f32,
    /// Terms near in meaning with their cosines, the nearest first.
    pub(super) near: Vec<(&'static str, f32)>,
}

fn telling(term: &str) -> f32 {
    match term {
        hollow if HOLLOW.contains(&hollow) => 0.0,
        time if TIMES.contains(&time) => TELLS_TIME,
        _ => 1.0,
    }
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
                    telling: telling(term),
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

    /// Whether there are only common words, or words of time and courtesy, or one character.
    pub(super) fn says_nothing(&self) -> bool {
        let single = match self.words.as_slice() {
            [only] => only.term.chars().count() == 1,
            _ => false,
        };
        let is_empty = |word: &Word| word.rarity < COMMON || word.telling < 1.0;
        single || self.words.iter().all(is_empty)
    }
}
