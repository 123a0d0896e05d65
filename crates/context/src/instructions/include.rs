//! `@path` in a text: which other files it includes.

use std::ops::Range;

use super::MAX_REQUESTS;
use super::markdown::Regions;

/// Longer than any path that the system takes.
const MAX_PATH: usize = 4096;

/// A file that a text includes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// As it was written, without `@`, `#fragment`, escapes and the sentence's own punctuation.
    pub(super) path: String,
    /// The line of its `@`, from 1.
    pub(super) line: usize,
}

/// Every include from `start` on that stands neither in code nor in a comment. Lines count from the beginning of the
/// text.
pub(super) fn mentions(text: &str, start: usize, regions: &Regions) -> Vec<Mention> {
    let aside = regions.aside();
    let mut aside = aside.iter().peekable();
    let mut found = Vec::new();
    // Counted forward, so that many includes in one text read it once.
    let (mut line, mut counted) = (1, 0);
    let body = text.get(start..).unwrap_or_default();
    for at in body.match_indices('@').map(|(at, _)| start + at) {
        while aside.next_if(|range| range.end <= at).is_some() {}
        let next = aside.peek();
        if next.is_some_and(|range| range.start <= at) || !begins_word(text, start, at) {
            continue;
        }
        let end = next.map_or(text.len(), |range| range.start);
        let Some(path) = path_in(text, at + 1..end) else {
            continue;
        };
        let passed = text.get(counted..at).unwrap_or_default();
        line += passed.matches('\n').count();
        counted = at;
        found.push(Mention { path, line });
        if found.len() > MAX_REQUESTS {
            break;
        }
    }
    found
}

/// An address such as `ada@example.com`, a handle in an address and an escaped `\@` are no includes.
fn begins_word(text: &str, start: usize, at: usize) -> bool {
    let before = text
        .get(start..at)
        .and_then(|before| before.chars().next_back());
    before.is_none_or(|before| before.is_whitespace() || before == '*')
}

fn path_in(text: &str, within: Range<usize>) -> Option<String> {
    let rest = text.get(within)?;
    let mut path = String::new();
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&' ') => {
                characters.next();
                path.push(' ');
            }
            '#' => break,
            _ if character.is_whitespace() => break,
            _ => path.push(character),
        }
        if path.len() > MAX_PATH {
            return None;
        }
    }
    path.truncate(without_punctuation(&path).len());
    names_a_file(&path).then_some(path)
}

/// What ends a sentence or closes a bracket is not part of a name.
fn without_punctuation(path: &str) -> &str {
    path.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '"', '*'])
}

fn names_a_file(path: &str) -> bool {
    let relative = path
        .strip_prefix("~/")
        .or_else(|| path.strip_prefix('/'))
        .unwrap_or(path);
    let first = relative.chars().next();
    first.is_some_and(|first| first.is_alphanumeric() || matches!(first, '.' | '_' | '-'))
        && relative.chars().any(char::is_alphanumeric)
        && !path.contains(char::is_control)
}
