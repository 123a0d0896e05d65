//! What was not loaded and why, and what a user should know about what was.

use std::fmt;
use std::path::PathBuf;

use super::{
    Asker, Kind, LARGE_FILE_CHARACTERS, LARGE_TOTAL_TOKENS, MAX_BYTES, MAX_INCLUDE_DEPTH,
    MAX_REQUESTS,
};

/// A file or folder that was asked for and is not among the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was asked for.
    pub path: PathBuf,
    /// On behalf of which source.
    pub kind: Kind,
    /// Who asked.
    pub asker: Asker,
    /// Why not.
    pub reason: RefusalReason,
}

/// Why something is not among the instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalReason {
    /// There is no such file.
    Absent,
    /// It includes itself, through others or directly.
    Cycle,
    /// The chain of includes is too long.
    TooDeep,
    /// Not a text, by its name or its content.
    NotText,
    /// Outside of the project.
    Outside {
        /// Where it really is, when a symbolic link leads there.
        real: Option<PathBuf>,
    },
    /// `~` was meant, but there is no home directory.
    NoHome,
    /// In a folder of the kernel or of devices.
    System,
    /// Git's own data.
    GitData,
    /// Above the project, and reached through a symbolic link.
    Link,
    /// It, or a folder on the way to it, belongs to somebody else.
    OtherOwner {
        /// Which of them.
        path: PathBuf,
        /// The number of that user.
        user: u32,
    },
    /// It, or its folder, can be written by others.
    OthersCanWrite {
        /// Which of them.
        path: PathBuf,
    },
    /// Whoever opened it could not say whose it is.
    UnknownOwner,
    /// Whoever was to open it did not; why, in words.
    Unopened(String),
    /// More was asked for than can be meant.
    TooMany,
    /// More was loaded than can be meant.
    TooMuch,
}

impl RefusalReason {
    /// Whether this is how things usually are: the text says `@somebody`, or two files include each other.
    #[must_use]
    pub fn is_ordinary(&self) -> bool {
        matches!(self, Self::Absent | Self::Cycle)
    }
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => out.write_str("there is no such file"),
            Self::Cycle => out.write_str("it includes itself; it is loaded once"),
            Self::TooDeep => write!(out, "includes go at most {MAX_INCLUDE_DEPTH} deep"),
            Self::NotText => out.write_str("it is not a text file"),
            Self::Outside { real: None } => out.write_str(
                "it is outside of the project, and claudeMd.allowExternalIncludes is not set",
            ),
            Self::Outside { real: Some(real) } => write!(
                out,
                "a symbolic link leads out of the project to {}, and \
                 claudeMd.allowExternalIncludes is not set",
                real.display()
            ),
            Self::NoHome => out.write_str("there is no home directory for `~`"),
            Self::System => out.write_str("it belongs to the system, not to a person"),
            Self::GitData => out.write_str("it is git's own data"),
            Self::Link => out.write_str("above the project no symbolic link is followed"),
            Self::OtherOwner { path, user } => {
                write!(out, "{} belongs to another user ({user})", path.display())
            }
            Self::OthersCanWrite { path } => {
                write!(out, "others than you can write {}", path.display())
            }
            Self::UnknownOwner => out.write_str("nobody can say whose it is"),
            Self::Unopened(reason) => out.write_str(reason),
            Self::TooMany => write!(
                out,
                "{MAX_REQUESTS} includes or rules have been looked at; the rest is left alone"
            ),
            Self::TooMuch => write!(
                out,
                "with it the files would have more than {MAX_BYTES} bytes in all"
            ),
        }
    }
}

/// Something that is loaded, or left out, in a way that the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// A large file, loaded whole.
    LargeFile {
        /// Which.
        path: PathBuf,
        /// How many characters the model sees of it.
        characters: usize,
    },
    /// All files together are large.
    LargeTotal {
        /// About how many tokens they have.
        tokens: usize,
    },
    /// A file was left out because there is a limit to all of them.
    LeftOut {
        /// Which.
        path: PathBuf,
        /// About how many tokens it has.
        tokens: usize,
        /// The limit.
        limit: usize,
    },
    /// `paths:` of a rule holds something that is no pattern.
    Pattern {
        /// The rule.
        path: PathBuf,
        /// What was written.
        pattern: String,
    },
    /// `paths:` of a rule holds no pattern that can be used.
    Unconditional {
        /// The rule.
        path: PathBuf,
    },
    /// Invisible text was taken out of what the model sees.
    Hidden {
        /// Which file.
        path: PathBuf,
        /// What was taken out.
        notice: String,
    },
    /// The memory index was cut to its limits.
    Index {
        /// Which limit, by how much, what to do.
        notice: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LargeFile { path, characters } => write!(
                out,
                "{} has {characters} characters, more than {LARGE_FILE_CHARACTERS}; it is loaded \
                 whole, in every conversation",
                path.display()
            ),
            Self::LargeTotal { tokens } => write!(
                out,
                "all instruction files have about {tokens} tokens, more than {LARGE_TOTAL_TOKENS}"
            ),
            Self::LeftOut {
                path,
                tokens,
                limit,
            } => write!(
                out,
                "{} (about {tokens} tokens) is left out: instructions.max_tokens is {limit}",
                path.display()
            ),
            Self::Pattern { path, pattern } => write!(
                out,
                "{}: {pattern:?} in `paths` is not a pattern; it is ignored",
                path.display()
            ),
            Self::Unconditional { path } => write!(
                out,
                "{}: `paths` names no file; the rule applies always",
                path.display()
            ),
            Self::Hidden { path, notice } => write!(
                out,
                "{}: invisible text is not shown to the model: {notice}",
                path.display()
            ),
            Self::Index { notice } => out.write_str(notice.trim_start_matches("> Warning: ")),
        }
    }
}
