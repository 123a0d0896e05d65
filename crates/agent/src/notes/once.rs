//! One request: the notes and the messages as data, the sections that change as the answer.

use memdir_context::notes::{Notes, Template, once_prompt};
use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Cancel, Format, Request, Stop, Thinks};
use memdir_tools::Denied;
use serde_json::{Value, json};

use super::{NoteTaker, NotesError, Standing, Taken};
use crate::MeterError;
use crate::json_in::{json_in, whole_objects};
use crate::shown::{Detail, Shown, clean, said_in_private};

/// The form of the answer.
const SCHEMA: &str = r#"{"type":"object","properties":{"sections":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"text":{"type":"string"}},"required":["title","text"],"additionalProperties":false}}},"required":["sections"],"additionalProperties":false}"#;
/// What an answer has beside the notes.
const FRAME_TOKENS: u64 = 2_000;
/// What is added for models that think first, whether they are asked to or not.
const THINKING_TOKENS: u64 = 8_000;
/// Files and commands are what notes are about.
const DETAIL: Detail = Detail {
    input: 1_000,
    result: 2_000,
};

pub(super) fn run(
    taker: &NoteTaker<'_>,
    visible: &[&Message],
    standing: &Standing,
    word: &str,
    cancel: &Cancel,
) -> Result<Taken, NotesError> {
    let from = new_from(taker, visible, standing)?;
    let new = visible.get(from..).unwrap_or_default();
    if new.is_empty() {
        return Ok(Taken {
            text: standing.text.clone(),
            covers: visible.len(),
            whole: true,
            denied: Vec::new(),
            usage: Vec::new(),
            ended: "nothing was said since",
        });
    }
    let system = once_prompt(taker.template, taker.prompt, &taker.limits);
    let system = [Block::text(&system)];
    let sections = taker.template.titles().zip(standing.notes.contents());
    let before: Vec<Value> = sections
        .map(|(title, text)| json!({"section": title, "text": clean(text)}))
        .collect();
    let facts = taker.model.facts();
    let shown = Shown {
        before: &before,
        messages: new,
        private: &said_in_private(visible),
        detail: DETAIL,
        // Half of the window, at the least bytes that a token has; the rest is for everything else.
        most_bytes: usize::try_from(facts.window.saturating_mul(3) / 2).unwrap_or(usize::MAX),
    };
    let (written, seen) = shown.written(word);
    let asked = Message::user("once", &written);
    let flat = flatten(&[&asked], &Flattening::default());
    let thinking = match facts.thinking {
        Thinks::Always => THINKING_TOKENS,
        Thinks::None | Thinks::Optional => 0,
    };
    let most = taker.limits.total.saturating_add(FRAME_TOKENS + thinking);
    let request = Request {
        system: &system,
        format: Some(Format {
            name: "notes",
            schema: SCHEMA,
        }),
        ..Request::new(&flat, most.min(facts.output.max(1)))
    };
    let body = taker.model.body(&request).map_err(MeterError::from)?;
    let reply = taker.send(&body, cancel)?;
    let cut = matches!(reply.stop, Stop::MostOutput | Stop::WindowFull);
    let (text, denied) = match &reply.stop {
        // Asked again, it would refuse again.
        Stop::Refusal => (standing.text.clone(), Vec::new()),
        _ => edited(taker.template, &standing.notes, &reply.words(), cut)?,
    };
    Ok(Taken {
        text,
        covers: from + seen,
        // What an answer that broke off would have said of the messages nobody knows.
        whole: !cut,
        denied,
        usage: vec![reply.billed.usage],
        ended: if cut { "cut off" } else { "answered" },
    })
}

/// Where what the notes do not have yet begins; notes in which nothing stands have nothing.
fn new_from(
    taker: &NoteTaker<'_>,
    visible: &[&Message],
    standing: &Standing,
) -> Result<usize, NotesError> {
    if standing.notes.is_bare(taker.template) {
        return Ok(0);
    }
    let state = taker.state()?;
    let found = |covered: &str| visible.iter().position(|one| one.id.as_str() == covered);
    let covered = state.covered.as_deref().and_then(found);
    Ok(covered.map_or(0, |covered| covered + 1))
}

/// The notes with the sections of an answer, and what of it is refused. Sections without a text stay as they are: an answer
/// that forgets one empties none. An answer that is a whole file is taken as that.
fn edited(
    template: &Template,
    notes: &Notes,
    answer: &str,
    cut: bool,
) -> Result<(String, Vec<Denied>), NotesError> {
    let sections = match sections(answer, cut) {
        Ok(sections) => sections,
        Err(_) if Notes::read(template, answer).is_some() => {
            return Ok((answer.to_owned(), Vec::new()));
        }
        Err(why) => return Err(NotesError::Answer(why.to_owned())),
    };
    let mut notes = notes.clone();
    let mut denied = Vec::new();
    for (title, text) in sections.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match notes.with(template, title, text) {
            Some(with) => notes = with,
            None => denied.push(Denied {
                tool: "section".to_owned(),
                target: clean(title).chars().take(80).collect(),
                reason: "there is no such section in the notes".to_owned(),
            }),
        }
    }
    Ok((template.print(&notes), denied))
}

/// Titles and texts; a bare list and an object with the titles as names are the slips of small models.
fn sections(answer: &str, cut: bool) -> Result<Vec<(String, String)>, &'static str> {
    let value = match json_in(answer) {
        Ok(value) => value,
        Err(_) if cut => Value::Array(whole_objects(answer)),
        Err(why) => return Err(why),
    };
    let list = match value {
        Value::Array(list) => list,
        Value::Object(mut object) => match object.remove("sections") {
            Some(Value::Array(list)) => list,
            Some(Value::Object(titles)) => return Ok(named(titles)),
            Some(_) => return Err("`sections` is no list"),
            None if object.contains_key("title") => vec![Value::Object(object)],
            None => return Ok(named(object)),
        },
        _ => return Err("it is neither an object nor a list"),
    };
    let field = |one: &Value, name: &str| Some(one.get(name)?.as_str()?.to_owned());
    let pair = |one: &Value| Some((field(one, "title")?, field(one, "text")?));
    Ok(list.iter().filter_map(pair).collect())
}

fn named(titles: serde_json::Map<String, Value>) -> Vec<(String, String)> {
    let texts = titles.into_iter();
    texts
        .filter_map(|(title, text)| Some((title, text.as_str()?.to_owned())))
        .collect()
}
