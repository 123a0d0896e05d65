//! What a tool is to a model: a name, a description, a schema.

use memdir_conversation::Block;
use serde_json::{Map, Value, json};

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

impl Tool {
    /// As it is sent, in Anthropic's form.
    #[must_use]
    pub fn json(&self) -> String {
        let schema: Value = serde_json::from_str(self.schema).unwrap_or_default();
        let Self {
            name, description, ..
        } = self;
        json!({"name": name, "description": description, "input_schema": schema}).to_string()
    }
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

/// The same for a conversation, which has a list of what is to be done besides.
pub const CONVERSATION_TOOLS: [Tool; 7] = [
    crate::read::TOOL,
    crate::write::TOOL,
    crate::edit::TOOL,
    crate::glob::TOOL,
    crate::grep::TOOL,
    crate::shell::TOOL,
    crate::todo::TOOL,
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

    /// The call of a block, whatever the model made of its arguments.
    #[must_use]
    pub fn of(name: &str, block: &Block) -> Self {
        let input = block.input().unwrap_or("{}");
        // Small models send the arguments as a string that holds them.
        let input = match serde_json::from_str(input) {
            Ok(Value::String(inner)) => serde_json::from_str(&inner).unwrap_or_default(),
            Ok(input) => input,
            Err(_) => Value::Null,
        };
        Self::new(name, input)
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

    /// The same in at most so many bytes: what is left out is said, and how to ask for less.
    ///
    /// ```
    /// use memdir_tools::Answer;
    ///
    /// let answer = Answer::ok("line\n".repeat(100)).within(10);
    /// assert_eq!(answer.text, "line\nline\n[490 bytes left out: ask for a smaller part]\n");
    /// ```
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let left_out = self.text.len().saturating_sub(bytes);
        if left_out > 0 {
            self.text.truncate(self.text.floor_char_boundary(bytes));
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            self.text.push_str(&format!(
                "[{left_out} bytes left out: ask for a smaller part]\n"
            ));
        }
        self
    }
}
