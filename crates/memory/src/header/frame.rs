//! Where the header of a file begins and ends.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{HEADER_BYTES, HEADER_LINES};
use crate::lines::{indent_of, is_blank, lines_from, part};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// What closes a header, with the line end before it.
static CLOSING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\n---"));

/// Keys that make an unclosed beginning a header rather than a Markdown rule with text after it.
const KNOWN_KEYS: [&[u8]; 4] = [b"name", b"description", b"type", b"metadata"];

/// The offsets of a header in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// After the opening `---` line.
    pub(crate) start: usize,
    /// Before the closing `---` line, or after the last line of an unclosed header.
    pub(crate) end: usize,
    /// After the closing `---` line; none where it is missing.
    pub(crate) after: Option<usize>,
    /// Lines from the opening `---` to the closing one, or to the last of an unclosed header.
    pub(crate) lines: usize,
}

impl Frame {
    /// Finds the header of a file. The closing `---` is looked for in the first [`HEADER_LINES`]
    /// lines; beyond them, and where it is missing, the header goes as far as its lines look like
    /// one, because a rule further down in the body is no end of it.
    pub(crate) fn locate(bytes: &[u8]) -> Option<Self> {
        Self::locate_ordinary(bytes).or_else(|| Self::locate_by_lines(bytes))
    }

    /// The ordinary file, with LF throughout: one search instead of one for each line.
    fn locate_ordinary(bytes: &[u8]) -> Option<Self> {
        let start = b"---\n".len();
        let rest = bytes
            .strip_prefix(b"---")
            .filter(|rest| rest.first() == Some(&b'\n'))?;
        let end = start + CLOSING.find(rest)?;
        if !matches!(bytes.get(end + 3), None | Some(b'\n')) {
            return None;
        }
        let region = part(bytes, start, end);
        let lines = memchr::memchr_iter(b'\n', region).count() + 2;
        let is_certain = lines <= HEADER_LINES && memchr::memchr(b'\r', region).is_none();
        let after = Some(bytes.len().min(end + start));
        is_certain.then_some(Self {
            start,
            end,
            after,
            lines,
        })
    }

    fn locate_by_lines(bytes: &[u8]) -> Option<Self> {
        let mut lines = lines_from(bytes, bom_length(bytes));
        let start = lines
            .next()
            .filter(|line| is_fence(line.content(bytes)))?
            .next;
        for (number, line) in lines.take(HEADER_LINES - 1).enumerate() {
            if is_fence(line.content(bytes)) {
                let end = line.start;
                return Some(Self {
                    start,
                    end,
                    after: Some(line.next),
                    lines: number + 2,
                });
            }
        }
        Self::locate_unclosed(bytes, start)
    }

    fn locate_unclosed(bytes: &[u8], start: usize) -> Option<Self> {
        let mut frame = Self {
            start,
            end: start,
            after: None,
            lines: 1,
        };
        let mut is_header = false;
        for line in lines_from(bytes, start) {
            let content = line.content(bytes);
            if is_fence(content) {
                frame.after = Some(line.next);
                frame.lines += 1;
                break;
            }
            let key = key_of(content);
            if !(key.is_some() || is_inner_line(content)) {
                break;
            }
            is_header |= key.is_some_and(|key| KNOWN_KEYS.contains(&key));
            frame.end = line.next;
            frame.lines += 1;
        }
        is_header.then_some(frame)
    }

    /// The lines between the two `---`.
    pub(crate) fn region<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        part(bytes, self.start, self.end)
    }

    /// Whether the closing `---` is there, and where it is looked for.
    pub(crate) fn is_closed(&self) -> bool {
        self.after.is_some() && self.lines <= HEADER_LINES
    }
}

/// The part of a file in which a header is looked for. A line that the limit cuts is left out.
pub(super) fn window(bytes: &[u8]) -> &[u8] {
    match bytes.get(..HEADER_BYTES) {
        Some(window) if bytes.len() > HEADER_BYTES => {
            let whole_lines = memchr::memrchr2(b'\n', b'\r', window).map_or(0, |at| at + 1);
            part(window, 0, whole_lines)
        }
        _ => bytes,
    }
}

pub(super) fn is_cut_off(block: &[u8]) -> bool {
    let mut lines = lines_from(block, bom_length(block)).take(HEADER_LINES);
    match lines.next() {
        None => true,
        Some(line) if line.next == line.end => {
            let content = line.content(block);
            b"---".starts_with(content.get(..3).unwrap_or(content)) && block.len() < HEADER_BYTES
        }
        Some(line) if !is_fence(line.content(block)) => false,
        Some(_) => {
            let mut count = 1;
            for line in lines {
                count += 1;
                if line.next == line.end {
                    break;
                }
                if is_fence(line.content(block)) {
                    return false;
                }
            }
            let ends_in_line = !block.ends_with(b"\n");
            block.len() < HEADER_BYTES && (count < HEADER_LINES || ends_in_line)
        }
    }
}

pub(crate) fn bom_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(BOM) { BOM.len() } else { 0 }
}

#[inline]
fn is_fence(content: &[u8]) -> bool {
    content.strip_prefix(b"---").is_some_and(is_blank)
}

/// A byte that a key of a header may have.
#[inline]
pub(crate) fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The key of a line that begins with one at the margin.
fn key_of(content: &[u8]) -> Option<&[u8]> {
    let length = content
        .iter()
        .take_while(|byte| is_key_byte(**byte))
        .count();
    let key = content.get(..length).filter(|key| !key.is_empty())?;
    (content.get(length) == Some(&b':')).then_some(key)
}

/// A line that may stand in a header without being a key at the margin.
fn is_inner_line(content: &[u8]) -> bool {
    let indent = indent_of(content);
    let first = content.get(indent);
    first.is_some() && (indent > 0 || first == Some(&b'#') || content.starts_with(b"- "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_short_way_finds_what_the_long_way_finds(
            pieces in prop::collection::vec(
                prop::sample::select(vec!["---", "---", "\n", "\n", "\n", "\r", "-", " ", "name: x", "\u{feff}"]),
                0..80,
            )
        ) {
            let text = pieces.concat();
            let file = format!("---\n{text}");
            for bytes in [text.as_bytes(), file.as_bytes()] {
                if let Some(frame) = Frame::locate_ordinary(bytes) {
                    prop_assert_eq!(Some(frame), Frame::locate_by_lines(bytes));
                }
            }
        }
    }
}
