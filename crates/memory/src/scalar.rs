//! Scalars of a header: reading the ones whose meaning is beyond doubt, and writing them so that
//! every reader gets the same text back.

use std::borrow::Cow;

/// One scalar on one line, read for certain.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scalar<'a> {
    /// Its text; none for null.
    pub(crate) value: Option<Cow<'a, str>>,
    /// Where it stands in the text that was scanned, quotes included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the text goes on after it with a comment.
    pub(crate) has_comment: bool,
}

/// Reads what follows a key's colon on its line. `None` means not sure, never wrong: whatever is
/// not plainly a plain, single-quoted or double-quoted scalar is left to the YAML parser.
#[inline]
pub(crate) fn scan(rest: &str) -> Option<Scalar<'_>> {
    let start = blanks(rest.as_bytes());
    if start == 0 && !rest.is_empty() {
        return None;
    }
    let scalar = scan_value(rest.get(start..)?)?;
    Some(Scalar {
        start: start + scalar.start,
        end: start + scalar.end,
        ..scalar
    })
}

/// The same for a text whose blanks at its start are gone.
#[inline]
pub(crate) fn scan_value(text: &str) -> Option<Scalar<'_>> {
    let Some(first) = text.as_bytes().first() else {
        return Some(Scalar {
            value: None,
            start: 0,
            end: 0,
            has_comment: false,
        });
    };
    match first {
        b'#' => Some(Scalar {
            value: None,
            start: 0,
            end: 0,
            has_comment: true,
        }),
        b'"' | b'\'' => {
            let (value, end) = if *first == b'"' {
                double_quoted(text)?
            } else {
                single_quoted(text)?
            };
            let after = text.get(end..)?;
            let tail = after.trim_start_matches(' ');
            let has_comment = tail.starts_with('#') && tail.len() < after.len();
            (tail.is_empty() || has_comment).then_some(Scalar {
                value: Some(value),
                start: 0,
                end,
                has_comment,
            })
        }
        first if is_indicator(*first) => None,
        _ => plain(text),
    }
}

/// How many blanks, tabs not among them, a text begins with.
#[inline]
pub(crate) fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b' ').count()
}

/// Bytes with a meaning of their own at the start of a value.
fn is_indicator(first: u8) -> bool {
    matches!(
        first,
        b'-' | b'?'
            | b':'
            | b','
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'#'
            | b'&'
            | b'*'
            | b'!'
            | b'|'
            | b'>'
            | b'\''
            | b'"'
            | b'%'
            | b'@'
            | b'`'
    )
}

#[inline]
fn plain(text: &str) -> Option<Scalar<'_>> {
    let bytes = text.as_bytes();
    let mut end = text.len();
    let mut has_comment = false;
    for at in memchr::memchr2_iter(b':', b'#', bytes) {
        if bytes.get(at) == Some(&b':') {
            if matches!(bytes.get(at + 1), None | Some(b' ')) {
                return None;
            }
        } else if at > 0 && bytes.get(at - 1) == Some(&b' ') {
            end = at;
            has_comment = true;
            break;
        }
    }
    let kept = bytes
        .get(..end)?
        .iter()
        .rev()
        .skip_while(|byte| **byte == b' ')
        .count();
    let value = text.get(..kept)?;
    let is_null = value == "~" || value.eq_ignore_ascii_case("null");
    Some(Scalar {
        value: (!is_null).then_some(Cow::Borrowed(value)),
        start: 0,
        end: value.len(),
        has_comment,
    })
}

/// Text and length (quotes included) of a single-quoted scalar that closes on this line.
fn single_quoted(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let inner = text.get(1..)?;
    let mut at = 0;
    let mut doubled = false;
    loop {
        at += memchr::memchr(b'\'', inner.as_bytes().get(at..)?)?;
        if inner.as_bytes().get(at + 1) != Some(&b'\'') {
            break;
        }
        doubled = true;
        at += 2;
    }
    let value = inner.get(..at)?;
    let value = if doubled {
        Cow::Owned(value.replace("''", "'"))
    } else {
        Cow::Borrowed(value)
    };
    Some((value, at + 2))
}

