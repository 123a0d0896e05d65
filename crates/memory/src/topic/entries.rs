//! Where the keys of a header stand, and how far their values go.

use crate::{
    header::is_key_byte,
    lines::{Line, indent_of, is_blank, lines_from, part},
    scalar::{self, Scalar},
};

/// One `key: value` of a header, with the lines its value goes on over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a str,
    /// The line with the key.
    pub(super) line: Line,
    /// After the key's colon.
    pub(super) colon: usize,
    /// After the last line that belongs to the value.
    pub(super) end: usize,
}

impl<'a> Entry<'a> {
    /// What follows the colon on the key's line, where it is text.
    pub(super) fn rest(&self, bytes: &'a [u8]) -> Option<&'a str> {
        std::str::from_utf8(part(bytes, self.colon, self.line.end)).ok()
    }

    /// The value where it is a scalar on the key's line beyond doubt.
    pub(super) fn scalar(&self, bytes: &'a [u8]) -> Option<Scalar<'a>> {
        scalar::scan(self.rest(bytes)?)
    }

    /// Whether the value is the text of the lines beneath, marked by `|` or `>`.
    pub(super) fn is_block_text(&self, bytes: &[u8]) -> bool {
        let rest = part(bytes, self.colon, self.line.end);
        matches!(rest.get(indent_of(rest)), Some(b'|' | b'>'))
    }
}

/// The entries between two offsets whose keys have the given indent.
pub(super) fn entries(bytes: &[u8], start: usize, end: usize, indent: usize) -> Vec<Entry<'_>> {
    let mut found: Vec<Entry<'_>> = Vec::new();
    // Lines before the first key are no one's.
    for line in lines_from(part(bytes, 0, end), start) {
        let content = line.content(bytes);
        let line_indent = indent_of(content);
        if is_blank(content) {
            continue;
        }
        let text = part(content, line_indent, content.len());
        let is_item = text.starts_with(b"- ") || text == b"-";
        if line_indent > indent || line_indent == indent && is_item {
            if let Some(last) = found.last_mut() {
                last.end = line.next;
            }
        } else if line_indent == indent
            && let Some((key, colon)) = key_of(text)
        {
            let colon = line.start + line_indent + colon;
            found.push(Entry {
                key,
                line,
                colon,
                end: line.next,
            });
        }
    }
    found
}

/// The indent of the keys beneath an entry: that of its first line that is neither blank nor a
/// comment.
pub(super) fn indent_beneath(bytes: &[u8], entry: &Entry<'_>) -> Option<usize> {
    lines_from(part(bytes, 0, entry.end), entry.line.next)
        .map(|line| line.content(bytes))
        .find(|content| !is_blank(content) && !is_comment(content))
        .map(indent_of)
}

pub(super) fn is_comment(content: &[u8]) -> bool {
    content.get(indent_of(content)) == Some(&b'#')
}

/// The key a line begins with, quotes taken off, and the offset after its colon.
fn key_of(text: &[u8]) -> Option<(&str, usize)> {
    let (quotes, inner) = match text.first()? {
        quote @ (b'"' | b'\'') => (Some(*quote), text.get(1..)?),
        _ => (None, text),
    };
    let length = inner.iter().take_while(|byte| is_key_byte(**byte)).count();
    let key = std::str::from_utf8(inner.get(..length)?)
        .ok()
        .filter(|key| !key.is_empty())?;
    let mut after = length;
    if let Some(quote) = quotes {
        if inner.get(after) != Some(&quote) {
            return None;
        }
        after += 2;
    }
    let blanks = indent_of(text.get(after..)?);
    (text.get(after + blanks) == Some(&b':')).then_some((key, after + blanks + 1))
}
