//! `view`: what is in the folder, or a file with numbered lines.

use memdir_memory::{MemoryPath, Topic, age};

use super::super::read::days;
use super::{FOLDER, beneath, file};
use crate::mcp::people::count;
use crate::mcp::refusal::Refusal;
use crate::mcp::room::Room;
use crate::mcp::shown::{MAX_BYTES, MAX_LINES, Word, part};

/// So many files of a folder are listed.
const MOST: usize = 500;

pub(super) fn view(room: &Room, path: &str, range: Option<[i64; 2]>) -> Result<String, Refusal> {
    match beneath(path)? {
        None => folder(room, None),
        Some(named) if named.ends_with(".md") => lines(room, &file(path)?, range),
        Some(named) => folder(room, Some(named)),
    }
}

fn folder(room: &Room, named: Option<&str>) -> Result<String, Refusal> {
    let prefix = named.map(|named| format!("{named}/")).unwrap_or_default();
    let files = room.store().files()?;
    let inside: Vec<&MemoryPath> = files
        .iter()
        .filter(|path| path.as_str().starts_with(&prefix))
        .collect();
    let shown = named.map_or(FOLDER.to_owned(), |named| format!("{FOLDER}/{named}"));
    if inside.is_empty() {
        return match named {
            None => Ok(format!("{FOLDER} is empty: nothing is remembered yet.")),
            Some(_) => Err(Refusal::new(
                format!("There is nothing at {shown}"),
                format!("View {FOLDER} to see what there is"),
            )),
        };
    }
    let mut told = format!("{} in {shown}:", count(inside.len(), "file", "files"));
    for path in inside.iter().take(MOST) {
        told.push_str(&format!("\n{FOLDER}/{path}"));
    }
    let more = inside.len().saturating_sub(MOST);
    if more > 0 {
        told.push_str(&format!(
            "\nand {more} more; the tool `list` pages through them."
        ));
    }
    Ok(told)
}

fn lines(room: &Room, path: &MemoryPath, range: Option<[i64; 2]>) -> Result<String, Refusal> {
    let found = room.store().read(path)?.ok_or_else(|| {
        Refusal::new(
            format!("There is no {FOLDER}/{path}"),
            format!("View {FOLDER} to see what there is"),
        )
    })?;
    let days = days(&found);
    let topic = Topic::from_bytes(found.bytes);
    let text = String::from_utf8_lossy(topic.bytes());
    let all = text.lines().count();
    let (first, last) = bounds(range, all)?;
    let (text, note) = part(
        &text,
        (first, 0),
        (last + 1).saturating_sub(first).min(MAX_LINES),
        MAX_BYTES,
    );
    let is_cut = note.is_some() && !text.ends_with('\n');
    let word = Word::of(path, topic.header());
    let mut told = format!("{FOLDER}/{path}:");
    for said in [age::caveat(days), word.caution()].into_iter().flatten() {
        told.push('\n');
        told.push_str(&said);
    }
    let mut number = first;
    for line in word.spoken(text.trim_end_matches('\n')).split('\n') {
        told.push_str(&format!("\n{number:6}\t{line}"));
        number += 1;
    }
    if let Some(note) = note.filter(|_| is_cut || number <= last) {
        told.push('\n');
        told.push_str(&note);
    }
    Ok(told)
}

/// The first and the last line that are wanted.
fn bounds(range: Option<[i64; 2]>, all: usize) -> Result<(usize, usize), Refusal> {
    let Some([first, last]) = range else {
        return Ok((1, all.max(1)));
    };
    let wrong = || {
        Refusal::new(
            format!("view_range [{first}, {last}] is not within the {all} lines of the file"),
            "Give the first and the last line, counted from 1; -1 is the end",
        )
    };
    let from = usize::try_from(first)
        .ok()
        .filter(|from| (1..=all.max(1)).contains(from));
    let to = match last {
        -1 => Some(all.max(1)),
        last => usize::try_from(last).ok(),
    };
    match (from, to) {
        (Some(from), Some(to)) if from <= to => Ok((from, to.min(all.max(1)))),
        _ => Err(wrong()),
    }
}
