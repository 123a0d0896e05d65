//! Comparing statements: the same words, similar words, or the opposite.
//!
//! Likeness alone never decides that two memories say the same: "use tabs" and "never use tabs"
//! are alike. So there are three questions here, [`already_says`], [`similarity`] and
//! [`negation_differs`], and a caller asks all of them.

mod negation;
mod stem;

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

pub use negation::{flips, negation_differs};
pub use stem::is_function_word;

/// A text reduced to its words: one form for look-alikes (NFKC), lower case, no punctuation, one
/// space between words.
///
/// Signs that carry meaning stay: `c++` is not `c`, `3.11` is not `3 11`, `<` is not `>`.
///
/// ```
/// use memdir_memory::words::normalise;
///
/// assert_eq!(normalise("  Don't use *Tabs*; use C++ 2.0! "), "dont use tabs use c++ 2.0");
/// assert_eq!(normalise("ＡＢＣ，全角！"), "abc 全角");
/// ```
#[must_use]
pub fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in raw_words(text) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word);
    }
    out
}

/// Words that open a lasting wish and say nothing of what is wished.
const OPENINGS: [&str; 4] = ["from now on", "from here on", "going forward", "please"];

/// A wish without the words that only open it; where nothing else is said, all of it.
///
/// ```
/// use memdir_memory::words::without_opening;
///
/// assert_eq!(without_opening("From now on, please use tabs."), "use tabs.");
/// assert_eq!(without_opening("Going forward: use tabs"), "use tabs");
/// assert_eq!(without_opening("Pleased to use tabs"), "Pleased to use tabs");
/// assert_eq!(without_opening("From now on"), "From now on");
/// ```
#[must_use]
pub fn without_opening(text: &str) -> &str {
    let text = text.trim_start();
    for opening in OPENINGS {
        let (Some(head), Some(rest)) = (text.get(..opening.len()), text.get(opening.len()..))
        else {
            continue;
        };
        let bare = rest.trim_start_matches([',', ':', ' ']);
        if head.eq_ignore_ascii_case(opening) && bare.len() < rest.len() && !bare.is_empty() {
            return without_opening(bare);
        }
    }
    text
}

/// Whether `existing` already contains the statement `new`, word for word after normalising.
///
/// The words must follow each other and begin and end at word boundaries, and no word of the same
/// sentences around them may turn the statement into its opposite.
///
/// ```
/// use memdir_memory::words::already_says;
///
/// assert!(already_says("Use tabs. Nothing else.", "use tabs"));
/// assert!(!already_says("Never use tabs", "use tabs"));
/// assert!(!already_says("use tabs", "use tabs in Makefiles"));
/// ```
#[must_use]
pub fn already_says(existing: &str, new: &str) -> bool {
    let wanted: Vec<String> = tokens(new);
    if wanted.is_empty() {
        return false;
    }
    let sentences: Vec<Vec<String>> = sentences(existing).map(tokens).collect();
    let all: Vec<(usize, &String)> = sentences
        .iter()
        .enumerate()
        .flat_map(|(sentence, tokens)| tokens.iter().map(move |token| (sentence, token)))
        .collect();
    let matches = all.windows(wanted.len()).enumerate().filter(|(_, window)| {
        window
            .iter()
            .zip(&wanted)
            .all(|((_, have), want)| *have == want)
    });
    // A text that repeats itself hundreds of times has said by then what it says.
    const MOST: usize = 64;
    matches.take(MOST).any(|(at, window)| {
        let (Some((first, _)), Some((last, _))) = (window.first(), window.last()) else {
            return false;
        };
        let outside: Vec<&str> = all
            .iter()
            .enumerate()
            .filter(|(place, (sentence, _))| {
                (first..=last).contains(&sentence) && !(at..at + wanted.len()).contains(place)
            })
            .map(|(_, (_, token))| token.as_str())
            .collect();
        !negation::has_marker(&outside)
    })
}

