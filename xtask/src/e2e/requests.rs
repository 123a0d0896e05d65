//! What a client sent to its model, as text.

use memdir_testkit::server::Exchange;
use serde_json::Value;

/// A request of a client.
pub(super) struct Request {
    /// Every text in it, one after the other.
    pub(super) text: String,
    pub(super) body: Value,
}

impl Request {
    pub(super) fn of(exchange: &Exchange) -> Request {
        let body = exchange.json();
        let mut text = String::new();
        gather(&body, &mut text);
        Request { text, body }
    }

    /// How often something is said in it.
    pub(super) fn count(&self, words: &str) -> usize {
        self.text.matches(words).count()
    }

    /// That something is said in it so many times.
    pub(super) fn says(&self, words: &str, times: usize) -> Result<(), String> {
        match self.count(words) {
            found if found == times => Ok(()),
            found => {
                let about: Vec<String> = self
                    .text
                    .match_indices(words)
                    .map(|(at, _)| around(&self.text, at))
                    .collect();
                Err(format!(
                    "{words:?} is in the request {found} times, not {times}\n{}",
                    about.join("\n")
                ))
            }
        }
    }

    /// That a tool has answered with this.
    pub(super) fn answers(&self, words: &str) -> Result<(), String> {
        let mut results = String::new();
        gather_results(&self.body, &mut results);
        match results.contains(words) {
            true => Ok(()),
            false => Err(format!("no tool answers {words:?}, but:\n{results}")),
        }
    }

    /// That it begins as another request did, byte for byte but for the marks of the cache, and goes on behind it.
    pub(super) fn repeats(&self, other: &Request) -> Result<(), String> {
        for field in ["model", "system", "tools"] {
            let (own, theirs) = (self.plain(field), other.plain(field));
            if own != theirs {
                return Err(format!("{field} differs:\n{own}\n{theirs}"));
            }
        }
        let (own, theirs) = (self.plain("messages"), other.plain("messages"));
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let (own, theirs) = (list(&own), list(&theirs));
        match own.starts_with(&theirs) && own.len() > theirs.len() {
            true => Ok(()),
            false => Err(format!("messages differ:\n{own:?}\n{theirs:?}")),
        }
    }

    /// A part of it without marks of the cache, and texts in one form.
    fn plain(&self, field: &str) -> Value {
        let mut value = self.body.get(field).cloned().unwrap_or_default();
        plain(&mut value);
        value
    }

    /// The names of the tools that it offers.
    pub(super) fn tools(&self) -> Vec<String> {
        let mut names = Vec::new();
        tool_names(self.body.get("tools").unwrap_or(&Value::Null), &mut names);
        names
    }
}

fn plain(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(plain),
        Value::Object(members) => {
            members.remove("cache_control");
            if let Some(Value::String(words)) = members.get("content") {
                let block = serde_json::json!([{"type": "text", "text": words}]);
                members.insert("content".to_owned(), block);
            }
            members.values_mut().for_each(plain);
        }
        _ => {}
    }
}

fn gather(value: &Value, text: &mut String) {
    match value {
        Value::String(words) => {
            text.push_str(words);
            text.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, text)),
        Value::Object(members) => members.values().for_each(|value| gather(value, text)),
        _ => {}
    }
}

/// Results of tools, in the forms of all APIs.
fn gather_results(value: &Value, text: &mut String) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| gather_results(value, text)),
        Value::Object(members) => {
            let kind = members
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let role = members
                .get("role")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let is_result = matches!(kind, "tool_result" | "function_call_output")
                || role == "tool"
                || members.contains_key("functionResponse");
            for value in members.values() {
                match is_result {
                    true => gather(value, text),
                    false => gather_results(value, text),
                }
            }
        }
        _ => {}
    }
}

fn tool_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| tool_names(value, names)),
        Value::Object(members) => {
            if let Some(Value::String(name)) = members.get("name") {
                names.push(name.clone());
            }
            for (key, value) in members {
                if key != "parameters" && key != "input_schema" {
                    tool_names(value, names);
                }
            }
        }
        _ => {}
    }
}

fn around(text: &str, at: usize) -> String {
    let start = text.floor_char_boundary(at.saturating_sub(80));
    let end = text.floor_char_boundary((at + 200).min(text.len()));
    format!(
        "… {} …",
        text.get(start..end)
            .unwrap_or_default()
            .replace('\n', " ⏎ ")
    )
}