/// Text and length (quotes included) of a double-quoted scalar that closes on this line and has
/// only the common escapes.
fn double_quoted(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let inner = text.get(1..)?;
    let first = memchr::memchr2(b'"', b'\\', inner.as_bytes())?;
    if inner.as_bytes().get(first) == Some(&b'"') {
        return Some((Cow::Borrowed(inner.get(..first)?), first + 2));
    }
    let mut value = inner.get(..first)?.to_owned();
    let mut chars = inner.get(first..)?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((Cow::Owned(value), first + at + 2)),
            '\\' => value.push(match chars.next()?.1 {
                escaped @ ('"' | '\\' | '/') => escaped,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits: Option<u32> =
                        (0..4).try_fold(0, |sum, _| Some(sum * 16 + chars.next()?.1.to_digit(16)?));
                    char::from_u32(digits?)?
                }
                _ => return None,
            }),
            c => value.push(c),
        }
    }
    None
}

/// Writes `value` so that a YAML parser and [`scan`] both read exactly it: plain where that is
/// safe, in double quotes elsewhere. The value is one line (see [`one_line`]).
pub(crate) fn write(value: &str) -> Cow<'_, str> {
    if is_safe_plain(value) {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(quote(value))
    }
}

/// `value` in double quotes.
pub(crate) fn quote(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            // Not printable to YAML, which refuses them outside an escape.
            '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => {
                quoted.push_str(&format!("\\u{:04X}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether `value` without quotes is text, and this text, to every parser of YAML 1.1 and 1.2.
fn is_safe_plain(value: &str) -> bool {
    let Some(first) = value.chars().next() else {
        return false;
    };
    // A digit may begin a number; a date, an id or a sentence is none.
    let starts_well = first.is_alphabetic()
        || first.is_ascii_digit()
            && (is_date(value) || is_id(value) || value.contains(' ') && has_word(value));
    starts_well
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with([':', ' '])
        && !value.contains(['\u{FEFF}', '\u{FFFE}', '\u{FFFF}'])
        && !is_word_with_meaning(value)
}

fn has_word(value: &str) -> bool {
    value
        .split(' ')
        .any(|word| word.chars().count() > 1 && word.chars().all(char::is_alphabetic))
}

/// `2026-03-30`, alone or with a time: what Claude Code itself writes without quotes.
fn is_date(value: &str) -> bool {
    value
        .get(..10)
        .is_some_and(|day| day.parse::<jiff::civil::Date>().is_ok())
        && value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte))
}

/// Letters and digits with two or more `-` among them, like an UUID.
fn is_id(value: &str) -> bool {
    value.bytes().filter(|byte| *byte == b'-').count() >= 2
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_word_with_meaning(value: &str) -> bool {
    const WORDS: [&str; 10] = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan",
    ];
    WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// `text` on one line: each run of line ends and control characters becomes a blank, and blanks
/// around it go. What a header holds is always in this form.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if has_only_plain_characters::<false>(text) {
        return Cow::Borrowed(text.trim());
    }
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let mut line = String::with_capacity(text.len());
    for piece in text.split(breaks).filter(|piece| !piece.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(piece);
    }
    // A control character may have hidden a blank at either end from the first trim.
    Cow::Owned(line.trim().to_owned())
}

/// No tab, no control character, and nothing that parsers disagree about. By bytes, because this
/// is asked for all text of every header of a scan.
pub(crate) fn has_only_plain_characters<const MAY_BREAK: bool>(text: &str) -> bool {
    let bytes = text.as_bytes();
    // No early end: this form becomes vector code.
    let is_control = |byte: u8| {
        let is_break = MAY_BREAK & ((byte == b'\n') | (byte == b'\r'));
        ((byte < 0x20) & !is_break) | (byte == 0x7f)
    };
    if bytes
        .iter()
        .fold(false, |found, byte| found | is_control(*byte))
    {
        return false;
    }
    text.is_ascii()
        || !memchr::memchr3_iter(0xC2, 0xE2, 0xEF, bytes).any(|at| {
            matches!(
                bytes.get(at..).unwrap_or_default(),
                // The second row of controls; line and paragraph separator; the byte order mark
                // and its mirror image, and the last place of the plane.
                [0xC2, 0x80..=0x9F, ..]
                    | [0xE2, 0x80, 0xA8 | 0xA9, ..]
                    | [0xEF, 0xBB, 0xBF, ..]
                    | [0xEF, 0xBF, 0xBE | 0xBF, ..]
            )
        })
}
