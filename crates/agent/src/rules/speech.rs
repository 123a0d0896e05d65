//! Which sentences of a message are the user's own speech.

mod pasted;
mod words;

use std::ops::Range;

use super::Act;
use super::phrases::is_han;
use words::{
    HANDED, IMPROVED, LINES_TO_COME, OWN_LISTS, PRODUCTS, REASONS, REPORTED, TEXT_TO_WORK_ON,
    TEXT_WORK,
};

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

/// What a rule found in a sentence.
#[derive(Debug)]
pub(super) struct Found {
    /// To keep or to forget it.
    pub(super) act: Act,
    /// The bytes of the message that say what.
    pub(super) said: Range<usize>,
    /// The bytes of the message it stands on.
    pub(super) evidence: Range<usize>,
    /// The rule that found it.
    pub(super) rule: &'static str,
}

impl Sentence<'_> {
    /// A wish that is said from this byte of the sentence on.
    pub(super) fn found(&self, from: usize, act: Act, rule: &'static str) -> Found {
        self.found_within(from..self.text.len(), act, rule)
    }

    /// A wish that is said by these bytes of the sentence.
    pub(super) fn found_within(&self, said: Range<usize>, act: Act, rule: &'static str) -> Found {
        Found {
            act,
            said: self.range.start + said.start..self.range.start + said.end,
            evidence: self.range.clone(),
            rule,
        }
    }
}

/// What stands for a byte of quoted text or code.
const MASK: &str = "\u{1}";

/// The sentences of a message that are the user's own.
pub(super) fn sentences(message: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut content = false;
    for line in pasted::own_lines(message) {
        let text = message.get(line.clone()).unwrap_or_default();
        if text.trim().is_empty() {
            content = false;
            continue;
        }
        if content {
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
            let question = typed.ends_with(['?', '？']);
            let hands_over = hands_text_over(plain, question);
            content = announces_lines(plain);
            found.push(Sentence {
                text: typed,
                range: line.start + start..line.start + start + typed.len(),
                plain: plain.to_owned(),
                question,
                chinese: plain.chars().any(is_han),
            });
            if hands_over {
                return found;
            }
        }
    }
    found
}

/// A sentence without what it quotes. Code stays where nobody else is said to have written it, and so does a word or two:
/// they name something.
pub(super) fn unquoted(sentence: &Sentence<'_>) -> String {
    let plain = match sentence.plain.split_once([':', '：']) {
        // "What does this mean: …", "it says: …".
        Some((before, _))
            if (TEXT_TO_WORK_ON.within(before) || REPORTED.within(before))
                && !OWN_LISTS.within(before) =>
        {
            before
        }
        _ => &sentence.plain,
    };
    let reported = REPORTED.within(plain);
    let mut said = String::new();
    let mut from = 0;
    while let Some(found) = plain.get(from..).and_then(|rest| rest.find(MASK)) {
        let start = from + found;
        let masked = plain.get(start..).unwrap_or_default();
        let end = start + (masked.len() - masked.trim_start_matches(MASK).len());
        let quoted = sentence.text.get(start..end).unwrap_or_default();
        let few = quoted.split_whitespace().count() <= 2;
        said.push_str(sentence.text.get(from..start).unwrap_or_default());
        said.push_str(match few || (quoted.starts_with('`') && !reported) {
            true => quoted,
            false => " ",
        });
        from = end;
    }
    said.push_str(sentence.text.get(from..plain.len()).unwrap_or_default());
    said
}

/// Whether a sentence says why the one before it was said.
pub(super) fn gives_a_reason(sentence: &Sentence<'_>) -> bool {
    !sentence.question && REASONS.opens(&sentence.plain)
}

/// Lower case, with quoted text and code masked byte for byte. Text that changes its length in lower case stays as it is.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let length = masked(rest, before).unwrap_or(0);
        if length > 0 {
            plain.push_str(&MASK.repeat(length));
            before = Some('\u{1}');
        } else {
            let lower = first.to_lowercase().next().unwrap_or(first);
            let same = lower.len_utf8() == first.len_utf8();
            plain.push(if same { lower } else { first });
            before = Some(first);
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
            let next = inner.get(at + character.len_utf8()..)?.chars().next();
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
    [
        "e.g", "i.e", " vs", " etc", " dr", " mr", " ms", " no", "p.s",
    ]
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
    rest.filter(|_| numbered).unwrap_or(body)
}

/// Whether what follows this sentence is a text to work on, not speech.
fn hands_text_over(plain: &str, question: bool) -> bool {
    let ends_open = plain.trim_end().ends_with([':', '：']);
    let works = (TEXT_TO_WORK_ON.within(plain) || plain.contains("tl;dr"))
        && !(ends_open && OWN_LISTS.within(plain));
    if ends_open && REPORTED.within(plain) {
        return true;
    }
    let text_work = TEXT_WORK.within(plain) || plain.contains("tl;dr");
    // "Here is my prompt, improve it: You are …": the text begins behind the colon, on the same line.
    let handed = plain.split_once(": ").is_some_and(|(before, _)| {
        HANDED.opens(before) && PRODUCTS.within(before) || IMPROVED.within(before)
    });
    if handed && !OWN_LISTS.within(plain) {
        return true;
    }
    works
        && (ends_open || !question || text_work)
        && (ends_open || text_work || plain.contains("below") || plain.contains("following"))
}

/// Whether the lines up to the next gap are what a file, a prompt or a test shall contain.
fn announces_lines(plain: &str) -> bool {
    plain.trim_end().ends_with([':', '：'])
        && !OWN_LISTS.within(plain)
        && (LINES_TO_COME.opens(plain) || PRODUCTS.within(plain))
}
