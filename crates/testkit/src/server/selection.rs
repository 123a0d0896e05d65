//! Which step of the script answers a request.

use serde_json::Value;

use super::script::{Step, When};

/// What the steps look at, found once for a request.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) endpoint: &'static str,
    pub(super) body: &'a str,
    pub(super) request: &'a Value,
}

/// The first step that fits and is not used up; it is used once more then.
pub(super) fn take(steps: &[Step], used: &mut Vec<u32>, asked: &Asked<'_>) -> Option<usize> {
    used.resize(steps.len(), 0);
    for (index, (step, used)) in steps.iter().zip(used).enumerate() {
        if step.times.is_none_or(|times| *used < times) && fits(&step.when, asked) {
            *used += 1;
            return Some(index);
        }
    }
    None
}

fn fits(when: &When, asked: &Asked<'_>) -> bool {
    let within = |part: &Option<String>, whole: &dyn Fn() -> String| {
        part.as_ref().is_none_or(|part| whole().contains(part))
    };
    let request = asked.request;
    let endpoint = match &when.endpoint {
        Some(endpoint) => endpoint == asked.endpoint,
        None => !matches!(asked.endpoint, "count_tokens" | "models"),
    };
    let stream = || request.get("stream").and_then(Value::as_bool) == Some(true);
    endpoint
        && when.turn.is_none_or(|turn| turns(request) == turn)
        && when.stream.is_none_or(|wanted| stream() == wanted)
        && when
            .body
            .as_ref()
            .is_none_or(|part| asked.body.contains(part))
        && within(&when.model, &|| texts(request.get("model")))
        && within(&when.last_user, &|| last_user(request))
        && within(&when.system, &|| system(request))
        && when
            .tool_result
            .as_ref()
            .is_none_or(|part| tool_results(request).is_some_and(|whole| whole.contains(part)))
}

fn messages(request: &Value) -> &[Value] {
    request
        .get("messages")
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn is(message: &Value, role: &str) -> bool {
    message.get("role").and_then(Value::as_str) == Some(role)
}

fn turns(request: &Value) -> usize {
    messages(request)
        .iter()
        .filter(|message| is(message, "assistant"))
        .count()
}

/// The words of the last message of the user that has any.
fn last_user(request: &Value) -> String {
    messages(request)
        .iter()
        .rev()
        .filter(|message| is(message, "user"))
        .map(|message| texts(message.get("content")))
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}

fn system(request: &Value) -> String {
    let mut words = texts(request.get("system"));
    for message in messages(request) {
        if is(message, "system") || is(message, "developer") {
            words.push_str(&texts(message.get("content")));
        }
    }
    words
}

/// The words of the tool results of the last message, if it has any.
fn tool_results(request: &Value) -> Option<String> {
    let last = messages(request).last()?;
    if is(last, "tool") {
        return Some(texts(last.get("content")));
    }
    let results: Vec<String> = last
        .get("content")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_result"))
        .map(|block| texts(block.get("content")))
        .collect();
    (!results.is_empty()).then(|| results.join("\n"))
}

/// A string, or the text of its blocks.
fn texts(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => blocks
            .iter()
            .filter_map(|block| block.get("text").and_then(Value::as_str))
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}
