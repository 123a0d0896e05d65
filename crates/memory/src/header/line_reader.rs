//! The strict reader: the flat and the nested form with scalars on one line each, and nothing
//! else. It answers only where a YAML parser would answer the same; a property test holds it to
//! that.

use super::{Fields, frame::is_key_byte};
use crate::{lines::lines_from, scalar};

/// Longer keys are nobody's, and YAML has a limit of its own.
const MAX_KEY: usize = 64;

/// Reads the lines between the two `---`; `None` means not sure.
pub(crate) fn read(region: &str) -> Option<Fields<'_>> {
    if !has_only_plain_characters(region) {
        return None;
    }
    let bytes = region.as_bytes();
    let mut fields = Fields::default();
    // The keys seen, to let the first of two count; unknown ones do not matter.
    let mut seen = Seen::default();
    // Beneath `metadata:` the indent of its keys, once one has been seen.
    let mut nested: Option<Option<usize>> = None;
    for line in lines_from(bytes, 0) {
        let content = region.get(line.start..line.end)?;
        let text = content.trim_start_matches(' ');
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = content.len() - text.len();
        let (key, rest) = split_key(text)?;
        let value = scalar::scan(rest)?;
        if indent > 0 {
            let expected = nested.as_mut()?;
            if *expected.get_or_insert(indent) != indent {
                return None;
            }
            if let Some(field) = fields.nested(key)
                && seen.is_first(key, true)
            {
                *field = value.value;
            }
        } else if key == "metadata" {
            // A second one, or one with a value, is rare enough for the YAML parser.
            if value.value.is_some() || !seen.is_first(key, false) {
                return None;
            }
            nested = Some(None);
        } else {
            nested = None;
            if let Some(field) = fields.flat(key)
                && seen.is_first(key, false)
            {
                *field = value.value;
            }
        }
    }
    Some(fields)
}

/// Which known keys have stood already.
#[derive(Default)]
struct Seen(u32);

impl Seen {
    fn is_first(&mut self, key: &str, nested: bool) -> bool {
        let bit = match key {
            "name" => 0,
            "description" => 1,
            "type" => 2,
            "metadata" => 3,
            "source" => 4,
            "modified" => 5,
            "expires" => 6,
            _ => 7,
        };
        let bit = 1_u32 << (bit + if nested { 8 } else { 0 });
        let is_first = self.0 & bit == 0;
        self.0 |= bit;
        is_first
    }
}

/// `key` and what follows its colon.
#[inline]
fn split_key(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let length = bytes
        .iter()
        .take(MAX_KEY)
        .take_while(|byte| is_key_byte(**byte))
        .count();
    if bytes.get(length) != Some(&b':') || !bytes.first()?.is_ascii_alphabetic() {
        return None;
    }
    Some((text.get(..length)?, text.get(length + 1..)?))
}

/// No tab, no control character, and nothing that parsers disagree about.
fn has_only_plain_characters(region: &str) -> bool {
    if region.is_ascii() {
        // No early end: this form becomes vector code.
        let is_bad = |byte: u8| (byte < 0x20 && byte != b'\n' && byte != b'\r') || byte == 0x7f;
        return !region.bytes().fold(false, |bad, byte| bad | is_bad(byte));
    }
    !region.chars().any(|c| match c {
        '\n' | '\r' => false,
        '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => true,
        c => c.is_control(),
    })
}
