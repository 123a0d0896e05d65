//! Lines of a byte text, with LF, CRLF and lone CR as line ends.

use std::borrow::Cow;

/// Bytes as a text; what is none becomes replacement characters. What is all text, as nearly every file is, is checked
/// many bytes at a time.
///
/// ```
/// assert_eq!(memdir_memory::as_text(b"caf\xc3\xa9"), "café");
/// assert_eq!(memdir_memory::as_text(b"caf\xc3"), "caf\u{fffd}");
/// ```
pub fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// Where one line lies: its content is `start..end`, its line end `end..next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) next: usize,
}

impl Line {
    pub(crate) fn content(self, bytes: &[u8]) -> &[u8] {
        part(bytes, self.start, self.end)
    }

    pub(crate) fn line_end(self, bytes: &[u8]) -> &[u8] {
        part(bytes, self.end, self.next)
    }
}

/// `bytes[start..end]`, empty where that does not exist.
pub(crate) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

/// The lines of `bytes` from the offset `at` on. A text that ends in a line end has no empty line
/// after it.
pub(crate) fn lines_from(bytes: &[u8], at: usize) -> Lines<'_> {
    Lines { bytes, at }
}

#[derive(Clone)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Line;

    #[inline]
    fn next(&mut self) -> Option<Line> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let (end, next) = match memchr::memchr2(b'\n', b'\r', rest) {
            None => (self.bytes.len(), self.bytes.len()),
            Some(length) => {
                let end = start + length;
                let crlf = rest.get(length) == Some(&b'\r') && rest.get(length + 1) == Some(&b'\n');
                (end, end + if crlf { 2 } else { 1 })
            }
        };
        self.at = next;
        Some(Line { start, end, next })
    }
}

/// The line end that a text uses: that of its first line, LF where it has none.
pub(crate) fn line_end_of(bytes: &[u8]) -> &[u8] {
    match lines_from(bytes, 0).next() {
        Some(line) if line.next > line.end => line.line_end(bytes),
        _ => b"\n",
    }
}

/// The line end to use for a line put in at `at`: that of the line before it, because in a file of
/// mixed line ends a CR put in before an LF would make one line end out of two.
pub(crate) fn line_end_before(bytes: &[u8], at: usize) -> &[u8] {
    let before = part(bytes, 0, at);
    if before.ends_with(b"\r\n") {
        b"\r\n"
    } else if before.ends_with(b"\n") {
        b"\n"
    } else if before.ends_with(b"\r") {
        b"\r"
    } else {
        line_end_of(bytes)
    }
}

/// Whether a line holds nothing but blanks and tabs.
pub(crate) fn is_blank(content: &[u8]) -> bool {
    content.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// How many blanks and tabs a line begins with.
pub(crate) fn indent_of(content: &[u8]) -> usize {
    content
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_is_known() {
        let text = b"a\r\n\rb\n\nc";
        let found: Vec<_> = lines_from(text, 0)
            .map(|line| (line.content(text), line.line_end(text)))
            .collect();
        let expected: Vec<(&[u8], &[u8])> = vec![
            (b"a", b"\r\n"),
            (b"", b"\r"),
            (b"b", b"\n"),
            (b"", b"\n"),
            (b"c", b""),
        ];
        assert_eq!(found, expected);
    }
}
