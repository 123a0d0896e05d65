//! `remember`: something worth keeping becomes a memory, as the agent's word.

use jiff::Timestamp;
use memdir_agent::keep::{Catalogue, Kept, Near, Suggestion, Wanted};
use memdir_memory::draft::{Draft, Given};
use memdir_memory::{MemoryPath, MemoryType, Source, Topic, hidden, private_spans, strip_private};
use memdir_store::{Error, Notice};
use serde::Deserialize;
use serde_json::json;

use super::{Definition, arguments, schema};
use crate::mcp::people::count;
use crate::mcp::refusal::Refusal;
use crate::mcp::room::{Room, day, waits};
use crate::mcp::shown::in_line;

/// What this is called in the history.
const REMEMBER: &str = "remember";
/// The longest text that is taken.
const MAX_TEXT: usize = 256 * 1024;
/// How often another name is tried because somebody else took it in the same instant.
const ATTEMPTS: usize = 100;

pub(super) const TOOL: Definition = Definition {
    name: "remember",
    title: "Remember something",
    description: "Save something worth knowing in later conversations: who the user is, how they want work done and why, decisions and \
                  dates, where things live outside. Not what code, git or instruction files already say. One statement a call. It is \
                  recorded as your conclusion, not as the user's word. With `into` an existing memory is added to.",
    reads: false,
    destroys: false,
    once: true,
    schema: || {
        schema(
            json!({
                "text": {"type": "string", "description": "What to remember, in a sentence or two, with the reason"},
                "type": {
                    "type": "string",
                    "enum": MemoryType::ALL.map(MemoryType::as_str),
                    "description": "user: the person; feedback: how to work; project: who, what, by when; reference: where something is",
                },
                "name": {"type": "string", "description": "A name in a few words"},
                "description": {"type": "string", "description": "One line that says when it matters"},
                "into": {"type": "string", "description": "The memory to add it to, instead of making a new one"},
            }),
            &["text"],
        )
    },
    run: |room, given| {
        let wanted: Arguments = arguments(given)?;
        let mut notes = Vec::new();
        let text = admitted("text", &wanted.text, &mut notes)?;
        let told = match &wanted.into {
            Some(into) => add(room, into, &text, &mut notes)?,
            None => save(room, &text, &wanted, &mut notes)?,
        };
        notes.insert(0, told);
        Ok(notes.join("\n"))
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    text: String,
    r#type: Option<MemoryType>,
    name: Option<String>,
    description: Option<String>,
    into: Option<String>,
}

/// A text as it may be kept: nothing hidden, nothing private, in our line ends.
pub(super) fn open_words(
    what: &str,
    given: &str,
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    if given.len() > MAX_TEXT {
        return Err(Refusal::new(
            format!(
                "The {what} is {} bytes long; a memory has at most {MAX_TEXT}",
                given.len()
            ),
            "Say in a few sentences what is worth keeping, and where the rest is",
        ));
    }
    if given.contains('\0') {
        return Err(Refusal::new(
            format!("The {what} has a NUL character in it"),
            "Memories are text",
        ));
    }
    let lines = given
        .strip_prefix('\u{FEFF}')
        .unwrap_or(given)
        .replace("\r\n", "\n");
    // Only without hidden characters a mark of what is private is seen for certain.
    let clean = hidden::clean(&lines);
    if clean.removed > 0 {
        let removed = count(clean.removed, "invisible character", "invisible characters");
        notes.push(format!("{removed} in the {what} were left out."));
    }
    if private_spans(&clean.text).is_empty() {
        return Ok(clean.text.into_owned());
    }
    notes.push(format!(
        "What is marked <private> was left out of the {what}."
    ));
    // Of the spaces around a span one stays.
    Ok(strip_private(&clean.text).replace("  ", " "))
}

/// The same of a text that must say something.
pub(super) fn admitted(
    what: &str,
    given: &str,
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    let open = open_words(what, given, notes)?;
    match open.trim().is_empty() {
        true => Err(Refusal::new(
            format!(
                "There is nothing to remember: without what is private or hidden the {what} is empty"
            ),
            "Leave it",
        )),
        false => Ok(open.trim_start_matches(['\n', '\r']).trim_end().to_owned()),
    }
}

/// Makes a memory of it, unless there is one that says it.
fn save(
    room: &Room,
    text: &str,
    wanted: &Arguments,
    notes: &mut Vec<String>,
) -> Result<String, Refusal> {
    let mut admit = |what: &str, given: &Option<String>| {
        let given = given.as_deref();
        given.map(|given| admitted(what, given, notes)).transpose()
    };
    let given = Given {
        kind: wanted.r#type,
        name: admit("name", &wanted.name)?,
        description: admit("description", &wanted.description)?,
        expires: None,
    };
    let draft = Draft::new(text, given, day(Timestamp::now()));
    let topic = Topic::from_bytes(draft.compose(Source::Agent, &[]).into_bytes());
    for _ in 0..ATTEMPTS {
        let catalogue = Catalogue::read(room.store())?;
        let likeness = catalogue.compare(&draft.body, &draft.typed);
        if let Some(known) = likeness.known {
            return Ok(format!(
                "Nothing changed: {} says this already.",
                known.path
            ));
        }
        let path = catalogue
            .free_path(draft.memory_type, &draft.name, false)
            .map_err(|problem| Refusal::new(problem.to_string(), "Give it another name"))?;
        let suggestion = Suggestion::of(Wanted::Written {
            path: path.clone(),
            seen: None,
            topic: Box::new(topic.clone()),
        });
        let kept = match room.keep(REMEMBER, suggestion) {
            // Somebody took the name in this very instant.
            Err(_) if room.store().read(&path)?.is_some() => continue,
            kept => kept?,
        };
        notes.extend(near_words(likeness.nearest.as_ref()));
        notes.extend(noticed(&kept));
        if let Some(waits) = waits(&kept) {
            return Ok(waits);
        }
        let described = in_line(&draft.description);
        return Ok(format!(
            "Remembered as {path} ({}): {described}",
            draft.memory_type
        ));
    }
    Err(Refusal::new(
        "Every name for it was taken by somebody else meanwhile",
        "Try again",
    ))
}

fn near_words(near: Option<&Near<'_>>) -> Option<String> {
    let near = near?;
    let opposed = match near.opposed {
        true => ", which may say the opposite: see which of the two holds, and `forget` the other",
        false => ": where it is about the same, `forget` this one and add to that with `into`",
    };
    Some(format!("It is much like {}{opposed}.", near.path))
}

/// Adds a text to a memory that there is.
fn add(room: &Room, into: &str, text: &str, notes: &mut Vec<String>) -> Result<String, Refusal> {
    let scan = room.store().scan()?;
    let path = room.named(&scan, into)?.path.clone();
    let kept = change(
        room,
        REMEMBER,
        &path,
        |topic| Ok(topic.with_paragraph(text)),
    )?;
    notes.extend(noticed(&kept));
    if let Some(waits) = waits(&kept) {
        return Ok(waits);
    }
    Ok(match kept.saved.is_empty() {
        true => format!("Nothing changed: {path} says this already."),
        false => format!("Added to {path}."),
    })
}

/// Changes a memory that there is into what is made of it.
pub(super) fn change(
    room: &Room,
    what: &str,
    path: &MemoryPath,
    edit: impl FnOnce(&Topic) -> Result<Topic, Refusal>,
) -> Result<Kept, Refusal> {
    let seen = room.store().read(path)?;
    let seen = seen.ok_or_else(|| Error::NotFound(path.clone()))?;
    let topic = edit(&Topic::parse(&seen.bytes))?;
    room.keep(
        what,
        Suggestion::of(Wanted::Written {
            path: path.clone(),
            seen: Some(seen),
            topic: Box::new(topic),
        }),
    )
}

/// What was altered on the way to the disk.
pub(super) fn noticed(kept: &Kept) -> Vec<String> {
    let words = kept.notices.iter().map(|notice| match notice {
        Notice::HiddenRemoved {
            path,
            count: removed,
        } => {
            let removed = count(*removed, "invisible character", "invisible characters");
            format!("{removed} were left out of {path}.")
        }
        Notice::SetAside { path, bytes, kept } => {
            let kept = kept.display();
            format!(
                "{path} had {bytes} bytes, too many to be read: it is kept as {kept}, and only its beginning stayed."
            )
        }
        Notice::Redacted { path, rules } => {
            format!(
                "Secrets in {path} were replaced (rules: {}).",
                rules.join(", ")
            )
        }
    });
    words.collect()
}
