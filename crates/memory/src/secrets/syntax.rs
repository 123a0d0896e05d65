//! How a value is given to a name: in settings, code, markup, command lines and prose.

use std::ops::Range;

/// How the value was tied to its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// `name = value`, `name: value`, `--name value`.
    Direct,
    /// The same with quotes around the value.
    Quoted,
    /// Words in between: "the token for staging is value".
    Loose,
}

/// What stands before a name that is set without an operator.
const SETTERS: &[&str] = &[
    "ENV ",
    "setx ",
    "setenv ",
    "set -x ",
    "set -gx ",
    "set -xg ",
    "set -Ux ",
    "set -xU ",
    "set -lx ",
    "set --export ",
    "configure set ",
    "config set ",
];

/// Bytes behind a name that are looked at: enough for an operator and a long value.
const REACH: usize = 1_024;

/// Longest value without quotes.
const LONGEST: usize = 600;

/// The identifier around a keyword.
pub(super) fn name_around(text: &str, keyword: &Range<usize>) -> Option<Range<usize>> {
    const REACH: usize = 40;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let bytes = text.as_bytes();
    let before = bytes
        .get(..keyword.start)?
        .iter()
        .rev()
        .take(REACH)
        .take_while(|byte| is_name(byte))
        .count();
    let after = bytes
        .get(keyword.end..)?
        .iter()
        .take(REACH)
        .take_while(|byte| is_name(byte))
        .count();
    let end = keyword.end + after;
    // "the token." – the stop belongs to the sentence; `token->` and `$token .=` to the operator.
    let trailing = bytes
        .get(keyword.end..end)?
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b'-'))
        .count();
    Some(keyword.start - before..end - trailing)
}

/// The value given to a name, and how.
pub(super) fn value_of(text: &str, name: &Range<usize>) -> Option<(Range<usize>, Tie)> {
    let (start, tie) = value_start(text, name)?;
    let end = if is_parameter(text, name.start) {
        End::Parameter
    } else if text.as_bytes().get(name.end) == Some(&b'=') && opens_line(text, name.start) {
        End::Line
    } else {
        End::Field
    };
    read_value(text, start, tie, end)
}

/// The value that begins at a place.
pub(super) fn word_at(text: &str, at: usize, tie: Tie) -> Option<(Range<usize>, Tie)> {
    read_value(text, at, tie, End::Field)
}

/// What ends a value without quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// A sign that separates it from what follows.
    Field,
    /// The same, and `&`: it stands in the query of an address.
    Parameter,
    /// Only a blank: `NAME=value` on a line of its own, as in a file of variables.
    Line,
}

/// Whether a name is the first word of its line, or the second behind `export`.
fn opens_line(text: &str, at: usize) -> bool {
    const REACH: usize = 16;
    let before = text
        .as_bytes()
        .get(at.saturating_sub(REACH)..at)
        .unwrap_or_default();
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let whole = line.len() < before.len() || before.len() < REACH;
    whole && matches!(line.trim_ascii(), b"" | b"export" | b"set" | b"setenv")
}

/// Whether a name stands in the query of an address, where `&` ends its value.
fn is_parameter(text: &str, at: usize) -> bool {
    text.get(..at)
        .is_some_and(|before| before.ends_with(['?', '&']) || before.ends_with("&amp;"))
}

