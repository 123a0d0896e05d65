//! From text to terms: what is counted in a memory and looked up for a query.
//!
//! A term is a word in one form: compatibility forms and accents folded, lower case, stemmed. Identifiers are cut at
//! their humps, underscores and hyphens, and stay findable whole. Scripts without spaces, and Hangul, whose words
//! carry their particles, become pairs of characters. Words that only hold a sentence together are left out.

mod fold;
mod stop;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

pub(crate) use fold::is_paired;
use fold::{Script, fold_into, script};
pub(crate) use stop::is_empty_pair;
#[cfg(feature = "minilm")]
pub(crate) use stop::is_stop_word;

/// No term is longer, in bytes.
pub const LONGEST_TERM: usize = 64;

/// Calls `take` with each term of a text, in order.
///
/// ```
/// use memdir_recall::tokens;
///
/// let terms = |text| {
///     let mut terms = Vec::new();
///     tokens::for_each_term(text, |term| terms.push(term.to_owned()));
///     terms.join(" ")
/// };
/// assert_eq!(terms("What did the Ｄｅｐｌｏｙｍｅｎｔｓ break?"), "deploy break");
/// assert_eq!(terms("parseHttpRequest"), "pars http request parsehttprequest");
/// assert_eq!(terms("部署说明"), "部署 署说 说明");
/// ```
pub fn for_each_term(text: &str, mut take: impl FnMut(&str)) {
    let mut splitter = Splitter::default();
    if text.is_ascii() {
        splitter.run(text, &mut take);
    } else {
        let text: String = text.nfkc().collect();
        splitter.run(&text, &mut take);
    }
}

/// The terms of the words that are written like names: with a capital, and not because a sentence begins.
pub(crate) fn names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_start_matches(|character: char| !character.is_alphanumeric());
        let mut characters = bare.chars();
        let capital = characters.next().is_some_and(char::is_uppercase);
        if capital && !begins && characters.next().is_some_and(char::is_lowercase) {
            for_each_term(bare, |term| names.push(term.to_owned()));
        }
        begins = word.ends_with(['.', '?', '!', ':']);
    }
    names
}

/// A run of characters of one kind inside a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letters(Script),
    Digits,
}

/// Cuts a text into words and words into pieces. Buffers are kept from word to word.
#[derive(Default)]
struct Splitter {
    word: Vec<char>,
    piece: String,
    whole: String,
    stem: String,
}

impl Splitter {
    fn run(&mut self, text: &str, take: &mut impl FnMut(&str)) {
        let mut rest = text;
        loop {
            if self.word.is_empty() {
                let (word, after) = plain_word(rest);
                rest = after;
                emit(word, Kind::Letters(Script::Latin), &mut self.stem, take);
            }
            let mut characters = rest.chars();
            let Some(character) = characters.next() else {
                break;
            };
            rest = characters.as_str();
            let inside = !self.word.is_empty();
            if character.is_alphanumeric() || (inside && is_combining_mark(character)) {
                self.word.push(character);
                continue;
            }
            if !inside || fold::is_invisible(character) {
                continue;
            }
            let next = characters.next();
            let joins = next.is_some_and(char::is_alphanumeric);
            if joins && matches!(character, '_' | '-' | '‐') {
                self.word.push('-');
                continue;
            }
            self.end_word(take);
            if joins
                && matches!(character, '\'' | '’')
                && next.is_some_and(|s| s == 's' || s == 'S')
                && characters
                    .clone()
                    .next()
                    .is_none_or(|after| !after.is_alphanumeric())
            {
                // The mark of the genitive is no word, nor is what is left of "it's".
                rest = characters.as_str();
            }
        }
        self.end_word(take);
    }

