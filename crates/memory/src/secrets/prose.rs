//! Passwords as people mention them: "the password is now …", "changed the password to …", "use … as the password".

use std::ops::Range;

use super::syntax::{Tie, on_boundary, word_at};

/// Words between the name of a password and the password itself.
const LINKS: &[&str] = &[
    "is now ",
    "is still ",
    "is set to ",
    "is again ",
    "was set to ",
    "changed to ",
    "is changed to ",
    "was changed to ",
    "set to ",
    "to ",
    "as ",
    "now ",
    "- ",
    "\u{2013} ",
    "\u{2014} ",
];

/// What joins a password to the name behind it.
const JOINTS: &[&str] = &[" as the ", " as ", " is the ", " is our ", " for the "];

/// What may be the value of a name, however it is mentioned: behind it, below it or before it.
pub(super) fn values(text: &str, name: &Range<usize>, password: bool) -> Vec<(Range<usize>, Tie)> {
    let mut values = Vec::new();
    let rest = text
        .get(name.end..on_boundary(text, name.end + 700))
        .unwrap_or_default();
    let behind = rest.trim_start_matches([' ', '\t']);
    if behind.len() < rest.len() {
        let at = name.end + rest.len() - behind.len();
        let link = LINKS.iter().find(|link| behind.starts_with(**link));
        if link.is_some() || password {
            values.extend(word_at(
                text,
                at + link.map_or(0, |link| link.len()),
                Tie::Loose,
            ));
        }
        // `PASSWORD 'value'` of SQL.
        if password && behind.starts_with(['\'', '"', '`']) {
            values.extend(word_at(text, at, Tie::Direct));
        }
    }
    values.extend(below(text, name.end, rest, password));
    values.extend(before(text, name.start));
    values
}

/// A value that has the next line for itself: below `password:`, or below a title.
fn below(text: &str, end: usize, rest: &str, password: bool) -> Option<(Range<usize>, Tie)> {
    let same = rest.trim_start_matches(['"', '\'', '`', '*', ' ', '\t']);
    let operated = same
        .strip_prefix([':', '='])
        .or_else(|| same.strip_prefix('：'));
    if operated.is_none() && !password {
        return None;
    }
    let next = operated
        .unwrap_or(same)
        .trim_start_matches(['*', ' ', '\t', '\r']);
    let next = next.strip_prefix('\n')?.trim_start();
    let at = end + rest.len() - next.len();
    let line = next
        .split_once('\n')
        .map_or(next, |(line, _)| line)
        .trim_end();
    let alone = !line.contains(char::is_whitespace) && !line.ends_with([':', '{', '[', '(', ',']);
    let tie = if operated.is_some() {
        Tie::Direct
    } else {
        Tie::Loose
    };
    alone.then(|| word_at(text, at, tie))?
}

/// A value before its name, on the same line.
fn before(text: &str, start: usize) -> Option<(Range<usize>, Tie)> {
    const REACH: usize = 200;
    const NEAR: usize = 32;
    let from = on_boundary(text, start.saturating_sub(REACH));
    let line = text.get(from..start)?;
    let line = line.rsplit_once('\n').map_or(line, |(_, last)| last);
    let head = JOINTS
        .iter()
        .filter_map(|joint| line.rfind(joint))
        .filter(|place| line.len() - place <= NEAR)
        .min()?;
    let head = line.get(..head)?;
    let word = head.rsplit(char::is_whitespace).next()?;
    let at = start - line.len() + head.len() - word.len();
    word_at(text, at, Tie::Loose).filter(|(value, _)| value.end <= start)
}
