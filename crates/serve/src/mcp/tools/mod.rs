//! The tools that a client offers its model. Names, descriptions and schemas are the same for everybody, always: no text
//! of a memory ever stands in them.

mod forget;
mod list;
mod memory;
mod read;
mod recall;
mod remember;

pub(crate) use read::{one as read, read_index};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::refusal::Refusal;
use super::room::Room;

/// A tool as a client lists it.
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// Whether it only looks.
    pub(crate) reads: bool,
    /// Whether it can remove something; all of it can be undone.
    pub(crate) destroys: bool,
    /// Whether a second call with the same arguments changes nothing more.
    pub(crate) once: bool,
    /// The JSON schema of its arguments.
    pub(crate) schema: fn() -> Value,
    run: fn(&Room, Value) -> Result<String, Refusal>,
}

/// All of them.
pub(crate) const TOOLS: [Definition; 6] = [
    recall::TOOL,
    read::TOOL,
    remember::TOOL,
    forget::TOOL,
    list::TOOL,
    memory::TOOL,
];

/// The tool of this name.
pub(crate) fn named(name: &str) -> Option<&'static Definition> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Definition {
    /// Calls it.
    pub(crate) fn call(
        &self,
        room: &Room,
        arguments: Option<Map<String, Value>>,
    ) -> Result<String, Refusal> {
        (self.run)(room, Value::Object(arguments.unwrap_or_default()))
    }
}

/// Arguments as a tool takes them.
fn arguments<T: DeserializeOwned>(given: Value) -> Result<T, Refusal> {
    serde_json::from_value(given).map_err(|error| {
        Refusal::new(
            format!("The arguments are not understood: {error}"),
            "See the tool's schema and call it again",
        )
    })
}

/// A schema of arguments.
fn schema(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
