//! What came in, and what became of it.

use std::time::Instant;

use serde_json::{Value, json};

use super::Usage;
use super::http::Incoming;
use crate::oracle::Violation;

/// One request and its answer.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The method.
    pub method: String,
    /// The path without its query.
    pub path: String,
    /// The headers, in the order and spelling they came in.
    pub headers: Vec<(String, String)>,
    /// The request line and the headers, byte for byte.
    pub head: Vec<u8>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// The model that was asked.
    pub model: String,
    /// The step of the script that answered: its name, or its number from 0.
    pub step: Option<String>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The rules that the request broke.
    pub violations: Vec<Violation>,
    /// What it cost; none if nothing of a model's answer was sent.
    pub usage: Option<Usage>,
    /// How it ended; `None` while it is under way.
    pub end: Option<End>,
    /// When the request was there whole.
    pub arrived: Instant,
    /// When it ended: for [`End::Disconnected`], when the server noticed.
    pub ended: Option<Instant>,
}

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The answer was sent to its last byte.
    Whole,
    /// The script had the connection cut.
    Cut,
    /// The client did not wait for the end.
    Disconnected,
}

impl Exchange {
    pub(super) fn new(incoming: &Incoming) -> Self {
        Self {
            method: incoming.method.clone(),
            path: incoming.path.clone(),
            headers: incoming.headers.clone(),
            head: incoming.head.clone(),
            body: incoming.body.clone(),
            model: String::new(),
            step: None,
            status: 0,
            violations: Vec::new(),
            usage: None,
            end: None,
            arrived: Instant::now(),
            ended: None,
        }
    }

    /// The body as JSON; null if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A header by its name, however it is spelt.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// For people: without headers, which may hold a key.
    pub(super) fn summary(&self) -> Value {
        json!({
            "method": self.method,
            "path": self.path,
            "model": self.model,
            "step": self.step,
            "status": self.status,
            "violations": self.violations.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "usage": self.usage.map(|usage| usage.json()),
            "end": self.end.map(|end| format!("{end:?}").to_lowercase()),
            "body": self.json()
        })
    }

    /// One line for the terminal.
    pub fn line(&self) -> String {
        let step = self.step.as_deref().unwrap_or("-");
        let mut line = format!("{} {} {} step {step}", self.method, self.path, self.status);
        if let Some(usage) = self.usage {
            line.push_str(&format!(
                " in {} read {} written {} out {}",
                usage.input,
                usage.cache_read,
                usage.cache_write_5m + usage.cache_write_1h,
                usage.output
            ));
        }
        match self.end {
            Some(End::Cut) => line.push_str(" cut"),
            Some(End::Disconnected) => line.push_str(" the client left"),
            Some(End::Whole) | None => {}
        }
        for violation in &self.violations {
            line.push_str(&format!("\n  {violation}"));
        }
        line
    }
}
