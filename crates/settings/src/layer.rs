//! Where a value can come from, and what is wrong with a source.

use std::fmt;

/// A source of settings, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The user's own file, under home.
    User,
    /// The committed file of the project: whoever wrote the repository wrote it.
    Project,
    /// The local file of the project, which git is not meant to track.
    Local,
    /// The file of whoever administers the machine.
    Managed,
}

impl Layer {
    /// In one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
            Self::Managed => "managed",
        }
    }

    /// Whether the content of a file may have come with the repository: the committed file always, the local one until the
    /// user has vouched for it.
    pub(crate) fn is_committed(self, trust: Trust) -> bool {
        match self {
            Self::Project => true,
            Self::Local => trust == Trust::Untrusted,
            Self::User | Self::Managed => false,
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Whether the user has vouched for a local file with this very content.
///
/// That git does not track a file proves nothing: an archive or a tool can put it there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// The user has seen this content and said yes.
    Trusted,
    /// Nobody has vouched for it: it counts as committed.
    Untrusted,
}

/// Something in a settings text that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, counted from 1; 0 where the problem has no place within the text.
    pub line: usize,
    /// Column in bytes, counted from 1; 0 where the problem has no place within the text.
    pub column: usize,
    /// What is wrong and what was done about it.
    pub message: String,
    /// How grave it is.
    pub severity: Severity,
}

/// How grave a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The user wrote it and can mend it: a command that a person types stops.
    Error,
    /// Somebody else wrote it: what is wrong is ignored, and told.
    Warning,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(formatter, "{}: {}", self.file, self.message)
        } else {
            write!(
                formatter,
                "{}:{}:{}: {}",
                self.file, self.line, self.column, self.message
            )
        }
    }
}
