//! The part of an index that a model is shown.

use std::borrow::Cow;
use std::fmt;

use super::{INDEX_NAME, MAX_BYTES, MAX_LINES};
use crate::as_text;
use crate::lines::{Line, is_blank, lines_from, part};

/// An index cut to its limits, and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// At most [`MAX_LINES`] lines and [`MAX_BYTES`] bytes, without blank lines around them.
    pub text: String,
    /// Which limit was passed, by how much and what to do; none when nothing was cut.
    pub warning: Option<String>,
    /// The lines of the whole index, without blank lines around them.
    pub lines: usize,
    /// The bytes of the whole index, without blank lines around them.
    pub bytes: usize,
}

impl fmt::Display for Loaded {
    /// The text, with the warning after it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)?;
        match &self.warning {
            Some(warning) => write!(out, "\n\n{warning}"),
            None => Ok(()),
        }
    }
}

/// Loads an index. Blank lines around it do not count; then come the limit of lines and the limit
/// of bytes, which cuts at the end of a line, or inside the only line at a character. Bytes that
/// are no text become replacement characters first: the limits hold for what is shown.
///
/// ```
/// use memdir_memory::index::load;
/// let loaded = load(&b"- [A](a.md)\n".repeat(201));
/// assert_eq!(loaded.text.lines().count(), 200);
/// assert!(loaded.warning.unwrap().contains("201 lines"));
/// ```
pub fn load(bytes: &[u8]) -> Loaded {
    let whole_text = as_text(bytes);
    let (text, mark) = without_mark(&whole_text);
    let all = text.strip_prefix('\u{FEFF}').unwrap_or(&text).as_bytes();
    let is_text = |line: &Line| !is_blank(line.content(all));
    let mut lines: Vec<Line> = lines_from(all, 0)
        .skip_while(|line| !is_text(line))
        .collect();
    lines.truncate(lines.iter().rposition(is_text).map_or(0, |last| last + 1));

    let start = lines.first().map_or(0, |line| line.start);
    let end = lines.last().map_or(0, |line| line.end);
    let whole = lines.len();
    lines.truncate(MAX_LINES);
    let within_lines = lines.last().map_or(0, |line| line.end) - start;
    let length = within_bytes(all, start, &lines);

    let over_lines = whole.saturating_sub(MAX_LINES);
    let over_bytes = if length < within_lines {
        within_lines - MAX_BYTES
    } else {
        0
    };
    let text = as_text(part(all, start, start + length)).into_owned();
    Loaded {
        text,
        warning: mark.or_else(|| warning(whole, over_lines, over_bytes)),
        lines: whole,
        bytes: end - start,
    }
}

/// What the line begins with that names the rest of an index of which only the beginning was read.
const MARK: &str = "> Warning: MEMORY.md was cut: only its beginning was read";

/// What counts of an index that is too large to be read, made of its first bytes, with a line that names the rest. [`load`]
/// takes that line for its warning.
pub fn beginning(start: &[u8], size: u64, limit: u64) -> Vec<u8> {
    let text = load(start).text;
    let text = text.trim_end_matches('\n');
    let separator = if text.is_empty() { "" } else { "\n" };
    format!(
        "{text}{separator}{MARK}, because it has {size} bytes, {} more than the {limit} that memdir reads. \
         `memdir index --rebuild` moves it aside and makes it anew from the topic files.\n",
        size.saturating_sub(limit)
    )
    .into_bytes()
}

/// A text without the line that names the rest, and that line.
fn without_mark(text: &str) -> (Cow<'_, str>, Option<String>) {
    let Some(mark) = text.lines().find(|line| line.starts_with(MARK)) else {
        return (Cow::Borrowed(text), None);
    };
    let others = text.split_inclusive('\n');
    let others = others.filter(|line| !line.starts_with(MARK));
    (Cow::Owned(others.collect()), Some(mark.to_owned()))
}

/// How many bytes from `start` on stay: whole lines, or as much of the first as has room.
fn within_bytes(all: &[u8], start: usize, lines: &[Line]) -> usize {
    let limit = start + MAX_BYTES;
    match lines.iter().rev().find(|line| line.end <= limit) {
        Some(line) => line.end - start,
        None if lines.is_empty() => 0,
        None => {
            let is_boundary = |at: &usize| all.get(*at).is_none_or(|byte| byte & 0xC0 != 0x80);
            (start..=limit).rev().find(is_boundary).unwrap_or(start) - start
        }
    }
}

fn warning(lines: usize, over_lines: usize, over_bytes: usize) -> Option<String> {
    let by_lines = format!(
        "it has {lines} lines, {over_lines} more than the limit of {MAX_LINES}, and only the first \
         {MAX_LINES} count"
    );
    let by_bytes = format!(
        "{} {over_bytes} bytes more than the limit of {MAX_BYTES}, and the lines past it are left \
         out",
        if over_lines > 0 {
            "these still have"
        } else {
            "it has"
        }
    );
    let cause = match (over_lines > 0, over_bytes > 0) {
        (false, false) => return None,
        (true, false) => by_lines,
        (false, true) => by_bytes,
        (true, true) => format!("{by_lines}; {by_bytes}"),
    };
    Some(format!(
        "> Warning: {INDEX_NAME} was cut: {cause}. Keep each line of the index short and move \
         detail into topic files, so that all of it is loaded."
    ))
}
