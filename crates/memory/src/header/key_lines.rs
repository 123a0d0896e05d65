//! The last reader: `key: value` lines, whatever else stands between them.

use std::borrow::Cow;

use super::{Field, Fields, HEADER_LINES, Seen};
use crate::{
    lines::{indent_of, lines_from},
    scalar,
};

/// Reads what looks like a known key with a value. Never fails.
pub(crate) fn read(region: &str) -> Fields<'_> {
    let mut fields = Fields::default();
    let mut seen = Seen::default();
    // Whose value the next indented lines go on with: only texts of our own go over lines.
    let mut open: Option<Field> = None;
    let mut is_beneath_metadata = false;
    for line in lines_from(region.as_bytes(), 0).take(HEADER_LINES - 1) {
        let content = region.get(line.start..line.end).unwrap_or_default();
        let is_indented = indent_of(content.as_bytes()) > 0;
        let text = content.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let key = key_of(text);
        if is_indented && !is_beneath_metadata && key.and_then(Field::flat).is_none() {
            if let Some(field) = open {
                append(fields.slot(field), text);
            }
            continue;
        }
        open = None;
        let is_nested = is_indented && is_beneath_metadata;
        is_beneath_metadata = is_nested;
        let Some(key) = key else { continue };
        if !is_nested && key == "metadata" {
            is_beneath_metadata = true;
            continue;
        }
        let field = if is_nested {
            Field::nested(key)
        } else {
            Field::flat(key)
        };
        let Some(field) = field.filter(|field| seen.is_first(*field)) else {
            continue;
        };
        let is_sentence = matches!(field, Field::Name | Field::Description);
        let value = text.split_once(':').map_or("", |(_, value)| value);
        *fields.slot(field) = value_of(value, is_sentence);
        open = is_sentence.then_some(field);
    }
    fields
}

/// The key a line begins with, quotes taken off.
fn key_of(text: &str) -> Option<&str> {
    let (key, _) = text.split_once(':')?;
    Some(key.trim_end().trim_matches(['"', '\'']))
}

/// The text of a value: without its quotes where it has them, else as it stands. In a sentence
/// that is not YAML ` #` is more likely text than a comment.
fn value_of(rest: &str, is_sentence: bool) -> Option<Cow<'_, str>> {
    let text = rest.trim();
    if matches!(text, "" | "|" | ">" | "|-" | ">-" | "|+" | ">+") {
        return None;
    }
    match scalar::scan_value(text) {
        Some(scalar) if scalar.value.is_none() => None,
        Some(scalar) if !is_sentence || text.starts_with(['"', '\'']) => scalar.value,
        _ => Some(Cow::Borrowed(text)),
    }
}

fn append(field: &mut Option<Cow<'_, str>>, text: &str) {
    match field {
        Some(value) => {
            let value = value.to_mut();
            value.push(' ');
            value.push_str(text);
        }
        None => *field = Some(Cow::Owned(text.to_owned())),
    }
}
