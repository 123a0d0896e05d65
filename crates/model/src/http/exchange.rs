//! One request and its answer, from the first attempt to the last event.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::{Either, select};
use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, Url};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::{Judge, Reading, Times, limits, retry};
use crate::error::{Error, Wait};
use crate::reply::{Event, Raw, What};
use crate::sse::{Frame, FrameError, Framing};
use crate::{Cancel, RateLimits};

/// How much of a refusal is read.
const MAX_REFUSAL: usize = 64 * 1024;
/// How much of an answer is read that comes whole.
const MAX_WHOLE: usize = 32 * 1024 * 1024;

pub(super) struct Exchange {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
    pub(super) judge: Judge,
    pub(super) times: Times,
    pub(super) sender: mpsc::Sender<Result<Event, Error>>,
}

impl Exchange {
    /// Does all of it, until it is done or one of the handles is used. Whatever ends it, the connection is closed
    /// before anybody hears of it.
    pub(super) async fn run(self, mut reading: impl Reading, stops: [Cancel; 2]) {
        let [one, other] = &stops;
        let stopped = select(Box::pin(one.cancelled()), Box::pin(other.cancelled()));
        let work = Box::pin(timeout(self.times.whole, self.attempts(&mut reading)));
        let failed = match select(stopped, work).await {
            Either::Left(_) => Some(Error::Cancelled),
            Either::Right((Err(_), _)) => Some(Error::TimedOut(Wait::Whole)),
            Either::Right((Ok(result), _)) => result.err(),
        };
        if let Some(error) = failed {
            // Nobody listens any more: then nobody needs to know.
            let _ = self.sender.send(Err(error)).await;
        }
    }

    async fn attempts(&self, reading: &mut impl Reading) -> Result<(), Error> {
        let mut attempt = 0;
        loop {
            let (error, pause) = match self.attempt().await {
                Ok(response) if response.status().is_success() => {
                    return self.read(response, reading).await;
                }
                Ok(response) => self.refused(response, attempt).await,
                Err(error) => {
                    // Only where there was no connection has nobody begun to work.
                    let again = error == Error::TimedOut(Wait::Connect)
                        || matches!(error, Error::Unreachable(_));
                    let pause = again.then(|| self.pause(attempt, None)).flatten();
                    (error, pause)
                }
            };
            let Some(pause) = pause else {
                return Err(error);
            };
            self.tell(vec![Event {
                what: What::Waiting(pause),
                raw: None,
            }])
            .await;
            sleep(pause).await;
            attempt += 1;
        }
    }

    async fn attempt(&self) -> Result<Response, Error> {
        let request = match &self.body {
            Some(body) => self.client.post(self.url.clone()).body(body.clone()),
            None => self.client.get(self.url.clone()),
        };
        let sent = request.headers(self.headers.clone()).send();
        match timeout(self.times.first_byte, sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) if error.is_connect() && error.is_timeout() => {
                Err(Error::TimedOut(Wait::Connect))
            }
            Ok(Err(error)) if error.is_connect() => Err(Error::Unreachable("no connection")),
            Ok(Err(_)) => Err(Error::Cut),
            Err(_) => Err(Error::TimedOut(Wait::FirstByte)),
        }
    }

    /// What a refusal means, and whether to come back.
    async fn refused(&self, response: Response, attempt: u32) -> (Error, Option<Duration>) {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let pause = self.pause(attempt, Some((status, &headers)));
        if pause.is_some() {
            return (Error::Overloaded, pause);
        }
        let body = self
            .collect(response, MAX_REFUSAL)
            .await
            .unwrap_or_default();
        let after = retry::asked(&headers, Timestamp::now());
        (
            (self.judge)(status, &String::from_utf8_lossy(&body), after),
            None,
        )
    }

    fn pause(&self, attempt: u32, refused: Option<(u16, &HeaderMap)>) -> Option<Duration> {
        let spread = RandomState::new().hash_one(attempt) % 1000;
        let spread = u32::try_from(spread).unwrap_or(0);
        retry::pause(attempt, refused, &self.times, Timestamp::now(), spread)
    }

    async fn read(&self, response: Response, reading: &mut impl Reading) -> Result<(), Error> {
        reading.limits(limits::read(response.headers(), Timestamp::now()));
        let kind = response.headers().get(CONTENT_TYPE);
        let streamed = kind
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.trim_start().starts_with("text/event-stream"));
        if streamed {
            return self.read_events(response, reading).await;
        }
        // A gateway that does not stream, or somebody else entirely.
        let body = self.collect(response, MAX_WHOLE).await?;
        let body = std::str::from_utf8(&body).map_err(|_| Error::BadAnswer("it is not text"))?;
        let mut events = Vec::new();
        reading.whole(body, &mut events)?;
        self.tell(events).await;
        Ok(())
    }

    async fn read_events(
        &self,
        mut response: Response,
        reading: &mut impl Reading,
    ) -> Result<(), Error> {
        let mut framing = Framing::default();
        while let Some(bytes) = self.chunk(&mut response).await? {
            let mut frames = Vec::new();
            let taken = framing.take(&bytes, &mut frames);
            // What came before the mistake is told first, wherever the network cut.
            for frame in frames {
                let mut events = Vec::new();
                let read = reading.frame(frame, &mut events);
                if !self.tell(events).await {
                    return Ok(());
                }
                read?;
                if reading.is_done() {
                    // To the end of the connection, so that the next request can use it.
                    let _ = timeout(Duration::from_millis(100), response.chunk()).await;
                    return Ok(());
                }
            }
            taken.map_err(|error| {
                Error::BadAnswer(match error {
                    FrameError::NotText => "it is not text",
                    FrameError::TooLong => "an event is too long",
                })
            })?;
        }
        Err(Error::Cut)
    }

    /// The next bytes; `None` at the end.
    async fn chunk(&self, response: &mut Response) -> Result<Option<Bytes>, Error> {
        match timeout(self.times.idle, response.chunk()).await {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(_)) => Err(Error::Cut),
            Err(_) => Err(Error::TimedOut(Wait::Idle)),
        }
    }

    async fn collect(&self, mut response: Response, most: usize) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        while let Some(bytes) = self.chunk(&mut response).await? {
            if body.len() + bytes.len() > most {
                return Err(Error::BadAnswer("it is too long"));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(body)
    }

    /// Hands events on; `false` when nobody takes them.
    async fn tell(&self, events: Vec<Event>) -> bool {
        for event in events {
            if self.sender.send(Ok(event)).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// An answer that is one text, as questions by GET and counts have it.
pub(super) struct Whole;

impl Reading for Whole {
    fn frame(&mut self, _: Frame, _: &mut Vec<Event>) -> Result<(), Error> {
        Err(Error::BadAnswer("it is a stream of events"))
    }

    fn whole(&mut self, body: &str, to: &mut Vec<Event>) -> Result<(), Error> {
        to.push(Event {
            what: What::Other,
            raw: Some(Raw(Arc::from(body))),
        });
        Ok(())
    }

    fn limits(&mut self, _: RateLimits) {}

    fn is_done(&self) -> bool {
        true
    }
}
