//! What the server does, as a person writes it down.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::ScriptError;
use crate::oracle::Traits;

/// A list of steps, and what holds for all of them.
///
/// Written as TOML or JSON, or made from a value:
///
/// ```
/// use memdir_testkit::server::Script;
/// use serde_json::json;
///
/// let script = Script::from_value(json!({
///     "step": [
///         {"times": 1, "fault": {"status": 529}},
///         {"when": {"last_user": "hello"}, "reply": [{"text": "Hello to you."}]},
///         {"reply": [{"text": "What do you mean?"}]}
///     ]
/// }))?;
/// assert_eq!(script.steps.len(), 3);
/// # Ok::<(), memdir_testkit::server::ScriptError>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// Whether requests that break the API's rules are refused.
    pub enforce: bool,
    /// The keys that are taken; any, if there are none here.
    pub keys: Vec<String>,
    /// What time it is for the prompt cache.
    pub clock: ClockKind,
    /// What the token count is multiplied by.
    pub token_factor: f64,
    /// Headers of every answer.
    pub headers: BTreeMap<String, String>,
    /// What differs from what a model's name says.
    pub models: BTreeMap<String, ModelSettings>,
    /// Looked at from the first to the last: the first that fits and is not used up answers.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            enforce: true,
            keys: Vec::new(),
            clock: ClockKind::Still,
            token_factor: 1.0,
            headers: BTreeMap::new(),
            models: BTreeMap::new(),
            steps: Vec::new(),
        }
    }
}

/// Which clock the time to live of cache entries runs by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Time passes only when somebody says so.
    Still,
    /// The computer's, plus what somebody says.
    Real,
}

/// What differs from what a model's name says.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelSettings {
    /// The model whose rules it has.
    pub like: Option<String>,
    /// Fewest tokens of a prefix that is cached.
    pub cache_minimum: Option<u64>,
    /// Most tokens of a request.
    pub window: Option<u64>,
    /// Most tokens of an answer.
    pub longest_output: Option<u64>,
}

/// One answer, and when it is given.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// For the record.
    pub name: String,
    /// How often it may answer; any number of times, if not said.
    pub times: Option<u32>,
    /// What a request must have for this step.
    pub when: When,
    /// The blocks of the answer.
    pub reply: Vec<Block>,
    /// Why the answer ends; found from the blocks if not said.
    pub stop_reason: Option<String>,
    /// What the output is billed as; counted if not said.
    pub output_tokens: Option<u64>,
    /// Further fields of the answer, such as an API may add one day.
    pub extra: Map<String, Value>,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Milliseconds before the first byte.
    pub delay_ms: u64,
    /// Characters of a delta in a stream; 12, if not said.
    pub delta_characters: Option<usize>,
    /// What goes wrong.
    pub fault: Fault,
}

/// What a request must have; all that is said must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// `messages`, `chat`, `responses`, `gemini`, `count_tokens` or `models`; if not said, one of the first four.
    pub endpoint: Option<String>,
    /// A part of the model's name.
    pub model: Option<String>,
    /// A part of the last text of the user.
    pub last_user: Option<String>,
    /// A part of the system prompt.
    pub system: Option<String>,
    /// The last message has tool results, and this is a part of one.
    pub tool_result: Option<String>,
    /// A part of the body as it came.
    pub body: Option<String>,
    /// How many messages of the assistant there are.
    pub turn: Option<usize>,
    /// Whether it asks for a stream.
    pub stream: Option<bool>,
}

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "BlockFields")]
pub enum Block {
    /// Words.
    Text(String),
    /// Thinking; the signature is the server's.
    Thinking(String),
    /// Thinking that is not shown; the data are the server's.
    RedactedThinking,
    /// A call of a tool.
    Call {
        /// The tool's name.
        tool: String,
        /// Its input.
        input: Value,
        /// The id; the server's if not said.
        id: Option<String>,
    },
    /// Any other block, as it stands.
    Raw(Value),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockFields {
    text: Option<String>,
    thinking: Option<String>,
    redacted_thinking: Option<bool>,
    tool: Option<String>,
    input: Option<Value>,
    id: Option<String>,
    raw: Option<Value>,
}

impl TryFrom<BlockFields> for Block {
    type Error = &'static str;

