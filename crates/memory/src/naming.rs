//! What to call a memory that was given as a bare sentence: its type, name, title and description.
//!
//! By rule, without a model, so it guesses; the caller prints the guess and the user may overrule it.

use unicode_normalization::UnicodeNormalization;

use crate::MemoryType;
use crate::words::{is_function_word, normalise, sentences};

/// Longest file stem we make, in characters.
pub const MAX_STEM: usize = 50;
/// Most words of a name we guess: enough to tell memories apart, short enough to type and to leave room for the hook
/// in an index line.
const NAME_WORDS: usize = 5;
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
    let mut words = name_words(&title, MAX_STEM);
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

/// The type whose signs a statement shows; the order decides between several.
fn guess_type(text: &str) -> MemoryType {
    let lower = text.to_lowercase().replace('’', "'");
    let first = format!("{} ", normalise(sentences(text).next().unwrap_or_default()));
    let spaced = format!(" {} ", normalise(text));
    let has = |signs: &[&str]| {
        signs
            .iter()
            .any(|sign| spaced.contains(&format!(" {sign} ")))
    };
    let holds = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));

    if opens_with(&first, FEEDBACK_OPENINGS) {
        return MemoryType::Feedback;
    }
    if opens_with(&first, USER_OPENINGS) || holds(USER_UNSPACED) {
        return MemoryType::User;
    }
    if holds(&["http://", "https://"])
        || has(REFERENCE_SIGNS)
        || holds(REFERENCE_UNSPACED)
        || names_channel(text)
    {
        return MemoryType::Reference;
    }
    if opens_with(&first, PROJECT_OPENINGS) || has_date(text) {
        return MemoryType::Project;
    }
    if has(FEEDBACK_SIGNS) || holds(FEEDBACK_UNSPACED) {
        return MemoryType::Feedback;
    }
    MemoryType::Project
}

/// Whether a normalised sentence begins with one of these.
fn opens_with(sentence: &str, openings: &[&str]) -> bool {
    openings.iter().any(|opening| {
        sentence
            .strip_prefix(opening)
            .is_some_and(|rest| rest.starts_with(' '))
    })
}

/// Whether the text has a date such as 2026-12-18.
fn has_date(text: &str) -> bool {
    text.as_bytes().windows(10).any(|window| {
        window.iter().zip(b"dddd-dd-dd").all(|(byte, form)| {
            if *form == b'd' {
                byte.is_ascii_digit()
            } else {
                byte == form
            }
        })
    })
}

/// Whether the text names a chat channel: `#` directly before a lower-case word.
fn names_channel(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        matches!(pair, [b'#', letter] if letter.is_ascii_lowercase())
            && at
                .checked_sub(1)
                .and_then(|before| bytes.get(before))
                .is_some_and(u8::is_ascii_whitespace)
    })
}

const FEEDBACK_OPENINGS: &[&str] = &[
    "always",
    "never",
    "dont",
    "do not",
    "please",
    "prefer",
    "avoid",
    "stop",
    "use",
    "when you",
    "make sure",
    "be sure",
    "remember to",
    "keep",
    "ask",
    "i prefer",
    "i want you to",
    "i dont want",
    "i dont like it when",
    "i like it when",
    "i hate it when",
    "you should",
    "you must",
    "instead of",
    "no",
    "only",
    "write",
    "run",
    "before you",
    "after you",
    "if you",
    "answer",
    "reply",
];

const FEEDBACK_SIGNS: &[&str] = &[
    "always",
    "never",
    "prefer",
    "dont",
    "do not",
    "should not",
    "must not",
    "instead of",
    "rather than",
    "avoid",
];

const FEEDBACK_UNSPACED: &[&str] = &[
    "不要",
    "禁止",
    "必须",
    "总是",
    "永远",
    "请勿",
    "别用",
    "请用",
    "请使用",
    "优先使用",
    "してください",
    "しないで",
];

const USER_OPENINGS: &[&str] = &[
    "i am",
    "im",
    "i was",
    "i have",
    "ive",
    "i work",
    "i know",
    "i like",
    "i love",
    "i live",
    "i speak",
    "i use",
    "i do",
    "i write",
    "i learn",
    "im learning",
    "i study",
    "i usually",
    "i lead",
    "i manage",
    "i maintain",
    "my name",
    "my role",
    "my job",
    "my background",
    "my team",
    "my favourite",
    "my favorite",
    "my timezone",
    "my time zone",
    "my pronouns",
    "call me",
    "the user",
    "user is",
    "user prefers",
];

const USER_UNSPACED: &[&str] = &[
    "我是",
    "我叫",
    "我的角色",
    "我喜欢",
    "我在做",
    "我负责",
    "我的名字",
    "私は",
];

const PROJECT_OPENINGS: &[&str] = &[
    "we are",
    "we will",
    "we have",
    "we decided",
    "we chose",
    "we plan",
    "the team",
    "the release",
    "the deadline",
    "the freeze",
    "the launch",
    "the migration",
    "release",
    "merge freeze",
    "code freeze",
    "deadline",
    "launch",
];

const REFERENCE_SIGNS: &[&str] = &[
    "lives in",
    "lives at",
    "live in",
    "is tracked in",
    "are tracked in",
    "tracked in",
    "tracked on",
    "dashboard",
    "dashboards",
    "grafana board",
    "docs at",
    "docs are in",
    "documented in",
    "documentation is",
    "wiki",
    "confluence",
    "notion page",
    "runbook",
    "slack channel",
    "linear project",
    "jira project",
    "jira board",
    "can be found",
    "is found in",
    "are found in",
    "stored in",
    "is kept in",
    "are kept in",
    "figma file",
    "google doc",
    "spreadsheet",
];

const REFERENCE_UNSPACED: &[&str] = &[
    "文档在",
    "文档位于",
    "看板",
    "仪表盘",
    "记录在",
    "保存在",
    "频道",
];
