//! What the refusals of Chat Completions mean, OpenAI's own and those of other servers.

use std::time::Duration;

use crate::error::{Error, ProviderText};
use crate::json::Fields;

/// The error of a status and what came with it.
pub(super) fn judge(status: u16, body: &str, after: Option<Duration>) -> Error {
    let said = Fields::of(body);
    // An object, or with some servers only its text.
    let error = said.as_ref().and_then(|said| said.object("error"));
    let word = |name: &str| {
        let found = error.as_ref().and_then(|error| error.string(name));
        found.unwrap_or_default()
    };
    let message = match &error {
        Some(_) => word("message"),
        None => {
            let alone = said.as_ref().and_then(|said| said.string("error"));
            alone.unwrap_or_else(|| body.to_owned())
        }
    };
    let (code, kind) = (word("code"), word("type"));
    let text = ProviderText::new(&message);
    let lower = message.to_ascii_lowercase();
    if is_too_long(&code, &kind, &lower) {
        let number = |name: &str| error.as_ref().and_then(|error| error.number(name));
        let numbers = numbers(&lower);
        return Error::TooLong {
            needed: number("n_prompt_tokens").or(numbers.get(1).copied()),
            limit: number("n_ctx").or(numbers.first().copied()),
        };
    }
    match status {
        _ if code == "insufficient_quota" => Error::Billing,
        _ if kind.contains("overloaded") || code.contains("overloaded") => Error::Overloaded,
        429 => Error::RateLimited { after },
        401 => Error::Key,
        402 => Error::Billing,
        403 => Error::Refused(text),
        404 => Error::NotFound(text),
        413 => Error::TooLong {
            needed: None,
            limit: None,
        },
        503 | 529 => Error::Overloaded,
        _ if code == "content_filter" || code == "content_policy_violation" => Error::Refused(text),
        400..=499 => Error::Rejected { status, said: text },
        _ => Error::Failed { status, said: text },
    }
}

fn is_too_long(code: &str, kind: &str, message: &str) -> bool {
    code == "context_length_exceeded"
        || kind == "exceed_context_size_error"
        || message.contains("maximum context length")
        || message.contains("context size")
}

fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_error() {
        let cases = [
            (
                400,
                r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"request (600 tokens) exceeds the available context size (512 tokens)","type":"exceed_context_size_error","n_prompt_tokens":600,"n_ctx":512}}"#,
            ),
            (
                400,
                r#"{"error":{"message":"Invalid value: sk-secret","type":"invalid_request_error","code":null}}"#,
            ),
            (400, r#"{"error":"json: cannot unmarshal"}"#),
            (
                401,
                r#"{"error":{"message":"Incorrect API key provided: sk-secret","code":"invalid_api_key"}}"#,
            ),
            (
                404,
                r#"{"error":{"message":"The model `x` does not exist","code":"model_not_found"}}"#,
            ),
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
            ),
            (
                429,
                r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#,
            ),
            (500, "oops"),
            (
                503,
                r#"{"error":{"message":"Loading model","type":"unavailable_error","code":503}}"#,
            ),
        ];
        let shown: Vec<String> = cases
            .iter()
            .map(|(status, body)| {
                let error = judge(*status, body, None);
                assert!(!format!("{error} {error:?}").contains("sk-secret"));
                format!("{error:?}: {error}")
            })
            .collect();
        insta::assert_debug_snapshot!(shown, @r#"
        [
            "TooLong { needed: Some(9001), limit: Some(8192) }: the request is too long for the model: 9001 tokens, it takes 8192",
            "TooLong { needed: Some(600), limit: Some(512) }: the request is too long for the model: 600 tokens, it takes 512",
            "Rejected { status: 400, said: [24 bytes] }: the provider does not understand the request (status 400)",
            "Rejected { status: 400, said: [22 bytes] }: the provider does not understand the request (status 400)",
            "Key: the provider does not accept the key",
            "NotFound([28 bytes]): the provider knows no such model or address",
            "Billing: the provider asks for money: the account has no credit left",
            "RateLimited { after: None }: the provider's rate limit is reached",
            "Failed { status: 500, said: [4 bytes] }: the provider failed (status 500)",
            "Overloaded: the provider is overloaded",
        ]
        "#);
    }
}
