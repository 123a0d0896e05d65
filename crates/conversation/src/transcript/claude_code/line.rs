//! What one line of a session says.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::boundary::{Marks, Metadata};
use super::{attachment, memdir};
use crate::transcript::json::{self, Count, Flag, Lenient, Text};
use crate::transcript::said::{self, Said};
use crate::transcript::{Report, Trouble};
use crate::{Block, Kind, Message, Role, Source, Usage};

/// What is known from elsewhere.
pub(super) struct Context {
    /// Whether it is the conversation of a sub-agent, in which another agent speaks in the user's place.
    pub(super) side: bool,
}

/// What a line gives.
pub(super) enum Part {
    /// Messages, or a piece of one.
    Messages(Vec<Message>),
    /// Here a compaction took place.
    Boundary(Box<(Message, Marks)>),
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    subtype: Text<'a>,
    #[serde(borrow)]
    pub(super) uuid: Text<'a>,
    #[serde(borrow)]
    timestamp: Text<'a>,
    is_meta: Flag,
    is_compact_summary: Flag,
    is_api_error_message: Flag,
    #[serde(borrow)]
    prompt_source: Text<'a>,
    #[serde(borrow)]
    turn_origin: Text<'a>,
    #[serde(borrow)]
    origin: Lenient<Origin<'a>>,
    #[serde(borrow)]
    message: Lenient<Inner<'a>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) attachment: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) rendered: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) rendered_role: Text<'a>,
    #[serde(borrow)]
    compact_metadata: Lenient<Metadata<'a>>,
    #[serde(borrow)]
    memdir: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Origin<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
}

impl Origin<'_> {
    /// Whether it is a person; nothing where that is not said.
    pub(super) fn is_human(&self) -> Option<bool> {
        self.kind.get().map(|kind| kind == "human")
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Inner<'a> {
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    usage: Option<Lenient<Counts>>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
pub(in crate::transcript) struct Counts {
    input_tokens: Count,
    cache_read_input_tokens: Count,
    cache_creation_input_tokens: Count,
    output_tokens: Count,
}

impl From<Counts> for Usage {
    fn from(counts: Counts) -> Self {
        Self {
            input: counts.input_tokens.0.unwrap_or_default(),
            cache_read: counts.cache_read_input_tokens.0.unwrap_or_default(),
            cache_write: counts.cache_creation_input_tokens.0.unwrap_or_default(),
            output: counts.output_tokens.0.unwrap_or_default(),
        }
    }
}

/// What a line says; none where it cannot be read, which is reported.
pub(super) fn part(
    bytes: &[u8],
    number: u64,
    context: &Context,
    report: &mut Report,
) -> Option<Part> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => {
            report.problem(number, Trouble::NotJson("not UTF-8".to_owned()));
            return None;
        }
    };
    let line: Line<'_> = match serde_json::from_str(text) {
        Ok(line) => line,
        Err(error) => {
            report.problem(number, Trouble::NotMessage(error.to_string()));
            return None;
        }
    };
    let mut bad = |why| report.problem(number, Trouble::Block(why));
    let mut messages = match line.r#type.get()? {
        "user" => line.user(context, &mut bad),
        "assistant" => vec![line.assistant(&mut bad)],
        "attachment" => attachment::messages(&line, &mut bad),
        "system" if line.subtype.is("compact_boundary") => {
            let marks = Marks::of(&line.compact_metadata.0);
            let source = Source::Boundary(Box::default());
            let message = line.made(source, Vec::new());
            return Some(Part::Boundary(Box::new((message, marks))));
        }
        "system" => vec![line.made(Source::Notice, line.noticed())],
        _ => return None,
    };
    if let (Some(mark), [message]) = (line.memdir, messages.as_mut_slice()) {
        memdir::restore(mark, message, &mut bad);
    }
    Some(Part::Messages(messages))
}

impl Line<'_> {
    pub(super) fn at(&self) -> Option<jiff::Timestamp> {
        said::time(self.timestamp.get())
    }

    /// A message of this line's id and time in the host's name.
    pub(super) fn made(&self, source: Source, blocks: Vec<Block>) -> Message {
        let id = self.uuid.get().unwrap_or_default();
        let mut message = Message::new(id, Role::System, source, blocks);
        message.at = self.at();
        message
    }

    fn user(&self, context: &Context, bad: &mut dyn FnMut(String)) -> Vec<Message> {
        let blocks = json::blocks(self.message.0.content, bad);
        let whole = match () {
            () if self.memdir.is_some() => Some(Source::User),
            () if self.is_compact_summary.0 => Some(Source::Summary),
            () => None,
        };
        if let Some(source) = whole {
            let mut message = self.made(source, blocks);
            message.role = Role::User;
            return vec![message];
        }
        // A sub-agent is told what to do by an agent, not by the user.
        let by_user = !self.is_meta.0 && !context.side && self.is_by_human() != Some(false);
        let typed = by_user && self.is_by_human() == Some(true);
        let blocks = blocks.into_iter().flat_map(|block| {
            // The client says that it was typed, so it was, whatever it looks like.
            let pieces = match typed && matches!(block.kind(), Kind::Text) && !is_sent(&block) {
                true => said::placed(block),
                false => said::pieces(block),
            };
            pieces.into_iter().map(|piece| match by_user {
                true => piece,
                false => said::not_typed(piece),
            })
        });
        Said {
            id: self.uuid.get().unwrap_or_default().into(),
            role: Role::User,
            blocks: blocks.collect(),
            at: self.at(),
        }
        .messages()
    }

    /// Whether a person wrote it, as far as the client says; older ones say nothing.
    pub(super) fn is_by_human(&self) -> Option<bool> {
        let kind = self.origin.0.is_human();
        let turn = self
            .turn_origin
            .get()
            .map(|turn| matches!(turn, "human" | "sdk"));
        let prompt = self
            .prompt_source
            .get()
            .map(|prompt| matches!(prompt, "typed" | "sdk"));
        kind.or(turn).or(prompt)
    }

    fn assistant(&self, bad: &mut dyn FnMut(String)) -> Message {
        let model = self.message.0.model.get();
        // What the client says in the model's place, such as that the provider could not be reached, is not sent.
        let invented = self.is_api_error_message.0 || model == Some("<synthetic>");
        let source = match invented {
            true => Source::Notice,
            false => Source::Model,
        };
        let mut message = self.made(source, json::blocks(self.message.0.content, bad));
        message.role = Role::Assistant;
        if !invented {
            message.model = model.map(Into::into);
            message.usage = self.message.0.usage.map(|counts| counts.0.into());
        }
        message
    }

    /// The words of a notice, or at least what it is.
    fn noticed(&self) -> Vec<Block> {
        let content = json::blocks(self.content, |_| ());
        match (content.is_empty(), self.subtype.get()) {
            (true, Some(subtype)) => vec![Block::text(subtype)],
            _ => content,
        }
    }
}

/// Whether a client wrote it around or beside what was typed.
fn is_sent(block: &Block) -> bool {
    block.words().is_some_and(|words| {
        words.trim_start().starts_with("<system-reminder>") || said::is_command(&words)
    })
}
