//! What a message of each role may hold.

use serde_json::Value;

use super::super::report::{Report, Rule};
use super::{required, text};

/// The longest id of a call.
const LONGEST_ID: usize = 40;

pub(super) fn check(message: &Value, index: usize, report: &mut Report) {
    let path = format!("messages[{index}]");
    let Some(role) = text(message, "role") else {
        required(&format!("{path}.role"), report);
        return;
    };
    let parts: &[&str] = match role {
        "system" | "developer" | "tool" => &["text"],
        "user" => &["text", "image_url", "input_audio", "file"],
        "assistant" => &["text", "refusal"],
        _ => {
            report.add(
                Rule::Role,
                format!("{path}.role"),
                format!(
                    "Invalid value: '{role}'. Supported values are: 'system', 'assistant', \
                     'user', 'tool', and 'developer'."
                ),
            );
            return;
        }
    };
    content(message, role, parts, &path, report);
    if message.get("tool_calls").is_some() {
        calls(message, role, &path, report);
    }
    if role == "tool" && text(message, "tool_call_id").is_none() {
        required(&format!("{path}.tool_call_id"), report);
    }
}

fn content(message: &Value, role: &str, parts: &[&str], path: &str, report: &mut Report) {
    let path = format!("{path}.content");
    let list = match message.get("content") {
        Some(Value::String(_)) => return,
        Some(Value::Array(list)) => list,
        None | Some(Value::Null) => {
            // An assistant that calls tools or refuses need not speak.
            let silent = ["tool_calls", "refusal", "audio"]
                .iter()
                .any(|field| message.get(*field).is_some_and(|value| !value.is_null()));
            if role != "assistant" || !silent {
                report.add(
                    Rule::EmptyContent,
                    path,
                    "Invalid value for 'content': expected a string, got null.",
                );
            }
            return;
        }
        Some(_) => {
            report.add(
                Rule::Shape,
                path.as_str(),
                format!("Invalid type for '{path}': expected one of a string or array of objects."),
            );
            return;
        }
    };
    if list.is_empty() {
        report.add(
            Rule::EmptyContent,
            path.as_str(),
            format!(
                "Invalid '{path}': empty array. Expected an array with minimum length 1, but got \
                 an empty array instead."
            ),
        );
    }
    for (index, part) in list.iter().enumerate() {
        one(part, role, parts, &format!("{path}[{index}]"), report);
    }
}

fn one(part: &Value, role: &str, parts: &[&str], path: &str, report: &mut Report) {
    let kind = text(part, "type").unwrap_or_default();
    if !parts.contains(&kind) {
        report.add(
            Rule::BlockRole,
            path,
            format!(
                "Invalid value: '{kind}'. Supported values for the role '{role}' are: '{}'.",
                parts.join("', '")
            ),
        );
        return;
    }
    match kind {
        "text" | "refusal" if text(part, kind).is_none() => {
            required(&format!("{path}.{kind}"), report);
        }
        "image_url" => {
            let url = part.get("image_url").and_then(|image| text(image, "url"));
            match url {
                None => required(&format!("{path}.image_url.url"), report),
                Some(url) if !is_image(url) => report.add(
                    Rule::Media,
                    format!("{path}.image_url.url"),
                    "Invalid image URL: expected an http(s) address or a base64 data URL of an \
                     image.",
                ),
                Some(_) => {}
            }
        }
        _ => {}
    }
}

fn is_image(url: &str) -> bool {
    url.starts_with("https://")
        || url.starts_with("http://")
        || (url.starts_with("data:image/") && url.contains(";base64,"))
}

fn calls(message: &Value, role: &str, path: &str, report: &mut Report) {
    let path = format!("{path}.tool_calls");
    let list = match message.get("tool_calls") {
        Some(Value::Array(list)) if role == "assistant" => list,
        // Some servers send a null back, and take it.
        None | Some(Value::Null) => return,
        Some(_) => {
            report.add(
                Rule::Shape,
                path.as_str(),
                format!("Invalid '{path}': only an assistant message has an array of calls."),
            );
            return;
        }
    };
    if list.is_empty() {
        report.add(
            Rule::Shape,
            path.as_str(),
            format!(
                "Invalid '{path}': empty array. Expected an array with minimum length 1, but got \
                 an empty array instead."
            ),
        );
    }
    for (index, call) in list.iter().enumerate() {
        let path = format!("{path}[{index}]");
        match text(call, "id") {
            None | Some("") => required(&format!("{path}.id"), report),
            Some(id) if id.len() > LONGEST_ID => report.add(
                Rule::IdShape,
                format!("{path}.id"),
                format!(
                    "Invalid '{path}.id': string too long. Expected a string with maximum length \
                     {LONGEST_ID}, but got a string with length {} instead.",
                    id.len()
                ),
            ),
            Some(_) => {}
        }
        if text(call, "type") != Some("function") {
            required(&format!("{path}.type"), report);
        }
        for field in ["name", "arguments"] {
            let function = call.get("function");
            if function
                .and_then(|function| text(function, field))
                .is_none()
            {
                required(&format!("{path}.function.{field}"), report);
            }
        }
    }
}
