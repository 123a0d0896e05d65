//! Transcripts of our own, in the form of Claude Code's.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::claude_code::Mark;
use crate::block::quoted;
use crate::{Block, Boundary, Kind, Message, MessageId, Role, Source, Trigger, Usage};

/// What stands as `entrypoint` in our lines.
const ENTRYPOINT: &str = "memdir";

/// Writes the lines of a transcript, which a host appends to its file. Reading them back gives the same messages.
///
/// What is given is written: a host cuts out what the user marked as private before.
///
/// The ids of messages become the ids of lines. Claude Code expects UUIDs there, and as the name of the session; hosts
/// that want it to resume their conversations give such.
///
/// ```
/// use memdir_conversation::{Message, transcript::Writer};
///
/// let mut writer = Writer::new("5d1c4e3a-0000-4000-8000-000000000000", "/home/me/project", "1.0.0");
/// let said = Message::user("5d1c4e3a-0000-4000-8000-000000000001", "use tabs");
/// let line = writer.lines(&said, "2026-11-15T12:00:00Z".parse().unwrap());
/// assert!(line.starts_with(r#"{"parentUuid":null,"#) && line.ends_with("}\n"));
/// ```
#[derive(Debug, Clone)]
pub struct Writer {
    session: String,
    cwd: String,
    version: String,
    /// The last line written.
    last: Option<String>,
    /// How many lines each message has.
    written: HashMap<MessageId, usize>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    parent_uuid: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_parent_uuid: Option<&'a str>,
    is_sidechain: bool,
    r#type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subtype: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compact_metadata: Option<Value>,
    #[serde(skip_serializing_if = "is_false")]
    is_meta: bool,
    #[serde(skip_serializing_if = "is_false")]
    is_compact_summary: bool,
    #[serde(skip_serializing_if = "is_false")]
    is_visible_in_transcript_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<Value>,
    uuid: &'a str,
    timestamp: String,
    user_type: &'a str,
    entrypoint: &'a str,
    cwd: &'a str,
    session_id: &'a str,
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    memdir: Option<Mark<'a>>,
}

// serde hands a reference.
#[expect(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !*value
}

impl Writer {
    /// A writer for a new transcript.
    #[must_use]
    pub fn new(session: &str, cwd: &str, version: &str) -> Self {
        Self {
            session: session.to_owned(),
            cwd: cwd.to_owned(),
            version: version.to_owned(),
            last: None,
            written: HashMap::new(),
        }
    }

    /// Goes on behind a message that an earlier writer wrote to the same file.
    pub fn resume(&mut self, message: &Message) {
        let lines = line_count(message);
        self.last = Some(line_id(&message.id, lines.saturating_sub(1)));
        self.written.insert(message.id.clone(), lines);
    }

    /// The lines of a message, each with its line break; a message without a time has `now`.
    #[must_use]
    pub fn lines(&mut self, message: &Message, now: Timestamp) -> String {
        let at = message.at.unwrap_or(now).to_string();
        let mut written = String::new();
        match &message.source {
            Source::Boundary(boundary) => self.boundary(&mut written, message, boundary, at),
            Source::Notice => self.notice(&mut written, message, at),
            _ if message.role == Role::Assistant => self.reply(&mut written, message, &at),
            _ => self.said(&mut written, message, at),
        }
        self.resume(message);
        written
    }

