//! A setting as it is typed beside a command: `key=value`.

use std::fmt;

use crate::nearest::nearest;
use crate::tree::Key;
use crate::value::Value;

/// One setting for one run, stronger than every file of the user's and every variable.
///
/// ```
/// use memdir_settings::{Assignment, Value};
///
/// let assignment = Assignment::parse("prompt.style=short").unwrap();
/// assert_eq!(assignment.value, Value::Word("short"));
/// assert_eq!(
///     Assignment::parse("promt.style=short").unwrap_err().to_string(),
///     "there is no setting `promt.style`; did you mean `prompt.style`?"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// Which setting.
    pub key: &'static Key,
    /// Its value.
    pub value: Value,
}

/// Why a text is no assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignmentProblem {
    /// There is no `=` in it.
    NoValue(String),
    /// There is no setting of this name; perhaps another was meant.
    Unknown {
        /// The name.
        name: String,
        /// The one that was meant.
        meant: Option<&'static Key>,
    },
    /// The setting cannot have this value.
    WrongValue {
        /// The setting.
        key: &'static Key,
        /// The value.
        text: String,
    },
}

impl fmt::Display for AssignmentProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue(text) => write!(formatter, "{text:?} is not of the form KEY=VALUE"),
            Self::Unknown { name, meant: None } => {
                write!(formatter, "there is no setting `{}`", name.escape_debug())
            }
            Self::Unknown {
                name,
                meant: Some(meant),
            } => write!(
                formatter,
                "there is no setting `{}`; did you mean `{}`?",
                name.escape_debug(),
                meant.name
            ),
            Self::WrongValue { key, text } => {
                write!(
                    formatter,
                    "`{}` has to be {}, not {text:?}",
                    key.name, key.kind
                )
            }
        }
    }
}

impl std::error::Error for AssignmentProblem {}

impl Assignment {
    /// The flag that takes them.
    pub const FLAG: &'static str = "--set";

    /// Reads `key=value`; blanks around either do not count.
    pub fn parse(text: &str) -> Result<Self, AssignmentProblem> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| AssignmentProblem::NoValue(text.to_owned()))?;
        let name = name.trim();
        let key = Key::find(name).ok_or_else(|| AssignmentProblem::Unknown {
            name: name.to_owned(),
            meant: nearest(name),
        })?;
        let value = key
            .kind
            .read(value)
            .ok_or_else(|| AssignmentProblem::WrongValue {
                key,
                text: value.trim().to_owned(),
            })?;
        Ok(Self { key, value })
    }
}
