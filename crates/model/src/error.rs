//! Why a model gave no answer, and what to do next.

use std::fmt;
use std::time::Duration;

/// Why a model gave no answer. Nothing here repeats what was sent, nor a key: what a provider says is kept apart, in a
/// [`ProviderText`] that prints only its length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The request does not fit the model's window.
    #[error("the request is too long for the model{}", numbers(.needed, .limit))]
    TooLong {
        /// How many tokens it has, where the provider says so.
        needed: Option<u64>,
        /// How many the model takes.
        limit: Option<u64>,
    },
    /// The provider has too much to do.
    #[error("the provider is overloaded")]
    Overloaded,
    /// The provider asks to come back later.
    #[error("the provider's rate limit is reached{}", later(.after))]
    RateLimited {
        /// When to come back, where the provider says so.
        after: Option<Duration>,
    },
    /// The key is missing, wrong or may not do this.
    #[error("the provider does not accept the key")]
    Key,
    /// There is nothing left on the account.
    #[error("the provider asks for money: the account has no credit left")]
    Billing,
    /// The provider does not do this for this account, or at all.
    #[error("the provider refuses the request")]
    Refused(ProviderText),
    /// The provider does not know the model, or the address is wrong.
    #[error("the provider knows no such model or address")]
    NotFound(ProviderText),
    /// The provider does not understand the request: a mistake of ours.
    #[error("the provider does not understand the request (status {status})")]
    Rejected {
        /// The status of its answer.
        status: u16,
        /// What it said.
        said: ProviderText,
    },
    /// The provider failed.
    #[error("the provider failed (status {status})")]
    Failed {
        /// The status of its answer.
        status: u16,
        /// What it said.
        said: ProviderText,
    },
    /// Nobody answers at the address.
    #[error("the provider cannot be reached: {0}")]
    Unreachable(&'static str),
    /// The answer broke off.
    #[error("the answer broke off before its end")]
    Cut,
    /// Nothing came for too long.
    #[error("the provider took too long: {0}")]
    TimedOut(Wait),
    /// The answer is not what the provider's documentation says.
    #[error("the answer cannot be read: {0}")]
    BadAnswer(&'static str),
    /// Somebody asked to stop.
    #[error("stopped")]
    Cancelled,
    /// This model cannot do what is asked.
    #[error("{model} cannot do this: {what}")]
    Unable {
        /// Which model.
        model: String,
        /// What was asked for.
        what: &'static str,
    },
    /// The address cannot be used.
    #[error("the address cannot be used: {0}")]
    Address(&'static str),
    /// The user's own program cannot be started or failed.
    #[error("`{program}` {what}")]
    Command {
        /// Which program.
        program: String,
        /// What happened.
        what: String,
    },
    /// This machine lacks something.
    #[error("{0}")]
    Machine(&'static str),
}

/// What was waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// A connection.
    Connect,
    /// The beginning of an answer.
    FirstByte,
    /// The next part of an answer.
    Idle,
    /// The whole answer.
    Whole,
}

impl fmt::Display for Wait {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Self::Connect => "no connection",
            Self::FirstByte => "no answer",
            Self::Idle => "the answer stopped",
            Self::Whole => "the answer has no end",
        })
    }
}

/// What a provider said about a failure. It may repeat what was sent, even a key, so that it prints as its length; who
/// is sure that nothing private was sent can ask for it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ProviderText(String);

impl ProviderText {
    /// How much of it is kept.
    const MOST: usize = 2000;

    pub(crate) fn new(text: &str) -> Self {
        Self(text.chars().take(Self::MOST).collect())
    }

    /// The text itself: only for a person who sent nothing private.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ProviderText {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "[{} bytes]", self.0.len())
    }
}

/// What a failed request cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Nothing: no model worked on it.
    Nothing,
    /// That is not known: a model may have worked on it.
    Unknown,
}

impl Error {
    /// What the request may have cost.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match self {
            Self::Cut | Self::BadAnswer(_) | Self::Cancelled | Self::Command { .. } => {
                Cost::Unknown
            }
            Self::TimedOut(wait) if *wait != Wait::Connect => Cost::Unknown,
            // A gateway that gave up on somebody who was at work.
            Self::Failed { status: 504, .. } => Cost::Unknown,
            _ => Cost::Nothing,
        }
    }

    /// What the provider said, where it said anything.
    #[must_use]
    pub fn provider_text(&self) -> Option<&ProviderText> {
        match self {
            Self::Refused(said)
            | Self::NotFound(said)
            | Self::Rejected { said, .. }
            | Self::Failed { said, .. } => Some(said).filter(|said| !said.0.is_empty()),
            _ => None,
        }
    }

    /// What to do next.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "shorten the conversation and try again",
            Self::Overloaded | Self::Failed { .. } => "try again later",
            Self::RateLimited { .. } => "wait, or choose another model",
            Self::Key => "see where the key comes from with `memdir models`",
            Self::Billing => "see the provider's page for your account",
            Self::Refused(_) => "choose another model",
            Self::NotFound(_) => "see the model's name and address with `memdir models`",
            Self::Rejected { .. } => "this is a mistake in memdir; please report it",
            Self::Unreachable(_) => "see whether the address is right and the network is there",
            Self::Cut | Self::TimedOut(_) => "try again",
            Self::BadAnswer(_) => "see whether the address belongs to such a provider",
            Self::Cancelled => "",
            Self::Unable { .. } => "choose another model for this",
            Self::Address(_) => "mend the address in memdir.toml",
            Self::Command { .. } => "run the program once by hand",
            Self::Machine(_) => "",
        }
    }
}

fn numbers(needed: &Option<u64>, limit: &Option<u64>) -> String {
    match (needed, limit) {
        (Some(needed), Some(limit)) => format!(": {needed} tokens, it takes {limit}"),
        (None, Some(limit)) => format!(": it takes {limit} tokens"),
        (Some(needed), None) => format!(": {needed} tokens"),
        (None, None) => String::new(),
    }
}

fn later(after: &Option<Duration>) -> String {
    match after {
        Some(after) => format!("; it asks to come back in {} s", after.as_secs().max(1)),
        None => String::new(),
    }
}
