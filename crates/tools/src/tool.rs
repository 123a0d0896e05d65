//! What a tool is to a model: a name, a description, a schema.

use serde_json::{Map, Value};

/// A tool as a model is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence or two.
    pub description: &'static str,
    /// The JSON schema of its arguments.
    pub schema: &'static str,
}

/// Every tool, in the order in which they are sent.
pub const TOOLS: [Tool; 6] = [
    crate::read::TOOL,
    crate::write::TOOL,
    crate::edit::TOOL,
    crate::glob::TOOL,
    crate::grep::TOOL,
    crate::shell::TOOL,
];

/// A call that a model makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub input: Map<String, Value>,
}

impl Call {
    /// A call with these arguments; whatever is no object is one without any.
    #[must_use]
    pub fn new(tool: &str, input: Value) -> Self {
        let input = match input {
            Value::Object(input) => input,
            _ => Map::new(),
        };
        Self {
            tool: tool.to_owned(),
            input,
        }
    }

    /// An argument that must be there.
    pub(crate) fn text(&self, name: &str) -> Result<&str, Answer> {
        self.input
            .get(name)
            .and_then(Value::as_str)
            .ok_or_else(|| Answer::error(format!("{} needs `{name}`, a string", self.tool)))
    }

    /// An argument that may be there.
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        self.input.get(name).and_then(Value::as_str)
    }

    /// A number that may be there; models write it as a string now and then.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        let value = self.input.get(name)?;
        let number = value
            .as_u64()
            .or_else(|| value.as_str()?.trim().parse().ok())?;
        usize::try_from(number).ok()
    }

    /// Whether something is asked for.
    pub(crate) fn flag(&self, name: &str) -> bool {
        match self.input.get(name) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text == "true",
            _ => false,
        }
    }
}

/// What a tool answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// For the model to read.
    pub text: String,
    /// Whether it failed.
    pub error: bool,
}

impl Answer {
    /// It worked.
    #[must_use]
    pub fn ok(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            error: false,
        }
    }

    /// It did not.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            error: true,
        }
    }
}