    fn line<'a>(&'a self, kind: &'a str, uuid: &'a str, timestamp: String) -> Line<'a> {
        Line {
            parent_uuid: self.last.as_deref(),
            r#type: kind,
            uuid,
            timestamp,
            user_type: "external",
            entrypoint: ENTRYPOINT,
            cwd: &self.cwd,
            session_id: &self.session,
            version: &self.version,
            ..Line::default()
        }
    }

    fn said(&self, written: &mut String, message: &Message, at: String) {
        let body = format!(
            r#"{{"role":"user","content":{}}}"#,
            content(&message.blocks)
        );
        let body = raw(&body);
        let mut line = self.line("user", message.id.as_str(), at);
        line.message = body.as_deref();
        line.memdir = Some(Mark::of(message));
        match message.source {
            Source::User => {
                line.prompt_source = Some("typed");
                line.origin = Some(json!({"kind": "human"}));
            }
            Source::Reminder(_) => line.is_meta = true,
            Source::Summary => {
                line.is_compact_summary = true;
                line.is_visible_in_transcript_only = true;
            }
            _ => {}
        }
        push(written, &line);
    }

    /// A reply: a line for each block.
    fn reply(&self, written: &mut String, message: &Message, at: &str) {
        let calls = |block: &Block| matches!(block.kind(), Kind::ToolCall { .. });
        let stop = match message.blocks.iter().any(calls) {
            true => "tool_use",
            false => "end_turn",
        };
        let mut parent = self.last.clone();
        for number in 0..line_count(message) {
            let block = message
                .blocks
                .get(number)
                .map(|block| one_line(block.json()));
            let mut body = format!(
                r#"{{"id":{},"type":"message","role":"assistant""#,
                quoted(&format!("msg_{}", message.id))
            );
            if let Some(model) = &message.model {
                body.push_str(&format!(r#","model":{}"#, quoted(model)));
            }
            body.push_str(&format!(
                r#","content":[{}],"stop_reason":"{stop}","stop_sequence":null"#,
                block.unwrap_or_default()
            ));
            if let Some(usage) = &message.usage {
                body.push_str(&format!(r#","usage":{}"#, counts(usage)));
            }
            body.push('}');
            let body = raw(&body);
            let uuid = line_id(&message.id, number);
            let mut line = self.line("assistant", &uuid, at.to_owned());
            line.parent_uuid = parent.as_deref();
            line.message = body.as_deref();
            let plain = message.source == Source::Model && message.wire.is_none();
            line.memdir = (!plain && number == 0).then(|| Mark::of(message));
            push(written, &line);
            parent = Some(uuid);
        }
    }

    fn notice(&self, written: &mut String, message: &Message, at: String) {
        let words = message.words();
        let blocks = raw(&array(&message.blocks));
        let mut mark = Mark::of(message);
        if !matches!(message.blocks.as_slice(), [only] if *only == Block::text(&words)) {
            mark.blocks = blocks.map(std::borrow::Cow::Owned);
        }
        let mut line = self.line("system", message.id.as_str(), at);
        line.subtype = Some("informational");
        line.content = Some(&words);
        line.level = Some("info");
        line.memdir = Some(mark);
        push(written, &line);
    }

    fn boundary(&self, written: &mut String, message: &Message, boundary: &Boundary, at: String) {
        let trigger = match boundary.trigger {
            Trigger::Auto => "auto",
            Trigger::Manual => "manual",
            Trigger::TooLong => "too_long",
        };
        let anchor = boundary.anchor.as_ref().unwrap_or(&message.id);
        let kept: Vec<String> = boundary
            .kept
            .iter()
            .filter_map(|id| Some((id, *self.written.get(id)?)))
            .flat_map(|(id, lines)| (0..lines).map(move |number| line_id(id, number)))
            .collect();
        let mut metadata = json!({"trigger": trigger});
        let mut set = |name: &str, value: Value| {
            if let Some(metadata) = metadata.as_object_mut() {
                metadata.insert(name.to_owned(), value);
            }
        };
        if let Some(tokens) = boundary.tokens_before {
            set("preTokens", tokens.into());
        }
        if let Some(tokens) = boundary.tokens_after {
            set("postTokens", tokens.into());
        }
        if let (Some(head), Some(tail)) = (kept.first(), kept.last()) {
            let anchor = anchor.as_str();
            set(
                "preservedSegment",
                json!({"headUuid": head, "anchorUuid": anchor, "tailUuid": tail}),
            );
        }
        set(
            "preservedMessages",
            json!({"anchorUuid": anchor.as_str(), "uuids": kept, "allUuids": kept}),
        );
        let mut line = self.line("system", message.id.as_str(), at);
        line.logical_parent_uuid = line.parent_uuid.take();
        line.subtype = Some("compact_boundary");
        line.content = Some("Conversation compacted");
        line.level = Some("info");
        line.compact_metadata = Some(metadata);
        push(written, &line);
    }
}

fn line_count(message: &Message) -> usize {
    let sent = message.role == Role::Assistant && message.is_sent();
    match sent {
        true => message.blocks.len().max(1),
        false => 1,
    }
}

/// The id of a line: the message's own for its first, for later ones a UUID made from it.
fn line_id(id: &MessageId, number: usize) -> String {
    match number {
        0 => id.as_str().to_owned(),
        _ => uuid_of(&format!("{id}.{number}")),
    }
}

/// A UUID for a name that is none, the same every time.
///
/// ```
/// use memdir_conversation::transcript::uuid_of;
///
/// assert_eq!(uuid_of("line-12"), uuid_of("line-12"));
/// assert_eq!(uuid_of("line-12").len(), 36);
/// ```
#[must_use]
pub fn uuid_of(name: &str) -> String {
    // FNV-1a of 128 bits: the same for ever, which the hashers of the standard library do not promise.
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for byte in name.bytes() {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    // Version 8, of one's own making, in the variant of RFC 9562.
    let hash = hash & !(0xf << 76) & !(0x3 << 62) | 0x8 << 76 | 0x2 << 62;
    let part = |shift: u32, bits: u32| (hash >> shift) & ((1 << bits) - 1);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        part(96, 32),
        part(80, 16),
        part(64, 16),
        part(48, 16),
        part(0, 48)
    )
}

/// A string where it is only words, as the client writes it; else the blocks.
fn content(blocks: &[Block]) -> String {
    match blocks {
        [only] => match only.words().filter(|words| Block::text(words) == *only) {
            Some(words) => quoted(&words),
            None => array(blocks),
        },
        _ => array(blocks),
    }
}

fn array(blocks: &[Block]) -> String {
    let blocks: Vec<_> = blocks.iter().map(|block| one_line(block.json())).collect();
    format!("[{}]", blocks.join(","))
}

/// JSON that was spread over lines, on one: a line break in JSON is never part of a string.
fn one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

fn counts(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "output_tokens": usage.output,
    })
}

fn raw(json: &str) -> Option<Box<RawValue>> {
    RawValue::from_string(json.to_owned()).ok()
}

fn push(written: &mut String, line: &Line<'_>) {
    // Strings and numbers only: writing them cannot fail.
    if let Ok(json) = serde_json::to_string(line) {
        written.push_str(&json);
        written.push('\n');
    }
}
