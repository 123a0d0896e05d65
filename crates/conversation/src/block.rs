//! One block of a message, kept as the JSON that it came as.

mod json;
mod marks;

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub(crate) use self::json::quoted;
use self::json::{object, rewritten};
use self::marks::{MARK, Present, has_marked_parts, unmarked_parts};

/// A content block in the form of the Anthropic API. The JSON is kept whole, with its unknown fields and their order;
/// what the rest of the program asks of it is read from there.
#[derive(Clone, PartialEq, Eq)]
pub struct Block {
    json: Arc<str>,
    kind: Kind,
    /// Found once, where the JSON is read: flattening asks every block before every request.
    blank: bool,
    marked: bool,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// A picture.
    Image,
    /// A document, such as a PDF.
    Document,
    /// The model calls a tool.
    ToolCall {
        /// The id that the result must name.
        id: Arc<str>,
        /// The tool.
        name: Arc<str>,
    },
    /// What a tool answered.
    ToolResult {
        /// The id of the call.
        call: Arc<str>,
        /// Whether the tool failed.
        error: bool,
    },
    /// The model's thinking, signed or encrypted: never changed.
    Thinking,
    /// A kind that this version does not know; it goes back as it came.
    Other,
}

/// Why a JSON text is not a block.
#[derive(Debug, thiserror::Error)]
pub enum BlockError {
    /// Not JSON, or not an object with a `type`.
    #[error("not a content block: {0}")]
    Form(#[from] serde_json::Error),
    /// A tool call or result without the id that pairs them.
    #[error("a {0} block without {1}")]
    Missing(&'static str, &'static str),
}

/// A part of what a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words.
    Text(Cow<'a, str>),
    /// A picture or a document, as its JSON.
    Picture(&'a str),
    /// Anything else, as its JSON.
    Other(&'a str),
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    r#type: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    tool_use_id: Option<Cow<'a, str>>,
    is_error: Option<bool>,
    #[serde(default)]
    cache_control: Present,
}

#[derive(Deserialize)]
struct Texts<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    thinking: Option<Cow<'a, str>>,
    #[serde(borrow)]
    r#type: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

impl Block {
    /// A block from its JSON, which is kept byte for byte.
    ///
    /// ```
    /// use memdir_conversation::{Block, Kind};
    ///
    /// let json = r#"{"type":"novelty","of":"next year"}"#;
    /// let block = Block::from_json(json).unwrap();
    /// assert_eq!(block.kind(), &Kind::Other);
    /// assert_eq!(block.json(), json);
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no JSON object with a `type`, or a tool block without its id.
    pub fn from_json(json: &str) -> Result<Self, BlockError> {
        let json = json.trim_matches([' ', '\t', '\n', '\r']);
        let head: Head<'_> = serde_json::from_str(json)?;
        let kind = match head.r#type.as_ref() {
            "text" => Kind::Text,
            "image" => Kind::Image,
            "document" => Kind::Document,
            "thinking" | "redacted_thinking" => Kind::Thinking,
            "tool_use" => Kind::ToolCall {
                id: present(head.id, "tool_use", "id")?,
                name: head
                    .name
                    .map_or_else(|| "".into(), |name| Arc::from(&*name)),
            },
            "tool_result" => Kind::ToolResult {
                call: present(head.tool_use_id, "tool_result", "tool_use_id")?,
                error: head.is_error.unwrap_or(false),
            },
            _ => Kind::Other,
        };
        let blank = kind == Kind::Text
            && texts(json)
                .and_then(|found| found.text)
                .is_some_and(|words| words.trim().is_empty());
        let marked = head.cache_control.0 || has_marked_parts(json, &kind);
        Ok(Self {
            json: Arc::from(json),
            kind,
            blank,
            marked,
        })
    }

    /// Words.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            json: object(&[("type", "text"), ("text", text)]).into(),
            kind: Kind::Text,
            blank: text.trim().is_empty(),
            marked: false,
        }
    }

