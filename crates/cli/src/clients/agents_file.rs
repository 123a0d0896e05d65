//! A marked block in a project's `AGENTS.md`, where the user asks for it.

use super::notes::Notes;

pub(super) const NAME: &str = "AGENTS.md";
const BEGIN: &str = "<!-- memdir: begin -->";
const END: &str = "<!-- memdir: end -->";
const WORDS: &str = "\
## Memory

What earlier conversations taught is kept by memdir, outside of this repository. What fits the task comes by itself, or is found \
with the tools of the MCP server `memdir`; without them, `memdir recall \"a few words\"` finds it. Save what the user asks to \
remember with `memdir remember \"…\"`, and take it out again with `memdir forget NAME`.";

fn block(end: &str) -> String {
    format!("{BEGIN}\n{WORDS}\n{END}\n").replace('\n', end)
}

fn line_end(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}

/// Whether our block stands in a text.
pub(super) fn stands(text: &str) -> bool {
    place(text).is_some()
}

/// The text with our block at its end; one that stands there is brought up to date.
pub(super) fn installed(text: &str, notes: &mut Notes) -> String {
    let end = line_end(text);
    if let Some((start, stop)) = place(text) {
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(stop..).unwrap_or_default();
        return format!("{before}{}{after}", block(end));
    }
    let before = match text {
        "" => String::new(),
        text if text.ends_with('\n') => end.to_owned(),
        _ => end.repeat(2),
    };
    let new = format!("{text}{before}{}", block(end));
    notes.before = before;
    new
}

/// The text without our block; `None` when nothing is left of it.
pub(super) fn removed(text: &str, notes: &Notes) -> Option<String> {
    let Some((start, stop)) = place(text) else {
        return Some(text.to_owned());
    };
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(stop..).unwrap_or_default();
    let before = match before.strip_suffix(notes.before.as_str()) {
        // Lines that somebody wrote behind it stay lines.
        Some(kept) if after.is_empty() || kept.is_empty() || kept.ends_with('\n') => kept,
        _ => before,
    };
    let left = format!("{before}{after}");
    Some(left).filter(|left| notes.existed || !left.is_empty())
}

/// From where to where our block stands, with the end of its last line.
fn place(text: &str) -> Option<(usize, usize)> {
    let start = text.find(BEGIN)?;
    let end = start + text.get(start..)?.find(END)? + END.len();
    let rest = text.get(end..)?;
    let line_end = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end));
    Some((start, end + line_end.map_or(0, str::len)))
}