/// Where the value begins, and how it is tied to the name.
fn value_start(text: &str, name: &Range<usize>) -> Option<(usize, Tie)> {
    let at = name.end;
    let rest = ahead(text, at);
    let trimmed = rest.trim_start_matches(['"', '\'', '`', '*', ']', ')', ' ', '\t', '\\']);
    let closers = rest.get(..rest.len() - trimmed.len())?;
    let quoted_name = closers.contains(['"', '\'', '`']);
    let behind = |tail: &str| at + rest.len() - tail.len();
    let before = text.get(..name.start)?;
    if let Some(tail) = sibling(trimmed, quoted_name).or_else(|| typed(trimmed)) {
        return Some((behind(tail), Tie::Direct));
    }
    // `<name>value</name>`, and the value may stand on a line of its own.
    if is_element(text, name.start)
        && let Some(tail) = rest.strip_prefix('>')
    {
        return Some((behind(tail.trim_start()), Tie::Direct));
    }
    // `set("name", "value")`, `name("value")`; and a row of a table: `name,value,`.
    if let Some(tail) = trimmed.strip_prefix([',', '(']) {
        let tail = tail.trim_start();
        if tail.starts_with(['"', '\'', '`', '\\']) && (quoted_name || closers.is_empty()) {
            return Some((behind(tail), Tie::Direct));
        }
        let row = closers.is_empty() && rest.starts_with(',') && !rest.starts_with(", ");
        return row.then_some((at + 1, Tie::Loose));
    }
    if let Some(length) = operator(trimmed) {
        let tail = trimmed.get(length..)?;
        return Some((behind(block(tail).unwrap_or(tail)), Tie::Direct));
    }
    let option = before.ends_with('-') || text.get(name.clone())?.starts_with('-');
    let set = SETTERS.iter().any(|setter| before.ends_with(setter));
    if (option || set) && rest.starts_with(' ') {
        return Some((at, Tie::Direct));
    }
    loose(line(rest)).map(|place| (at + place, Tie::Loose))
}

/// Whether a name is that of an element: `<name`, `<space:name`.
fn is_element(text: &str, at: usize) -> bool {
    const REACH: usize = 24;
    text.as_bytes()
        .get(at.saturating_sub(REACH)..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .find(|byte| !byte.is_ascii_alphanumeric() && **byte != b':')
        .is_some_and(|byte| *byte == b'<')
}

/// "password of the staging database is …": a few words may stand in between.
fn loose(line: &str) -> Option<usize> {
    const REACH: usize = 48;
    let near = line.get(..on_boundary(line, REACH))?;
    let (place, length) = [" is ", ": ", " = ", " | ", "是", "：", "="]
        .iter()
        .filter_map(|sign| Some((near.find(sign)?, sign.len())))
        .min()?;
    // A full stop ends the thought.
    (!near.get(..place)?.contains(". ")).then_some(place + length)
}

/// Length of the operator at the start of a text, with the space behind it.
fn operator(text: &str) -> Option<usize> {
    const OPERATORS: &[&str] = &[
        ":::=", "::=", ":=", "=>", "->", "===", "==", "??=", "||=", "?=", "+=", ".=", "=", ":",
        "：", "is ", "was ", "are ", "是", "为", "||", "|", "\u{2192}",
    ];
    let length = OPERATORS
        .iter()
        .find(|operator| text.starts_with(**operator))?
        .len();
    let rest = text.get(length..)?;
    Some(length + rest.len() - rest.trim_start_matches([' ', '\t', '*']).len())
}

/// What stands on the next line behind YAML's `|` and `>`, or behind an operator that ends its
/// line before a quote.
fn block(text: &str) -> Option<&str> {
    let marked = text.strip_prefix(['|', '>']);
    let rest = marked.unwrap_or(text).trim_start_matches(['-', '+', ' ']);
    let next = rest
        .strip_prefix('\n')
        .or_else(|| rest.strip_prefix("\r\n"))?
        .trim_start_matches([' ', '\t']);
    (marked.is_some() || next.starts_with(['"', '\''])).then_some(next)
}

/// The value beside a name that is itself a value: `key="name" value="…"`,
/// `"name": "…", "value": "…"`, `- name: …`, `value: …`, `<key>name</key><string>…</string>`.
fn sibling(text: &str, quoted_name: bool) -> Option<&str> {
    if let Some(closing) = text.strip_prefix("</") {
        let (_, behind) = closing.split_once('>').filter(|(tag, _)| tag.len() <= 24)?;
        let (tag, value) = behind.trim_start().strip_prefix('<')?.split_once('>')?;
        return (tag.len() <= 24 && !tag.starts_with('/')).then_some(value);
    }
    let next = text.trim_start_matches([',', ' ', '\t', '\r', '\n', '/', '>', '<']);
    if next.len() == text.len() && !quoted_name {
        return None;
    }
    let next = next.trim_start_matches(['"', '\'', '\\']);
    let word = next
        .get(..5)
        .filter(|word| word.eq_ignore_ascii_case("value"))?;
    let behind = next
        .get(word.len()..)?
        .trim_start_matches(['"', '\'', '\\', ' ']);
    let value = behind.strip_prefix([':', '='])?;
    Some(value.trim_start_matches([' ', '\t']))
}

/// What stands behind a type and its `=`: `name: string = "…"`, `name string = "…"`.
fn typed(text: &str) -> Option<&str> {
    const LONGEST: usize = 32;
    let plain = text.trim_start_matches(['?', '!']);
    let kind = plain
        .strip_prefix(':')
        .unwrap_or(plain)
        .trim_start_matches(' ');
    let end = kind.get(..on_boundary(kind, LONGEST))?.find('=')?;
    let (name, value) = (kind.get(..end)?.trim_end(), kind.get(end + 1..)?);
    let is_type = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '&')
        && name.chars().all(|character| {
            character.is_ascii_alphanumeric() || "_.&'<>[]*|? ".contains(character)
        });
    let value = value.trim_start_matches(' ');
    (is_type && value.starts_with(['"', '\'', '`'])).then_some(value)
}

