//! What to call a memory that was given as a bare sentence: its type, name, title and description.
//!
//! By rule, without a model, so it guesses; the caller prints the guess and the user may overrule it.

mod type_rules;

use unicode_normalization::UnicodeNormalization;

use crate::MemoryType;
use crate::words::{is_function_word, without_opening};
use type_rules::guess_type;

/// Longest file stem we make, in characters.
pub const MAX_STEM: usize = 50;
/// Most words of a name we guess: enough to tell memories apart, short enough to type and to leave room for the hook
/// in an index line.
const NAME_WORDS: usize = 5;
/// A first clause of fewer words is too short for a name.
const CLAUSE_WORDS: usize = 3;
/// Longest title we make, in characters.
pub const MAX_TITLE: usize = 60;
/// Longest description we make, in characters.
pub const MAX_DESCRIPTION: usize = 150;

/// What a bare sentence seems to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The type it reads like.
    pub memory_type: MemoryType,
    /// A short name for links: words joined by hyphens, or the title where it has no Latin words.
    pub name: String,
    /// A title for the index line.
    pub title: String,
    /// One line that says what it is about.
    pub description: String,
}

/// Guesses type, name, title and description of a statement.
///
/// ```
/// use memdir_memory::{naming::guess, MemoryType};
///
/// let guess = guess("Always run the tests with pnpm. It is faster.");
/// assert_eq!(guess.memory_type, MemoryType::Feedback);
/// assert_eq!(guess.name, "always-run-tests-pnpm");
/// assert_eq!(guess.title, "Always run the tests with pnpm");
/// assert_eq!(guess.description, "Always run the tests with pnpm.");
/// ```
#[must_use]
pub fn guess(text: &str) -> Guess {
    let title = title(text);
    let said = without_opening(&title);
    let mut words = name_words(first_clause(said), MAX_STEM);
    if words.len() < CLAUSE_WORDS {
        words = name_words(said, MAX_STEM);
    }
    words.truncate(NAME_WORDS);
    let name = if words.is_empty() {
        title.clone()
    } else {
        words.join("-")
    };
    Guess {
        memory_type: guess_type(text),
        name,
        title,
        description: description(text),
    }
}

/// The stem of a topic file's name: type, then the first content words, lower-case ASCII.
///
/// ```
/// use memdir_memory::{naming::{file_stem, numbered}, MemoryType};
///
/// let stem = file_stem(MemoryType::Project, "Die Übergabe an das Café-Team");
/// assert_eq!(stem, "project_die_ubergabe_das_cafe_team");
/// assert_eq!(numbered(&stem, 2), "project_die_ubergabe_das_cafe_team-2");
/// assert_eq!(file_stem(MemoryType::User, "我喜欢茶"), "user_note");
/// ```
#[must_use]
pub fn file_stem(memory_type: MemoryType, words: &str) -> String {
    let prefix = memory_type.as_str();
    let words = name_words(words, MAX_STEM - prefix.len() - 1);
    if words.is_empty() {
        format!("{prefix}_note")
    } else {
        format!("{prefix}_{}", words.join("_"))
    }
}

/// The stem for the n-th file of that name; the first has no number.
#[must_use]
pub fn numbered(stem: &str, n: usize) -> String {
    if n <= 1 {
        stem.to_owned()
    } else {
        format!("{stem}-{n}")
    }
}

/// The ASCII words of a text that say something, as many as fit with a sign between them.
fn name_words(text: &str, room: usize) -> Vec<String> {
    // Addresses and dates say little as a name; where there is nothing else, they have to do.
    let bare: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !word.contains("://") && !is_date(word))
        .collect();
    let words = if bare.iter().any(|word| word.contains(char::is_alphanumeric)) {
        bare.join(" ")
    } else {
        text.to_owned()
    };
    let spelled = words.replace(['\'', '’'], "");
    let ascii: String = crate::hidden::clean(&spelled)
        .text
        .nfkd()
        .filter(|character| !unicode_normalization::char::is_combining_mark(*character))
        .flat_map(transliterated)
        .collect();
    let all: Vec<String> = ascii
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let content: Vec<&String> = all.iter().filter(|word| !is_function_word(word)).collect();
    let chosen = if content.is_empty() {
        all.iter().collect()
    } else {
        content
    };
    let mut words: Vec<String> = Vec::new();
    let mut used = 0;
    for word in chosen {
        let needed = word.len() + usize::from(!words.is_empty());
        if used + needed > room {
            if words.is_empty() {
                words.push(word.chars().take(room).collect());
            }
            break;
        }
        used += needed;
        words.push(word.clone());
    }
    words
}