/// Whether a text denies anything: a word that could turn a statement into its opposite is in it.
///
/// ```
/// use memdir_memory::words::denies;
///
/// assert!(denies("Never use tabs"));
/// assert!(!denies("Use tabs"));
/// ```
#[must_use]
pub fn denies(text: &str) -> bool {
    let tokens = tokens(text);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    negation::has_marker(&tokens)
}

/// How alike two texts are, from 0 to 1: the share of stemmed content words they have in common.
///
/// Scripts without spaces are compared by pairs of characters.
///
/// ```
/// use memdir_memory::words::similarity;
///
/// assert!((similarity("Runs tests with pnpm", "run the test with pnpm") - 1.0).abs() < 1e-9);
/// assert!(similarity("use tabs", "release on Friday") < 0.1);
/// ```
#[must_use]
pub fn similarity(a: &str, b: &str) -> f64 {
    let (left, right) = (terms(a), terms(b));
    if left.is_empty() || right.is_empty() {
        return if left.is_empty() && right.is_empty() && normalise(a) == normalise(b) {
            1.0
        } else {
            0.0
        };
    }
    overlap(&left, &right)
}

/// The share of [`terms`] that two texts have in common, for whoever compares one text with many.
#[must_use]
pub fn overlap(left: &HashSet<String>, right: &HashSet<String>) -> f64 {
    let shared = left.intersection(right).count();
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = 2.0 * shared as f64 / (left.len() + right.len()).max(1) as f64;
    share
}

/// The stemmed content words of a text, and the character pairs of its unspaced scripts: what
/// [`similarity`] compares, for whoever compares many texts with each other.
#[must_use]
pub fn terms(text: &str) -> HashSet<String> {
    let words: Vec<String> = raw_words(text).collect();
    let content: HashSet<String> = words
        .iter()
        .filter(|word| !is_function_word(word))
        .flat_map(|word| word_terms(word))
        .collect();
    if content.is_empty() {
        // Nothing but function words: they are all there is to compare.
        return words.iter().flat_map(|word| word_terms(word)).collect();
    }
    content
}

/// The terms of one normalised word: its stem, or the pairs of its unspaced characters.
pub(crate) fn word_terms(word: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for (unspaced, run) in runs(word) {
        if !unspaced {
            terms.push(stem::stem(&run));
            continue;
        }
        let characters: Vec<char> = run.chars().collect();
        if characters.len() == 1 {
            terms.push(run);
        } else {
            terms.extend(
                characters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
        }
    }
    terms
}

/// A word cut where it changes between unspaced and spaced script.
fn runs(word: &str) -> Vec<(bool, String)> {
    let mut runs: Vec<(bool, String)> = Vec::new();
    for character in word.chars() {
        let unspaced = is_unspaced(character);
        match runs.last_mut() {
            Some((kind, run)) if *kind == unspaced => run.push(character),
            _ => runs.push((unspaced, character.to_string())),
        }
    }
    runs
}

/// Tokens for word-for-word comparison: normalised words, and each character of an unspaced script.
///
/// ```
/// assert_eq!(memdir_memory::words::tokens("Don't use C++, 全角"), ["dont", "use", "c++", "全", "角"]);
/// ```
#[must_use]
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for word in raw_words(text) {
        for (unspaced, run) in runs(&word) {
            if unspaced {
                tokens.extend(run.chars().map(String::from));
            } else {
                tokens.push(run);
            }
        }
    }
    tokens
}

/// The sentences of a text, without the marks that end them.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let mut characters = rest.char_indices().peekable();
            let mut end = rest.len();
            let mut next = rest.len();
            while let Some((at, character)) = characters.next() {
                let after = characters.peek().map(|(_, character)| *character);
                let stops = match character {
                    '\n' | '。' | '！' | '？' | '；' => true,
                    '.' | '!' | '?' | ';' => after.is_none_or(char::is_whitespace),
                    _ => false,
                };
                if stops {
                    end = at;
                    next = at + character.len_utf8();
                    break;
                }
            }
            let sentence = rest.get(..end).unwrap_or_default().trim();
            rest = rest.get(next..).unwrap_or_default();
            if !sentence.is_empty() {
                return Some(sentence);
            }
        }
        None
    })
}

