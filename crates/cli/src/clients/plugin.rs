//! opencode takes no commands as hooks, but a file of JavaScript: all of it is ours.

use serde_json::Value;

use super::Ours;

const TEMPLATE: &str = include_str!("opencode.js");
/// Where the program goes.
const PROGRAM: &str = "\"PROGRAM\"";

/// The text of the file.
pub(super) fn text(ours: &Ours) -> String {
    TEMPLATE.replacen(PROGRAM, &Value::String(ours.program.clone()).to_string(), 1)
}

/// Whether a file is ours, of this version or another.
pub(super) fn is_ours(text: &str) -> bool {
    text.lines().next() == TEMPLATE.lines().next()
}
