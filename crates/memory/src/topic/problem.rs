//! What may be wrong with a topic file. None of it makes the file unreadable.

use super::{Form, Topic, edit};
use crate::header::HEADER_LINES;

/// Something about a topic file that its user may want to mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopicProblem {
    /// No `---` at the start.
    #[error("the file has no header: nothing describes it, so that it is hard to find again")]
    NoHeader,
    /// No closing `---`.
    #[error("the header is not closed: put a line `---` after its last key")]
    NotClosed,
    /// More lines than are ever read.
    #[error("the header is over {HEADER_LINES} lines long: what stands further down is not read")]
    LongHeader,
    /// Read by its `key: value` lines because YAML does not understand it.
    #[error("the header is not YAML: put values that hold `: ` or ` #` in quotes")]
    NotYaml,
    /// No `name`.
    #[error("the header has no name")]
    NoName,
    /// No `description`.
    #[error("the header has no description, which decides whether the memory is recalled")]
    NoDescription,
    /// Neither `metadata.type` nor `type`.
    #[error("the header has no type (user, feedback, project or reference)")]
    NoType,
    /// A type that is not in the set.
    #[error("the header's type is none of user, feedback, project and reference")]
    UnknownType,
    /// Bytes that are no text.
    #[error("the file is not all UTF-8: line {line} is the first that is not")]
    NotText {
        /// The line, counted from 1.
        line: usize,
    },
    /// NUL bytes.
    #[error("the file has a NUL byte: line {line} is the first with one")]
    Nul {
        /// The line, counted from 1.
        line: usize,
    },
}

pub(super) fn problems(topic: &Topic) -> Vec<TopicProblem> {
    let mut found = Vec::new();
    match topic.frame {
        None => found.push(TopicProblem::NoHeader),
        Some(frame) => {
            if frame.after.is_none() {
                found.push(TopicProblem::NotClosed);
            } else if topic.form == Form::KeyLines && frame.is_closed() {
                found.push(TopicProblem::NotYaml);
            }
            if frame.lines > HEADER_LINES {
                found.push(TopicProblem::LongHeader);
            }
            if topic.header.name.is_none() {
                found.push(TopicProblem::NoName);
            }
            if topic.header.description.is_none() {
                found.push(TopicProblem::NoDescription);
            }
            if topic.header.memory_type.is_none() {
                let is_there = edit::has_type(topic);
                found.push(if is_there {
                    TopicProblem::UnknownType
                } else {
                    TopicProblem::NoType
                });
            }
        }
    }
    if let Err(error) = std::str::from_utf8(&topic.bytes) {
        found.push(TopicProblem::NotText {
            line: line_of(&topic.bytes, error.valid_up_to()),
        });
    }
    if let Some(at) = memchr::memchr(0, &topic.bytes) {
        found.push(TopicProblem::Nul {
            line: line_of(&topic.bytes, at),
        });
    }
    found
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    crate::lines::lines_from(bytes, 0)
        .take_while(|line| line.next <= at)
        .count()
        + 1
}
