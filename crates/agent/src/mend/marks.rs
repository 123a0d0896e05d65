//! The marks of a statement: what is compared sign by sign, because another one would be something else. Numbers, dates,
//! paths, addresses, flags, names of things in code.

use memdir_memory::words;

/// The marks of a text, in their order.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut run = String::new();
    for character in text.chars().chain([' ']) {
        let character = as_ascii(character);
        if character.is_ascii_graphic() {
            run.push(character);
            continue;
        }
        if let Some(mark) = mark(&run) {
            found.push(mark);
        }
        run.clear();
    }
    found
}

/// The code spans of a text, without blanks around them.
pub(super) fn code(text: &str) -> Vec<String> {
    let mut pieces = text.split('`');
    let mut found = Vec::new();
    pieces.next();
    while let (Some(inside), Some(_)) = (pieces.next(), pieces.next()) {
        let span = inside.split_whitespace().collect::<Vec<_>>().join(" ");
        if !span.is_empty() {
            found.push(span);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// One form for dashes, quotation marks and wide letters.
fn as_ascii(character: char) -> char {
    match character {
        '‐'..='―' | '−' => '-',
        '‘' | '’' => '\'',
        '\u{FF01}'..='\u{FF5E}' => {
            u8::try_from(u32::from(character) - 0xFEE0).map_or(character, char::from)
        }
        _ => character,
    }
}

/// What of a run of signs is a mark.
fn mark(run: &str) -> Option<String> {
    let run = run.trim_matches(is_wrapping).trim_end_matches(is_ending);
    let run = run.trim_matches(is_wrapping);
    if run.is_empty() {
        return None;
    }
    let is_flag = run.starts_with('-')
        && run.len() > 1
        && run.bytes().any(|byte| byte.is_ascii_alphanumeric());
    if is_flag {
        return Some(run.to_owned());
    }
    let run = run.trim_matches('-');
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = run.as_bytes();
    let special = bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'0'..=b'9' => true,
        b'/' | b'\\' | b'_' | b'=' | b'$' | b'@' | b'&' | b'|' | b'<' | b'>' | b'~' | b'^'
        | b'#' | b'%' | b'+' | b'{' | b'}' | b'!' => true,
        b':' | b'.' => {
            is_word(bytes.get(at + 1))
                && at
                    .checked_sub(1)
                    .is_some_and(|before| is_word(bytes.get(before)))
        }
        _ => false,
    });
    // "e.g" has a dot inside and names nothing.
    (special && !matches!(run, "e.g" | "i.e")).then(|| words_of(run))
}

fn words_of(run: &str) -> String {
    let lower = run.to_ascii_lowercase();
    // "5GB" and "5 GB" are one value; the letters are a word of their own elsewhere.
    let digits = lower.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let is_measure = digits.len() < lower.len()
        && !digits.is_empty()
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    if is_measure { digits.to_owned() } else { lower }
}

fn is_wrapping(character: char) -> bool {
    matches!(
        character,
        '*' | '"' | '\'' | '`' | '(' | ')' | '[' | ']' | ',' | ';' | '?'
    )
}

fn is_ending(character: char) -> bool {
    is_wrapping(character) || matches!(character, '.' | ':' | '!')
}

/// Whether all words of a code span stand in a text that has it without its ticks.
pub(super) fn is_among(span: &str, tokens: &[String]) -> bool {
    let wanted = words::tokens(span);
    wanted.is_empty() || tokens.windows(wanted.len()).any(|window| window == wanted)
}
