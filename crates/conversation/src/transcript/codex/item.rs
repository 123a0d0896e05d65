//! One item of a response or of what was sent: a message, a call, an answer, reasoning.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json as object};

use crate::transcript::json::{self, Lenient, Text};
use crate::transcript::openai::{input, picture};
use crate::transcript::said::{self, Said};
use crate::{Block, BlockError, Message, Role, Source};

/// What an item is.
pub(super) enum Item {
    /// Something in the user's or the host's name, with where each block comes from.
    Said(Role, Vec<(Source, Block)>),
    /// A piece of a reply.
    Model(Vec<Block>),
    /// What a tool answered.
    Answer(Block),
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Raw<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    arguments: Text<'a>,
    #[serde(borrow)]
    input: Text<'a>,
    #[serde(borrow)]
    call_id: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    action: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow, rename = "internal_chat_message_metadata_passthrough")]
    metadata: Lenient<Metadata<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(borrow)]
    content_item_kinds: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Piece<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    image_url: Text<'a>,
}

/// What the output of a command was wrapped in.
#[derive(Deserialize)]
struct Wrapped<'a> {
    #[serde(borrow)]
    output: Cow<'a, str>,
    #[serde(default)]
    metadata: Lenient<Exit>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Exit {
    exit_code: Option<i64>,
}

impl Item {
    pub(super) fn read(raw: &str, bad: &mut dyn FnMut(String)) -> Self {
        let item: Raw<'_> = serde_json::from_str(raw).unwrap_or_default();
        let id = item.call_id.get().or(item.id.get()).unwrap_or_default();
        let made = match item.r#type.get() {
            Some("message") => return item.message(bad),
            Some(
                "function_call_output" | "custom_tool_call_output" | "local_shell_call_output",
            ) if !id.is_empty() => {
                return Self::Answer(answer(id, item.output));
            }
            Some("function_call") => Block::tool_call(
                id,
                item.name.get().unwrap_or_default(),
                &input(item.arguments.get().unwrap_or("{}")),
            ),
            Some("custom_tool_call") => {
                let input = object!({"input": item.input.get().unwrap_or_default()});
                Block::tool_call(id, item.name.get().unwrap_or_default(), &input.to_string())
            }
            Some("local_shell_call") => {
                Block::tool_call(id, "local_shell", item.action.map_or("{}", RawValue::get))
            }
            // Reasoning and whatever comes next year stays as it came.
            _ => Block::from_json(raw),
        };
        let made = match made {
            Ok(block) if block_is_nameless(&block) => Err(BlockError::Missing("call", "call_id")),
            made => made,
        };
        match made {
            Ok(block) => Self::Model(vec![block]),
            Err(error) => {
                bad(error.to_string());
                Self::Model(Vec::new())
            }
        }
    }

    /// The messages that it is on its own.
    pub(super) fn messages(self, id: &str, at: Option<jiff::Timestamp>) -> Vec<Message> {
        match self {
            Self::Said(role, blocks) => Said {
                id: id.into(),
                role,
                blocks,
                at,
            }
            .messages(),
            Self::Model(blocks) if blocks.is_empty() => Vec::new(),
            Self::Model(blocks) => vec![Message::assistant(id, blocks)],
            Self::Answer(block) => vec![Message::results(id, vec![block])],
        }
    }
}

impl Raw<'_> {
    fn message(&self, bad: &mut dyn FnMut(String)) -> Item {
        let kinds: Vec<Text<'_>> = json::object(self.metadata.0.content_item_kinds);
        let mut kinds = kinds.into_iter();
        let role = match self.role.get() {
            Some("assistant") => Role::Assistant,
            Some("user") => Role::User,
            _ => Role::System,
        };
        let mut blocks = Vec::new();
        for raw in json::array(self.content) {
            let kind = kinds.next().unwrap_or_default();
            let block = match piece(raw) {
                Ok(block) => block,
                Err(error) => {
                    bad(error.to_string());
                    continue;
                }
            };
            match (role, kind.get()) {
                (Role::Assistant, _) => blocks.push((Source::Model, block)),
                (Role::User, Some(kind)) if kind.starts_with("user.") => {
                    blocks.extend(said::placed(block));
                }
                (Role::User, None | Some("unknown")) => blocks.extend(said::pieces(block)),
                _ => {
                    let about = said::reminded(&block.words().unwrap_or_default());
                    blocks.push((Source::Reminder(about), block));
                }
            }
        }
        match role {
            Role::Assistant => Item::Model(blocks.into_iter().map(|(_, block)| block).collect()),
            _ => Item::Said(role, blocks),
        }
    }
}

fn block_is_nameless(block: &Block) -> bool {
    matches!(block.kind(), crate::Kind::ToolCall { id, .. } if id.is_empty())
}

fn piece(raw: &RawValue) -> Result<Block, BlockError> {
    let piece: Piece<'_> = json::object(Some(raw));
    match (piece.r#type.get(), piece.text.get(), piece.image_url.get()) {
        (Some("input_text" | "output_text" | "text"), Some(text), _) => Ok(Block::text(text)),
        (Some("input_image"), _, Some(url)) => Block::from_json(&picture(url)),
        _ => Block::from_json(raw.get()),
    }
}

/// The words of a message's content.
pub(super) fn words(content: &RawValue) -> Vec<String> {
    json::array(Some(content))
        .into_iter()
        .filter_map(|raw| {
            let piece: Piece<'_> = json::object(Some(raw));
            piece.text.get().map(str::to_owned)
        })
        .collect()
}

/// What a tool answered, with whether it failed where that can be told.
fn answer(call: &str, output: Option<&RawValue>) -> Block {
    let Some(output) = output else {
        return Block::tool_result(call, "", false);
    };
    let Ok(text) = serde_json::from_str::<String>(output.get()) else {
        return pieces(call, output);
    };
    if let Ok(wrapped) = serde_json::from_str::<Wrapped<'_>>(&text) {
        let failed = wrapped.metadata.0.exit_code.is_some_and(|code| code != 0);
        return Block::tool_result(call, &wrapped.output, failed);
    }
    let code = text
        .lines()
        .find_map(|line| line.strip_prefix("Exit code: "));
    let failed = code.is_some_and(|code| code.trim() != "0");
    Block::tool_result(call, &text, failed)
}

/// An answer in parts, or with a verdict.
fn pieces(call: &str, output: &RawValue) -> Block {
    let value: Value = serde_json::from_str(output.get()).unwrap_or_default();
    let failed = value.get("success").and_then(Value::as_bool) == Some(false);
    let content = match value.get("content") {
        Some(Value::String(text)) => return Block::tool_result(call, text, failed),
        Some(content) => content,
        None => &value,
    };
    let Some(items) = content.as_array() else {
        return Block::tool_result(call, output.get(), failed);
    };
    let parts: Vec<Value> = items
        .iter()
        .map(|item| {
            let text = item.get("text").and_then(Value::as_str);
            let url = item.get("image_url").and_then(Value::as_str);
            match (text, url) {
                (Some(text), _) => object!({"type": "text", "text": text}),
                (None, Some(url)) => serde_json::from_str(&picture(url)).unwrap_or_default(),
                (None, None) => object!({"type": "text", "text": item.to_string()}),
            }
        })
        .collect();
    let block = object!({"type": "tool_result", "tool_use_id": call, "content": parts});
    Block::from_json(&block.to_string())
        .unwrap_or_else(|_| Block::tool_result(call, output.get(), failed))
}