    fn try_from(fields: BlockFields) -> Result<Self, Self::Error> {
        let is_call = fields.tool.is_some();
        let mut kinds = [
            fields.text.map(Self::Text),
            fields.thinking.map(Self::Thinking),
            fields.redacted_thinking.map(|_| Self::RedactedThinking),
            fields.raw.map(Self::Raw),
            fields.tool.map(|tool| Self::Call {
                tool,
                input: fields.input.clone().unwrap_or_else(|| Map::new().into()),
                id: fields.id.clone(),
            }),
        ]
        .into_iter()
        .flatten();
        if !is_call && (fields.input.is_some() || fields.id.is_some()) {
            return Err("`input` and `id` belong to a block with `tool`");
        }
        match (kinds.next(), kinds.next()) {
            (Some(block), None) => Ok(block),
            _ => Err("a block has one of `text`, `thinking`, `redacted_thinking`, `tool`, `raw`"),
        }
    }
}

/// What goes wrong with an answer. Several may be said at once.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fault {
    /// An error instead of an answer, by its HTTP status.
    pub status: Option<u16>,
    /// What the error says; the API's usual words, if not said.
    pub message: Option<String>,
    /// The header `retry-after`: seconds or a date.
    pub retry_after: Option<String>,
    /// The header `retry-after-ms`.
    pub retry_after_ms: Option<u64>,
    /// The request is refused as longer than this, whatever its length.
    pub too_long: Option<u64>,
    /// The body in small pieces with pauses between them.
    pub drip: Option<Drip>,
    /// The connection ends after so many bytes of the body.
    pub cut_after_bytes: Option<usize>,
    /// The connection ends after so many events of the stream.
    pub cut_after_events: Option<usize>,
    /// The connection ends inside the first character of several bytes.
    pub cut_in_character: bool,
    /// Connections that are cut are reset, not closed.
    pub reset: bool,
    /// Silence in the middle of the stream.
    pub silence: Option<Silence>,
    /// The stream ends in good order, but without its last events.
    pub no_end: bool,
    /// A stream of Chat Completions says nothing about usage, whether it was asked for or not.
    pub no_usage: bool,
    /// The body, or the data of an event in the middle of the stream, is not JSON.
    pub invalid_json: bool,
    /// The body, or each event of the stream, is JSON of another shape.
    pub wrong_schema: bool,
    /// An `error` event in the middle of the stream.
    pub error_event: Option<ErrorEvent>,
    /// An event of an unknown type in the middle of the stream.
    pub unknown_event: bool,
}

/// The body in small pieces with pauses between them.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drip {
    /// Bytes of a piece.
    pub bytes: usize,
    /// Milliseconds after each piece.
    #[serde(default)]
    pub every_ms: u64,
}

/// Silence in the middle of the stream.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Silence {
    /// After so many events.
    #[serde(default)]
    pub after_events: usize,
    /// For so long.
    pub ms: u64,
}

/// An `error` event in the middle of the stream, which ends it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorEvent {
    /// After so many events.
    #[serde(default)]
    pub after_events: usize,
    /// Such as `overloaded_error`.
    pub kind: String,
    /// What it says.
    pub message: String,
}

impl Script {
    /// From a JSON value.
    pub fn from_value(value: Value) -> Result<Self, ScriptError> {
        serde_json::from_value(value).map_err(|error| ScriptError::Content(error.to_string()))
    }

    /// From the text of a TOML file.
    pub fn from_toml(text: &str) -> Result<Self, ScriptError> {
        toml::from_str(text).map_err(|error| ScriptError::Content(error.to_string()))
    }

    /// From a file: JSON if its name ends in `.json`, else TOML.
    pub fn load(path: &Path) -> Result<Self, ScriptError> {
        let within = |what: String| ScriptError::File {
            path: path.to_owned(),
            what,
        };
        let text = std::fs::read_to_string(path).map_err(|error| within(error.to_string()))?;
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            serde_json::from_str(&text).map_err(|error| within(error.to_string()))
        } else {
            toml::from_str(&text).map_err(|error| within(error.to_string()))
        }
    }

    /// One text after the other, each once.
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let steps = texts
            .into_iter()
            .map(|text| Step {
                times: Some(1),
                reply: vec![Block::Text(text.to_owned())],
                ..Step::default()
            })
            .collect();
        Self {
            steps,
            ..Self::default()
        }
    }

    /// The rules of a model: those of its name, or of the one it is like, with what differs.
    pub(super) fn traits(&self, model: &str) -> Traits {
        let Some(settings) = self.models.get(model) else {
            return Traits::of(model);
        };
        let mut traits = Traits::of(settings.like.as_deref().unwrap_or(model));
        traits.cache_minimum = settings.cache_minimum.unwrap_or(traits.cache_minimum);
        traits.window = settings.window.unwrap_or(traits.window);
        traits.longest_output = settings.longest_output.unwrap_or(traits.longest_output);
        traits
    }
}
