//! `TodoWrite`: what is to be done in this conversation, and how far it is.

use serde_json::Value;

use crate::{Answer, Call, Tool};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "TodoWrite",
    description: "Keeps the list of what is to be done, for work of three steps or more. The list replaces the one before; one entry at a time is in_progress.",
    schema: r#"{"type":"object","properties":{"todos":{"type":"array","items":{"type":"object","properties":{"content":{"type":"string"},"status":{"type":"string","enum":["pending","in_progress","completed"]}},"required":["content","status"]}}},"required":["todos"]}"#,
};

/// So many can be on the list.
const MOST: usize = 100;
/// So long can one of them be.
const CHARACTERS: usize = 500;

/// Something that is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Todo {
    /// What.
    pub text: String,
    /// How far it is.
    pub progress: Progress,
}

/// How far something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Not begun.
    Pending,
    /// Somebody is at it.
    Doing,
    /// Done.
    Done,
}

impl Todo {
    /// The list of a call, or what is wrong with it.
    ///
    /// # Errors
    ///
    /// The answer for the model.
    pub fn list(call: &Call) -> Result<Vec<Self>, Answer> {
        let wrong = |what: &str| Answer::error(format!("TodoWrite: {what}"));
        let given = call.input.get("todos").and_then(Value::as_array);
        let given = given.ok_or_else(|| wrong("`todos` has to be a list"))?;
        if given.len() > MOST {
            return Err(wrong("the list is too long: join some entries"));
        }
        let entries = given.iter().map(|entry| {
            let text = entry.get("content").and_then(Value::as_str)?;
            let progress = match entry.get("status").and_then(Value::as_str)? {
                "pending" => Progress::Pending,
                "in_progress" => Progress::Doing,
                "completed" => Progress::Done,
                _ => return None,
            };
            let text = text.chars().take(CHARACTERS).collect();
            Some(Self { text, progress })
        });
        let entries: Option<Vec<Self>> = entries.collect();
        entries.ok_or_else(|| {
            wrong("each entry needs `content` and a `status`: pending, in_progress or completed")
        })
    }
}