    /// A call of a tool; `input` is a JSON object.
    ///
    /// # Errors
    ///
    /// When `input` is not JSON.
    pub fn tool_call(id: &str, name: &str, input: &str) -> Result<Self, BlockError> {
        let input: &RawValue = serde_json::from_str(input)?;
        let mut json = object(&[("type", "tool_use"), ("id", id), ("name", name)]);
        json.pop();
        json.push_str(",\"input\":");
        json.push_str(input.get());
        json.push('}');
        Ok(Self {
            json: json.into(),
            kind: Kind::ToolCall {
                id: id.into(),
                name: name.into(),
            },
            blank: false,
            marked: false,
        })
    }

    /// What a tool answered, in words.
    #[must_use]
    pub fn tool_result(call: &str, text: &str, error: bool) -> Self {
        let mut json = object(&[
            ("type", "tool_result"),
            ("tool_use_id", call),
            ("content", text),
        ]);
        if error {
            json.pop();
            json.push_str(",\"is_error\":true}");
        }
        Self {
            json: json.into(),
            kind: Kind::ToolResult {
                call: call.into(),
                error,
            },
            blank: false,
            marked: false,
        }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The JSON, as it came.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The same JSON, shared.
    #[must_use]
    pub fn shared_json(&self) -> Arc<str> {
        Arc::clone(&self.json)
    }

    /// The words of a text block.
    #[must_use]
    pub fn words(&self) -> Option<Cow<'_, str>> {
        match self.kind {
            Kind::Text => texts(&self.json)?.text,
            _ => None,
        }
    }

    /// What was thought, where it can be read.
    #[must_use]
    pub fn thought(&self) -> Option<Cow<'_, str>> {
        match self.kind {
            Kind::Thinking => texts(&self.json)?.thinking,
            _ => None,
        }
    }

    /// The arguments of a tool call, as JSON.
    #[must_use]
    pub fn input(&self) -> Option<&str> {
        match self.kind {
            Kind::ToolCall { .. } => {
                let found: Input<'_> = serde_json::from_str(&self.json).ok()?;
                found.input.map(RawValue::get)
            }
            _ => None,
        }
    }

    /// A string among the arguments of a tool call, such as `file_path`.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<String> {
        let input: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(self.input()?).ok()?;
        input.get(name)?.as_str().map(str::to_owned)
    }

    /// The file that a tool call is about, under the names that agents give the argument.
    #[must_use]
    pub fn file(&self) -> Option<String> {
        let input: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(self.input()?).ok()?;
        [
            "file_path",
            "filePath",
            "notebook_path",
            "path",
            "absolute_path",
        ]
        .iter()
        .find_map(|name| input.get(*name)?.as_str())
        .map(str::to_owned)
    }

    /// The parts of a tool result.
    #[must_use]
    pub fn parts(&self) -> Vec<Part<'_>> {
        if !matches!(self.kind, Kind::ToolResult { .. }) {
            return Vec::new();
        }
        let content = serde_json::from_str::<Content<'_>>(&self.json)
            .ok()
            .and_then(|found| found.content);
        let Some(content) = content else {
            return Vec::new();
        };
        if let Ok(text) = serde_json::from_str::<Cow<'_, str>>(content.get()) {
            return vec![Part::Text(borrowed(content.get(), text))];
        }
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(content.get()) else {
            return vec![Part::Other(content.get())];
        };
        items.into_iter().map(|item| part(item.get())).collect()
    }

    /// The same tool result with other texts: `change` is asked about each and says `None` where it may stay. What it leaves
    /// alone stays byte for byte, and so does every block that is no tool result.
    ///
    /// ```
    /// use memdir_conversation::Block;
    ///
    /// let result = Block::tool_result("a", "one", false);
    /// let louder = result.clone().with_result_texts(&|text| Some(text.to_uppercase()));
    /// assert_eq!(louder.result_text(), "ONE");
    /// assert_eq!(result.clone().with_result_texts(&|_| None), result);
    /// ```
    #[must_use]
    pub fn with_result_texts(self, change: &dyn Fn(&str) -> Option<String>) -> Self {
        if !matches!(self.kind, Kind::ToolResult { .. }) {
            return self;
        }
        let Ok(mut whole) = serde_json::from_str::<serde_json::Value>(&self.json) else {
            return self;
        };
        let changed = whole
            .get_mut("content")
            .is_some_and(|content| change_texts(content, change));
        match changed {
            // It was one before, and is one still.
            true => Self::from_json(&whole.to_string()).unwrap_or(self),
            false => self,
        }
    }

    /// The text of a tool result, its pictures left out.
    #[must_use]
    pub fn result_text(&self) -> String {
        let texts: Vec<String> = self
            .parts()
            .into_iter()
            .filter_map(|part| match part {
                Part::Text(text) => Some(text.into_owned()),
                Part::Picture(_) => None,
                Part::Other(json) => Some(json.to_owned()),
            })
            .collect();
        texts.join("\n")
    }

    /// Whether a provider would refuse it as empty.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.blank
    }

    /// Whether it or a part of it carries a mark for the provider's cache, which is not part of what was said.
    pub(crate) fn is_marked(&self) -> bool {
        self.marked && self.kind != Kind::Thinking
    }

    /// The same block under another id.
    pub(crate) fn renamed(&self, new: &str) -> Self {
        let (key, kind) = match &self.kind {
            Kind::ToolCall { name, .. } => (
                "id",
                Kind::ToolCall {
                    id: new.into(),
                    name: Arc::clone(name),
                },
            ),
            Kind::ToolResult { error, .. } => (
                "tool_use_id",
                Kind::ToolResult {
                    call: new.into(),
                    error: *error,
                },
            ),
            _ => return self.clone(),
        };
        let json = rewritten(&self.json, |name, value| {
            Some(if name == key {
                quoted(new)
            } else {
                value.to_owned()
            })
        });
        Self {
            json: json.into(),
            kind,
            ..*self
        }
    }

    /// The same block without a mark for the provider's cache: marks are set where a request is made.
    pub(crate) fn unmarked(&self) -> Self {
        if !self.is_marked() {
            return self.clone();
        }
        let of_result = matches!(self.kind, Kind::ToolResult { .. });
        let json = rewritten(&self.json, |name, value| match name {
            MARK => None,
            "content" if of_result => Some(unmarked_parts(value)),
            _ => Some(value.to_owned()),
        });
        Self {
            json: json.into(),
            kind: self.kind.clone(),
            blank: self.blank,
            marked: false,
        }
    }
}

