//! What our own transcripts say beyond the client's form, in a field of each line that the client does not look at.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::transcript::json;
use crate::wire::{Api, Wire};
use crate::{Message, Reminded, Role, Source};

/// The field `memdir` of a line.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
pub(in crate::transcript) struct Mark<'a> {
    #[serde(borrow)]
    source: Cow<'a, str>,
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    about: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Vec::is_empty")]
    paths: Vec<Cow<'a, str>>,
    /// Blocks that have no place in the client's own fields.
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    pub(in crate::transcript) blocks: Option<Cow<'a, RawValue>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    wire: Option<RawWire<'a>>,
}

#[derive(Serialize, Deserialize)]
struct RawWire<'a> {
    #[serde(borrow)]
    api: Cow<'a, str>,
    /// As a string, for its bytes are the point.
    #[serde(borrow)]
    json: Cow<'a, str>,
}

impl<'a> Mark<'a> {
    pub(in crate::transcript) fn of(message: &'a Message) -> Self {
        let (source, about, paths) = match &message.source {
            Source::User => ("user", None, Vec::new()),
            Source::Model => ("model", None, Vec::new()),
            Source::Tool => ("tool", None, Vec::new()),
            Source::Summary => ("summary", None, Vec::new()),
            Source::Boundary(_) => ("boundary", None, Vec::new()),
            Source::Notice => ("notice", None, Vec::new()),
            Source::Reminder(about) => {
                let (about, paths) = match about {
                    Reminded::Context => ("context", Vec::new()),
                    Reminded::Memories(paths) => ("memories", borrowed(paths)),
                    Reminded::Rules(paths) => ("rules", borrowed(paths)),
                    Reminded::Restored(path) => ("restored", vec![Cow::Borrowed(path.as_str())]),
                };
                ("reminder", Some(about), paths)
            }
        };
        Self {
            source: source.into(),
            role: match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::System => "system",
            }
            .into(),
            about: about.map(Into::into),
            paths,
            blocks: None,
            wire: message.wire.as_ref().map(|wire| RawWire {
                api: match wire.api {
                    Api::Anthropic => "anthropic",
                    Api::OpenAi => "openai",
                }
                .into(),
                json: Cow::Borrowed(&wire.json),
            }),
        }
    }
}

fn borrowed(paths: &[String]) -> Vec<Cow<'_, str>> {
    paths
        .iter()
        .map(|path| Cow::Borrowed(path.as_str()))
        .collect()
}

/// Makes of a message what it was when we wrote it. A mark that cannot be read changes nothing.
pub(super) fn restore(mark: &RawValue, message: &mut Message, bad: &mut dyn FnMut(String)) {
    let Ok(mark) = serde_json::from_str::<Mark<'_>>(mark.get()) else {
        bad("a field `memdir` that cannot be read".to_owned());
        return;
    };
    let mut paths = mark.paths.into_iter().map(Cow::into_owned);
    message.source = match &*mark.source {
        "user" => Source::User,
        "model" => Source::Model,
        "tool" => Source::Tool,
        "summary" => Source::Summary,
        "reminder" => Source::Reminder(match mark.about.as_deref() {
            Some("memories") => Reminded::Memories(paths.collect()),
            Some("rules") => Reminded::Rules(paths.collect()),
            Some("restored") => Reminded::Restored(paths.next().unwrap_or_default()),
            _ => Reminded::Context,
        }),
        _ => Source::Notice,
    };
    message.role = match &*mark.role {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => Role::System,
    };
    if let Some(blocks) = mark.blocks {
        message.blocks = json::blocks(Some(&blocks), bad);
    }
    message.wire = mark.wire.map(|wire| Wire {
        api: match &*wire.api {
            "openai" => Api::OpenAi,
            _ => Api::Anthropic,
        },
        json: wire.json.as_ref().into(),
    });
}
