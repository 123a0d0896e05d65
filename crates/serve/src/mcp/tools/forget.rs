//! `forget`: a memory and its index line go.

use memdir_agent::keep::{Suggestion, Wanted};
use serde::Deserialize;
use serde_json::json;

use super::{Definition, arguments, schema};
use crate::mcp::room::waits;

pub(super) const TOOL: Definition = Definition {
    name: "forget",
    title: "Forget a memory",
    description: "Remove a memory that the user wants gone or that no longer holds. The user can undo it.",
    reads: false,
    destroys: true,
    once: true,
    schema: || {
        schema(
            json!({
                "name": {"type": "string", "description": "Its file or its name, as `recall` or `list` gives it"},
            }),
            &["name"],
        )
    },
    run: |room, given| {
        let Arguments { name } = arguments(given)?;
        let scan = room.store().scan()?;
        let path = room.named_exactly(&scan, &name)?.path.clone();
        let kept = room.keep("forget", Suggestion::of(Wanted::Removed(path.clone())))?;
        if let Some(waits) = waits(&kept) {
            return Ok(waits);
        }
        Ok(match kept.operation {
            Some(operation) => {
                format!("Forgot {path}. The user can bring it back with `memdir undo {operation}`.")
            }
            None => format!("{path} was gone already."),
        })
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
}
