//! The shapes of content. Kinds of block that are not known here are taken as they are: the API
//! grows, and what it sent may come back.

use std::fmt::Arguments;

use serde_json::Value;

use super::super::report::{Report, Rule};
use super::request::plain;
use super::{kind, messages, role, text};

const IMAGE_KINDS: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

pub(super) fn check(request: &Value, report: &mut Report) {
    if let Some(system) = request.get("system") {
        content(
            system,
            format_args!("system"),
            report,
            |block, path, report| {
                blank(block, path, report);
                if kind(block) != "text" {
                    report.add(
                        Rule::Shape,
                        format_args!("{path}.type"),
                        "Input should be 'text'",
                    );
                }
            },
        );
    }
    let list = messages(request);
    for (index, message) in list.iter().enumerate() {
        let path = format_args!("messages.{index}");
        let Some(value) = message.get("content") else {
            report.missing(format_args!("{path}.content"));
            continue;
        };
        let role = role(message);
        // Only the last message may be empty, and only the assistant's.
        let may_be_empty = role == "assistant" && index + 1 == list.len();
        if is_empty(value) && !may_be_empty {
            report.add(
                Rule::EmptyContent,
                path,
                "all messages must have non-empty content except for the optional final assistant \
                 message",
            );
            continue;
        }
        content(
            value,
            format_args!("{path}.content"),
            report,
            |block, path, report| {
                of_role(block, role, path, report);
                blank(block, path, report);
            },
        );
    }
}

