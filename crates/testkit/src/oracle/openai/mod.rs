//! OpenAI's Chat Completions, as the servers that are compatible with it take them.

mod content;
mod pairing;

use std::collections::HashSet;

use serde_json::Value;

use super::Violation;
use super::report::{Report, Rule};

const LONGEST_TOOL_NAME: usize = 64;

/// All that is wrong with a request to `/v1/chat/completions`.
///
/// ```
/// use memdir_testkit::oracle::{openai, Rule};
/// use serde_json::json;
///
/// let violations = openai::check(&json!({
///     "model": "gpt-5.6",
///     "messages": [{"role": "tool", "tool_call_id": "call_1", "content": "a.md"}]
/// }));
/// assert_eq!(violations[0].rule, Rule::OrphanResult);
/// ```
pub fn check(request: &Value) -> Vec<Violation> {
    let mut report = Report::default();
    fields(request, &mut report);
    tools(request, &mut report);
    for (index, message) in messages(request).iter().enumerate() {
        content::check(message, index, &mut report);
    }
    pairing::check(messages(request), &mut report);
    report.violations
}

fn fields(request: &Value, report: &mut Report) {
    if text(request, "model").is_none_or(str::is_empty) {
        report.add(Rule::Missing, "model", "you must provide a model parameter");
    }
    match request.get("messages") {
        None => required("messages", report),
        Some(Value::Array(list)) if list.is_empty() => report.add(
            Rule::EmptyContent,
            "messages",
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an \
             empty array instead.",
        ),
        Some(Value::Array(_)) => {}
        Some(_) => report.add(
            Rule::Shape,
            "messages",
            "Invalid type for 'messages': expected an array of objects.",
        ),
    }
    let streams = request.get("stream").and_then(Value::as_bool) == Some(true);
    if !streams
        && request
            .get("stream_options")
            .is_some_and(|value| !value.is_null())
    {
        report.add(
            Rule::Stream,
            "stream_options",
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
        );
    }
    for field in ["max_tokens", "max_completion_tokens"] {
        let limit = request.get(field).filter(|value| !value.is_null());
        if limit.is_some_and(|limit| limit.as_u64().is_none_or(|limit| limit == 0)) {
            report.add(
                Rule::MaxTokens,
                field,
                format!("Invalid '{field}': integer below minimum value. Expected a value >= 1."),
            );
        }
    }
    if request.get("max_tokens").is_some() && request.get("max_completion_tokens").is_some() {
        report.add(
            Rule::MaxTokens,
            "max_tokens",
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        );
    }
}

fn tools(request: &Value, report: &mut Report) {
    let tools = request.get("tools").and_then(Value::as_array);
    if tools.is_some_and(Vec::is_empty) {
        report.add(
            Rule::Shape,
            "tools",
            "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an \
             empty array instead.",
        );
    }
    let mut names = HashSet::new();
    for (index, tool) in tools.into_iter().flatten().enumerate() {
        let path = format!("tools[{index}].function.name");
        let function = tool
            .get("function")
            .filter(|_| text(tool, "type") == Some("function"));
        let Some(name) = function.and_then(|function| text(function, "name")) else {
            required(&path, report);
            continue;
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if name.is_empty() || name.len() > LONGEST_TOOL_NAME || !name.bytes().all(plain) {
            report.add(
                Rule::ToolName,
                path.as_str(),
                format!(
                    "Invalid '{path}': string does not match pattern. Expected a string that \
                     matches the pattern '^[a-zA-Z0-9_-]+$'."
                ),
            );
        }
        if !names.insert(name) {
            report.add(
                Rule::ToolName,
                path,
                format!("Invalid 'tools': function names must be unique: {name}"),
            );
        }
    }
    let wanted = request
        .get("tool_choice")
        .and_then(|choice| choice.get("function"))
        .and_then(|function| text(function, "name"));
    if let Some(wanted) = wanted.filter(|wanted| !names.contains(wanted)) {
        report.add(
            Rule::ToolChoice,
            "tool_choice",
            format!(
                "Invalid value for 'tool_choice': 'tool_choice' function {wanted:?} is not in \
                 'tools'."
            ),
        );
    }
    let asks = request
        .get("tool_choice")
        .is_some_and(|choice| choice != "none");
    if asks && tools.is_none() {
        report.add(
            Rule::ToolChoice,
            "tool_choice",
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are \
             specified.",
        );
    }
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

fn required(path: &str, report: &mut Report) {
    report.add(
        Rule::Missing,
        path,
        format!("Missing required parameter: '{path}'."),
    );
}
