//! Anthropic's Messages API, and all who speak it.

mod body;
mod failure;
mod message;
mod stream;

pub(crate) use message::counted;
#[cfg(test)]
pub(crate) use stream::Stream;

use bytes::Bytes;
use memdir_conversation::wire::Api;

use crate::http::{Call, Endpoint, Times};
use crate::json::Fields;
use crate::model::{Identity, Model, Pong};
use crate::{Answer, Body, Cancel, Error, Facts, Key, Request};

/// Where the provider is, unless the user says otherwise.
pub const ADDRESS: &str = "https://api.anthropic.com";
const VERSION: &str = "2023-06-01";
/// Fields of a request that only an answer needs: a count does not take them.
const OF_ANSWERS: [&str; 2] = ["max_tokens", "stream"];

/// A model behind the Messages API.
#[derive(Debug)]
pub struct Anthropic {
    identity: Identity,
    endpoint: Endpoint,
}

impl Anthropic {
    /// A model by its name. Nothing is loaded and nobody is asked before something is sent.
    ///
    /// # Errors
    ///
    /// When the address cannot be used.
    pub fn new(
        name: &str,
        address: &str,
        key: Option<&Key>,
        facts: Facts,
        times: Times,
    ) -> Result<Self, Error> {
        let key = key.map(|key| (key, "x-api-key", ""));
        let endpoint = Endpoint::new(address, key, times)?;
        Ok(Self {
            identity: endpoint.identity(name, address, facts),
            endpoint,
        })
    }

    fn call(&self, path: &str, json: Option<&str>, betas: &[String]) -> Call {
        let mut headers = vec![("anthropic-version", VERSION.to_owned())];
        if !betas.is_empty() {
            headers.push(("anthropic-beta", betas.join(",")));
        }
        Call {
            path: path.to_owned(),
            body: json.map(|json| Bytes::copy_from_slice(json.as_bytes())),
            headers,
            judge: failure::judge,
        }
    }
}

impl Model for Anthropic {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn api(&self) -> Option<Api> {
        Some(Api::Anthropic)
    }

    fn edits_context(&self) -> bool {
        // Others that speak this API refuse fields that they do not know.
        self.identity.provider == ADDRESS
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        Ok(body::write(
            &self.identity.name,
            &self.identity.facts,
            request,
        ))
    }

    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        let call = self.call("v1/messages", Some(&body.json), &body.betas);
        self.endpoint.start(call, stream::Stream::default(), cancel)
    }

    fn count(&self, body: &Body, cancel: &Cancel) -> Result<Option<u64>, Error> {
        let json = body::without(&body.json, &OF_ANSWERS);
        let call = self.call("v1/messages/count_tokens", Some(&json), &body.betas);
        let answer = self.endpoint.ask(call, cancel)?;
        let counted = Fields::of(&answer).and_then(|fields| fields.number("input_tokens"));
        counted
            .map(Some)
            .ok_or(Error::BadAnswer("a count without its number"))
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        let call = self.call(&format!("v1/models/{}", self.identity.name), None, &[]);
        let answer = self.endpoint.ask(call, cancel)?;
        let fields = Fields::of(&answer).ok_or(Error::BadAnswer("it is not JSON"))?;
        Ok(Pong {
            window: fields.number("max_input_tokens"),
            output: fields.number("max_tokens"),
        })
    }
}
