//! Errors, in the shape and the words of each API.

use std::time::Duration;

use serde_json::{Value, json};

use super::delivery::Outgoing;
use super::events::Unit;
use super::script::{Fault, Step};

/// Whose shapes an answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Api {
    Anthropic,
    OpenAi,
}

impl Api {
    /// What every answer says of itself.
    pub(super) fn headers(self, number: usize) -> Vec<(String, String)> {
        let id = format!("req_{number:06}");
        match self {
            Self::Anthropic => vec![
                ("request-id".to_owned(), id),
                (
                    "anthropic-organization-id".to_owned(),
                    "org_test".to_owned(),
                ),
            ],
            Self::OpenAi => vec![("x-request-id".to_owned(), id)],
        }
    }
}

/// An error instead of an answer.
#[derive(Debug)]
pub(super) struct Refusal {
    api: Api,
    status: u16,
    message: String,
    code: Option<&'static str>,
    param: Option<String>,
    headers: Vec<(String, String)>,
    delay: Duration,
    fault: Box<Fault>,
}

impl Refusal {
    pub(super) fn new(api: Api, status: u16, message: impl Into<String>) -> Self {
        Self {
            api,
            status,
            message: message.into(),
            code: None,
            param: None,
            headers: Vec::new(),
            delay: Duration::ZERO,
            fault: Box::default(),
        }
    }

    pub(super) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(super) fn param(mut self, path: &str) -> Self {
        self.param = Some(path.to_owned());
        self
    }

    pub(super) fn too_long(api: Api, length: u64, limit: u64) -> Self {
        match api {
            Api::Anthropic => {
                let message = format!("prompt is too long: {length} tokens > {limit} maximum");
                Self::new(api, 400, message)
            }
            Api::OpenAi => {
                let message = format!(
                    "This model's maximum context length is {limit} tokens. However, your messages \
                     resulted in {length} tokens. Please reduce the length of the messages."
                );
                let mut refusal = Self::new(api, 400, message).param("messages");
                refusal.code = Some("context_length_exceeded");
                refusal
            }
        }
    }

    /// The error that a step of the script is.
    pub(super) fn scripted(api: Api, status: u16, step: &Step) -> Self {
        let usual = match status {
            429 => "This request would exceed your organization's rate limit.",
            529 => "Overloaded",
            _ => "Internal server error",
        };
        let fault = &step.fault;
        let message = fault.message.clone().unwrap_or_else(|| usual.to_owned());
        let mut refusal = Self::new(api, status, message);
        if let Some(after) = &fault.retry_after {
            refusal = refusal.header("retry-after", after);
        }
        if let Some(after) = fault.retry_after_ms {
            refusal = refusal.header("retry-after-ms", after.to_string());
        }
        refusal.headers.extend(step.headers.clone());
        refusal.delay = Duration::from_millis(step.delay_ms);
        refusal.fault = Box::new(fault.clone());
        refusal
    }

    fn body(&self, number: usize) -> Value {
        let kind = kind(self.status);
        match self.api {
            Api::Anthropic => json!({
                "type": "error",
                "error": {"type": kind, "message": self.message},
                "request_id": format!("req_{number:06}")
            }),
            Api::OpenAi => json!({
                "error": {
                    "message": self.message, "type": kind, "param": self.param, "code": self.code
                }
            }),
        }
    }

    pub(super) fn outgoing(self, number: usize) -> Outgoing {
        let mut bytes = self.body(number).to_string().into_bytes();
        if self.fault.invalid_json {
            // What a gateway in between puts in its place.
            bytes = b"<html><body>Bad Gateway</body></html>".to_vec();
        }
        let mut headers = self.api.headers(number);
        headers.push(("content-type".to_owned(), "application/json".to_owned()));
        headers.extend(self.headers);
        Outgoing {
            status: self.status,
            headers,
            units: vec![Unit { bytes, output: 0 }],
            is_stream: false,
            delay: self.delay,
            fault: *self.fault,
            plan: None,
            model: String::new(),
        }
    }
}

fn kind(status: u16) -> &'static str {
    match status {
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        409 => "conflict_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}
