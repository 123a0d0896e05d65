//! What the headers of an answer say about the provider's rate limits.

use jiff::{SignedDuration, Timestamp};
use reqwest::header::HeaderMap;

use crate::RateLimits;

/// Of each kind of limit: how many there are, how many are left, when they are full again.
const HEADERS: [[&str; 3]; 6] = [
    [
        "anthropic-ratelimit-requests-limit",
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ],
    [
        "anthropic-ratelimit-tokens-limit",
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-tokens-reset",
    ],
    [
        "anthropic-ratelimit-input-tokens-limit",
        "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-input-tokens-reset",
    ],
    [
        "anthropic-ratelimit-output-tokens-limit",
        "anthropic-ratelimit-output-tokens-remaining",
        "anthropic-ratelimit-output-tokens-reset",
    ],
    [
        "x-ratelimit-limit-requests",
        "x-ratelimit-remaining-requests",
        "x-ratelimit-reset-requests",
    ],
    [
        "x-ratelimit-limit-tokens",
        "x-ratelimit-remaining-tokens",
        "x-ratelimit-reset-tokens",
    ],
];

/// The limit of which the smallest share is left.
pub(super) fn read(headers: &HeaderMap, now: Timestamp) -> RateLimits {
    HEADERS
        .iter()
        .filter_map(|[limit, left, reset]| {
            let limit = number(headers, limit).filter(|limit| *limit > 0)?;
            let left = number(headers, left)?.min(limit);
            let per_mille = u32::try_from(left.saturating_mul(1000) / limit).ok()?;
            Some(RateLimits {
                left_per_mille: Some(per_mille),
                resets: moment(headers, reset, now),
            })
        })
        .min_by_key(|limits| limits.left_per_mille)
        .unwrap_or_default()
}

fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.trim().parse().ok()
}

/// A moment as the one provider writes it, or a time from now (`6m0s`, `120ms`) as the other does.
fn moment(headers: &HeaderMap, name: &str, now: Timestamp) -> Option<Timestamp> {
    let text = headers.get(name)?.to_str().ok()?.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    let after: SignedDuration = text.parse().ok()?;
    now.checked_add(after).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    #[test]
    fn the_scarcest_limit_counts() {
        let now: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap();
        let mut headers = HeaderMap::new();
        assert_eq!(read(&headers, now), RateLimits::default());
        for (name, value) in [
            ("anthropic-ratelimit-requests-limit", "50"),
            ("anthropic-ratelimit-requests-remaining", "49"),
            ("anthropic-ratelimit-requests-reset", "2026-11-16T08:00:01Z"),
            ("anthropic-ratelimit-tokens-limit", "100000"),
            ("anthropic-ratelimit-tokens-remaining", "20000"),
            ("anthropic-ratelimit-tokens-reset", "2026-11-16T08:00:48Z"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        insta::assert_debug_snapshot!(read(&headers, now), @"
        RateLimits {
            left_per_mille: Some(
                200,
            ),
            resets: Some(
                2026-11-16T08:00:48Z,
            ),
        }
        ");
        headers.insert("x-ratelimit-limit-tokens", HeaderValue::from_static("1000"));
        headers.insert(
            "x-ratelimit-remaining-tokens",
            HeaderValue::from_static("10"),
        );
        headers.insert(
            "x-ratelimit-reset-tokens",
            HeaderValue::from_static("1m30s"),
        );
        insta::assert_debug_snapshot!(read(&headers, now), @"
        RateLimits {
            left_per_mille: Some(
                10,
            ),
            resets: Some(
                2026-11-16T08:01:30Z,
            ),
        }
        ");
    }
}
