//! Why a call did not do what was asked, in words by which a model can do better.

use std::fmt;

use memdir_agent::keep::{KeepError, Refused, Why};
use memdir_store::Error;

/// What a model reads when something fails: what happened, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    message: String,
    hint: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, hint } = self;
        match hint.is_empty() {
            true => write!(out, "{message}."),
            false => write!(out, "{message}. {hint}."),
        }
    }
}

impl From<KeepError> for Refusal {
    fn from(error: KeepError) -> Self {
        match error {
            KeepError::Store(error) => Self::from(error),
        }
    }
}

impl From<memdir_recall::Error> for Refusal {
    fn from(error: memdir_recall::Error) -> Self {
        match error {
            memdir_recall::Error::Store(error) => Self::from(error),
            other => Self::new(other.to_string(), "Try once more"),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let hint = match &error {
            Error::NotFound(_) => "Call `list` to see what there is",
            Error::Exists(_) => "Choose another name, or change the memory that is there",
            Error::Conflict { .. } => {
                "Read it again and repeat the change on what stands there now"
            }
            Error::Secret { .. } | Error::SecretName { .. } => {
                "Say where the secret is kept instead of what it is"
            }
            Error::Busy { .. } => "Nothing was lost: try again in a moment",
            Error::Path(_) => "Choose another name",
            _ => "Tell the user: `memdir doctor` says more",
        };
        Self::new(error.to_string(), hint)
    }
}

impl From<&Refused> for Refusal {
    fn from(refused: &Refused) -> Self {
        match &refused.why {
            Why::Secret { rule } => Self::new(
                format!("Nothing was saved: the text holds a secret (rule {rule})"),
                "Say where the secret is kept instead of what it is",
            ),
            Why::Empty => Self::new(
                "Nothing was saved: without what is private or hidden nothing is left of the text",
                "Leave it; the user does not want it kept",
            ),
            Why::Unclear => Self::new(
                "There is no such memory",
                "Call `list` to see what there is",
            ),
            Why::Newer(path) => Self::new(format!("{path} was changed meanwhile"), "Read it again"),
            Why::Name(problem) => Self::new(problem.clone(), "Choose another name"),
            Why::NotForTeam(path) => Self::new(
                format!(
                    "{path} is in the team's folder, which is off here or not for what is about the user"
                ),
                "Keep it outside of team/",
            ),
        }
    }
}
