//! `Bash`: a command line.

use crate::{Answer, Call, Tool};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Bash",
    description: "Runs a command.",
    schema: r#"{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer","description":"Milliseconds"},"description":{"type":"string","description":"What it does, in a few words"}},"required":["command"]}"#,
};

/// The command line of a call.
pub(crate) fn command(call: &Call) -> Result<&str, Answer> {
    call.text("command")
}
