//! The last reader: `key: value` lines, whatever else stands between them.

use std::borrow::Cow;

use super::{Fields, HEADER_LINES};
use crate::{
    lines::{indent_of, lines_from},
    scalar,
};

/// Reads what looks like a known key with a value. Never fails.
pub(crate) fn read(region: &str) -> Fields<'_> {
    let mut fields = Fields::default();
    let mut seen: Vec<(bool, &str)> = Vec::new();
    // Where the lines that go on with a value belong: only texts of our own go over lines.
    let mut open: Option<&str> = None;
    let mut is_nested = false;
    for line in lines_from(region.as_bytes(), 0).take(HEADER_LINES - 1) {
        let content = region.get(line.start..line.end).unwrap_or_default();
        let indent = indent_of(content.as_bytes());
        let text = content.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if indent > 0 && !is_nested {
            if let Some(field) = open.and_then(|key| fields.flat(key)) {
                append(field, text);
            }
            continue;
        }
        open = None;
        let nested = indent > 0;
        is_nested &= nested;
        let Some((key, value)) = text.split_once(':') else {
            continue;
        };
        let key = key.trim_end().trim_matches(['"', '\'']);
        if !nested && key == "metadata" {
            is_nested = true;
            continue;
        }
        let field = if nested {
            fields.nested(key)
        } else {
            fields.flat(key)
        };
        let Some(field) = field else { continue };
        if seen.contains(&(nested, key)) {
            continue;
        }
        seen.push((nested, key));
        let keeps_comment = !nested && key != "type";
        *field = value_of(value, keeps_comment);
        open = keeps_comment.then_some(key);
    }
    fields
}

/// The text of a value: without its quotes where it has them, else as it stands. In a sentence
/// that is not YAML ` #` is more likely text than a comment.
fn value_of(rest: &str, keeps_comment: bool) -> Option<Cow<'_, str>> {
    let text = rest.trim();
    if matches!(text, "" | "|" | ">" | "|-" | ">-" | "|+" | ">+") {
        return None;
    }
    match scalar::scan_value(text) {
        Some(scalar) if scalar.value.is_none() && !scalar.has_comment => None,
        Some(scalar) if !keeps_comment || text.starts_with(['"', '\'']) => scalar.value,
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
