//! Cache marks: how many, where, and in which order of time to live.

use serde_json::Value;

use super::super::render::{blocks, pieces};
use super::super::report::{Report, Rule};
use super::roles::is_thinking;
use super::{MOST_MARKS, kind, text};

pub(super) fn check(request: &Value, report: &mut Report) {
    let mut found = 0;
    let mut shorter_seen = false;
    for piece in pieces(request) {
        if let Some(mark) = piece.mark() {
            found += 1;
            let path = piece.path();
            place(piece.kind(), piece.value, &path, report);
            order(mark, &path, &mut shorter_seen, report);
        }
        if piece.kind() == "tool_result" {
            inside(piece.value, &piece.path(), report);
        }
    }
    // The automatic mark stands behind everything else.
    if let Some(mark) = request.get("cache_control").filter(|mark| !mark.is_null()) {
        found += 1;
        order(mark, "", &mut shorter_seen, report);
    }
    if found > MOST_MARKS {
        report.add(
            Rule::TooManyMarks,
            "",
            format!(
                "A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {found}."
            ),
        );
    }
}

fn order(mark: &Value, path: &str, shorter_seen: &mut bool, report: &mut Report) {
    let path = [path, "cache_control"]
        .iter()
        .filter(|part| !part.is_empty())
        .copied()
        .collect::<Vec<_>>()
        .join(".");
    if text(mark, "type") != Some("ephemeral") {
        report.add(
            Rule::MarkShape,
            format!("{path}.type"),
            "Input should be 'ephemeral'",
        );
    }
    match mark.get("ttl").map(Value::as_str) {
        None | Some(Some("5m")) => *shorter_seen = true,
        Some(Some("1h")) if *shorter_seen => report.add(
            Rule::MarkOrder,
            format!("{path}.ttl"),
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. \
             Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
        ),
        Some(Some("1h")) => {}
        Some(_) => report.add(
            Rule::MarkShape,
            format!("{path}.ttl"),
            "Input should be '5m' or '1h'",
        ),
    }
}

fn place(kind: &str, block: &Value, path: &str, report: &mut Report) {
    if is_thinking(kind) {
        report.add(
            Rule::MarkPlace,
            format!("{path}.cache_control"),
            "cache_control cannot be set for thinking blocks",
        );
    } else if kind == "text" && text(block, "text") == Some("") {
        report.add(
            Rule::MarkPlace,
            format!("{path}.cache_control"),
            "cache_control cannot be set for empty text blocks",
        );
    }
}

fn inside(result: &Value, path: &str, report: &mut Report) {
    for (index, block) in blocks(result.get("content")).enumerate() {
        if block
            .get("cache_control")
            .is_some_and(|mark| !mark.is_null())
        {
            report.add(
                Rule::MarkPlace,
                format!(
                    "{path}.tool_result.content.{index}.{}.cache_control",
                    kind(block)
                ),
                "Extra inputs are not permitted",
            );
        }
    }
}