/// Han, kana, Thai, Lao, Khmer and Burmese: no spaces between words.
pub(crate) fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// The normalised words of a text.
fn raw_words(text: &str) -> impl Iterator<Item = String> {
    let folded = fold(text);
    let mut words = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = folded.chars().collect();
    for (at, character) in characters.iter().copied().enumerate() {
        let before = at
            .checked_sub(1)
            .and_then(|index| characters.get(index))
            .copied();
        let after = characters.get(at + 1).copied();
        match place(character, before, after, &word) {
            Place::Inside => word.push(character),
            Place::Dropped => {}
            Place::Alone => {
                push_word(&mut words, &mut word);
                words.push(character.to_string());
            }
            Place::Between => push_word(&mut words, &mut word),
        }
    }
    push_word(&mut words, &mut word);
    words.into_iter()
}

/// One form for look-alikes and letter cases; what draws nothing is gone.
fn fold(text: &str) -> String {
    // Most texts are plain ASCII, to which none of the rest does anything but lower the case.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
        return text.to_ascii_lowercase();
    }
    let visible = crate::hidden::clean(text);
    let lower: String = visible.text.nfkc().flat_map(char::to_lowercase).collect();
    // Lower-casing can leave NFKC ("İ"), and the final sigma is a matter of place, not of word.
    lower
        .nfkc()
        .map(|character| if character == 'ς' { 'σ' } else { character })
        .collect()
}

fn push_word(words: &mut Vec<String>, word: &mut String) {
    let trimmed = word.trim_matches('_');
    if !trimmed.is_empty() {
        words.push(trimmed.to_owned());
    }
    word.clear();
}

/// What a character is to the word around it.
enum Place {
    Inside,
    Dropped,
    Alone,
    Between,
}

fn place(character: char, before: Option<char>, after: Option<char>, word: &str) -> Place {
    let word_before = before.is_some_and(char::is_alphanumeric);
    let word_after = after.is_some_and(char::is_alphanumeric);
    match character {
        _ if character.is_alphanumeric() => Place::Inside,
        '_' => Place::Inside,
        // They choose a picture, not a word.
        '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}'
        | '\u{180B}'..='\u{180F}'
        | '\u{034F}' => Place::Dropped,
        '\'' | '’' | 'ʼ' if word_before && word_after => Place::Dropped,
        '.' if word_before && word_after => Place::Inside,
        '+' | '#' if word.ends_with(|last: char| last.is_alphanumeric() || last == '+') => {
            Place::Inside
        }
        '<' | '>' | '=' | '%' => Place::Alone,
        _ if character.is_ascii() || character.is_whitespace() || is_punctuation(character) => {
            Place::Between
        }
        _ if unicode_normalization::char::is_combining_mark(character) => Place::Inside,
        '\u{200C}' | '\u{200D}' => Place::Inside,
        _ => Place::Alone,
    }
}

/// Punctuation beyond ASCII.
fn is_punctuation(character: char) -> bool {
    matches!(character,
        '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '´' | '¨' | '¯' | '¸'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}'
        | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}' | '・'
        | '\u{055A}'..='\u{055F}' | '\u{0589}' | '\u{05BE}' | '\u{05C0}' | '\u{05C3}' | '\u{05F3}' | '\u{05F4}'
        | '\u{060C}' | '\u{061B}' | '\u{061F}' | '\u{066A}'..='\u{066D}' | '\u{06D4}'
        | '\u{0964}' | '\u{0965}' | '\u{0E2F}' | '\u{0E5A}' | '\u{0E5B}')
}
