//! Messages of Anthropic's API. They have no ids: each is named by its place and what it says.

use std::io::{Read, Seek};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::{self, Item};
use super::json::{self, Text};
use super::said::{self, Following, Said};
use super::{ReadError, Report, Sink, Trouble};
use crate::{Block, Message, Role, Source};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Sent<'a> {
    #[serde(borrow)]
    role: Text<'a>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

pub(super) fn read(
    from: impl Read + Seek,
    report: &mut Report,
    to: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let mut following = Following::default();
    document::read(from, &["system", "tools"], report, &mut |item, report| {
        let (number, raw) = match item {
            Item::Message(number, raw) => (number, raw),
            Item::Field(name, raw) => {
                report.field(name, raw.get());
                return std::ops::ControlFlow::Continue(());
            }
        };
        for mut message in messages(number, raw, report) {
            following.follow(&mut message);
            report.messages += 1;
            to(message)?;
        }
        std::ops::ControlFlow::Continue(())
    })
}

/// What one message of a request is made of: the user's words, results and reminders come in one.
fn messages(number: u64, raw: &RawValue, report: &mut Report) -> Vec<Message> {
    let sent: Sent<'_> = match serde_json::from_str(raw.get()) {
        Ok(sent) => sent,
        Err(error) => {
            report.problem(number, Trouble::NotMessage(error.to_string()));
            return Vec::new();
        }
    };
    let blocks = json::blocks(sent.content, |why| {
        report.problem(number, Trouble::Block(why));
    });
    let pieces = |block: Block| match sent.role.get() {
        Some("assistant") => vec![(Source::Model, block)],
        Some("system") => {
            let about = said::reminded(&block.words().unwrap_or_default());
            vec![(Source::Reminder(about), block)]
        }
        _ => said::pieces(block),
    };
    let role = match sent.role.get() {
        Some("assistant") => Role::Assistant,
        Some("system") => Role::System,
        Some("user") => Role::User,
        _ => {
            let why = Trouble::NotMessage("no role that is known".to_owned());
            report.problem(number, why);
            return Vec::new();
        }
    };
    Said {
        id: document::id(number, raw).into(),
        role,
        blocks: blocks.into_iter().flat_map(pieces).collect(),
        at: None,
    }
    .messages()
}
