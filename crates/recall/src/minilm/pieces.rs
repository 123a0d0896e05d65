//! Text as the model reads it: words in lower case without accents, each cut into the longest pieces of its vocabulary.

use std::collections::HashMap;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A longer word is unknown to the model as a whole.
const LONGEST_WORD: usize = 100;

/// The pieces that the model knows, by number.
#[derive(Debug)]
pub(super) struct Vocabulary {
    numbers: HashMap<String, u32>,
    unknown: u32,
    begin: u32,
    end: u32,
}

/// A word, or a mark between words, and the pieces that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) pieces: Vec<u32>,
}

impl Vocabulary {
    /// Reads `vocab.txt`: a piece a line, the first has number 0. `None` when it is no such file.
    pub(super) fn parse(text: &str) -> Option<Vocabulary> {
        let numbers: HashMap<String, u32> = text.lines().map(str::to_owned).zip(0..).collect();
        let number = |piece: &str| numbers.get(piece).copied();
        Some(Vocabulary {
            unknown: number("[UNK]")?,
            begin: number("[CLS]")?,
            end: number("[SEP]")?,
            numbers,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The words of a text. What the model does not know becomes one unknown piece.
    pub(super) fn words(&self, text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        let mut word = String::new();
        for character in text
            .nfd()
            .filter(|character| !is_combining_mark(*character))
        {
            if is_apart(character) || character.is_whitespace() {
                self.take(&mut word, &mut words);
            }
            if is_apart(character) {
                word.push(character);
                self.take(&mut word, &mut words);
            } else if !character.is_whitespace() && !is_dropped(character) {
                word.extend(character.to_lowercase());
            }
        }
        self.take(&mut word, &mut words);
        words
    }

    /// What is handed to the model: the pieces of some words between the marks of begin and end.
    pub(super) fn framed<'a>(&self, words: impl IntoIterator<Item = &'a Word>) -> Vec<u32> {
        let mut numbers = vec![self.begin];
        for word in words {
            numbers.extend_from_slice(&word.pieces);
        }
        numbers.push(self.end);
        numbers
    }

    fn take(&self, word: &mut String, words: &mut Vec<Word>) {
        if !word.is_empty() {
            let text = std::mem::take(word);
            let pieces = self.cut(&text).unwrap_or_else(|| vec![self.unknown]);
            words.push(Word { text, pieces });
        }
    }

    /// The longest known piece, then the longest that continues it, and so on.
    fn cut(&self, word: &str) -> Option<Vec<u32>> {
        if word.chars().count() > LONGEST_WORD {
            return None;
        }
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut key = String::new();
        while start < word.len() {
            let rest = word.get(start..)?;
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8());
            let mut ends: Vec<usize> = ends.collect();
            let found = loop {
                let end = ends.pop()?;
                key.clear();
                if start > 0 {
                    key.push_str("##");
                }
                key.push_str(rest.get(..end)?);
                if let Some(number) = self.numbers.get(&key) {
                    break (*number, end);
                }
            };
            pieces.push(found.0);
            start += found.1;
        }
        Some(pieces)
    }
}

/// What the model never saw: control and format characters, and what could not be decoded.
fn is_dropped(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFFD}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether a character is a word of its own: punctuation, and each Chinese character.
fn is_apart(character: char) -> bool {
    character.is_ascii_punctuation()
        || matches!(character,
            '¡' | '§' | '«' | '¶' | '·' | '»' | '¿'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}'
            | '\u{2053}'..='\u{205E}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301F}' | '・' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF1F}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
            | '\u{20000}'..='\u{2CEAF}' | '\u{2F800}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let pieces = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nharb\n##our\n##s\ncafe\n!\n港\n##a";
        let vocabulary = Vocabulary::parse(pieces).unwrap();
        let words = vocabulary.words(text).into_iter();
        let words: Vec<String> = words.map(|w| format!("{}{:?}", w.text, w.pieces)).collect();
        words.join(" ")
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        insta::assert_snapshot!(shown("The harbours!  Café\t港a"), @"the[4] harbours[5, 6, 7] ![9] cafe[8] 港[10] a[1]");
        // A word with an unknown part is unknown as a whole; what cannot be seen parts no word.
        insta::assert_snapshot!(shown("harbx har\u{200B}bour ''"), @"harbx[1] harbour[5, 6] '[1] '[1]");
        assert_eq!(shown(&"a".repeat(101)), format!("{}[1]", "a".repeat(101)));
        assert_eq!(shown(" \n\u{0}"), "");
    }

    #[test]
    fn a_list_without_the_marks_is_no_vocabulary() {
        assert!(Vocabulary::parse("the\nharbour").is_none());
        let vocabulary = Vocabulary::parse("[UNK]\n[CLS]\n[SEP]\nbee").unwrap();
        let words = vocabulary.words("bee bee");
        assert_eq!(vocabulary.framed(&words), [1, 3, 3, 2]);
    }
}