/// What stands before the first comma, semicolon, colon or dash that is followed by a blank.
fn first_clause(title: &str) -> &str {
    let signs = [", ", "; ", ": ", " - ", " – ", " — "];
    let ends = signs.iter().filter_map(|sign| title.find(sign));
    ends.min().and_then(|end| title.get(..end)).unwrap_or(title)
}

/// Whether a word is a date such as `2026-11-20`, with or without punctuation around it.
fn is_date(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_ascii_digit());
    word.parse::<jiff::civil::Date>().is_ok()
}

/// Letters that decomposition does not take to ASCII.
fn transliterated(character: char) -> Vec<char> {
    match character {
        'ß' => vec!['s', 's'],
        'æ' | 'Æ' => vec!['a', 'e'],
        'œ' | 'Œ' => vec!['o', 'e'],
        'ø' | 'Ø' => vec!['o'],
        'đ' | 'Đ' | 'ð' | 'Ð' => vec!['d'],
        'ł' | 'Ł' => vec!['l'],
        'þ' | 'Þ' => vec!['t', 'h'],
        'ı' => vec!['i'],
        _ => vec![character],
    }
}

/// The first sentence as a title: one line, no end mark.
fn title(text: &str) -> String {
    let first = first_sentence(text);
    let first = first.trim_end_matches(['.', '。', '!', '！', ';', '；', ':', '：', ',', '，']);
    cut(first, MAX_TITLE)
}

/// The first sentence as a description, with its end mark.
fn description(text: &str) -> String {
    cut(&first_sentence(text), MAX_DESCRIPTION)
}

/// The first sentence on one line, without list marks, headings, bold marks or hidden characters.
fn first_sentence(text: &str) -> String {
    let cleaned = crate::hidden::clean(text);
    let mut text = cleaned
        .text
        .trim_start_matches(|character: char| character.is_whitespace() || character == '\u{FEFF}');
    while let Some(rest) = ["- ", "* ", "+ ", "> ", "#"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
    {
        // `#channel` is a word, `# Title` a heading.
        if text.starts_with('#') && rest.starts_with(char::is_alphanumeric) {
            break;
        }
        text = rest.trim_start();
    }
    let sentence = text.get(..sentence_end(text)).unwrap_or(text);
    let plain = sentence.replace("**", "").replace("__", "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where the first sentence ends, its mark included.
fn sentence_end(text: &str) -> usize {
    const ABBREVIATIONS: &[&str] = &[
        "e.g", "i.e", "etc", "vs", "cf", "dr", "mr", "mrs", "ms", "approx",
    ];
    for (at, character) in text.char_indices() {
        let after = text.get(at + character.len_utf8()..).unwrap_or_default();
        let ends = match character {
            '\n' => return at,
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => after.is_empty() || after.starts_with(char::is_whitespace),
            _ => false,
        };
        if ends && !(character == '.' && ABBREVIATIONS.contains(&last_word(text, at).as_str())) {
            return at + character.len_utf8();
        }
    }
    text.len()
}

/// The word before a place, in lower case.
fn last_word(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or_default();
    before
        .rsplit([' ', '(', '\t'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase()
}

/// A text cut to so many characters, at a word where there is one, with an ellipsis.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    let next = text.chars().nth(most - 1);
    let whole = if next.is_some_and(char::is_whitespace) {
        kept.as_str()
    } else {
        // No space in the second half: a script without spaces, or one endless word.
        match kept.rfind(char::is_whitespace) {
            Some(space) if space * 2 >= kept.len() => kept.get(..space).unwrap_or_default(),
            _ => kept.as_str(),
        }
    };
    format!(
        "{}…",
        whole.trim_end_matches(
            |last: char| last.is_whitespace() || matches!(last, ',' | ';' | ':' | '，')
        )
    )
}
