//! Which kind of transcript a file is, told by its first bytes.

use super::Format;

/// So many bytes are enough, unless the first line of a rollout is longer than any that was seen.
pub(super) const ENOUGH: u64 = 256 << 10;

/// Which kind of transcript this is, by its first bytes; the more, the surer. None: no kind that is known.
///
/// ```
/// use memdir_conversation::transcript::{Format, detect};
///
/// let rollout = br#"{"timestamp":"2026-11-15T19:29:49.762Z","type":"session_meta","payload":{"id":"#;
/// assert_eq!(detect(rollout), Some(Format::Codex));
/// assert_eq!(detect(b"# Notes"), None);
/// ```
#[must_use]
pub fn detect(beginning: &[u8]) -> Option<Format> {
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
    let text = text.trim_ascii_start();
    match text.first()? {
        b'[' => array(text),
        b'{' => object(text),
        // A first line that is broken, zeros of a crash: the lines behind it may still tell.
        _ => after_line(text).and_then(object),
    }
}

fn array(text: &[u8]) -> Option<Format> {
    let rest = text.get(1..).unwrap_or_default().trim_ascii_start();
    if !rest.is_empty() && !rest.starts_with(b"{") && !rest.starts_with(b"]") {
        return None;
    }
    Some(spoken(text))
}

/// Whose messages these are: what only one of the two APIs has decides.
fn spoken(text: &[u8]) -> Format {
    const OPENAI: [&str; 6] = [
        "\"tool_calls\":",
        "\"tool_call_id\":",
        "\"role\":\"tool\"",
        "\"role\":\"developer\"",
        "\"image_url\":",
        "\"refusal\":",
    ];
    const ANTHROPIC: [&str; 3] = [
        "\"tool_use_id\":",
        "\"type\":\"tool_use\"",
        "\"cache_control\":",
    ];
    let dense: Vec<u8> = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let first = |words: &[&str]| {
        let places = words
            .iter()
            .filter_map(|word| find(&dense, word.as_bytes()));
        places.min().unwrap_or(usize::MAX)
    };
    let opens_with_system = dense.starts_with(b"[{\"role\":\"system\"")
        || find(&dense, b"\"messages\":[{\"role\":\"system\"").is_some();
    let (openai, anthropic) = (first(&OPENAI), first(&ANTHROPIC));
    match openai < anthropic || (opens_with_system && anthropic == usize::MAX) {
        true => Format::OpenAi,
        false => Format::Anthropic,
    }
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

fn object(text: &[u8]) -> Option<Format> {
    let mut rest = text;
    loop {
        let keys = keys(rest);
        let has = |name: &str| keys.contains(&name.as_bytes());
        if has("payload") || (has("instructions") && has("timestamp") && has("id")) {
            return Some(Format::Codex);
        }
        if has("projectHash") || has("$set") || has("$rewindTo") {
            return Some(Format::Gemini);
        }
        if has("uuid") || has("sessionId") || has("leafUuid") || has("isSidechain") {
            return Some(Format::ClaudeCode);
        }
        if has("messages") {
            return Some(spoken(rest));
        }
        if has("type") && (has("messageId") || has("snapshot") || has("sessionKind")) {
            return Some(Format::ClaudeCode);
        }
        // Nothing in this line tells; perhaps the next does.
        rest = after_line(rest)?;
        if !rest.starts_with(b"{") {
            return None;
        }
    }
}

fn after_line(text: &[u8]) -> Option<&[u8]> {
    let end = text.iter().position(|byte| *byte == b'\n')?;
    let rest = text.get(end..).unwrap_or_default();
    let rest = rest.trim_ascii_start();
    (!rest.is_empty()).then_some(rest)
}

/// The names of the fields of an object, as far as it goes.
fn keys(text: &[u8]) -> Vec<&[u8]> {
    let mut keys = Vec::new();
    let mut depth = 0_u32;
    let mut place = 0;
    while let Some(byte) = text.get(place) {
        match byte {
            b'"' => {
                let start = place + 1;
                let end = end_of_string(text, start);
                let behind = text.get(end + 1..).unwrap_or_default().trim_ascii_start();
                if depth == 1 && behind.starts_with(b":") {
                    keys.extend(text.get(start..end));
                }
                place = end;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
        place += 1;
    }
    keys
}

fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut place = start;
    while let Some(byte) = text.get(place) {
        match byte {
            b'\\' => place += 1,
            b'"' => return place,
            _ => {}
        }
        place += 1;
    }
    text.len()
}
