//! `recall`: the few memories that help with something.

use memdir_recall::{Answer, Found, MAX_BYTES, MAX_LINES, Origin, Scope, Silence};
use memdir_store::suggested_origin;
use serde::Deserialize;
use serde_json::json;

use super::{Definition, arguments, schema};
use crate::mcp::people::count;
use crate::mcp::shown::{self, Word};

const LIMIT: usize = 5;
const MOST: usize = 10;

pub(super) const TOOL: Definition = Definition {
    name: "recall",
    title: "Recall memories",
    description: "Find what is remembered about something: preferences, rules, decisions, people, plans, places. Call it when a task \
                  begins and when the user refers to earlier work. Answers with the few memories that help, or with none.",
    reads: true,
    destroys: false,
    once: true,
    schema: || {
        schema(
            json!({
                "query": {"type": "string", "description": "What it is about, in plain words"},
                "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "description": "At most so many memories; 5 by default"},
            }),
            &["query"],
        )
    },
    run: |room, given| {
        let Arguments { query, limit } = arguments(given)?;
        let limit = limit.unwrap_or(LIMIT).clamp(1, MOST);
        Ok(told(&room.find(&query, limit)?))
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
    limit: Option<usize>,
}

fn told(answer: &Answer) -> String {
    let mut told: Vec<String> = answer.found.iter().map(shown_memory).collect();
    if told.is_empty() {
        let silence = match answer.silence {
            _ if answer.memories == 0 => "There are no memories for this project yet.",
            Some(Silence::NothingAsked) => {
                "There is nothing to look for in that: say it in more, or rarer, words."
            }
            Some(Silence::NothingFound) => "No memory has anything to do with that.",
            _ => "No memory is relevant enough. `list` shows what there is.",
        };
        told.push(silence.to_owned());
    }
    if !answer.unread.is_empty() {
        let files = count(answer.unread.len(), "file", "files");
        told.push(format!(
            "{files} could not be searched; `memdir doctor` says why."
        ));
    }
    told.join("\n\n")
}

fn shown_memory(found: &Found) -> String {
    let word = match found.origin() {
        Origin::Own => Word::Own,
        Origin::Foreign(source) => Word::Foreign(source),
        // What was brought in says in its marks whose word it is here.
        Origin::Waiting => {
            Word::Waiting(suggested_origin(found.text.as_bytes()).or(found.header.source))
        }
    };
    let folder = match found.scope {
        Scope::Project => "",
        Scope::Inbox => "inbox/",
        Scope::Everywhere => "everywhere/",
    };
    let name = format!("{folder}{}", found.path);
    let (text, cut) = shown::part(&found.text, (1, 0), MAX_LINES, MAX_BYTES);
    let shown = shown::memory(&name, found.days, word, &text);
    match cut {
        Some(note) => format!("{shown}\n{note} `read` shows the rest."),
        None => shown,
    }
}
