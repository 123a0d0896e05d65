//! Reading the lines of an index.

use std::borrow::Cow;

use super::{Entry, Place};
use crate::lines::{Line, indent_of, lines_from, part};

/// The entries of an index.
pub(super) fn places(bytes: &[u8]) -> Vec<Place> {
    lines_from(bytes, 0)
        .enumerate()
        .filter_map(|(at, line)| place(bytes, line, at + 1))
        .collect()
}

/// The entry on a line: a bullet, then a link to a file, then perhaps a hook.
fn place(bytes: &[u8], line: Line, number: usize) -> Option<Place> {
    let content = line.content(bytes);
    let bullet = indent_of(content);
    if !matches!(content.get(bullet), Some(b'-' | b'*' | b'+')) {
        return None;
    }
    let blanks = indent_of(content.get(bullet + 1..)?);
    let link = bullet + 1 + blanks;
    if blanks == 0 || content.get(link) != Some(&b'[') {
        return None;
    }
    let title_end = link + memchr::memmem::find(content.get(link..)?, b"](")?;
    let (target, after) = target(content, title_end + 2)?;
    if !is_file(part(content, target.0, target.1)) {
        return None;
    }
    let hook = hook(content, after);
    let shift = |(start, end): (usize, usize)| (line.start + start, line.start + end);
    Some(Place {
        line,
        number,
        link: line.start + link,
        title: shift((link + 1, title_end)),
        target: shift(target),
        hook: shift(hook),
    })
}

/// The target of a link and the offset after its `)`: `<any text>`, or text with its parentheses
/// in pairs.
fn target(content: &[u8], start: usize) -> Option<((usize, usize), usize)> {
    if content.get(start) == Some(&b'<') {
        let end = start + memchr::memchr(b'>', content.get(start..)?)?;
        return (content.get(end + 1) == Some(&b')')).then_some(((start + 1, end), end + 2));
    }
    let mut depth = 0_usize;
    for (at, byte) in content.iter().enumerate().skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return Some(((start, at), at + 1)),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a target may be a file of the directory, not an address or a place in a page.
fn is_file(target: &[u8]) -> bool {
    !target.is_empty()
        && !target.starts_with(b"#")
        && !target.starts_with(b"mailto:")
        && memchr::memmem::find(target, b"://").is_none()
}

/// What follows a link, without the dash or colon between them.
fn hook(content: &[u8], after: usize) -> (usize, usize) {
    const SEPARATORS: [&[u8]; 6] = [
        "—".as_bytes(),
        "–".as_bytes(),
        b"--",
        b"-",
        b":",
        "：".as_bytes(),
    ];
    let mut start = after + indent_of(part(content, after, content.len()));
    let rest = part(content, start, content.len());
    if let Some(separator) = SEPARATORS
        .iter()
        .find(|separator| rest.starts_with(separator))
    {
        start += separator.len();
        start += indent_of(part(content, start, content.len()));
    }
    let end = content.len() - trailing_blanks(part(content, start, content.len()));
    (start, end.max(start))
}

fn trailing_blanks(text: &[u8]) -> usize {
    text.iter()
        .rev()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// A target without what does not change where it leads.
pub(super) fn normal_target(target: &str) -> &str {
    let target = target.trim_matches([' ', '\t']);
    target.strip_prefix("./").unwrap_or(target)
}

impl Place {
    pub(super) fn entry<'a>(&self, bytes: &'a [u8]) -> Entry<'a> {
        let text = |(start, end)| String::from_utf8_lossy(part(bytes, start, end));
        let hook: Cow<'a, str> = text(self.hook);
        Entry {
            title: text(self.title),
            target: text(self.target),
            hook: (!hook.is_empty()).then_some(hook),
            line: self.number,
        }
    }

    pub(super) fn leads_to(&self, bytes: &[u8], target: &[u8]) -> bool {
        let own = part(bytes, self.target.0, self.target.1).trim_ascii();
        own.strip_prefix(b"./").unwrap_or(own) == target
    }
}
