//! The strict reader: the flat and the nested form with scalars on one line each, and nothing
//! else. It answers only where a YAML parser would answer the same; a property test holds it to
//! that.

use super::{Field, Fields, Seen, frame::is_key_byte};
use crate::{lines::lines_from, scalar};

/// Longer keys are nobody's, and YAML has a limit of its own.
const MAX_KEY: usize = 64;

/// Reads the lines between the two `---`; `None` means not sure.
pub(crate) fn read(region: &str) -> Option<Fields<'_>> {
    if !scalar::has_only_plain_characters::<true>(region) {
        return None;
    }
    let mut fields = Fields {
        are_plain: true,
        ..Fields::default()
    };
    let mut seen = Seen::default();
    let mut has_metadata = false;
    // Beneath `metadata:` the indent of its keys, once one has been seen.
    let mut nested: Option<Option<usize>> = None;
    for line in lines_from(region.as_bytes(), 0) {
        let content = region.get(line.start..line.end)?;
        let indent = scalar::blanks(content.as_bytes());
        let text = content.get(indent..)?;
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (key, rest) = split_key(text)?;
        let value = scalar::scan(rest)?;
        let field = if indent > 0 {
            let expected = nested.as_mut()?;
            if *expected.get_or_insert(indent) != indent {
                return None;
            }
            Field::nested(key)
        } else if key == "metadata" {
            // A second one, or one with a value, is rare enough for the YAML parser.
            if value.end > value.start || has_metadata {
                return None;
            }
            has_metadata = true;
            nested = Some(None);
            None
        } else {
            nested = None;
            Field::flat(key)
        };
        if let Some(field) = field
            && seen.is_first(field)
        {
            *fields.slot(field) = value.value;
        }
    }
    Some(fields)
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
    let key = text.get(..length)?;
    // No text to YAML, but a key that is null.
    (!key.eq_ignore_ascii_case("null")).then_some((key, text.get(length + 1..)?))
}
