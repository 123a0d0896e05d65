//! When a request is sent again, by the rules that the providers publish.
//!
//! Only what no model has worked on is sent again: where there was no connection, and where the provider itself said that it
//! did nothing. A request that was taken and then lost may have been paid for; it is not sent twice.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;

use super::Times;

/// How often a request is sent again.
const RETRIES: u32 = 2;
/// The longest pause that is made because the provider asks for it.
const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// How long to wait before the request is sent again; `None` when it is not. `attempt` counts from 0, `spread` is anything
/// between 0 and 1000.
pub(super) fn pause(
    attempt: u32,
    refused: Option<(u16, &HeaderMap)>,
    times: &Times,
    now: Timestamp,
    spread: u32,
) -> Option<Duration> {
    if attempt >= RETRIES {
        return None;
    }
    if let Some((status, headers)) = refused {
        let wanted = match text(headers, "x-should-retry") {
            Some("true") => true,
            Some("false") => false,
            _ => matches!(status, 408 | 409 | 429 | 500..),
        };
        if !wanted {
            return None;
        }
        if let Some(asked) = asked(headers, now) {
            // Who is asked to come back much later does, but not by waiting here.
            return (asked <= LONGEST_ASKED).then_some(asked);
        }
    }
    let doubled = times.pause.saturating_mul(1 << attempt);
    let longest = doubled.min(times.longest_pause);
    // Up to a quarter less, so that many who failed together do not come back together.
    Some(longest - longest * spread.min(1000) / 4000)
}

/// When the provider asks to come back.
pub(super) fn asked(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let milliseconds = text(headers, "retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    if let Some(milliseconds) = milliseconds {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let after = text(headers, "retry-after")?;
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = jiff::fmt::rfc2822::parse(after).ok()?.timestamp();
    Duration::try_from(at.duration_since(now)).ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn after(attempt: u32, status: u16, headers: &[(&'static str, &'static str)]) -> String {
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        let now = "2026-11-16T08:00:00Z".parse().unwrap();
        let pause = pause(attempt, Some((status, &headers)), &Times::default(), now, 0);
        format!("{status} {headers:?} #{attempt}: {pause:?}")
    }

    #[test]
    fn the_published_rules() {
        let shown = [
            after(0, 429, &[]),
            after(1, 529, &[]),
            after(2, 529, &[]),
            after(0, 400, &[]),
            after(0, 408, &[]),
            after(0, 409, &[]),
            after(0, 400, &[("x-should-retry", "true")]),
            after(0, 529, &[("x-should-retry", "false")]),
            after(0, 429, &[("retry-after-ms", "1500"), ("retry-after", "7")]),
            after(0, 429, &[("retry-after", "7")]),
            after(0, 429, &[("retry-after", "3600")]),
            after(0, 429, &[("retry-after", "-1")]),
            after(0, 429, &[("retry-after", "Mon, 16 Nov 2026 08:00:03 GMT")]),
        ];
        insta::assert_debug_snapshot!(shown, @r#"
            [
                "429 {} #0: Some(500ms)",
                "529 {} #1: Some(1s)",
                "529 {} #2: None",
                "400 {} #0: None",
                "408 {} #0: Some(500ms)",
                "409 {} #0: Some(500ms)",
                "400 {\"x-should-retry\": \"true\"} #0: Some(500ms)",
                "529 {\"x-should-retry\": \"false\"} #0: None",
                "429 {\"retry-after-ms\": \"1500\", \"retry-after\": \"7\"} #0: Some(1.5s)",
                "429 {\"retry-after\": \"7\"} #0: Some(7s)",
                "429 {\"retry-after\": \"3600\"} #0: None",
                "429 {\"retry-after\": \"-1\"} #0: Some(500ms)",
                "429 {\"retry-after\": \"Mon, 16 Nov 2026 08:00:03 GMT\"} #0: Some(3s)",
            ]
            "#);
    }

    #[test]
    fn many_that_failed_together_come_back_apart() {
        let now = Timestamp::UNIX_EPOCH;
        let times = Times::default();
        let soonest = pause(1, None, &times, now, 1000).unwrap();
        let latest = pause(1, None, &times, now, 0).unwrap();
        assert_eq!((soonest.as_millis(), latest.as_millis()), (750, 1000));
    }
}
