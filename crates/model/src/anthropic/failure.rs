//! What Anthropic's refusals mean.

use std::time::Duration;

use crate::error::{Error, ProviderText};
use crate::json::Fields;

/// The error of a status and what came with it.
pub(super) fn judge(status: u16, body: &str, after: Option<Duration>) -> Error {
    let said = Fields::of(body);
    let error = said.as_ref().and_then(|said| said.object("error"));
    let kind = error.as_ref().and_then(|error| error.string("type"));
    let message = error.as_ref().and_then(|error| error.string("message"));
    named(
        kind.as_deref().unwrap_or_default(),
        status,
        message.as_deref().unwrap_or(body),
        after,
    )
}

/// The error that an event in the middle of a stream names.
pub(super) fn in_stream(data: &Fields<'_>) -> Error {
    let error = data.object("error");
    let kind = error.as_ref().and_then(|error| error.string("type"));
    let message = error.as_ref().and_then(|error| error.string("message"));
    named(
        kind.as_deref().unwrap_or_default(),
        0,
        message.as_deref().unwrap_or_default(),
        None,
    )
}

fn named(kind: &str, status: u16, message: &str, after: Option<Duration>) -> Error {
    let said = ProviderText::new(message);
    match (kind, status) {
        ("overloaded_error", _) | (_, 529) => Error::Overloaded,
        ("rate_limit_error", _) | (_, 429) => Error::RateLimited { after },
        ("authentication_error", _) | (_, 401) => Error::Key,
        ("billing_error", _) | (_, 402) => Error::Billing,
        ("permission_error", _) | (_, 403) => Error::Refused(said),
        ("not_found_error", _) | (_, 404) => Error::NotFound(said),
        ("request_too_large", _) | (_, 413) => Error::TooLong {
            needed: None,
            limit: None,
        },
        ("invalid_request_error", _) | (_, 400) => invalid(status, message, said),
        (_, 400..=499) => Error::Rejected { status, said },
        _ => Error::Failed { status, said },
    }
}

/// Too long, out of credit, or a mistake: the API has one word for the three.
fn invalid(status: u16, message: &str, said: ProviderText) -> Error {
    let lower = message.to_ascii_lowercase();
    if lower.contains("credit balance") {
        return Error::Billing;
    }
    if lower.contains("prompt is too long") || lower.contains("exceed context limit") {
        let mut numbers = lower
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| !digits.is_empty())
            .filter_map(|digits| digits.parse().ok());
        return Error::TooLong {
            needed: numbers.next(),
            limit: numbers.next(),
        };
    }
    Error::Rejected { status, said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_error() {
        let body = |kind: &str, message: &str| {
            format!(
                r#"{{"type":"error","error":{{"type":"{kind}","message":"{message}"}},"request_id":"req_1"}}"#
            )
        };
        let cases = [
            (
                400,
                body(
                    "invalid_request_error",
                    "prompt is too long: 1000203 tokens > 1000000 maximum",
                ),
            ),
            (
                400,
                body(
                    "invalid_request_error",
                    "Your credit balance is too low to access the API",
                ),
            ),
            (
                400,
                body(
                    "invalid_request_error",
                    "messages.0.content: sk-secret is not valid",
                ),
            ),
            (401, body("authentication_error", "invalid x-api-key")),
            (402, body("billing_error", "pay")),
            (403, body("permission_error", "no")),
            (404, body("not_found_error", "model: x")),
            (413, "<html>too large</html>".to_owned()),
            (422, "{}".to_owned()),
            (429, body("rate_limit_error", "slow down")),
            (500, body("api_error", "oops")),
            (504, String::new()),
            (529, body("overloaded_error", "Overloaded")),
        ];
        let shown: Vec<String> = cases
            .iter()
            .map(|(status, body)| {
                let error = judge(*status, body, Some(Duration::from_secs(9)));
                assert!(!format!("{error} {error:?}").contains("sk-secret"));
                format!("{error:?}: {error}; {}", error.advice())
            })
            .collect();
        insta::assert_debug_snapshot!(shown, @r#"
        [
            "TooLong { needed: Some(1000203), limit: Some(1000000) }: the request is too long for the model: 1000203 tokens, it takes 1000000; shorten the conversation and try again",
            "Billing: the provider asks for money: the account has no credit left; see the provider's page for your account",
            "Rejected { status: 400, said: [42 bytes] }: the provider does not understand the request (status 400); this is a mistake in memdir; please report it",
            "Key: the provider does not accept the key; see where the key comes from with `memdir models`",
            "Billing: the provider asks for money: the account has no credit left; see the provider's page for your account",
            "Refused([2 bytes]): the provider refuses the request; choose another model",
            "NotFound([8 bytes]): the provider knows no such model or address; see the model's name and address with `memdir models`",
            "TooLong { needed: None, limit: None }: the request is too long for the model; shorten the conversation and try again",
            "Rejected { status: 422, said: [2 bytes] }: the provider does not understand the request (status 422); this is a mistake in memdir; please report it",
            "RateLimited { after: Some(9s) }: the provider's rate limit is reached; it asks to come back in 9 s; wait, or choose another model",
            "Failed { status: 500, said: [4 bytes] }: the provider failed (status 500); try again later",
            "Failed { status: 504, said: [0 bytes] }: the provider failed (status 504); try again later",
            "Overloaded: the provider is overloaded; try again later",
        ]
        "#);
    }
}