impl std::fmt::Debug for Block {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.json)
    }
}

fn present(
    id: Option<Cow<'_, str>>,
    block: &'static str,
    field: &'static str,
) -> Result<Arc<str>, BlockError> {
    match id {
        Some(id) if !id.is_empty() => Ok(Arc::from(&*id)),
        _ => Err(BlockError::Missing(block, field)),
    }
}

/// Changes every text within a value; whether one is another now. The names of fields are no texts.
fn change_texts(value: &mut serde_json::Value, change: &dyn Fn(&str) -> Option<String>) -> bool {
    match value {
        serde_json::Value::String(text) => match change(text) {
            Some(other) => {
                *text = other;
                true
            }
            None => false,
        },
        serde_json::Value::Array(values) => values.iter_mut().fold(false, |changed, value| {
            change_texts(value, change) | changed
        }),
        serde_json::Value::Object(fields) => fields.values_mut().fold(false, |changed, value| {
            change_texts(value, change) | changed
        }),
        _ => false,
    }
}

fn texts(json: &str) -> Option<Texts<'_>> {
    serde_json::from_str(json).ok()
}

fn part(json: &str) -> Part<'_> {
    match texts(json) {
        Some(found) if found.r#type.as_deref() == Some("text") => {
            Part::Text(found.text.unwrap_or_default())
        }
        Some(found) if matches!(found.r#type.as_deref(), Some("image" | "document")) => {
            Part::Picture(json)
        }
        _ => Part::Other(json),
    }
}

/// `Cow<str>` alone always owns with serde; where nothing was escaped the text is the JSON between its quotes.
fn borrowed<'a>(json: &'a str, text: Cow<'_, str>) -> Cow<'a, str> {
    let inner = json
        .trim()
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if inner == text => Cow::Borrowed(inner),
        _ => Cow::Owned(text.into_owned()),
    }
}

impl Serialize for Block {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.json).map_err(serde::ser::Error::custom)?;
        raw.serialize(to)
    }
}
