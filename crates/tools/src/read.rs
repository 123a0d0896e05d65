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
    for (number, line) in text.lines().enumerate().skip(first - 1).take(most) {
        let cut: String = line.chars().take(LINE_CHARACTERS).collect();
        shown.push_str(&format!("{:>6}\t{cut}\n", number + 1));
    }
    if text.is_empty() {
        return Answer::ok("[the file is empty]");
    }
    if first > lines {
        return Answer::error(format!("the file has only {lines} lines"));
    }
    let last = first.saturating_add(most).saturating_sub(1);
    if last < lines {
        shown.push_str(&format!(
            "[{lines} lines in all; the next one is {}]\n",
            last + 1
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
