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

    /// Its bytes in the row: the role, then what the model reads of the block.
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

/// What the model reads of a block, as compact JSON.
///
/// The API knows the fields of its blocks, so their order says nothing, a null is no field, and a
/// string is the block of text it stands for; its own client libraries send blocks back in another
/// order than they came in. A tool's schema and the input of a call are not the API's: they are
/// read as they stand, and there the order of keys does count. Cache marks are not read at all.
pub fn rendered(block: &Value) -> String {
    let mut out = String::new();
    match block {
        Value::String(_) => {
            out.push_str("{\"text\":");
            write_typed(block, &mut out);
            out.push_str(",\"type\":\"text\"}");
        }
        other => write_typed(other, &mut out),
    }
    out
}

fn write_typed(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => write_fields(fields, out),
        Value::Array(list) => {
            out.push('[');
            for (index, item) in list.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_typed(item, out);
            }
            out.push(']');
        }
        Value::String(text) => write_text(text, out),
        other => out.push_str(&other.to_string()),
    }
}

/// As `serde_json` writes it; most texts have nothing to escape.
fn write_text(text: &str, out: &mut String) {
    if text
        .bytes()
        .any(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        out.push_str(&Value::from(text).to_string());
    } else {
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
}

fn write_fields(fields: &Map<String, Value>, out: &mut String) {
    let mut fields: Vec<(&String, &Value)> = fields
        .iter()
        .filter(|(key, value)| *key != "cache_control" && !value.is_null())
        .collect();
    fields.sort_by_key(|(key, _)| *key);
    out.push('{');
    for (index, (key, value)) in fields.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(key, out);
        out.push(':');
        if matches!(key.as_str(), "input" | "input_schema") {
            out.push_str(&value.to_string());
        } else {
            write_typed(value, out);
        }
    }
    out.push('}');
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

/// Where a request no longer begins with what an earlier one was: the place in the earlier request
/// of the first tool, block of the system prompt or message that is not, byte for byte and cache
/// marks aside, at the same place in the later one. `None` if it is all there.
///
/// Stricter than any API, and the same for both: key order and the form of content count too.
///
/// ```
/// use memdir_testkit::oracle::divergence;
/// use serde_json::json;
///
/// let before = json!({"system": "be brief", "messages": [{"role": "user", "content": "a"}]});
/// let mut after = before.clone();
/// after["messages"].as_array_mut().unwrap().push(json!({"role": "assistant", "content": "b"}));
/// assert_eq!(divergence(&before, &after), None);
/// assert_eq!(divergence(&after, &before), Some("messages.1".to_owned()));
/// ```
pub fn divergence(before: &Value, after: &Value) -> Option<String> {
    let model = |request: &Value| request.get("model").cloned();
    if model(before) != model(after) {
        return Some("model".to_owned());
    }
    ["tools", "system", "messages"].iter().find_map(|section| {
        let (old, new) = (before.get(section), after.get(section));
        let (Some(Value::Array(old)), Some(Value::Array(new))) = (old, new) else {
            let same = old.map(unmarked) == new.map(unmarked);
            return (!same).then(|| (*section).to_owned());
        };
        let kept = old
            .iter()
            .zip(new)
            .take_while(|(old, new)| unmarked(old) == unmarked(new))
            .count();
        // Only messages may be added to.
        let grown = *section != "messages" && new.len() > old.len();
        (kept < old.len() || grown).then(|| format!("{section}.{kept}"))
    })
}

/// The bytes without cache marks; what a tool was called with is left as it is.
fn unmarked(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .filter(|(key, _)| *key != "cache_control")
                .map(|(key, value)| match key.as_str() {
                    "input" | "input_schema" => format!("{key:?}:{value}"),
                    _ => format!("{key:?}:{}", unmarked(value)),
                })
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(list) => {
            let items: Vec<String> = list.iter().map(unmarked).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}
