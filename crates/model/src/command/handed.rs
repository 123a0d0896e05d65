//! A model that somebody else asks: what it is to be asked is handed out, its answer is handed in. Nothing is sent from here.

use std::sync::{Mutex, PoisonError};

use memdir_conversation::wire::Api;
use tokio::sync::mpsc;

use super::arguments::Agent;
use super::output::Form;
use super::{asked_of, unable};
use crate::answer::{Answer, WAITING};
use crate::model::{Identity, Model, Pong};
use crate::request::{Body, Request};
use crate::runtime::Runtime;
use crate::{Cancel, Error, Facts, Price};

/// A model behind a client that has offered to ask it.
pub struct Handed {
    identity: Identity,
    /// What it said, in the form in which Claude Code prints an answer.
    answer: Option<String>,
    asked: Mutex<Option<String>>,
}

impl Handed {
    /// Without an answer yet: the first request is kept for [`Handed::asked`], and fails.
    #[must_use]
    pub fn question(client: &str, facts: Facts) -> Self {
        Self::new(client, facts, None)
    }

    /// With what it answered: the text, and what the client says that it took, as JSON of the provider's form.
    #[must_use]
    pub fn answered(client: &str, facts: Facts, text: &str, usage: Option<&str>) -> Self {
        let text = serde_json::Value::from(text);
        let usage = usage.unwrap_or("null");
        let answer = format!(r#"{{"result":{text},"usage":{usage}}}"#);
        Self::new(client, facts, Some(answer))
    }

    fn new(client: &str, mut facts: Facts, answer: Option<String>) -> Self {
        // What it costs is between the user and the client's own account.
        facts.price = Some(Price::FREE);
        Self {
            identity: Identity {
                name: String::new(),
                provider: format!("fork {client}"),
                facts,
            },
            answer,
            asked: Mutex::new(None),
        }
    }

    /// What it is to be asked.
    #[must_use]
    pub fn asked(&self) -> Option<String> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.clone()
    }
}

impl Model for Handed {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn api(&self) -> Option<Api> {
        None
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        let (asked, beside) = asked_of(request, &self.identity.provider)?;
        let plain = Agent::Other {
            program: String::new(),
            arguments: Vec::new(),
        };
        let (input, _) = plain.divided(asked, beside);
        if self.answer.is_none() {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            *asked = Some(input);
            return Err(unable(&self.identity.provider, "somebody else asks it"));
        }
        Ok(Body::raw(input.into(), Vec::new(), request.most_output))
    }

    fn send(&self, _: &Body, _: &Cancel) -> Result<Answer, Error> {
        let answer = self.answer.as_deref().unwrap_or_default();
        let (sender, events) = mpsc::channel(WAITING);
        for event in Form::Claude.read(answer)? {
            // There is room for all of a whole answer.
            let _ = sender.try_send(Ok(event));
        }
        Ok(Answer::new(events, Cancel::new(), Runtime::start()?))
    }

    fn count(&self, _: &Body, _: &Cancel) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    fn ping(&self, _: &Cancel) -> Result<Pong, Error> {
        Ok(Pong::default())
    }
}

/// What was said is nobody's business in a log.
impl std::fmt::Debug for Handed {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Handed")
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}
