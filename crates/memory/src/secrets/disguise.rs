//! The same text without its disguises, and the way back to the original places.

use std::ops::Range;

use super::syntax::on_boundary;
use crate::hidden;

/// A text made from another, with the place in the original of each of its bytes.
pub(super) struct View {
    pub(super) text: String,
    /// Pieces of the view and where each came from, in order.
    pieces: Vec<Piece>,
}

/// A stretch of the view that stands for a stretch of the original.
struct Piece {
    view: usize,
    original: Range<usize>,
    /// Byte for byte the same, so that places inside it can be told apart.
    copied: bool,
}

impl View {
    fn new() -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
        }
    }

    fn copy(&mut self, source: &str, range: Range<usize>) {
        if let Some(text) = source.get(range.clone()).filter(|text| !text.is_empty()) {
            self.pieces.push(Piece {
                view: self.text.len(),
                original: range,
                copied: true,
            });
            self.text.push_str(text);
        }
    }

    /// Copies what lies between two disguised places, or only what is near them.
    fn go_on(&mut self, source: &str, from: usize, to: usize) {
        let near_to = on_boundary(source, to.saturating_sub(BEFORE));
        let near_from = on_boundary(source, from + BEHIND);
        if self.text.is_empty() && self.pieces.is_empty() {
            self.copy(source, near_to.max(from)..to);
        } else if near_from < near_to {
            self.copy(source, from..near_from);
            self.replace(near_from..near_to, "\n");
            self.copy(source, near_to..to);
        } else {
            self.copy(source, from..to);
        }
        if self.pieces.is_empty() {
            // Mark that there was a place, even with nothing before it.
            self.replace(from..to, "");
        }
    }

    /// The view with the text behind its last place; none when there was no place.
    fn finish(mut self, source: &str, from: usize, behind: usize) -> Option<Self> {
        if self.pieces.is_empty() {
            return None;
        }
        self.copy(source, from..on_boundary(source, from + behind));
        Some(self)
    }

    fn replace(&mut self, original: Range<usize>, text: &str) {
        self.pieces.push(Piece {
            view: self.text.len(),
            original,
            copied: false,
        });
        self.text.push_str(text);
    }

    /// The bytes of the original that a range of the view stands for.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.piece(range.start).map_or(0, |piece| {
            piece.original.start
                + if piece.copied {
                    range.start - piece.view
                } else {
                    0
                }
        });
        let last = range.end.saturating_sub(1).max(range.start);
        let end = self.piece(last).map_or(start, |piece| {
            if piece.copied {
                piece.original.start + (last - piece.view) + 1
            } else {
                piece.original.end
            }
        });
        start..end.max(start)
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        let next = self.pieces.partition_point(|piece| piece.view <= at);
        self.pieces.get(next.checked_sub(1)?)
    }
}

/// How far before and behind a disguised place the text is looked at again: far enough for any
/// token, its name and the body of a key.
const BEFORE: usize = 600;
const BEHIND: usize = 4_096;

/// The text around hidden characters and backslash line continuations, without them; none when it
/// has neither.
pub(super) fn joined(text: &str) -> Option<View> {
    let mut cuts: Vec<Range<usize>> = hidden::find(text)
        .into_iter()
        .map(|found| found.range)
        .collect();
    cuts.extend(continuations(text));
    cuts.sort_by_key(|cut| cut.start);
    let mut view = View::new();
    let mut from = 0;
    for cut in &cuts {
        view.go_on(text, from, cut.start);
        from = from.max(cut.end);
    }
    view.finish(text, from, BEHIND)
}

/// A backslash, the line end after it and the indentation of the next line.
fn continuations(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices('\\').filter_map(|(start, _)| {
        let rest = text.get(start + 1..)?;
        let next = rest
            .strip_prefix('\n')
            .or_else(|| rest.strip_prefix("\r\n"))?;
        let indented = next.trim_start_matches([' ', '\t']);
        Some(start..text.len() - indented.len())
    })
}

/// The text around full-width letters and digits, in plain ones; none when it has none.
pub(super) fn narrowed(text: &str) -> Option<View> {
    let wide = |at: usize| {
        let character = text.get(at..)?.chars().next()?;
        let code = u32::from(character).checked_sub(0xFF01)?;
        let plain = u8::try_from(code + 0x21).ok().filter(|byte| *byte < 0x7F)?;
        Some((at, character.len_utf8(), plain))
    };
    // Punctuation alone is the honest work of these forms.
    let mut places = memchr::memchr_iter(0xEF, text.as_bytes()).filter_map(wide);
    if !places
        .clone()
        .any(|(_, _, plain)| plain.is_ascii_alphanumeric())
    {
        return None;
    }
    let mut view = View::new();
    let mut from = 0;
    for (at, length, plain) in places.by_ref() {
        view.go_on(text, from, at);
        view.replace(at..at + length, char::from(plain).encode_utf8(&mut [0; 4]));
        from = at + length;
    }
    view.finish(text, from, BEHIND)
}

/// The text around percent escapes, decoded; none when it has none.
pub(super) fn percent_decoded(text: &str) -> Option<View> {
    let mut view = View::new();
    let mut from = 0;
    for (at, _) in text.match_indices('%') {
        let digits = text.get(at + 1..at + 3);
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            continue;
        };
        // Bytes beyond ASCII cannot be part of a token.
        if at < from || !byte.is_ascii_graphic() {
            continue;
        }
        view.go_on(text, from, at);
        view.replace(at..at + 3, char::from(byte).encode_utf8(&mut [0; 4]));
        from = at + 3;
    }
    view.finish(text, from, BEFORE)
}

/// Shortest run that is decoded: shorter ones cannot hold a token with a format of its own.
const SHORTEST: usize = 20;

/// Each run of Base64 that decodes to plain text, with its place.
pub(super) fn base64_decoded(text: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        // A run of at least SHORTEST covers one of every SHORTEST places: look only there.
        while let Some(byte) = bytes.get(at + SHORTEST - 1) {
            if !is_base64(*byte) {
                at += SHORTEST;
                continue;
            }
            let before = bytes.get(at..at + SHORTEST - 1).unwrap_or_default();
            let start = at
                + before
                    .iter()
                    .rposition(|byte| !is_base64(*byte))
                    .map_or(0, |place| place + 1);
            let length = bytes
                .get(start..)
                .unwrap_or_default()
                .iter()
                .take_while(|byte| is_base64(**byte))
                .count();
            let end = start + length;
            at = end.max(at + 1);
            if length < SHORTEST {
                continue;
            }
            if let Some(decoded) = bytes.get(start..end).and_then(decode) {
                return Some((start..end, decoded));
            }
        }
        None
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Base64 in either alphabet, padding left out, when it holds plain ASCII text.
fn decode(run: &[u8]) -> Option<String> {
    let mut out = String::with_capacity(run.len() / 4 * 3);
    for group in run.chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            bits = (bits << 6) | u32::from(sextet(*byte)?);
        }
        let missing = 4 - u32::try_from(group.len()).ok()?;
        bits <<= 6 * missing;
        let [_, bytes @ ..] = bits.to_be_bytes();
        for byte in bytes.iter().take(group.len().saturating_sub(1)) {
            if !(byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
                return None;
            }
            out.push(char::from(*byte));
        }
    }
    Some(out)
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}
