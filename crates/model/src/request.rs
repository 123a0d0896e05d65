//! What is asked of a model.

use std::sync::Arc;

use memdir_conversation::{Block, Flat};

/// A request. It is made of pieces of JSON that are already there, so that the same pieces give the same bytes, and with
/// them the provider's cache.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What the model is told before everything, as text blocks; marks for the cache are part of them.
    pub system: &'a [Block],
    /// The tools, each as its JSON in Anthropic's form.
    pub tools: &'a [Arc<str>],
    /// The conversation.
    pub messages: &'a Flat<'a>,
    /// The numbers of the messages that end with a mark for the cache.
    pub marks: &'a [usize],
    /// How many tokens the answer may have, thinking included.
    pub most_output: u64,
    /// Whether to think first.
    pub thinking: Thinking,
    /// How much trouble to take.
    pub effort: Option<Effort>,
    /// The form of the answer.
    pub format: Option<Format<'a>>,
    /// What the provider is to clear from the conversation by itself: its `context_management`, as JSON.
    pub context_editing: Option<&'a str>,
    /// Further fields of the body with their JSON, as the provider knows them; they stand last.
    pub more: &'a [(&'a str, &'a str)],
    /// Names of what is not yet in everybody's version of the provider's API.
    pub betas: &'a [&'a str],
}

impl<'a> Request<'a> {
    /// A plain request: this conversation, at most so many tokens of answer.
    #[must_use]
    pub fn new(messages: &'a Flat<'a>, most_output: u64) -> Self {
        Self {
            system: &[],
            tools: &[],
            messages,
            marks: &[],
            most_output,
            thinking: Thinking::Default,
            effort: None,
            format: None,
            context_editing: None,
            more: &[],
            betas: &[],
        }
    }
}

/// A request holds a conversation: it prints how much of everything there is.
impl std::fmt::Debug for Request<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Request")
            .field("system", &self.system.len())
            .field("tools", &self.tools.len())
            .field("messages", &self.messages.messages.len())
            .field("marks", &self.marks)
            .field("most_output", &self.most_output)
            .field("thinking", &self.thinking)
            .field("effort", &self.effort)
            .field("format", &self.format.map(|format| format.name))
            .field("context_editing", &self.context_editing.is_some())
            .field("more", &self.more.len())
            .field("betas", &self.betas)
            .finish()
    }
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Thinking {
    /// As it does when nobody says anything.
    #[default]
    Default,
    /// Not, where that can be chosen.
    Off,
    /// As it sees fit.
    Adaptive,
    /// With at most so many tokens.
    Budget(u64),
}

/// How much trouble a model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// The least.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Effort {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// The form that an answer has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format<'a> {
    /// A name for it: letters, digits, `_` and `-`.
    pub name: &'a str,
    /// A JSON schema.
    pub schema: &'a str,
}

/// A request as it is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Body {
    /// The JSON; for a program of the user's, its input.
    pub json: Arc<str>,
    /// What the provider is told in its header about betas.
    pub betas: Vec<String>,
    /// How many tokens the answer may have.
    pub most_output: u64,
    /// What a program of the user's is told beside its input.
    pub(crate) beside: Beside,
}

/// What does not stand in the input of a program.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Beside {
    pub(crate) system: String,
    pub(crate) schema: Option<String>,
}

impl Body {
    /// A body in the provider's own form, whoever made it: it is sent byte for byte.
    #[must_use]
    pub fn raw(json: Arc<str>, betas: Vec<String>, most_output: u64) -> Self {
        Self {
            json,
            betas,
            most_output,
            beside: Beside::default(),
        }
    }
}

/// A body holds a conversation: it prints as its size.
impl std::fmt::Debug for Body {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Body({} bytes)", self.json.len())
    }
}

/// Writes an object field by field, from JSON that is already there.
pub(crate) struct Writing {
    json: String,
}

impl Writing {
    pub(crate) fn new(size: usize) -> Self {
        let mut json = String::with_capacity(size);
        json.push('{');
        Self { json }
    }

    pub(crate) fn field(&mut self, name: &str, value: &str) -> &mut Self {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        self.json.push_str(&crate::json::quoted(name));
        self.json.push(':');
        self.json.push_str(value);
        self
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) -> &mut Self {
        let value = crate::json::quoted(value);
        self.field(name, &value)
    }

    pub(crate) fn end(&mut self) -> String {
        self.json.push('}');
        std::mem::take(&mut self.json)
    }
}

/// An array of JSON that is already there.
pub(crate) fn array<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let mut json = String::from("[");
    for item in items {
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(item);
    }
    json.push(']');
    json
}
