//! One request: the messages as data, the answer as operations. For hosts that offer one question and one answer, for
//! programs of the user's, and for conversations that hold something private.

mod answer;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_context::ExtractionPrompt;
use memdir_conversation::{Block, Flattening, Message, Source, flatten};
use memdir_memory::draft::{Draft, Given};
use memdir_memory::{MemoryPath, Topic, as_text};
use memdir_model::{Cancel, Format, Request, Stop, Thinks};
use memdir_recall::{Finder, Question, Scope};
use memdir_store::Found;
use memdir_tools::Denied;
use serde_json::{Value, json};

use super::manifest::manifest;
use super::shelf::message_of;
use super::{ExtractError, Extractor, Proposed, Talk};
use crate::keep::{Suggestion, Wanted};
use crate::origin::Window;
use crate::shown::{Detail, Shown, clean, said_in_private};

pub use answer::{Action, Operation, SCHEMA, operations, operations_of_cut};

/// The longest answer.
const ANSWER_TOKENS: u64 = 4_000;
/// What is added for models that think first, whether they are asked to or not.
const THINKING_TOKENS: u64 = 8_000;
/// So many memories are shown whole.
const RELATED: usize = 5;
/// What matters of tools is what was said about them.
const DETAIL: Detail = Detail {
    input: 0,
    result: 1_000,
};
/// A memory of more bytes is only named.
const RELATED_BYTES: usize = 8_000;

/// A memory that is shown whole, so that it can be updated.
struct Related {
    path: MemoryPath,
    found: Found,
}

pub(super) fn run(
    extractor: &Extractor<'_>,
    talk: &Talk<'_>,
    word: &str,
    cancel: &Cancel,
) -> Result<Proposed, ExtractError> {
    let store = extractor.keeper.store;
    let from = talk.visible.len().saturating_sub(talk.messages);
    let new = talk.visible.get(from..).unwrap_or_default();
    let related = related(extractor, new);
    let directory = store.memory_directory().to_string_lossy();
    let system = ExtractionPrompt {
        directory: &directory,
        messages: talk.messages,
        turns: 1,
        manifest: "",
        team: extractor.keeper.team,
        guidelines: extractor.guidelines,
    };
    let system = [Block::text(&system.for_one_request()?)];
    let window = extractor.model.facts().window;
    let manifest = manifest(store)?;
    let memories = manifest.lines().map(|line| json!({ "memory": line }));
    let before: Vec<Value> = memories.chain(related.iter().map(told)).collect();
    let shown = Shown {
        before: &before,
        messages: new,
        private: &said_in_private(talk.visible),
        detail: DETAIL,
        // Half of the window, at the least bytes that a token has; the rest is for everything else.
        most_bytes: usize::try_from(window.saturating_mul(3) / 2).unwrap_or(usize::MAX),
    };
    let (written, seen) = shown.written(word);
    // What did not fit is as if it was not said yet.
    let unseen = new.len().saturating_sub(seen);
    let new = new.get(..seen).unwrap_or_default();
    let asked = Message::user("once", &written);
    let flat = flatten(&[&asked], &Flattening::default());
    let thinking = match extractor.model.facts().thinking {
        Thinks::Always => THINKING_TOKENS,
        Thinks::None | Thinks::Optional => 0,
    };
    let request = Request {
        system: &system,
        format: Some(Format {
            name: "memories",
            schema: SCHEMA,
        }),
        ..Request::new(&flat, ANSWER_TOKENS + thinking)
    };
    let body = extractor.model.body(&request);
    let body = body.map_err(crate::MeterError::from)?;
    let reply = extractor.send(&body, cancel)?;
    let (suggestions, denied) = match &reply.stop {
        // Asked again, it would refuse again.
        Stop::Refusal => (Vec::new(), Vec::new()),
        stop => {
            let read = match stop {
                Stop::MostOutput | Stop::WindowFull => operations_of_cut(&reply.words()),
                _ => operations(&reply.words()),
            };
            proposed(
                extractor,
                read.map_err(ExtractError::Answer)?,
                &related,
                new,
            )
        }
    };
    // The agent may retell now what it read long before.
    let all = talk.visible.iter().copied();
    let window = Window::of(all, extractor.trust, &|file| extractor.is_own(file));
    Ok(Proposed {
        suggestions,
        window: window.citing(new.iter().copied()),
        denied,
        usage: vec![reply.billed.usage],
        ended: "answered".to_owned(),
        unseen,
    })
}