/// The text from a place on, as far as a name, an operator and a value reach.
fn ahead(text: &str, at: usize) -> &str {
    text.get(at..on_boundary(text, at + REACH))
        .unwrap_or_default()
}

/// The first line of a text.
fn line(text: &str) -> &str {
    text.split_once('\n').map_or(text, |(first, _)| first)
}

/// The nearest place at or before one that does not cut a character.
pub(super) fn on_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The value that begins near `start`: what quotes enclose, or what has no blank in it.
fn read_value(text: &str, start: usize, tie: Tie, end: End) -> Option<(Range<usize>, Tie)> {
    let line = line(ahead(text, start));
    let trimmed = line.trim_start_matches([' ', '\t', '*', '(', '\\']);
    let trimmed = string_prefix(trimmed);
    let mut start = start + line.len() - trimmed.len();
    let first = trimmed.chars().next()?;
    let (body, tie) = match first {
        '"' | '\'' | '`' => {
            let inner = trimmed.trim_start_matches(first);
            start += trimmed.len() - inner.len();
            let body = inner.get(..inner.find(first).unwrap_or(inner.len()))?;
            (body, if tie == Tie::Loose { tie } else { Tie::Quoted })
        }
        _ => {
            // What is longer is data, and is not read to its end.
            let near = trimmed.get(..on_boundary(trimmed, LONGEST + 1))?;
            let length = near
                .find(|character| ends_bare(character, end))
                .unwrap_or(near.len());
            let value = near.get(..length).filter(|value| value.len() <= LONGEST)?;
            (
                if end == End::Line {
                    without_fields(value)
                } else {
                    value
                },
                tie,
            )
        }
    };
    let escape = body.match_indices('\\').find(|(at, _)| {
        let next = body.as_bytes().get(at + 1);
        next.is_some_and(|next| matches!(next, b'n' | b'r' | b'"'))
    });
    let body = escape.and_then(|(at, _)| body.get(..at)).unwrap_or(body);
    let body = body.trim_end_matches(['.', ':', '*', '\\']);
    if body.is_empty() || body.contains(char::is_whitespace) {
        return None;
    }
    Some((start..start + body.len(), tie))
}

/// A string behind the letter that says what kind it is: `b"…"`, `@'…'`.
fn string_prefix(text: &str) -> &str {
    text.strip_prefix(['b', 'r', 'f', 'u', '@', '$', '&'])
        .filter(|rest| rest.starts_with(['"', '\'']))
        .unwrap_or(text)
}

/// A value up to the next field of a connection: `password;Encrypt=True`.
fn without_fields(value: &str) -> &str {
    let next = value.match_indices([';', ',', '&']).find(|(at, _)| {
        let behind = value.get(at + 1..).unwrap_or_default();
        let (name, _) = behind.split_once('=').unwrap_or_default();
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    });
    let value = next.and_then(|(at, _)| value.get(..at)).unwrap_or(value);
    value.trim_end_matches([';', ',', ')'])
}

/// Whether a character ends a value without quotes.
fn ends_bare(character: char, end: End) -> bool {
    match character {
        '"' | '\'' | '`' | '，' | '。' | '、' => true,
        ',' | ';' | '<' | '|' | ')' | ']' | '}' => end != End::Line,
        '&' => end == End::Parameter,
        _ => character.is_whitespace(),
    }
}
