//! Requests over HTTP: one client, built when the first request is sent; retries, time-outs, events.

mod client;
mod exchange;
mod limits;
mod retry;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::mpsc;

use crate::answer::{Answer, WAITING};
use crate::model::Identity;
use crate::reply::What;
use crate::runtime::Runtime;
use crate::sse::Frame;
use crate::{Cancel, Error, Event, Facts, Key, Price, RateLimits};

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Until there is a connection.
    pub connect: Duration,
    /// From then until an answer begins. Models on one's own machine are loaded meanwhile.
    pub first_byte: Duration,
    /// Between two parts of an answer. Providers send signs of life every half minute.
    pub idle: Duration,
    /// All of it, retries included.
    pub whole: Duration,
    /// The pause before the first retry; each further one doubles it.
    pub pause: Duration,
    /// The longest pause that is made, unless the provider asks for another.
    pub longest_pause: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(180),
            idle: Duration::from_secs(90),
            whole: Duration::from_secs(600),
            pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(8),
        }
    }
}

/// Makes events of what a provider sends.
pub(crate) trait Reading: Send + 'static {
    /// The next event of a stream.
    fn frame(&mut self, frame: Frame, to: &mut Vec<Event>) -> Result<(), Error>;
    /// An answer that came whole.
    fn whole(&mut self, body: &str, to: &mut Vec<Event>) -> Result<(), Error>;
    /// What the headers say about limits, before anything else.
    fn limits(&mut self, limits: RateLimits);
    /// Whether the answer is complete.
    fn is_done(&self) -> bool;
}

/// What a refusal of the provider means: the status, what it said, and when to come back.
pub(crate) type Judge = fn(u16, &str, Option<Duration>) -> Error;

/// A provider's address with what goes into every request.
pub(crate) struct Endpoint {
    base: Url,
    headers: HeaderMap,
    times: Times,
    engine: Mutex<Option<Engine>>,
}

#[derive(Clone)]
struct Engine {
    runtime: Arc<Runtime>,
    client: reqwest::Client,
}

/// One request.
pub(crate) struct Call {
    pub(crate) path: String,
    /// Without one it is a question by GET.
    pub(crate) body: Option<Bytes>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) judge: Judge,
}

impl Endpoint {
    /// An address, checked: a key goes only over an encrypted connection or to this machine itself.
    pub(crate) fn new(
        base: &str,
        key: Option<(&Key, &'static str, &str)>,
        times: Times,
    ) -> Result<Self, Error> {
        let base = Url::parse(base).map_err(|_| Error::Address("it is not one"))?;
        let local = is_local(&base);
        match base.scheme() {
            "https" => {}
            "http" if local || key.is_none() => {}
            "http" => {
                return Err(Error::Address(
                    "a key is sent only over https, or to this machine",
                ));
            }
            _ => return Err(Error::Address("it has to begin with https:// or http://")),
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(Error::Address("it must not hold a name or a password"));
        }
        let mut headers = HeaderMap::new();
        if let Some((key, name, prefix)) = key {
            let value = key.header(prefix).ok_or(Error::Key)?;
            headers.insert(HeaderName::from_static(name), value);
        }
        headers.insert("content-type", HeaderValue::from_static("application/json"));
        Ok(Self {
            base,
            headers,
            times,
            engine: Mutex::new(None),
        })
    }

    /// A model behind this address. What runs on this machine costs nothing unless the user says otherwise.
    pub(crate) fn identity(&self, name: &str, address: &str, mut facts: Facts) -> Identity {
        if facts.price.is_none() && is_local(&self.base) {
            facts.price = Some(Price::FREE);
        }
        Identity {
            name: name.to_owned(),
            provider: address.trim_end_matches('/').to_owned(),
            facts,
        }
    }

    /// Sends a request and reads the answer, which comes as events.
    pub(crate) fn start(
        &self,
        call: Call,
        reading: impl Reading,
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let engine = self.engine()?;
        let (sender, events) = mpsc::channel(WAITING);
        let dropped = Cancel::new();
        let work = exchange::Exchange {
            client: engine.client,
            url: self.url(&call.path)?,
            headers: self.headers(&call)?,
            body: call.body,
            judge: call.judge,
            times: self.times,
            sender,
        };
        let stops = [cancel.clone(), dropped.clone()];
        engine.runtime.spawn(work.run(reading, stops));
        Ok(Answer::new(events, dropped, engine.runtime))
    }

    /// Sends a request and waits for the whole answer.
    pub(crate) fn ask(&self, call: Call, cancel: &Cancel) -> Result<String, Error> {
        let mut answer = self.start(call, exchange::Whole, cancel)?;
        let waits = |event: &Result<Event, Error>| {
            event
                .as_ref()
                .is_ok_and(|event| matches!(event.what, What::Waiting(_)))
        };
        let event = answer.find(|event| !waits(event)).ok_or(Error::Cut)??;
        let raw = event.raw.ok_or(Error::Cut)?;
        Ok(raw.0.to_string())
    }

    fn engine(&self) -> Result<Engine, Error> {
        let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*engine {
            return Ok(engine.clone());
        }
        let made = Engine {
            runtime: Runtime::start()?,
            client: client::build(&self.base, &self.times)?,
        };
        Ok(engine.insert(made).clone())
    }

    /// The address of a path. What the user gave is a beginning, with or without a slash.
    fn url(&self, path: &str) -> Result<Url, Error> {
        let base = self.base.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}/{path}")).map_err(|_| Error::Address("it is not one"))
    }

    fn headers(&self, call: &Call) -> Result<HeaderMap, Error> {
        let mut headers = self.headers.clone();
        for (name, value) in &call.headers {
            let value = HeaderValue::from_str(value)
                .map_err(|_| Error::BadAnswer("a beta has no plain name"))?;
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(headers)
    }
}

/// The key is among the headers, marked as not to be printed; the address may be the user's secret too.
impl std::fmt::Debug for Endpoint {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Endpoint({})", self.base.host_str().unwrap_or_default())
    }
}

/// Whether an address is on this machine; what runs there costs nothing.
///
/// ```
/// assert!(memdir_model::is_local_address("http://localhost:11434/v1"));
/// assert!(!memdir_model::is_local_address("https://api.anthropic.com"));
/// ```
#[must_use]
pub fn is_local_address(address: &str) -> bool {
    Url::parse(address).is_ok_and(|base| is_local(&base))
}

fn is_local(base: &Url) -> bool {
    match base.host_str() {
        Some("localhost") => true,
        Some(host) => host
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback()),
        None => false,
    }
}
