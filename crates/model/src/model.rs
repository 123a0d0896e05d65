//! The one door to any model.

use memdir_conversation::wire::Api;

use crate::{Answer, Body, Cancel, Error, Facts, Request};

/// A language model, wherever it runs.
///
/// A request is made in two steps: first its bytes, which can be counted, compared and paid for in advance, then the
/// sending of exactly these.
pub trait Model: Send + Sync + std::fmt::Debug {
    /// Which model it is.
    fn identity(&self) -> &Identity;

    /// The model's name, as its provider knows it.
    fn name(&self) -> &str {
        &self.identity().name
    }

    /// Who makes it answer, and whose rate limit is used up: one plain text, the same for all models behind one address.
    fn provider(&self) -> &str {
        &self.identity().provider
    }

    /// What is known of it.
    fn facts(&self) -> &Facts {
        &self.identity().facts
    }

    /// In whose form messages are sent; `None` for a program that takes plain text.
    fn api(&self) -> Option<Api>;

    /// Whether its provider clears old results of tools by itself when asked to ([`Request::context_editing`]).
    fn edits_context(&self) -> bool {
        false
    }

    /// The bytes of a request.
    ///
    /// # Errors
    ///
    /// When this model cannot do what is asked.
    fn body(&self, request: &Request<'_>) -> Result<Body, Error>;

    /// Sends a request. Returns at once; what comes, comes from the [`Answer`].
    ///
    /// # Errors
    ///
    /// When it cannot even be begun.
    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error>;

    /// How many tokens a request has, by the provider's own count; `None` where it counts for nobody. Costs nothing.
    ///
    /// # Errors
    ///
    /// When it gives no answer.
    fn count(&self, body: &Body, cancel: &Cancel) -> Result<Option<u64>, Error>;

    /// Whether it is there and takes the key, and what it says about itself. Costs nothing.
    ///
    /// # Errors
    ///
    /// When it gives no answer.
    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error>;
}

/// Which model it is, and what is known of it before it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// Its name, as its provider knows it; empty where a program chooses.
    pub name: String,
    /// Who makes it answer.
    pub provider: String,
    /// What is known of it.
    pub facts: Facts,
}

/// What a model says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pong {
    /// How many tokens it takes.
    pub window: Option<u64>,
    /// How many it gives.
    pub output: Option<u64>,
}
