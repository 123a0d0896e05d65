//! What the client puts beside the conversation: instructions, files, what hooks said.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::{Line, Origin};
use crate::transcript::json::{self, Flag, Lenient, Text};
use crate::transcript::said::{self, Said};
use crate::{Block, Message, Reminded, Role, Source};

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Attachment<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    filename: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    command_mode: Text<'a>,
    #[serde(borrow)]
    origin: Lenient<Origin<'a>>,
    is_meta: Flag,
    #[serde(borrow)]
    memories: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Content<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    file: Lenient<File<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct File<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Rendered<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Remembered<'a> {
    #[serde(borrow)]
    path: Text<'a>,
}

/// What was sent of an attachment: as the client says, or in older ones, which do not, as far as it can be told.
pub(super) fn messages(line: &Line<'_>, bad: &mut dyn FnMut(String)) -> Vec<Message> {
    let attachment: Attachment<'_> = json::object(line.attachment);
    let kind = attachment.r#type.get().unwrap_or_default();
    if kind == "queued_command" && !attachment.command_mode.is("task-notification") {
        return queued(line, &attachment, bad);
    }
    let rendered = json::array(line.rendered);
    if !rendered.is_empty() {
        let blocks: Vec<Block> = rendered
            .into_iter()
            .flat_map(|raw| {
                let rendered: Rendered<'_> = json::object(Some(raw));
                json::blocks(rendered.content, &mut *bad)
            })
            .collect();
        let mut message = line.made(Source::Notice, blocks);
        message.source = Source::Reminder(about(kind, &attachment, &message.words()));
        if !line.rendered_role.is("system") {
            message.role = Role::User;
        }
        return kept(message);
    }
    let content = json::object::<Content<'_>>(attachment.content);
    let (sent, content) = match kind {
        "hook_additional_context" => (true, attachment.content),
        "file" => (true, content.file.0.content),
        "nested_memory" => (true, content.content),
        "hook_system_message" | "hook_blocking_error" => (false, attachment.content),
        _ => return Vec::new(),
    };
    let mut message = line.made(Source::Notice, json::blocks(content, bad));
    if sent {
        message.source = Source::Reminder(about(kind, &attachment, &message.words()));
        message.role = Role::User;
    }
    kept(message)
}

/// What came while the agent was at work: the user typed it, or somebody sent it who is not the user.
fn queued(
    line: &Line<'_>,
    attachment: &Attachment<'_>,
    bad: &mut dyn FnMut(String),
) -> Vec<Message> {
    let human = attachment.origin.0.is_human().or(line.is_by_human());
    let by_user = !attachment.is_meta.0 && human != Some(false);
    let blocks = json::blocks(attachment.prompt, bad).into_iter();
    let pieces = blocks.flat_map(said::pieces);
    Said {
        id: line.uuid.get().unwrap_or_default().into(),
        role: Role::User,
        blocks: match by_user {
            true => pieces.collect(),
            false => pieces.map(said::not_typed).collect(),
        },
        at: line.at(),
    }
    .messages()
}

fn about(kind: &str, attachment: &Attachment<'_>, words: &str) -> Reminded {
    let path = attachment.filename.get().or(attachment.path.get());
    match (kind, path) {
        ("file", Some(path)) => Reminded::Restored(path.to_owned()),
        ("nested_memory", Some(path)) => Reminded::Rules(vec![path.to_owned()]),
        ("relevant_memories", _) => Reminded::Memories(
            json::array(attachment.memories)
                .into_iter()
                .filter_map(|raw| {
                    let memory: Remembered<'_> = json::object(Some(raw));
                    memory.path.get().map(str::to_owned)
                })
                .collect(),
        ),
        _ => said::reminded(words),
    }
}

fn kept(message: Message) -> Vec<Message> {
    match message.blocks.is_empty() {
        true => Vec::new(),
        false => vec![message],
    }
}
