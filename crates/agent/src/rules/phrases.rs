//! Lists of phrases, and where a text has one of them.

use std::ops::Range;
use std::sync::OnceLock;

/// Phrases to look for, written as one text with `;` between two.
///
/// A phrase counts as whole words only: "cut" is not in "execute". Chinese has no gaps between words, so there a phrase
/// counts wherever it stands.
#[derive(Debug)]
pub(super) struct Phrases {
    list: &'static str,
    table: OnceLock<Table>,
}

/// The phrases by their first character.
#[derive(Debug)]
struct Table {
    /// One bit for each ASCII character that a phrase begins with: most words are turned away by it.
    ascii: u128,
    by_first: Vec<(char, Vec<&'static str>)>,
}

impl Phrases {
    /// The phrases of a list.
    pub(super) const fn of(list: &'static str) -> Self {
        Self {
            list,
            table: OnceLock::new(),
        }
    }

    /// Each of them.
    pub(super) fn each(&self) -> impl Iterator<Item = &'static str> {
        self.list
            .split(';')
            .map(str::trim)
            .filter(|phrase| !phrase.is_empty())
    }

    /// What comes behind the longest phrase that the text opens with.
    pub(super) fn after<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.behind(text)
            .map(|rest| rest.trim_start_matches([' ', ',', ':', '，', '：', '、']))
    }

    /// Whether the text opens with one of them.
    pub(super) fn opens(&self, text: &str) -> bool {
        self.behind(text).is_some()
    }

    /// Whether one of them is the whole text.
    pub(super) fn is(&self, text: &str) -> bool {
        self.behind(text).is_some_and(str::is_empty)
    }

    /// Whether one of them stands in the text.
    pub(super) fn within(&self, text: &str) -> bool {
        self.find(text).is_some()
    }

    /// The byte at which the first of them stands in the text.
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        if text.is_ascii() {
            return self.find_ascii(text);
        }
        let mut before = ' ';
        text.char_indices().find_map(|(at, character)| {
            let starts = !(is_word(before) && is_word(character));
            before = character;
            let here = starts && self.opens(text.get(at..)?);
            here.then_some(at)
        })
    }

    /// As [`Phrases::find`], without looking at characters one by one: most bytes begin no phrase.
    fn find_ascii(&self, text: &str) -> Option<usize> {
        let table = self.table.get_or_init(|| self.tabulate());
        let mut before = b' ';
        text.bytes().enumerate().find_map(|(at, byte)| {
            let begins = table.ascii & (1 << byte) != 0;
            let starts = begins && !(is_word_byte(before) && is_word_byte(byte));
            before = byte;
            let here = starts && self.opens(text.get(at..)?);
            here.then_some(at)
        })
    }

    /// Whether no word goes on over either end of these bytes.
    pub(super) fn is_whole(text: &str, range: Range<usize>) -> bool {
        let (Some(before), Some(phrase), Some(after)) = (
            text.get(..range.start),
            text.get(range.clone()),
            text.get(range.end..),
        ) else {
            return false;
        };
        let joined = |left: &str, right: &str| {
            left.chars().next_back().is_some_and(is_word)
                && right.chars().next().is_some_and(is_word)
        };
        !joined(before, phrase) && !joined(phrase, after)
    }

    fn behind<'t>(&self, text: &'t str) -> Option<&'t str> {
        let first = text.chars().next()?;
        let table = self.table.get_or_init(|| self.tabulate());
        if first.is_ascii() && table.ascii & (1 << u32::from(first)) == 0 {
            return None;
        }
        let at = table
            .by_first
            .binary_search_by_key(&first, |(letter, _)| *letter);
        let (_, candidates) = table.by_first.get(at.ok()?)?;
        candidates
            .iter()
            .find_map(|phrase| behind_phrase(text, phrase))
    }

    fn tabulate(&self) -> Table {
        let mut all: Vec<&'static str> = self.each().collect();
        all.sort_by_key(|phrase| (phrase.chars().next(), std::cmp::Reverse(phrase.len())));
        let mut by_first: Vec<(char, Vec<&'static str>)> = Vec::new();
        let mut ascii = 0;
        for phrase in all {
            let Some(first) = phrase.chars().next() else {
                continue;
            };
            if first.is_ascii() {
                ascii |= 1 << u32::from(first);
            }
            match by_first.last_mut() {
                Some((letter, same)) if *letter == first => same.push(phrase),
                _ => by_first.push((first, vec![phrase])),
            }
        }
        Table { ascii, by_first }
    }
}

fn behind_phrase<'t>(text: &'t str, phrase: &str) -> Option<&'t str> {
    // Most candidates differ in their second byte already; only an apostrophe may be typed in two ways.
    let second = phrase.as_bytes().get(1);
    if second != Some(&b'\'') && second.is_some() && second != text.as_bytes().get(1) {
        return None;
    }
    let mut rest = text.chars();
    for wanted in phrase.chars() {
        let found = rest.next()?;
        if found != wanted && !(wanted == '\'' && found == '’') {
            return None;
        }
    }
    let rest = rest.as_str();
    let inside =
        phrase.chars().next_back().is_some_and(is_word) && rest.chars().next().is_some_and(is_word);
    (!inside).then_some(rest)
}

/// [`is_word`] of an ASCII character.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'\'')
}

/// Whether a character is part of a word that has gaps around it.
fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return u8::try_from(character).is_ok_and(is_word_byte);
    }
    (character.is_alphanumeric() || character == '’') && !is_han(character)
}

/// Whether a character is Chinese.
pub(super) fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}')
}