fn is_empty(content: &Value) -> bool {
    match content {
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn content(
    value: &Value,
    path: Arguments<'_>,
    report: &mut Report,
    mut further: impl FnMut(&Value, Arguments<'_>, &mut Report),
) {
    match value {
        Value::String(_) => {}
        Value::Array(list) => {
            for (index, block) in list.iter().enumerate() {
                let path = format_args!("{path}.{index}");
                shape(block, path, report);
                further(block, path, report);
            }
        }
        _ => report.add(Rule::Shape, path, "Input should be a valid list"),
    }
}

/// What holds for a block wherever it stands.
fn shape(block: &Value, path: Arguments<'_>, report: &mut Report) {
    match kind(block) {
        "" => report.missing(format_args!("{path}.type")),
        "text" => match text(block, "text") {
            None => report.missing(format_args!("{path}.text.text")),
            Some("") => report.add(
                Rule::EmptyText,
                path,
                "text content blocks must be non-empty",
            ),
            Some(_) => {}
        },
        "image" => image(block, path, report),
        "document" => document(block, path, report),
        "tool_use" => call(block, path, report),
        "tool_result" => result(block, path, report),
        "thinking" => {
            for field in ["thinking", "signature"] {
                if text(block, field).is_none() {
                    report.missing(format_args!("{path}.thinking.{field}"));
                }
            }
        }
        "redacted_thinking" if text(block, "data").is_none() => {
            report.missing(format_args!("{path}.redacted_thinking.data"));
        }
        _ => {}
    }
}

/// A text of spaces alone, which only the content of a tool result may have.
fn blank(block: &Value, path: Arguments<'_>, report: &mut Report) {
    let words = text(block, "text").filter(|_| kind(block) == "text");
    if words.is_some_and(|words| !words.is_empty() && words.trim().is_empty()) {
        report.add(
            Rule::EmptyText,
            path,
            "text content blocks must contain non-whitespace text",
        );
    }
}

fn of_role(block: &Value, role: &str, path: Arguments<'_>, report: &mut Report) {
    let kind = kind(block);
    let home = match kind {
        "tool_use" | "server_tool_use" | "thinking" | "redacted_thinking" | "compaction" => {
            "assistant"
        }
        "tool_result" | "image" | "document" => "user",
        _ => return,
    };
    // What else than text a system message has is told by its own rule.
    if role != home && role != "system" {
        report.add(
            Rule::BlockRole,
            path,
            format!("`{kind}` blocks can only be in `{home}` messages"),
        );
    }
}

fn image(block: &Value, path: Arguments<'_>, report: &mut Report) {
    let Some(source) = block.get("source").filter(|source| source.is_object()) else {
        report.missing(format_args!("{path}.image.source"));
        return;
    };
    let path = format_args!("{path}.image.source");
    match text(source, "type") {
        Some("base64") => {
            let media = text(source, "media_type").unwrap_or_default();
            if !IMAGE_KINDS.contains(&media) {
                report.add(
                    Rule::Media,
                    format_args!("{path}.base64.media_type"),
                    "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
                );
            }
            base64(source, path, report);
        }
        other => elsewhere(source, other, "image", path, report),
    }
}

fn document(block: &Value, path: Arguments<'_>, report: &mut Report) {
    let Some(source) = block.get("source").filter(|source| source.is_object()) else {
        report.missing(format_args!("{path}.document.source"));
        return;
    };
    let path = format_args!("{path}.document.source");
    match text(source, "type") {
        Some("base64") => {
            if text(source, "media_type") != Some("application/pdf") {
                report.add(
                    Rule::Media,
                    format_args!("{path}.base64.media_type"),
                    "Input should be 'application/pdf'",
                );
            }
            base64(source, path, report);
        }
        Some("text") if text(source, "data").is_none_or(str::is_empty) => {
            report.missing(format_args!("{path}.text.data"));
        }
        Some("text" | "content") => {}
        other => elsewhere(source, other, "document", path, report),
    }
}

/// Data that is not in the request but is named by it.
fn elsewhere(
    source: &Value,
    kind: Option<&str>,
    what: &str,
    path: Arguments<'_>,
    report: &mut Report,
) {
    let field = match kind {
        Some("url") => "url",
        Some("file") => "file_id",
        _ => {
            report.add(
                Rule::Media,
                path,
                format!("Input tag found using 'type' does not match any source of an {what}"),
            );
            return;
        }
    };
    if text(source, field).is_none_or(str::is_empty) {
        report.missing(format_args!("{path}.{field}"));
    }
}

fn base64(source: &Value, path: Arguments<'_>, report: &mut Report) {
    let data = text(source, "data").unwrap_or_default();
    let digits = data.trim_end_matches('=');
    let valid = !digits.is_empty()
        && data.len().is_multiple_of(4)
        && data.len() - digits.len() <= 2
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    if !valid {
        report.add(
            Rule::Media,
            format_args!("{path}.base64.data"),
            "Input should be valid base64",
        );
    }
}

fn call(block: &Value, path: Arguments<'_>, report: &mut Report) {
    let path = format_args!("{path}.tool_use");
    match text(block, "id") {
        None => report.missing(format_args!("{path}.id")),
        Some(id) if !plain(id) => report.add(
            Rule::IdShape,
            format_args!("{path}.id"),
            "String should match pattern '^[a-zA-Z0-9_-]+$'",
        ),
        Some(_) => {}
    }
    if text(block, "name").is_none_or(str::is_empty) {
        report.missing(format_args!("{path}.name"));
    }
    match block.get("input") {
        None => report.missing(format_args!("{path}.input")),
        Some(Value::Object(_)) => {}
        Some(_) => report.add(
            Rule::Shape,
            format_args!("{path}.input"),
            "Input should be a valid dictionary",
        ),
    }
}

fn result(block: &Value, path: Arguments<'_>, report: &mut Report) {
    let path = format_args!("{path}.tool_result");
    if text(block, "tool_use_id").is_none() {
        report.missing(format_args!("{path}.tool_use_id"));
    }
    let failed = block.get("is_error").and_then(Value::as_bool) == Some(true);
    let inner = block.get("content");
    if failed && inner.is_none_or(is_empty) {
        report.add(
            Rule::ResultContent,
            path,
            "content cannot be empty if `is_error` is true",
        );
    }
    let Some(inner) = inner else { return };
    content(
        inner,
        format_args!("{path}.content"),
        report,
        |block, place, report| {
            let kind = kind(block);
            if failed && kind != "text" {
                report.add(
                    Rule::ResultContent,
                    path,
                    "all content must be type `text` if `is_error` is true",
                );
            }
            if matches!(
                kind,
                "tool_use" | "tool_result" | "thinking" | "redacted_thinking"
            ) {
                report.add(
                    Rule::ResultContent,
                    place,
                    format!("`{kind}` blocks cannot be in the content of a tool_result"),
                );
            }
        },
    );
}
