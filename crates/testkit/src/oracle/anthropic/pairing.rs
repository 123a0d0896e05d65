//! Calls of tools and their results: the rule that compaction breaks most often.

use std::collections::HashSet;

use serde_json::Value;

use super::super::render::blocks;
use super::super::report::{Report, Rule};
use super::{kind, messages, role, text};

pub(super) fn check(request: &Value, report: &mut Report) {
    let list = messages(request);
    unique(list, report);
    for (index, message) in list.iter().enumerate() {
        match role(message) {
            "assistant" => calls(message, list.get(index + 1), index, report),
            "user" => {
                let before = index.checked_sub(1).and_then(|before| list.get(before));
                results(message, before, index, report);
            }
            _ => {}
        }
    }
}

fn unique(list: &[Value], report: &mut Report) {
    let mut seen = HashSet::new();
    for (index, message) in list.iter().enumerate() {
        for (block, value) in blocks(message.get("content")).enumerate() {
            let is_call = matches!(kind(value), "tool_use" | "server_tool_use" | "mcp_tool_use");
            if let Some(id) = text(value, "id").filter(|_| is_call)
                && !seen.insert(id)
            {
                report.add(
                    Rule::DuplicateId,
                    format!("messages.{index}.content.{block}"),
                    "`tool_use` ids must be unique",
                );
            }
        }
    }
}

/// Every call is answered at the head of the next message.
fn calls(message: &Value, next: Option<&Value>, index: usize, report: &mut Report) {
    let answer = next.filter(|next| role(next) == "user");
    let content = || blocks(answer.and_then(|answer| answer.get("content")));
    let leading: HashSet<&str> = content()
        .take_while(|block| kind(block) == "tool_result")
        .filter_map(|block| text(block, "tool_use_id"))
        .collect();
    let anywhere: HashSet<&str> = content()
        .filter(|block| kind(block) == "tool_result")
        .filter_map(|block| text(block, "tool_use_id"))
        .collect();
    let (late, missing): (Vec<&str>, Vec<&str>) = blocks(message.get("content"))
        .filter(|block| kind(block) == "tool_use")
        .filter_map(|block| text(block, "id"))
        .filter(|id| !leading.contains(id))
        .partition(|id| anywhere.contains(id));
    for (rule, ids) in [(Rule::UnansweredCall, missing), (Rule::ResultsFirst, late)] {
        if !ids.is_empty() {
            report.add(
                rule,
                format!("messages.{index}"),
                format!(
                    "`tool_use` ids were found without `tool_result` blocks immediately after: {}. \
                     Each `tool_use` block must have a corresponding `tool_result` block in the \
                     next message.",
                    ids.join(", ")
                ),
            );
        }
    }
}

/// Every result has its call in the message before, and only one result has it.
fn results(message: &Value, before: Option<&Value>, index: usize, report: &mut Report) {
    let called: HashSet<&str> = blocks(
        before
            .filter(|before| role(before) == "assistant")
            .and_then(|before| before.get("content")),
    )
    .filter(|block| kind(block) == "tool_use")
    .filter_map(|block| text(block, "id"))
    .collect();
    let mut answered = HashSet::new();
    for (block, value) in blocks(message.get("content")).enumerate() {
        let Some(id) = text(value, "tool_use_id").filter(|_| kind(value) == "tool_result") else {
            continue;
        };
        let path = format!("messages.{index}.content.{block}");
        if !called.contains(id) {
            report.add(
                Rule::OrphanResult,
                path,
                format!(
                    "unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each \
                     `tool_result` block must have a corresponding `tool_use` block in the \
                     previous message."
                ),
            );
        } else if !answered.insert(id) {
            report.add(
                Rule::DuplicateResult,
                path,
                format!(
                    "each tool_use must have a single result. Found multiple `tool_result` blocks \
                     with id: {id}"
                ),
            );
        }
    }
}
