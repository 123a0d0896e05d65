//! The fields around the messages: limits, tools, the choice of a tool, thinking.

use std::collections::HashSet;

use serde_json::Value;

use super::super::Traits;
use super::super::report::{Report, Rule};
use super::{Endpoint, text};

const LONGEST_TOOL_NAME: usize = 128;
const SMALLEST_BUDGET: u64 = 1024;

pub(super) fn check(request: &Value, endpoint: Endpoint, traits: &Traits, report: &mut Report) {
    if !request.is_object() {
        report.add(Rule::Shape, "", "Input should be an object");
        return;
    }
    match request.get("model") {
        None => report.missing("model"),
        Some(Value::String(_)) => {}
        Some(_) => report.add(Rule::Shape, "model", "Input should be a valid string"),
    }
    match request.get("messages") {
        None => report.missing("messages"),
        Some(Value::Array(list)) if list.is_empty() => report.add(
            Rule::EmptyContent,
            "messages",
            "at least one message is required",
        ),
        Some(Value::Array(_)) => {}
        Some(_) => report.add(Rule::Shape, "messages", "Input should be a valid list"),
    }
    if endpoint == Endpoint::Messages {
        limits(request, traits, report);
    }
    tools(request, report);
    choice(request, traits, report);
    thinking(request, traits, report);
}

fn limits(request: &Value, traits: &Traits, report: &mut Report) {
    let Some(limit) = request.get("max_tokens") else {
        report.missing("max_tokens");
        return;
    };
    let whole = |number: f64| (number >= 0.0 && number.fract() == 0.0).then_some(number as u64);
    let Some(limit) = limit.as_u64().or_else(|| limit.as_f64().and_then(whole)) else {
        report.add(
            Rule::MaxTokens,
            "max_tokens",
            "Input should be a valid integer",
        );
        return;
    };
    let streams = request.get("stream").and_then(Value::as_bool) == Some(true);
    if limit == 0 && streams {
        // Zero warms the cache and answers nothing, so there is nothing to stream.
        report.add(
            Rule::MaxTokens,
            "max_tokens",
            "Input should be greater than or equal to 1",
        );
    }
    if limit > traits.longest_output {
        let model = text(request, "model").unwrap_or_default();
        report.add(
            Rule::MaxTokens,
            "max_tokens",
            format!(
                "{limit} > {}, which is the maximum allowed number of output tokens for {model}",
                traits.longest_output
            ),
        );
    }
    let budget = request
        .get("thinking")
        .and_then(|thinking| thinking.get("budget_tokens"))
        .and_then(Value::as_u64);
    if budget.is_some_and(|budget| budget >= limit) {
        report.add(
            Rule::MaxTokens,
            "",
            "`max_tokens` must be greater than `thinking.budget_tokens`.",
        );
    }
}

fn tools(request: &Value, report: &mut Report) {
    let tools = match request.get("tools") {
        None => return,
        Some(Value::Array(tools)) => tools,
        Some(_) => {
            report.add(Rule::Shape, "tools", "Input should be a valid list");
            return;
        }
    };
    let mut names = HashSet::new();
    for (index, tool) in tools.iter().enumerate() {
        let Some(name) = text(tool, "name") else {
            report.missing(format_args!("tools.{index}.name"));
            continue;
        };
        if !plain(name) || name.len() > LONGEST_TOOL_NAME {
            report.add(
                Rule::ToolName,
                format!("tools.{index}.name"),
                "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
            );
        }
        if !names.insert(name) {
            report.add(Rule::ToolName, "tools", "Tool names must be unique.");
        }
        // A tool with a type of its own (`memory_20250818`) brings its schema with it.
        let own = text(tool, "type").is_none_or(|kind| kind == "custom");
        if own && !tool.get("input_schema").is_some_and(Value::is_object) {
            report.missing(format_args!("tools.{index}.input_schema"));
        }
    }
}

fn choice(request: &Value, traits: &Traits, report: &mut Report) {
    let Some(choice) = request.get("tool_choice") else {
        return;
    };
    let kind = text(choice, "type").unwrap_or_default();
    if !matches!(kind, "auto" | "any" | "tool" | "none") {
        report.add(
            Rule::ToolChoice,
            "tool_choice.type",
            "Input should be 'auto', 'any', 'tool' or 'none'",
        );
    }
    let tools = request.get("tools").and_then(Value::as_array);
    if tools.is_none_or(Vec::is_empty) && kind != "none" {
        report.add(
            Rule::ToolChoice,
            "tool_choice",
            "`tool_choice` may only be specified while providing `tools`.",
        );
    }
    let thinks = matches!(
        request.get("thinking").and_then(|mode| text(mode, "type")),
        Some("enabled" | "adaptive")
    );
    if matches!(kind, "any" | "tool") && (traits.binds_thinking || thinks) {
        report.add(
            Rule::ToolChoice,
            "tool_choice",
            "Thinking may not be enabled when tool_choice forces tool use.",
        );
    }
    let wanted = text(choice, "name").filter(|_| kind == "tool");
    let known = |name| {
        tools
            .into_iter()
            .flatten()
            .any(|tool| text(tool, "name") == Some(name))
    };
    if kind == "tool" && !wanted.is_some_and(known) {
        report.add(
            Rule::ToolChoice,
            "tool_choice",
            format!(
                "Tool '{}' not found in provided tools",
                wanted.unwrap_or_default()
            ),
        );
    }
}

fn thinking(request: &Value, traits: &Traits, report: &mut Report) {
    let Some(thinking) = request.get("thinking") else {
        return;
    };
    match text(thinking, "type") {
        Some("disabled") if traits.binds_thinking => report.add(
            Rule::ThinkingMode,
            "thinking.type",
            "thinking cannot be disabled on this model",
        ),
        Some("enabled") => match thinking.get("budget_tokens").and_then(Value::as_u64) {
            None => report.missing("thinking.enabled.budget_tokens"),
            Some(budget) if budget < SMALLEST_BUDGET => report.add(
                Rule::ThinkingMode,
                "thinking.enabled.budget_tokens",
                "Input should be greater than or equal to 1024",
            ),
            Some(_) => {}
        },
        Some("disabled" | "adaptive") => {}
        _ => report.add(
            Rule::ThinkingMode,
            "thinking.type",
            "Input should be 'enabled', 'disabled' or 'adaptive'",
        ),
    }
}

/// Letters, digits, `_` and `-`, at least one.
pub(super) fn plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
