//! A request that goes on where another one ended: the same bytes, and more behind them.

use std::ops::Range;
use std::sync::Arc;

use crate::json::{Fields, with_field};
use crate::request::Body;

/// What the length of an answer is called, by whoever wrote the request.
const MOST_OUTPUT: [&str; 2] = ["max_tokens", "max_completion_tokens"];

impl Body {
    /// The same request with these messages, as JSON, behind its own. Every other byte stays as it is, marks for the
    /// provider's cache included: what was cached of this one is read for the new one. `None` when this is no
    /// request with messages.
    ///
    /// ```
    /// use memdir_model::Body;
    ///
    /// let json = r#"{"model":"m", "messages":[{"role":"user","content":"hi"}] ,"odd":1.0e0}"#;
    /// let parent = Body::raw(json.into(), Vec::new(), 100);
    /// let more = [r#"{"role":"assistant","content":"yes?"}"#];
    /// assert_eq!(
    ///     &*parent.followed_by(&more).unwrap().json,
    ///     r#"{"model":"m", "messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes?"}] ,"odd":1.0e0}"#,
    /// );
    /// ```
    #[must_use]
    pub fn followed_by(&self, messages: &[impl AsRef<str>]) -> Option<Self> {
        let Range { end, .. } = self.place_of_messages()?;
        // In front of the bracket that closes them.
        let (before, after) = self.json.split_at_checked(end.checked_sub(1)?)?;
        let mut json = String::with_capacity(self.json.len() + 1024);
        json.push_str(before);
        let mut first = before.trim_end().ends_with('[');
        for message in messages {
            if !first {
                json.push(',');
            }
            json.push_str(message.as_ref());
            first = false;
        }
        json.push_str(after);
        Some(Self {
            json: Arc::from(json),
            ..self.clone()
        })
    }

    /// The same request for a shorter answer; one that asks for less already stays as it is. With thinking that has a
    /// budget of its own, that comes on top. No provider caches by this.
    #[must_use]
    pub fn with_at_most(&self, tokens: u64) -> Self {
        let Some(fields) = Fields::of(&self.json) else {
            return self.clone();
        };
        let thinking = fields
            .object("thinking")
            .and_then(|thinking| thinking.number("budget_tokens"));
        let most = tokens.saturating_add(thinking.unwrap_or(0));
        let mut body = self.clone();
        for name in MOST_OUTPUT {
            if fields.number(name).is_some_and(|asked| asked > most) {
                body.json = Arc::from(with_field(&body.json, name, &most.to_string()));
                body.most_output = most;
            }
        }
        body
    }

    /// The model that the request names.
    #[must_use]
    pub fn model(&self) -> Option<String> {
        Fields::of(&self.json)?.string("model")
    }

    fn place_of_messages(&self) -> Option<Range<usize>> {
        let fields = Fields::of(&self.json)?;
        let messages = fields.get("messages")?;
        crate::json::range_in(&self.json, messages).filter(|_| messages.ends_with(']'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_changes() {
        let shown = [
            r#"{"max_tokens":64000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[ ]}"#,
            r#"{ "max_completion_tokens" : 500, "messages": [ {"role":"user","content":"]"} ] }"#,
            r#"{"messages":"none"}"#,
            "no JSON",
        ]
        .map(|json| {
            let body = Body::raw(json.into(), Vec::new(), 64_000).with_at_most(2_000);
            let more = body.followed_by(&[r#"{"role":"user"}"#, "{}"]);
            (
                body.most_output,
                more.map_or("none".to_owned(), |body| body.json.to_string()),
            )
        });
        insta::assert_debug_snapshot!(shown, @r#"
        [
            (
                3024,
                "{\"max_tokens\":3024,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":1024},\"messages\":[ {\"role\":\"user\"},{}]}",
            ),
            (
                64000,
                "{ \"max_completion_tokens\" : 500, \"messages\": [ {\"role\":\"user\",\"content\":\"]\"} ,{\"role\":\"user\"},{}] }",
            ),
            (
                64000,
                "none",
            ),
            (
                64000,
                "none",
            ),
        ]
        "#);
    }
}
