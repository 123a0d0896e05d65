//! The data of a Kubernetes Secret, which may stand before or behind its kind.

use std::ops::Range;

use super::SecretValue;
use super::placeholder::is_placeholder;
use super::syntax::on_boundary;

/// How far from its kind the data of a manifest may begin, and how long they may be.
const REACH: usize = 4_096;
const LONGEST: usize = 64 * 1024;

/// The lines under `data:` or `stringData:` in the manifest whose `kind:` begins at `at`.
pub(super) fn find(text: &str, at: usize) -> Option<Range<usize>> {
    let before = on_boundary(text, at.saturating_sub(REACH));
    let behind = on_boundary(text, at + REACH);
    let (head, tail) = (text.get(before..at)?, text.get(at..behind)?);
    let start = head.rfind("\n---").map_or(0, |place| place + 1);
    // One kind for each manifest: text that only repeats it is not read again and again.
    let known = head.get(start..)?.rfind("kind:");
    if !is_secret(tail)
        || known.is_some_and(|known| is_secret(head.get(start + known..).unwrap_or_default()))
    {
        return None;
    }
    let end = tail.find("\n---").map_or(behind, |place| at + place);
    let mut place = before + start;
    for line in text.get(place..end)?.split_inclusive('\n') {
        place += line.len();
        if matches!(line.trim(), "data:" | "stringData:")
            && let Some(range) = block(text, place, indent(line))
        {
            return Some(range);
        }
    }
    None
}

/// Whether a text begins with the kind of a Secret.
fn is_secret(text: &str) -> bool {
    let kind = text.get("kind:".len()..).unwrap_or_default();
    let kind = kind.lines().next().unwrap_or_default().trim();
    kind.trim_matches(['"', '\''])
        .eq_ignore_ascii_case("secret")
}

/// The lines from `from` on that are indented deeper, when one of them holds a value.
fn block(text: &str, from: usize, outer: usize) -> Option<Range<usize>> {
    let (mut to, mut secret) = (from, false);
    let rest = text.get(from..on_boundary(text, from + LONGEST))?;
    for line in rest.split_inclusive('\n') {
        if !line.trim().is_empty() && indent(line) <= outer {
            break;
        }
        to += line.len();
        secret |= holds_value(line);
    }
    let lines = text.get(from..to)?.trim_end();
    secret.then_some(from..from + lines.len())
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether a line gives a key a value of its own, or goes on with one.
fn holds_value(line: &str) -> bool {
    let line = line.trim();
    let value = line
        .split_once(':')
        .map_or(line, |(_, value)| value)
        .trim()
        .trim_matches(['"', '\'']);
    !line.starts_with(['#', '-'])
        && value.len() >= 10
        && !value.contains(' ')
        && !value.starts_with(['{', '$', '<'])
        && !is_placeholder(SecretValue::new(value))
}