/// A memory that is shown whole.
fn told(related: &Related) -> Value {
    let text = as_text(&related.found.bytes);
    json!({"path": related.path.as_str(), "text": clean(&text)})
}

/// The memories that what the user said is likely about.
fn related(extractor: &Extractor<'_>, new: &[&Message]) -> Vec<Related> {
    let typed: Vec<String> = new
        .iter()
        .flat_map(|message| message.apart().into_owned())
        .filter(|message| message.source == Source::User)
        .map(|message| message.words())
        .collect();
    let typed = typed.join("\n");
    let query = memdir_memory::strip_private(&typed);
    let store = extractor.keeper.store;
    let question = Question {
        limit: RELATED,
        ..Question::new(&query)
    };
    // Without them a memory is at worst created instead of updated, and that is noticed when it is kept.
    let Ok(answer) = Finder::new(store).find(&question) else {
        return Vec::new();
    };
    let own = answer
        .found
        .into_iter()
        .filter(|found| found.scope == Scope::Project);
    own.filter_map(|hit| {
        let found = store.read(&hit.path).ok().flatten()?;
        (found.bytes.len() <= RELATED_BYTES).then_some(Related {
            path: hit.path,
            found,
        })
    })
    .collect()
}

/// What the answer asks for, and what of it is refused.
fn proposed(
    extractor: &Extractor<'_>,
    (operations, slips): (Vec<Operation>, Vec<String>),
    related: &[Related],
    new: &[&Message],
) -> (Vec<Suggestion>, Vec<Denied>) {
    let mut denied: Vec<Denied> = slips.into_iter().map(|why| refusal("", &why)).collect();
    let mut suggestions = Vec::new();
    let last = new
        .iter()
        .rev()
        .find(|message| message.source == Source::User);
    let said = last.and_then(|message| message.at);
    for operation in operations {
        let target = operation.path.clone().unwrap_or_default();
        match wanted(&operation, related, said) {
            Ok(wanted) => suggestions.push(Suggestion {
                message: message_of(operation.evidence.as_deref(), new),
                evidence: operation.evidence,
                team: operation.team && extractor.keeper.team,
                ..Suggestion::of(wanted)
            }),
            Err(why) => denied.push(refusal(&target, &why)),
        }
    }
    (suggestions, denied)
}

fn wanted(
    operation: &Operation,
    related: &[Related],
    said: Option<Timestamp>,
) -> Result<Wanted, String> {
    let shown = |action: &str| {
        let path = operation.path.as_deref().unwrap_or_default();
        let found = related.iter().find(|one| one.path.as_str() == path);
        found.ok_or_else(|| format!("{action} of a memory that was not shown"))
    };
    match operation.action {
        Action::Create => {
            let today = said.unwrap_or_else(Timestamp::now).to_zoned(TimeZone::UTC);
            let given = Given {
                kind: operation.kind,
                name: operation.name.clone(),
                description: operation.description.clone(),
                expires: None,
            };
            let draft = Draft::new(&operation.body, given, today.date());
            Ok(Wanted::Kept(Box::new(draft)))
        }
        Action::Update => {
            let old = shown("update")?;
            let unclear = |_| "its header cannot be edited".to_owned();
            let mut topic = Topic::parse(&old.found.bytes).with_body(operation.body.as_bytes());
            if let Some(description) = &operation.description {
                topic = topic.with_description(description).map_err(unclear)?;
            }
            if let Some(kind) = operation.kind {
                topic = topic.with_type(kind).map_err(unclear)?;
            }
            Ok(Wanted::Written {
                path: old.path.clone(),
                seen: Some(old.found.clone()),
                topic: Box::new(topic),
            })
        }
        Action::Delete => Ok(Wanted::Removed(shown("delete")?.path.clone())),
    }
}

fn refusal(target: &str, why: &str) -> Denied {
    let short = |text: &str| memdir_memory::scrub_to(text, 300);
    Denied {
        tool: "operation".to_owned(),
        target: short(target),
        reason: short(why),
    }
}
