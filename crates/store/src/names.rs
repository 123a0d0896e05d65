//! Names from outside that become one component of a path: session ids, tool-use ids, agents.

use std::fmt;

/// The longest name of a file on the systems in use.
const MAX_BYTES: usize = 200;

/// A name that is exactly one component of a path, whoever chose it.
///
/// ```
/// use memdir_store::PlainName;
///
/// assert!(PlainName::new("7f3c-01").is_ok());
/// assert!(PlainName::new("../x").is_err());
/// assert_eq!(PlainName::agent("review:security").unwrap().as_str(), "review-security");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainName(String);

/// A name that is not one plain component of a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} cannot be the name of a file or folder: {problem}")]
pub struct NameProblem {
    /// The name.
    pub name: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

impl PlainName {
    /// Takes a name as it is, or not at all.
    pub fn new(name: &str) -> Result<Self, NameProblem> {
        match problem(name) {
            None => Ok(Self(name.to_owned())),
            Some(problem) => Err(NameProblem {
                name: name.to_owned(),
                problem,
            }),
        }
    }

    /// The folder name of an agent type: a colon, which plugins use, becomes a hyphen.
    pub fn agent(name: &str) -> Result<Self, NameProblem> {
        Self::new(&name.replace(':', "-"))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlainName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name == "." || name == ".." {
        Some("it names another folder")
    } else if name.len() > MAX_BYTES {
        Some("it is too long")
    } else if name.chars().any(is_separator) {
        Some("it contains a separator")
    } else if name.chars().any(char::is_control) {
        Some("it contains a control character")
    } else if name.trim() != name {
        Some("it begins or ends with a space")
    } else {
        None
    }
}

/// Separators of paths on any system, and characters that only look like one.
fn is_separator(character: char) -> bool {
    matches!(
        character,
        '/' | '\\'
            | ':'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{2216}'
            | '\u{29f5}'
            | '\u{29f8}'
            | '\u{29f9}'
            | '\u{fe68}'
            | '\u{ff0f}'
            | '\u{ff1a}'
            | '\u{ff3c}'
    )
}
