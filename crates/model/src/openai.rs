//! Chat Completions: OpenAI's own, and every server that speaks it.

mod body;
mod failure;
mod merge;
mod message;
mod stream;

#[cfg(test)]
pub(crate) use stream::Stream;

use bytes::Bytes;
use memdir_conversation::wire::Api;

use crate::http::{Call, Endpoint, Times};
use crate::json::{Fields, items};
use crate::model::{Identity, Model, Pong};
use crate::{Answer, Body, Cancel, Error, Facts, Key, Request};

/// Where OpenAI is.
pub const ADDRESS: &str = "https://api.openai.com/v1";

/// A model behind Chat Completions.
#[derive(Debug)]
pub struct OpenAi {
    identity: Identity,
    endpoint: Endpoint,
}

impl OpenAi {
    /// A model by its name; the address ends before `/chat/completions`. Nothing is loaded and nobody is asked before
    /// something is sent.
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
        let key = key.map(|key| (key, "authorization", "Bearer "));
        let endpoint = Endpoint::new(address, key, times)?;
        Ok(Self {
            identity: endpoint.identity(name, address, facts),
            endpoint,
        })
    }

    fn call(path: &str, json: Option<&str>) -> Call {
        Call {
            path: path.to_owned(),
            body: json.map(|json| Bytes::copy_from_slice(json.as_bytes())),
            headers: Vec::new(),
            judge: failure::judge,
        }
    }
}

impl Model for OpenAi {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn api(&self) -> Option<Api> {
        Some(Api::OpenAi)
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        if request.context_editing.is_some() {
            return Err(Error::Unable {
                model: self.identity.name.clone(),
                what: "its provider does not edit the context",
            });
        }
        // Its own models know the limit under a newer name only, other servers under the older one.
        let limit = match self.identity.provider == ADDRESS {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        Ok(body::write(
            &self.identity.name,
            limit,
            &self.identity.facts,
            request,
        ))
    }

    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        let call = Self::call("chat/completions", Some(&body.json));
        self.endpoint.start(call, stream::Stream::default(), cancel)
    }

    fn count(&self, _: &Body, _: &Cancel) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        let answer = self.endpoint.ask(Self::call("models", None), cancel)?;
        let list = Fields::of(&answer).and_then(|fields| items(fields.get("data")?));
        let list = list.ok_or(Error::BadAnswer("it is no list of models"))?;
        let own = list
            .into_iter()
            .filter_map(Fields::of)
            .find(|model| model.string("id").as_deref() == Some(&self.identity.name));
        let own = own.ok_or_else(|| Error::NotFound(crate::ProviderText::default()))?;
        // What the servers of this API call it that tell at all.
        let window = ["max_model_len", "context_length", "context_window"]
            .iter()
            .find_map(|name| own.number(name));
        Ok(Pong {
            window,
            output: None,
        })
    }
}
