//! The data of a Kubernetes Secret, which may stand before or behind its kind.

use std::ops::Range;

use super::SecretValue;
use super::placeholder::is_placeholder;
use super::syntax::on_boundary;

/// How far from its kind a manifest is looked at.
const REACH: usize = 8_192;

/// The lines under `data:` or `stringData:` in the manifest whose `kind:` begins at `at`.
pub(super) fn find(text: &str, at: usize) -> Option<Range<usize>> {
    let kind = text.get(at..)?.strip_prefix("kind:").unwrap_or_default();
    let kind = kind.lines().next()?.trim().trim_matches(['"', '\'']);
    if !kind.eq_ignore_ascii_case("secret") {
        return None;
    }
    let (before, behind) = (
        on_boundary(text, at.saturating_sub(REACH)),
        on_boundary(text, at + REACH),
    );
    let start = text
        .get(before..at)?
        .rfind("\n---")
        .map_or(before, |place| before + place + 1);
    let end = text
        .get(at..behind)?
        .find("\n---")
        .map_or(behind, |place| at + place);
    let mut place = start;
    let mut lines = text.get(start..end)?.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        place += line.len();
        if !matches!(line.trim(), "data:" | "stringData:") {
            continue;
        }
        let indent = indent(line);
        let from = place;
        let mut to = place;
        let mut secret = false;
        while let Some(line) =
            lines.next_if(|line| line.trim().is_empty() || self::indent(line) > indent)
        {
            place += line.len();
            to = if line.trim().is_empty() { to } else { place };
            secret |= holds_value(line);
        }
        if secret {
            let block = text.get(from..to)?;
            return Some(from..from + block.trim_end().len());
        }
    }
    None
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
