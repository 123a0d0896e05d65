//! A request as the row of pieces that the model reads: tools, then system, then messages.
//!
//! Both the prompt cache and the binding of thinking look at prefixes of this row.

use serde_json::{Map, Value};

/// The parts of a request, in the order in which the model reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The list of tools.
    Tools,
    /// The system prompt.
    System,
    /// The messages.
    Messages,
}

/// One tool, one block of the system prompt, or one block of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece<'a> {
    /// Where it belongs.
    pub section: Section,
    /// The message it stands in; 0 outside of messages.
    pub message: usize,
    /// Its place in the message, the system prompt or the list of tools.
    pub block: usize,
    /// The role of its message; empty outside of messages.
    pub role: &'a str,
    /// The block, or the string that stands for a block of text.
    pub value: &'a Value,
}

impl<'a> Piece<'a> {
    /// The block's type; a string is text.
    pub fn kind(&self) -> &'a str {
        match self.value {
            Value::String(_) => "text",
            value => value
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        }
    }

    /// Its cache mark, if it carries one.
    pub fn mark(&self) -> Option<&'a Value> {
        self.value
            .get("cache_control")
            .filter(|mark| !mark.is_null())
    }

    /// Its place, as the Messages API writes it.
    pub fn path(&self) -> String {
        match self.section {
            Section::Tools => format!("tools.{}", self.block),
            Section::System => format!("system.{}", self.block),
            Section::Messages => format!("messages.{}.content.{}", self.message, self.block),
        }
    }

    /// Its bytes in the row: the role, then the block without its cache mark.
    ///
    /// Neighbouring messages of one role are one to the model, so nothing stands between them.
    pub fn rendered(&self) -> String {
        let place = match self.section {
            Section::Tools => "tools",
            Section::System => "system",
            Section::Messages => self.role,
        };
        format!("{place}\n{}\n", rendered(self.value))
    }
}

/// A block without its cache mark, as compact JSON with the keys in the order they came in; a
/// string as the block of text it stands for.
pub fn rendered(block: &Value) -> String {
    match block {
        Value::String(_) => format!("{{\"type\":\"text\",\"text\":{block}}}"),
        Value::Object(fields) => without_mark(fields),
        other => other.to_string(),
    }
}

fn without_mark(fields: &Map<String, Value>) -> String {
    let mut out = String::from("{");
    for (key, value) in fields.iter().filter(|(key, _)| *key != "cache_control") {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&Value::from(key.as_str()).to_string());
        out.push(':');
        out.push_str(&value.to_string());
    }
    out.push('}');
    out
}

/// All pieces of a request of the Messages API. What is not in the API's shape is left out.
pub fn pieces(request: &Value) -> Vec<Piece<'_>> {
    let mut row = Vec::new();
    add(&mut row, Section::Tools, 0, "", request.get("tools"));
    add(&mut row, Section::System, 0, "", request.get("system"));
    let messages = request.get("messages").and_then(Value::as_array);
    for (index, message) in messages.into_iter().flatten().enumerate() {
        let role = message
            .get("role")
            .and_then(Value::as_str)
            .unwrap_or_default();
        add(
            &mut row,
            Section::Messages,
            index,
            role,
            message.get("content"),
        );
    }
    row
}

fn add<'a>(
    row: &mut Vec<Piece<'a>>,
    section: Section,
    message: usize,
    role: &'a str,
    content: Option<&'a Value>,
) {
    row.extend(blocks(content).enumerate().map(|(block, value)| Piece {
        section,
        message,
        block,
        role,
        value,
    }));
}

/// The blocks of a content, which may be a string.
pub(super) fn blocks(content: Option<&Value>) -> impl Iterator<Item = &Value> {
    let (text, list) = match content {
        Some(Value::Array(list)) => (None, list.as_slice()),
        Some(text @ Value::String(_)) => (Some(text), [].as_slice()),
        _ => (None, [].as_slice()),
    };
    text.into_iter().chain(list)
}
