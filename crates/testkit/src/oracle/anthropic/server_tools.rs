//! Tools that the server runs: their calls and results stand in the assistant's own messages.

use serde_json::Value;

use super::super::render::blocks;
use super::super::report::{Report, Rule};
use super::{kind, messages, role, text};

/// A call of a tool that the server runs, and where it stands.
struct Call<'a> {
    id: &'a str,
    name: &'a str,
    path: String,
}

/// Neighbouring messages of the assistant are one turn: the server may pause in the middle of it.
pub(super) fn check(request: &Value, report: &mut Report) {
    let mut open: Vec<Call<'_>> = Vec::new();
    for (index, message) in messages(request).iter().enumerate() {
        match role(message) {
            "assistant" => turn(message, index, &mut open, report),
            // The turn is over, so what is open stays so.
            "user" => unanswered(&mut open, report),
            _ => {}
        }
    }
}

fn turn<'a>(message: &'a Value, index: usize, open: &mut Vec<Call<'a>>, report: &mut Report) {
    for (block, value) in blocks(message.get("content")).enumerate() {
        let path = || format!("messages.{index}.content.{block}");
        let kind = kind(value);
        if let ("server_tool_use" | "mcp_tool_use", Some(id)) = (kind, text(value, "id")) {
            let name = text(value, "name").unwrap_or_default();
            let path = path();
            open.push(Call { id, name, path });
        } else if let (true, Some(id)) = (is_result(kind), text(value, "tool_use_id")) {
            let before = open.len();
            open.retain(|call| call.id != id);
            if open.len() == before {
                report.add(
                    Rule::OrphanResult,
                    path(),
                    format!(
                        "unexpected `tool_use_id` found in `{kind}` blocks: {id}. Each `{kind}` \
                         block must have a corresponding `server_tool_use` block before it."
                    ),
                );
            }
        }
    }
}

fn unanswered(open: &mut Vec<Call<'_>>, report: &mut Report) {
    for call in open.drain(..) {
        let Call { id, name, path } = call;
        report.add(
            Rule::UnansweredCall,
            path,
            format!(
                "`{name}` tool use with id `{id}` was found without a corresponding \
                 `{name}_tool_result` block"
            ),
        );
    }
}

/// The result of a tool that the server has run; a plain `tool_result` is the client's.
pub(super) fn is_result(kind: &str) -> bool {
    kind.ends_with("_tool_result")
}
