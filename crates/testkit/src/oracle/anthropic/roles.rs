//! Who may speak when.

use serde_json::Value;

use super::super::Traits;
use super::super::render::blocks;
use super::super::report::{Report, Rule};
use super::server_tools::is_result;
use super::{kind, messages, role, text};

pub(super) fn check(request: &Value, traits: &Traits, report: &mut Report) {
    let list = messages(request);
    for (index, message) in list.iter().enumerate() {
        match message.get("role") {
            None => report.missing(format_args!("messages.{index}.role")),
            Some(_) => one(list, index, traits, report),
        }
    }
    if let Some(first) = list.first()
        && role(first) == "assistant"
    {
        report.add(
            Rule::FirstRole,
            "messages",
            "first message must use the \"user\" role",
        );
    }
    last(list, traits, report);
    turn_under_way(request, list, report);
}

fn one(list: &[Value], index: usize, traits: &Traits, report: &mut Report) {
    let Some(message) = list.get(index) else {
        return;
    };
    match role(message) {
        "user" | "assistant" => {}
        "system" if traits.system_messages => system(list, index, message, report),
        "system" => report.add(
            Rule::Role,
            "messages",
            "Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, \
             not \"system\" as an input message role.",
        ),
        other => report.add(
            Rule::Role,
            format!("messages.{index}.role"),
            format!("Unexpected role {other:?}. Allowed roles are \"user\" or \"assistant\"."),
        ),
    }
}

fn system(list: &[Value], index: usize, message: &Value, report: &mut Report) {
    let before = index.checked_sub(1).and_then(|before| list.get(before));
    let follows = before.is_some_and(|before| {
        role(before) == "user" || (role(before) == "assistant" && ends_in_server_tool(before))
    });
    if !follows {
        report.add(
            Rule::SystemPlace,
            format!("messages.{index}"),
            "a \"system\" message must follow a \"user\" message, or an \"assistant\" message \
             that ends in server tool use",
        );
    }
    let after = list.get(index + 1);
    if after.is_some_and(|after| role(after) != "assistant") {
        report.add(
            Rule::SystemPlace,
            format!("messages.{index}"),
            "a \"system\" message must be last or be followed by an \"assistant\" message",
        );
    }
    for (block, value) in blocks(message.get("content")).enumerate() {
        if kind(value) != "text" {
            report.add(
                Rule::SystemPlace,
                format!("messages.{index}.content.{block}"),
                "\"system\" messages may only contain text",
            );
        }
    }
}

/// What the last message may be.
fn last(list: &[Value], traits: &Traits, report: &mut Report) {
    let Some(message) = list.last().filter(|message| role(message) == "assistant") else {
        return;
    };
    let Some(words) = blocks(message.get("content"))
        .last()
        .filter(|block| kind(block) == "text")
    else {
        return;
    };
    let words = words.as_str().or_else(|| text(words, "text"));
    if !traits.prefill {
        report.add(
            Rule::Prefill,
            "",
            "This model does not support assistant message prefill. The conversation must end \
             with a user message.",
        );
    } else if words.is_some_and(|words| words.ends_with(char::is_whitespace)) {
        report.add(
            Rule::Prefill,
            "messages",
            "final assistant content cannot end with trailing whitespace",
        );
    }
}

/// With thinking of a fixed budget, an assistant message whose tools have just run begins with
/// its thinking.
fn turn_under_way(request: &Value, list: &[Value], report: &mut Report) {
    let fixed = request.get("thinking").and_then(|mode| text(mode, "type")) == Some("enabled");
    let Some(index) = list
        .iter()
        .rposition(|message| role(message) == "assistant")
    else {
        return;
    };
    let answered = list.get(index + 1).is_some_and(|answer| {
        blocks(answer.get("content")).any(|block| kind(block) == "tool_result")
    });
    let Some(message) = list.get(index).filter(|_| fixed && answered) else {
        return;
    };
    let first = blocks(message.get("content")).next().map_or("", kind);
    if !is_thinking(first) {
        report.add(
            Rule::ThinkingFirst,
            format!("messages.{index}.content.0.type"),
            format!(
                "Expected `thinking` or `redacted_thinking`, but found `{first}`. When `thinking` \
                 is enabled, a final `assistant` message must start with a thinking block"
            ),
        );
    }
}

fn ends_in_server_tool(message: &Value) -> bool {
    let last = blocks(message.get("content")).last().map_or("", kind);
    last == "server_tool_use" || is_result(last)
}

/// Whether a block of this type holds thinking.
pub(super) fn is_thinking(kind: &str) -> bool {
    matches!(kind, "thinking" | "redacted_thinking")
}
