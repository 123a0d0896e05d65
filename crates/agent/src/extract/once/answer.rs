//! The answer: operations by a schema, the slips of small models mended or refused with a reason.

use memdir_memory::MemoryType;
use serde_json::{Map, Value};

use crate::json_in::{json_in, whole_objects};

/// The form of the answer.
pub const SCHEMA: &str = r#"{"type":"object","properties":{"operations":{"type":"array","items":{"type":"object","properties":{"action":{"type":"string","enum":["create","update","delete"]},"path":{"type":"string"},"type":{"type":"string","enum":["user","feedback","project","reference"]},"name":{"type":"string"},"description":{"type":"string"},"body":{"type":"string"},"evidence":{"type":"string"},"team":{"type":"boolean"}},"required":["action"],"additionalProperties":false}}},"required":["operations"],"additionalProperties":false}"#;

/// No answer wants more than this of one conversation.
const MOST: usize = 20;

/// One thing to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What.
    pub action: Action,
    /// To which memory, for those that there are.
    pub path: Option<String>,
    /// What it is about.
    pub kind: Option<MemoryType>,
    /// A name in a few words.
    pub name: Option<String>,
    /// The line by which it is found again.
    pub description: Option<String>,
    /// The memory itself.
    pub body: String,
    /// What the user typed about it.
    pub evidence: Option<String>,
    /// Whether it is for the team.
    pub team: bool,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A new memory.
    Create,
    /// A memory that was shown gets a new body.
    Update,
    /// A memory that was shown goes.
    Delete,
}

/// The operations of an answer, and why others are none. Words around the JSON, a fence around it, a bare list and
/// missing fields are the slips of small models, and mended.
///
/// ```
/// use memdir_agent::extract::once::operations;
///
/// let answer = "Sure!\n```json\n[{\"body\": \"Use tabs.\"}]\n```\nAnything else?";
/// let (operations, slips) = operations(answer).unwrap();
/// assert_eq!(operations[0].body, "Use tabs.");
/// assert!(slips.is_empty());
/// ```
///
/// # Errors
///
/// When there is no JSON in it at all, or none that is whole.
pub fn operations(answer: &str) -> Result<(Vec<Operation>, Vec<String>), String> {
    let list = match json_in(answer)? {
        Value::Array(list) => list,
        Value::Object(mut object) => match object.remove("operations") {
            Some(Value::Array(list)) => list,
            Some(one @ Value::Object(_)) => vec![one],
            Some(Value::Null) => Vec::new(),
            Some(_) => return Err("`operations` is no list".to_owned()),
            None if object.contains_key("body") || object.contains_key("action") => {
                vec![Value::Object(object)]
            }
            None if object.is_empty() => Vec::new(),
            None => return Err("it has no `operations`".to_owned()),
        },
        _ => return Err("it is neither an object nor a list".to_owned()),
    };
    Ok(read(list))
}

/// The operations of an answer that ended before it was whole: those that were.
///
/// ```
/// use memdir_agent::extract::once::operations_of_cut;
///
/// let answer = r#"{"operations":[{"body":"Use tabs."},{"body":"Use vim."},{"body":"Ne"#;
/// assert_eq!(operations_of_cut(answer).unwrap().0.len(), 2);
/// assert!(operations_of_cut(r#"{"operations":[{"body":"Use t"#).is_err());
/// ```
///
/// # Errors
///
/// When not even one was.
pub fn operations_of_cut(answer: &str) -> Result<(Vec<Operation>, Vec<String>), String> {
    if let Ok(whole) = operations(answer) {
        return Ok(whole);
    }
    let objects = whole_objects(answer);
    match objects.is_empty() {
        true => Err("it was cut off before anything in it was whole".to_owned()),
        false => Ok(read(objects)),
    }
}

fn read(list: Vec<Value>) -> (Vec<Operation>, Vec<String>) {
    let (mut found, mut slips) = (Vec::new(), Vec::new());
    for (number, one) in list.into_iter().enumerate() {
        if found.len() == MOST {
            slips.push(format!("more than {MOST} operations"));
            break;
        }
        let read = match one {
            Value::Object(fields) => operation(&fields),
            _ => Err("it is no object"),
        };
        match read {
            Ok(operation) => found.push(operation),
            Err(why) => slips.push(format!("operation {}: {why}", number + 1)),
        }
    }
    (found, slips)
}

fn operation(fields: &Map<String, Value>) -> Result<Operation, &'static str> {
    let text = |name: &str| {
        let value = fields.get(name)?.as_str()?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    let path = text("path").map(|path| path.trim_start_matches("./").to_owned());
    let action = match text("action").map(|action| action.to_lowercase()) {
        Some(action) => match &*action {
            "create" | "add" | "new" | "save" => Action::Create,
            "update" | "edit" | "change" => Action::Update,
            "delete" | "remove" | "forget" => Action::Delete,
            "none" | "skip" => return Err("it asks for nothing"),
            _ => return Err("its action is none of create, update and delete"),
        },
        None if path.is_some() => Action::Update,
        None => Action::Create,
    };
    let body = text("body")
        .or_else(|| text("content"))
        .or_else(|| text("text"));
    let description = text("description");
    let body = match (action, body) {
        (Action::Delete, body) => body.unwrap_or_default(),
        (_, Some(body)) => body,
        // A memory of one line.
        (Action::Create, None) => description.clone().ok_or("it has no body")?,
        (Action::Update, None) => return Err("it has no body"),
    };
    if action != Action::Create && path.is_none() {
        return Err("it names no path");
    }
    Ok(Operation {
        action,
        path,
        kind: text("type").and_then(|kind| MemoryType::parse(&kind.to_lowercase())),
        name: text("name"),
        description,
        body,
        evidence: text("evidence"),
        team: fields.get("team").and_then(Value::as_bool).unwrap_or(false),
    })
}
