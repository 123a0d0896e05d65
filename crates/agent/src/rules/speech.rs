//! Which sentences of a message are the user's own speech.

mod words;

use std::ops::Range;

use super::items;
use words::{REASONS, TEXT_TO_WORK_ON, TEXT_WORK};

/// A sentence that the user said.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    /// As it was typed.
    pub(super) text: &'a str,
    /// Where it stands in the message.
    pub(super) range: Range<usize>,
    /// In lower case, quoted text and code replaced by as many placeholders, so that byte offsets stay the same.
    pub(super) plain: String,
    /// Whether it asks something.
    pub(super) question: bool,
    /// Whether it is Chinese.
    pub(super) chinese: bool,
}

/// What stands for a byte of quoted text or code.
const MASK: &str = "\u{1}";

/// The sentences of a message that are the user's own.
pub(super) fn sentences(message: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    for line in own_lines(message) {
        let text = message.get(line.clone()).unwrap_or_default();
        if looks_pasted(text) {
            continue;
        }
        let plain = plain(text);
        for part in split(&plain) {
            let Some(typed) = text.get(part.clone()) else {
                continue;
            };
            let start = part.start + (typed.len() - typed.trim_start().len());
            let typed = typed.trim();
            let plain = plain.get(start..start + typed.len()).unwrap_or_default();
            if typed.is_empty() || plain.trim_matches(['\u{1}', ' ', '.']).is_empty() {
                continue;
            }
            let range = line.start + start..line.start + start + typed.len();
            let question = typed.ends_with(['?', '？']);
            let hands_over = hands_text_over(plain, question);
            found.push(Sentence {
                text: typed,
                range,
                plain: plain.to_owned(),
                question,
                chinese: is_chinese(plain),
            });
            if hands_over {
                return found;
            }
        }
    }
    found
}

/// Whether a sentence says why the one before it was said.
pub(super) fn gives_a_reason(sentence: &Sentence<'_>) -> bool {
    !sentence.question && items(REASONS).any(|opening| sentence.plain.starts_with(opening))
}

/// The lines outside of code fences, quotations, private spans and tags.
fn own_lines(message: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let (mut fence, mut tag): (Option<char>, Option<String>) = (None, None);
    let mut start = 0;
    for line in message.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        let trimmed = line.trim_start();
        if let Some(open) = fence {
            if trimmed.starts_with(&String::from(open).repeat(3)) {
                fence = None;
            }
            continue;
        }
        if let Some(name) = &tag {
            if line.contains(&format!("</{name}>")) {
                tag = None;
            }
            continue;
        }
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fence = trimmed.chars().next();
        } else if let Some(name) = opened_tag(line) {
            tag = (!line.contains(&format!("</{name}>"))).then_some(name);
        } else if !trimmed.starts_with('>') {
            lines.push(range);
        }
    }
    lines
}

/// The name of a tag that a line holds, such as `<private>` or `<system-reminder>`.
fn opened_tag(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('<')?;
    let name: String = rest
        .chars()
        .take_while(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))
        .collect();
    let after = rest.get(name.len()..)?;
    (!name.is_empty() && (after.starts_with('>') || after.starts_with(' ') && after.contains('>')))
        .then_some(name)
}

/// Whether a line reads like code, a log, a listing or a difference and not like speech.
fn looks_pasted(line: &str) -> bool {
    let trimmed = line.trim_end();
    let body = trimmed.trim_start();
    let indent = trimmed.len() - body.len();
    let first = body.chars().next().unwrap_or(' ');
    let signs = body
        .chars()
        .filter(|character| "{}()[];=<>|\\$@#*_/".contains(*character))
        .count();
    let characters = body.chars().count();
    let word = body.split_whitespace().next().unwrap_or_default();
    let log = word.contains(':') && word.chars().filter(char::is_ascii_digit).count() >= 4
        || body.get(..10).is_some_and(is_iso_date) && body.len() > 19
        || [
            "error:",
            "error[",
            "warning:",
            "info ",
            "debug ",
            "traceback",
            "fatal:",
            "at ",
            "caused by",
        ]
        .iter()
        .any(|sign| body.to_lowercase().starts_with(sign));
    let level = [
        "[INFO]", "[ERROR]", "[WARN]", "[DEBUG]", "ERROR ", "WARN ", "INFO ",
    ]
    .iter()
    .any(|sign| body.contains(sign));
    let code = matches!(first, '{' | '}' | '$' | '|' | '@' | '/' | '<' | '+' | '#')
        && characters > 1
        || body.ends_with([';', '{', '}', '\\'])
        || [
            "//", "/*", "--", "fn ", "def ", "class ", "import ", "const ", "let ", "var ",
            "return ",
        ]
        .iter()
        .any(|sign| body.starts_with(sign));
    indent >= 4 && !is_list_item(body) || log || level || code || signs * 6 > characters
}

