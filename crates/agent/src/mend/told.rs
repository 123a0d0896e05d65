//! What was done and what was left alone, a line each, for people.

use std::fmt;

use memdir_memory::{MemoryPath, Source, TopicProblem};

/// Something that was mended, or that somebody may want to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mending {
    /// A memory went into one that says the same.
    Merged {
        /// The one that is gone.
        from: MemoryPath,
        /// The one that is left.
        into: MemoryPath,
        /// How many statements came with it.
        brought: usize,
        /// What the one that is left counts as now, where that is less than before.
        source: Option<Source>,
    },
    /// Two memories say nearly the same, and one says what the other does not allow.
    Opposed {
        /// The first.
        one: MemoryPath,
        /// The second.
        other: MemoryPath,
        /// What each of them says.
        said: (String, String),
    },
    /// A relative date became an absolute one.
    Dated {
        /// In which memory.
        path: MemoryPath,
        /// As it was.
        from: String,
        /// As it is.
        to: String,
    },
    /// A link follows a memory that went into another.
    Followed {
        /// Whose link.
        path: MemoryPath,
        /// What it said.
        from: String,
        /// What it says.
        to: String,
    },
    /// A line led to no file.
    Dead {
        /// In which index.
        index: MemoryPath,
        /// The line.
        line: String,
    },
    /// A second line for one memory.
    Doubled {
        /// In which index.
        index: MemoryPath,
        /// The memory.
        target: MemoryPath,
    },
    /// A memory had no line.
    Listed {
        /// In which index.
        index: MemoryPath,
        /// The memory.
        target: MemoryPath,
    },
    /// A line was too long.
    Shortened {
        /// In which index.
        index: MemoryPath,
        /// The memory.
        target: MemoryPath,
    },
    /// Text that stood in an index alone is in the memory now.
    Moved {
        /// The memory.
        path: MemoryPath,
        /// The text.
        text: String,
    },
    /// There was no room for a line.
    Unlisted {
        /// In which index.
        index: MemoryPath,
        /// The memory.
        target: MemoryPath,
    },
    /// What the user wrote into the index is more than is ever loaded.
    Overfull {
        /// Which index.
        index: MemoryPath,
    },
    /// Text of the user's in an index names a memory that is gone.
    Mentioned {
        /// Which index.
        index: MemoryPath,
        /// The memory that is gone.
        gone: MemoryPath,
        /// The one that has what it said.
        into: MemoryPath,
    },
    /// A file was not touched.
    Left {
        /// Which.
        path: MemoryPath,
        /// Why.
        problem: TopicProblem,
    },
}

impl fmt::Display for Mending {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Merged {
                from,
                into,
                brought,
                source,
            } => {
                write!(out, "{from} went into {into}, ")?;
                match brought {
                    0 => out.write_str("which says all of it")?,
                    1 => out.write_str("with one statement that only it had")?,
                    count => write!(out, "with {count} statements that only it had")?,
                }
                match source {
                    Some(source) => write!(out, "; it counts as from `{source}` now"),
                    None => Ok(()),
                }
            }
            Self::Opposed {
                one,
                other,
                said: (first, second),
            } => write!(
                out,
                "{one} says “{first}”, {other} says “{second}”: both stay, decide which holds"
            ),
            Self::Dated { path, from, to } => write!(out, "{path}: “{from}” is “{to}” now"),
            Self::Followed { path, from, to } => {
                write!(out, "{path}: the link to “{from}” leads to “{to}” now")
            }
            Self::Dead { index, line } => {
                write!(
                    out,
                    "{index}: took out a line that leads to no memory: {line}"
                )
            }
            Self::Doubled { index, target } => {
                write!(out, "{index}: two lines for {target} became one")
            }
            Self::Listed { index, target } => write!(out, "{index}: a line for {target}"),
            Self::Shortened { index, target } => {
                write!(out, "{index}: the line for {target} is shorter")
            }
            Self::Moved { path, text } => {
                write!(out, "{path}: has what stood in the index alone: {text}")
            }
            Self::Unlisted { index, target } => write!(
                out,
                "{index}: no room for a line for {target}; recall still finds it"
            ),
            Self::Overfull { index } => write!(
                out,
                "{index}: your own text in it is more than is ever loaded: shorten it"
            ),
            Self::Mentioned { index, gone, into } => write!(
                out,
                "{index}: your text names {gone}, which went into {into}"
            ),
            Self::Left { path, problem } => write!(out, "{path}: left as it is: {problem}"),
        }
    }
}
