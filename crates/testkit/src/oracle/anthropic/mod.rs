//! The Anthropic Messages API.

mod blocks;
mod marks;
mod pairing;
mod request;
mod roles;
mod server_tools;
mod thinking;

use serde_json::Value;

use super::report::Report;
use super::{Traits, Violation};

pub use thinking::Witness;

/// The most cache marks of one request, the automatic one at its top included.
pub const MOST_MARKS: usize = 4;

/// How many pieces before a cache mark an entry of the cache is looked for.
pub const LOOKBACK: usize = 20;

/// Which of the two endpoints with one body is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// `/v1/messages`.
    Messages,
    /// `/v1/messages/count_tokens`, which takes no limit of output.
    CountTokens,
}

/// All that is wrong with a request to `/v1/messages`, as far as the request alone can tell.
///
/// Whether thinking is as it was sent, only a [`Witness`] knows.
pub fn check(request: &Value) -> Vec<Violation> {
    check_as(request, Endpoint::Messages, &traits(request))
}

/// The same for either endpoint and a model with other traits than its name says.
pub fn check_as(request: &Value, endpoint: Endpoint, traits: &Traits) -> Vec<Violation> {
    let mut report = Report::default();
    request::check(request, endpoint, traits, &mut report);
    roles::check(request, traits, &mut report);
    blocks::check(request, &mut report);
    pairing::check(request, &mut report);
    server_tools::check(request, &mut report);
    marks::check(request, &mut report);
    report.violations
}

/// The traits of the model that a request names.
pub fn traits(request: &Value) -> Traits {
    Traits::of(text(request, "model").unwrap_or_default())
}

/// A field of text.
fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// The messages, or none if there is no list of them.
fn messages(request: &Value) -> &[Value] {
    request
        .get("messages")
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The role of a message.
fn role(message: &Value) -> &str {
    text(message, "role").unwrap_or_default()
}

/// The type of a block; a string is text.
fn kind(block: &Value) -> &str {
    match block {
        Value::String(_) => "text",
        block => text(block, "type").unwrap_or_default(),
    }
}