fn is_list_item(body: &str) -> bool {
    body.starts_with("- ") || body.starts_with("* ")
}

fn is_iso_date(text: &str) -> bool {
    text.char_indices().all(|(at, character)| match at {
        4 | 7 => matches!(character, '-' | '/'),
        _ => character.is_ascii_digit(),
    })
}

/// Lower case, with quoted text and code masked byte for byte. Text that changes its length in lower case stays as it is.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = masked(rest, plain.chars().last()).unwrap_or(0);
        if length > 0 {
            plain.push_str(&MASK.repeat(length));
        } else {
            let lower = match first {
                '’' => None,
                _ => first.to_lowercase().next(),
            };
            match lower {
                Some(lower) if lower.len_utf8() == first.len_utf8() => plain.push(lower),
                _ => plain.push(first),
            }
        }
        let step = if length > 0 { length } else { first.len_utf8() };
        rest = rest.get(step..).unwrap_or_default();
    }
    plain
}

/// How many bytes of quoted text or code begin here.
fn masked(rest: &str, before: Option<char>) -> Option<usize> {
    let first = rest.chars().next()?;
    let closing = match first {
        '`' => '`',
        '"' => '"',
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '《' => '》',
        '«' => '»',
        '\'' if before.is_none_or(|before| !before.is_alphanumeric()) => '\'',
        _ => return None,
    };
    let inner = rest.get(first.len_utf8()..)?;
    let end = match closing {
        // An apostrophe inside a word closes nothing.
        '\'' => inner.char_indices().find_map(|(at, character)| {
            let next = inner.get(at + 1..)?.chars().next();
            (character == '\'' && next.is_none_or(|next| !next.is_alphanumeric())).then_some(at)
        })?,
        _ => inner.find(closing)?,
    };
    Some(first.len_utf8() + end + closing.len_utf8())
}

/// Sentences by their final marks, which stay with them.
fn split(plain: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = plain.len() - strip_item(plain).len();
    let mut characters = plain.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let after = characters.peek().map(|(_, after)| *after);
        let end = at + character.len_utf8();
        let stops = match character {
            '\n' | '。' | '！' | '？' | '；' => true,
            '.' if is_abbreviation(plain.get(start..at).unwrap_or_default()) => false,
            '.' | '!' | '?' | ';' => after.is_none_or(char::is_whitespace),
            _ => false,
        };
        if stops && end > start {
            parts.push(start..end);
            start = end;
        }
    }
    if start < plain.len() {
        parts.push(start..plain.len());
    }
    parts
}

fn is_abbreviation(before: &str) -> bool {
    ["e.g", "i.e", " vs", " etc", " dr", " mr", " ms", " no"]
        .iter()
        .any(|short| before.ends_with(short))
}

/// A line without its bullet or number.
fn strip_item(line: &str) -> &str {
    let body = line.trim_start();
    if let Some(rest) = body.strip_prefix("- ").or_else(|| body.strip_prefix("* ")) {
        return rest;
    }
    let digits = body.trim_start_matches(|character: char| character.is_ascii_digit());
    let numbered = digits.len() < body.len();
    let rest = digits
        .strip_prefix(". ")
        .or_else(|| digits.strip_prefix(") "));
    if let Some(rest) = rest.filter(|_| numbered) {
        return rest;
    }
    body
}

/// Whether what follows this sentence is a text to work on, not speech.
fn hands_text_over(plain: &str, question: bool) -> bool {
    let ends_open = plain.trim_end().ends_with([':', '：']);
    let works = items(TEXT_TO_WORK_ON).any(|word| plain.contains(word));
    works
        && (ends_open || !question || is_text_work(plain))
        && (ends_open
            || is_text_work(plain)
            || plain.contains("below")
            || plain.contains("following"))
}

fn is_text_work(plain: &str) -> bool {
    items(TEXT_WORK).any(|verb| plain.contains(verb))
}

fn is_chinese(plain: &str) -> bool {
    plain
        .chars()
        .any(|character| matches!(character, '\u{4E00}'..='\u{9FFF}'))
}
