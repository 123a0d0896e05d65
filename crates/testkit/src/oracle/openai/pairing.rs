//! Calls of tools and the messages that answer them.

use std::collections::HashSet;

use serde_json::Value;

use super::super::report::{Report, Rule};
use super::text;

pub(super) fn check(messages: &[Value], report: &mut Report) {
    let mut ids = HashSet::new();
    // The calls that are still open, and where they were made.
    let mut open: Vec<&str> = Vec::new();
    let mut closed: HashSet<&str> = HashSet::new();
    let mut caller = 0;
    for (index, message) in messages.iter().enumerate() {
        if text(message, "role") == Some("tool") {
            if let Some(id) = text(message, "tool_call_id") {
                answer(id, index, &mut open, &mut closed, report);
            }
            continue;
        }
        unanswered(&mut open, caller, report);
        closed.clear();
        caller = index;
        let calls = message.get("tool_calls").and_then(Value::as_array);
        for (call, value) in calls.into_iter().flatten().enumerate() {
            let Some(id) = text(value, "id") else {
                continue;
            };
            if !ids.insert(id) {
                report.add(
                    Rule::DuplicateId,
                    format!("messages[{index}].tool_calls[{call}].id"),
                    format!("Duplicate value for 'tool_call_id' of '{id}'"),
                );
            }
            open.push(id);
        }
    }
    unanswered(&mut open, caller, report);
}

fn answer<'a>(
    id: &'a str,
    index: usize,
    open: &mut Vec<&'a str>,
    closed: &mut HashSet<&'a str>,
    report: &mut Report,
) {
    let path = format!("messages[{index}]");
    if open.contains(&id) {
        open.retain(|one| *one != id);
        closed.insert(id);
    } else if closed.contains(id) {
        report.add(
            Rule::DuplicateResult,
            format!("{path}.tool_call_id"),
            format!("Duplicate value for 'tool_call_id' of '{id}'"),
        );
    } else {
        report.add(
            Rule::OrphanResult,
            format!("{path}.role"),
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding \
             message with 'tool_calls'.",
        );
    }
}

fn unanswered(open: &mut Vec<&str>, caller: usize, report: &mut Report) {
    if !open.is_empty() {
        report.add(
            Rule::UnansweredCall,
            format!("messages[{caller}]"),
            format!(
                "An assistant message with 'tool_calls' must be followed by tool messages \
                 responding to each 'tool_call_id'. The following tool_call_ids did not have \
                 response messages: {}",
                open.join(", ")
            ),
        );
        open.clear();
    }
}
