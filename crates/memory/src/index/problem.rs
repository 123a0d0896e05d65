//! What may be wrong with an index, as far as its text can tell.

use std::collections::HashMap;

use super::{Index, LINE_CHARACTERS, MAX_BYTES, MAX_LINES, load, parse};
use crate::{PathProblem, lines::lines_from};

/// Something about an index that its user may want to mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexProblem {
    /// More lines than are loaded.
    #[error("the index has {lines} lines; only the first {MAX_LINES} are ever loaded")]
    TooManyLines {
        /// How many.
        lines: usize,
    },
    /// More bytes than are loaded.
    #[error("the index has {bytes} bytes; only the first {MAX_BYTES} are ever loaded")]
    TooManyBytes {
        /// How many.
        bytes: usize,
    },
    /// A header, which an index has not.
    #[error("the index begins with a header (`---`), which is for topic files")]
    HasHeader,
    /// Two lines for one file.
    #[error("line {line} leads to {target}, as line {first} does already")]
    SameTarget {
        /// The later line.
        line: usize,
        /// The earlier line.
        first: usize,
        /// The file.
        target: String,
    },
    /// A target that is no path of a memory.
    #[error("line {line} leads to `{target}`: {problem}")]
    BadTarget {
        /// The line.
        line: usize,
        /// What stands there.
        target: String,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// An entry that is longer than a line of an index should be.
    #[error(
        "line {line} has {characters} characters; about {LINE_CHARACTERS} is enough for a hook"
    )]
    LongLine {
        /// The line.
        line: usize,
        /// How many.
        characters: usize,
    },
    /// Bytes that are no text.
    #[error("line {line} is not UTF-8")]
    NotText {
        /// The line.
        line: usize,
    },
}

pub(super) fn problems(index: &Index) -> Vec<IndexProblem> {
    let mut found = Vec::new();
    let loaded = load(&index.bytes);
    if loaded.lines > MAX_LINES {
        found.push(IndexProblem::TooManyLines {
            lines: loaded.lines,
        });
    }
    if loaded.bytes > MAX_BYTES {
        found.push(IndexProblem::TooManyBytes {
            bytes: loaded.bytes,
        });
    }
    if crate::header::Frame::locate(&index.bytes).is_some() {
        found.push(IndexProblem::HasHeader);
    }
    let mut first_lines = HashMap::new();
    let mut entries = index.entries().peekable();
    for (at, line) in lines_from(&index.bytes, 0).enumerate() {
        let number = at + 1;
        let text = match std::str::from_utf8(line.content(&index.bytes)) {
            Ok(text) => Some(text),
            Err(_) => {
                found.push(IndexProblem::NotText { line: number });
                None
            }
        };
        let Some(entry) = entries.next_if(|entry| entry.line == number) else {
            continue;
        };
        let target = parse::normal_target(&entry.target).to_owned();
        if let Err(problem) = entry.path() {
            found.push(IndexProblem::BadTarget {
                line: number,
                target: target.clone(),
                problem,
            });
        }
        let first = *first_lines.entry(target.clone()).or_insert(number);
        if first != number {
            found.push(IndexProblem::SameTarget {
                line: number,
                first,
                target,
            });
        }
        let characters = text.map_or(0, |text| text.chars().count());
        if characters > LINE_CHARACTERS {
            found.push(IndexProblem::LongLine {
                line: number,
                characters,
            });
        }
    }
    found
}