    fn end_word(&mut self, take: &mut impl FnMut(&str)) {
        let word = std::mem::take(&mut self.word);
        self.whole.clear();
        // Most words are plain, and have no piece to look for.
        if word.iter().all(char::is_ascii_lowercase) {
            self.piece.clear();
            self.piece.extend(&word);
            let kind = Kind::Letters(Script::Latin);
            emit(&self.piece, kind, &mut self.stem, take);
            self.word = word;
            self.word.clear();
            return;
        }
        let mut pieces = 0;
        let mut rest = word.as_slice();
        let parted = has_boundary(&word);
        while !rest.is_empty() {
            let (piece, after) = split_piece(rest);
            rest = after;
            let Some(kind) = piece.first().map(|first| kind(*first)) else {
                continue;
            };
            if let Kind::Letters(Script::Paired) = kind {
                pairs(piece, &mut self.piece, take);
                continue;
            }
            self.piece.clear();
            fold_into(piece, &mut self.piece);
            self.whole.push_str(&self.piece);
            pieces += 1;
            // A lone letter or digit of an identifier says nothing: k8s is found as a whole.
            if !parted || piece.len() > 1 {
                emit(&self.piece, kind, &mut self.stem, take);
            }
        }
        if pieces > 1 {
            emit(
                &self.whole,
                Kind::Letters(Script::Latin),
                &mut self.stem,
                take,
            );
        }
        self.word = word;
        self.word.clear();
    }
}

/// The plain word at the beginning of a text, and what follows; an empty one where nothing plain begins it. Most words are
/// small letters and end at a space or a stop: they need not be looked at character by character.
fn plain_word(text: &str) -> (&str, &str) {
    let letters = text
        .bytes()
        .position(|byte| !byte.is_ascii_lowercase())
        .unwrap_or(text.len());
    match text.as_bytes().get(letters) {
        // What can go on with a word, or belong to it.
        Some(b'_' | b'-' | b'\'' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..) => ("", text),
        _ => text.split_at_checked(letters).unwrap_or(("", text)),
    }
}

/// Whether a word has more than one piece.
fn has_boundary(word: &[char]) -> bool {
    let (_, rest) = split_piece(word);
    !rest.is_empty()
}

/// The first piece of a word, without the hyphens around it, and what follows.
fn split_piece(word: &[char]) -> (&[char], &[char]) {
    let hyphens = word
        .iter()
        .take_while(|character| **character == '-')
        .count();
    let word = word.get(hyphens..).unwrap_or_default();
    let mut end = word.len();
    for (at, triple) in word.windows(2).enumerate() {
        let [before, after] = triple else { continue };
        let beyond = word.get(at + 2).copied();
        if is_boundary(*before, *after, beyond) {
            end = at + 1;
            break;
        }
    }
    word.split_at_checked(end).unwrap_or((word, &[]))
}

fn is_boundary(before: char, after: char, beyond: Option<char>) -> bool {
    if after == '-' {
        return true;
    }
    if is_combining_mark(after) {
        return false;
    }
    if before.is_lowercase() && after.is_uppercase() {
        return true;
    }
    // The last capital of a row belongs to the word that it begins: HTTP|Server, but URLs is one word.
    if before.is_uppercase()
        && after.is_uppercase()
        && beyond.is_some_and(char::is_lowercase)
        && beyond != Some('s')
    {
        return true;
    }
    !is_combining_mark(before) && kind(before) != kind(after)
}

fn kind(character: char) -> Kind {
    if character.is_numeric() && script(character) != Script::Paired {
        Kind::Digits
    } else {
        Kind::Letters(script(character))
    }
}

/// Pairs of neighbouring characters; a lone character stays alone.
fn pairs(piece: &[char], buffer: &mut String, take: &mut impl FnMut(&str)) {
    if let [only] = piece {
        buffer.clear();
        buffer.push(*only);
        take(buffer);
    }
    for pair in piece.windows(2) {
        buffer.clear();
        buffer.extend(pair);
        if !is_empty_pair(buffer) {
            take(buffer);
        }
    }
}

/// Hands on one folded word, stemmed, unless it only holds sentences together.
fn emit(word: &str, kind: Kind, stem: &mut String, take: &mut impl FnMut(&str)) {
    if word.is_empty() {
        return;
    }
    if word.len() > LONGEST_TERM {
        // No stop word is so long.
        let end = word.floor_char_boundary(LONGEST_TERM);
        return emit(word.get(..end).unwrap_or_default(), kind, stem, take);
    }
    match kind {
        Kind::Digits if stop::is_stop_word(word) => {}
        Kind::Digits => take(word),
        Kind::Letters(script) => {
            fold::stem_into(word, script, stem);
            if !stem.is_empty() {
                take(stem);
            }
        }
    }
}
