//! `Read`: a file's lines, with their numbers.

use memdir_store::{Unreadable, read_regular};

use crate::{Answer, Bench, Call, Place, Tool};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Read",
    description: "Reads a text file. Lines come with their numbers; offset and limit choose a part of a long file.",
    schema: r#"{"type":"object","properties":{"file_path":{"type":"string","description":"Absolute path"},"offset":{"type":"integer","description":"First line, counted from 1"},"limit":{"type":"integer","description":"How many lines"}},"required":["file_path"]}"#,
};

const LINES: usize = 2_000;
const LINE_CHARACTERS: usize = 2_000;
/// Room for what is said about the rest.
const NOTE: usize = 200;
const BYTES: u64 = 8 * 1_024 * 1_024;

pub(crate) fn run(bench: &mut Bench<'_>, call: &Call, place: &Place) -> Answer {
    let (text, caveat) = match text(bench, place) {
        Ok(found) => found,
        Err(answer) => return answer,
    };
    let first = call.number("offset").unwrap_or(1).max(1);
    let most = call.number("limit").unwrap_or(LINES);
    let mut shown = String::new();
    if let Some(caveat) = caveat {
        shown.push_str(&caveat);
        shown.push_str("\n\n");
    }
    let lines = text.lines().count();
    let mut last = first.saturating_add(most).saturating_sub(1);
    let room = bench.most_result.saturating_sub(NOTE);
    for (number, line) in text.lines().enumerate().skip(first - 1).take(most) {
        let cut = line.char_indices().nth(LINE_CHARACTERS);
        let cut = match cut.and_then(|(end, _)| Some((line.get(..end)?, line.len() - end))) {
            Some((cut, rest)) => format!("{:>6}\t{cut} [{rest} more bytes]\n", number + 1),
            None => format!("{:>6}\t{line}\n", number + 1),
        };
        // One line at least, or there is no way on.
        if number >= first && shown.len() + cut.len() > room {
            last = number;
            break;
        }
        shown.push_str(&cut);
    }
    if text.is_empty() {
        return Answer::ok("[the file is empty]");
    }
    if first > lines {
        return Answer::error(format!("the file has only {lines} lines"));
    }
    if last < lines {
        shown.push_str(&format!(
            "[{lines} lines in all; the next one is {next}: Read with offset {next}, or Grep]\n",
            next = last + 1
        ));
    }
    Answer::ok(shown)
}

/// A file's text, and what has to be said about its age.
pub(crate) fn text(
    bench: &mut Bench<'_>,
    place: &Place,
) -> Result<(String, Option<String>), Answer> {
    if let Place::Memory(path) = place {
        return bench
            .memory(path)?
            .ok_or_else(|| Answer::error(format!("there is no memory {}", path.as_str())));
    }
    let path = place.path(&bench.rooms);
    if path.is_dir() {
        return Err(Answer::error(format!(
            "{} is a folder: use Glob",
            path.display()
        )));
    }
    let bytes = match read_regular(&path, BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            return Err(Answer::error(format!(
                "there is no file {}",
                path.display()
            )));
        }
        Err(error @ Unreadable::TooLarge { .. }) => {
            return Err(Answer::error(format!(
                "{} is {error}: use Grep",
                path.display()
            )));
        }
        Err(error) => return Err(Answer::error(format!("{}: {error}", path.display()))),
    };
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => {
            bench.read.insert(path, text.clone());
            Ok((text, None))
        }
        _ => Err(Answer::error(format!(
            "{} is not a text file",
            path.display()
        ))),
    }
}
