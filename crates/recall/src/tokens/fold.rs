//! One form for every way to write a letter, and the stem of a word.

use std::cell::RefCell;
use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use super::LONGEST_TERM;
use super::stop::is_stop_word;
use crate::segment::TermState;

/// The scripts that are treated differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Greek,
    /// Han, kana, Hangul, Thai, Lao, Khmer, Burmese: cut into pairs of characters.
    Paired,
    Other,
}

pub(super) fn script(character: char) -> Script {
    match character {
        'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        _ if is_paired(character) => Script::Paired,
        _ => Script::Other,
    }
}

/// Whether a character's script is cut into pairs.
pub(crate) fn is_paired(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// What draws nothing and parts no words.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{FE00}'..='\u{FE0F}')
}

/// Appends a piece in lower case and without accents. The short sign of й is part of the letter.
pub(super) fn fold_into(piece: &[char], into: &mut String) {
    for character in piece {
        if character.is_ascii() {
            into.push(character.to_ascii_lowercase());
            continue;
        }
        for lower in character.to_lowercase() {
            match lower {
                'ß' => into.push_str("ss"),
                'ς' => into.push('σ'),
                'ё' => into.push('е'),
                'æ' => into.push_str("ae"),
                'œ' => into.push_str("oe"),
                'ø' => into.push('o'),
                'ł' => into.push('l'),
                'ı' => into.push('i'),
                _ if matches!(script(lower), Script::Latin | Script::Greek) => {
                    into.extend(
                        std::iter::once(lower)
                            .nfd()
                            .filter(|part| !is_accent(*part)),
                    );
                }
                _ if is_accent(lower) => {}
                _ => into.push(lower),
            }
        }
    }
}

/// Marks above and below letters, and the vowel signs of Hebrew and Arabic, which are mostly left out in writing.
fn is_accent(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5BD}' | '\u{64B}'..='\u{65F}' | '\u{670}')
}

thread_local! {
    /// Stems of words that came lately: a directory has few words and says them often.
    static STEMS: RefCell<HashMap<Box<str>, Box<str>, TermState>> = RefCell::default();
}
/// So many stems are kept, a few megabytes at most: an index of very many memories says tens of thousands of words.
const STEMS_KEPT: usize = 32_768;

/// Replaces `into` by the stem of a folded word; by nothing where the word only holds sentences together. Which language Latin letters are in is not known: English rules do little harm
/// to others.
pub(super) fn stem_into(word: &str, script: Script, into: &mut String) {
    into.clear();
    #[cfg(test)]
    panic_where_a_test_wants_it(word);
    let algorithm = match script {
        Script::Latin if word.is_ascii() => Algorithm::English,
        Script::Cyrillic => Algorithm::Russian,
        Script::Greek => Algorithm::Greek,
        _ => {
            return if !is_stop_word(word) {
                into.push_str(word);
            };
        }
    };
    STEMS.with_borrow_mut(|stems| {
        if let Some(stem) = stems.get(word) {
            return into.push_str(stem);
        }
        if !is_stop_word(word) {
            let stem = Stemmer::new(algorithm).stem(word);
            // A stem that is empty or grew would break the promises about terms.
            let is_term = !stem.is_empty() && stem.len() <= LONGEST_TERM;
            into.push_str(if is_term { &stem } else { word });
        }
        if stems.len() >= STEMS_KEPT {
            stems.clear();
        }
        stems.insert(word.into(), into.as_str().into());
    });
}

/// No word makes a stemmer panic that we know of; that it would cost one document is tried all the same.
#[cfg(test)]
#[allow(clippy::panic, reason = "to see that it does no harm")]
fn panic_where_a_test_wants_it(word: &str) {
    if word == "trippingword" {
        panic!("as wanted");
    }
}
