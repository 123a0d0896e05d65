//! What a judge found.

use std::fmt;

/// The rules that the judges know. Each has a valid and an invalid case in the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// The request is not an object, or a field has the wrong type.
    Shape,
    /// A field that must be there is not.
    Missing,
    /// `max_tokens` is out of range or contradicts another field.
    MaxTokens,
    /// A role that the API or this model does not take.
    Role,
    /// The first message is not the user's.
    FirstRole,
    /// A `role: "system"` message in a place where it may not stand, or not of text alone.
    SystemPlace,
    /// The request ends with the assistant's words where the model does not continue them.
    Prefill,
    /// A message without content.
    EmptyContent,
    /// A text block without text.
    EmptyText,
    /// A block in a message of a role that cannot have it.
    BlockRole,
    /// An image or document that is not in one of the shapes the API takes.
    Media,
    /// An id of a tool call that the API's pattern does not match.
    IdShape,
    /// Two tool calls with one id.
    DuplicateId,
    /// A tool call without its result in the next message.
    UnansweredCall,
    /// A tool result without its call in the message before.
    OrphanResult,
    /// Two results for one call.
    DuplicateResult,
    /// A tool result that stands behind other content.
    ResultsFirst,
    /// A tool result with content that its kind cannot have.
    ResultContent,
    /// Two tools with one name, or a name out of the pattern.
    ToolName,
    /// `tool_choice` that this model refuses, or that names no tool.
    ToolChoice,
    /// More than four cache marks.
    TooManyMarks,
    /// A cache mark of another kind or time to live than there is.
    MarkShape,
    /// A cache mark on something that cannot carry one.
    MarkPlace,
    /// A longer time to live behind a shorter one.
    MarkOrder,
    /// Thinking switched off, or its budget, where the model does not take it.
    ThinkingMode,
    /// A turn under way that does not begin with its thinking.
    ThinkingFirst,
    /// Thinking with a signature that was never given, or not to this text.
    ThinkingSignature,
    /// Thinking of the latest assistant message that is not as it was sent.
    ThinkingModified,
    /// Thinking whose prefix is not the one it was made with.
    ThinkingBound,
    /// Options of streaming that contradict the rest.
    Stream,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 30] = [
        Self::Shape,
        Self::Missing,
        Self::MaxTokens,
        Self::Role,
        Self::FirstRole,
        Self::SystemPlace,
        Self::Prefill,
        Self::EmptyContent,
        Self::EmptyText,
        Self::BlockRole,
        Self::Media,
        Self::IdShape,
        Self::DuplicateId,
        Self::UnansweredCall,
        Self::OrphanResult,
        Self::DuplicateResult,
        Self::ResultsFirst,
        Self::ResultContent,
        Self::ToolName,
        Self::ToolChoice,
        Self::TooManyMarks,
        Self::MarkShape,
        Self::MarkPlace,
        Self::MarkOrder,
        Self::ThinkingMode,
        Self::ThinkingFirst,
        Self::ThinkingSignature,
        Self::ThinkingModified,
        Self::ThinkingBound,
        Self::Stream,
    ];
}

/// One thing that the API would refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// Where in the request, as the API writes places: `messages.1.content.0` by Anthropic,
    /// `messages[1].content[0]` by OpenAI. Empty for the request as a whole.
    pub path: String,
    /// What the API says, without the path; its own words where they are known.
    pub message: String,
}

impl fmt::Display for Violation {
    /// The path and the message, as the Messages API puts them into its error.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        out.write_str(&self.message)
    }
}

/// Violations as they are found.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) violations: Vec<Violation>,
}

impl Report {
    pub(super) fn add(&mut self, rule: Rule, path: impl fmt::Display, message: impl Into<String>) {
        self.violations.push(Violation {
            rule,
            path: path.to_string(),
            message: message.into(),
        });
    }

    pub(super) fn missing(&mut self, path: impl fmt::Display) {
        self.add(Rule::Missing, path, "Field required");
    }
}
