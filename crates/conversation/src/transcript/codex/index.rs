//! Which lines of a rollout are the conversation: those that were not taken back.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Seek};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::item;
use crate::Usage;
use crate::transcript::json::{self, Count, Lenient, Text};
use crate::transcript::lines::Lines;
use crate::transcript::{ReadError, Report, said};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) timestamp: Text<'a>,
    #[serde(borrow)]
    pub(super) r#type: Text<'a>,
    #[serde(borrow)]
    pub(super) payload: Option<&'a RawValue>,
}

/// The fields of payloads that are looked at, whichever has them.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Payload<'a> {
    #[serde(borrow)]
    pub(super) r#type: Text<'a>,
    #[serde(borrow)]
    pub(super) role: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) cwd: Text<'a>,
    #[serde(borrow)]
    thread_source: Text<'a>,
    #[serde(borrow)]
    source: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) model: Text<'a>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    pub(super) num_turns: Count,
    model_context_window: Count,
    pub(super) usage: Option<Lenient<Counts>>,
    pub(super) info: Lenient<Info>,
    #[serde(borrow)]
    pub(super) message: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) replacement_history: Option<&'a RawValue>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
pub(super) struct Info {
    pub(super) last_token_usage: Option<Lenient<Counts>>,
    model_context_window: Count,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
pub(super) struct Counts {
    pub(super) input_tokens: Count,
    pub(super) cached_input_tokens: Count,
    pub(super) cache_write_input_tokens: Count,
    pub(super) output_tokens: Count,
}

/// A line that is needed.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) line: u64,
    pub(super) sort: Sort,
    /// Whether the id of the item is its own and not that of an earlier one.
    pub(super) named: bool,
    /// Whether it is the result of a tool, or what the model thought.
    pub(super) unsaid: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// The user begins a turn.
    Turn,
    Item,
    Compacted,
    Usage,
    Settings,
}

/// The lines that are part of the conversation.
#[derive(Default)]
pub(super) struct Index {
    pub(super) entries: Vec<Entry>,
    /// Messages in the user's and the host's name by what they say: compaction writes them again.
    said: HashMap<u64, Vec<(usize, u64)>>,
    turns: Vec<usize>,
    /// Whether an agent speaks in the user's place.
    pub(super) side: bool,
}

impl Payload<'_> {
    /// Whether the thread was begun by an agent, and not by the user.
    fn is_of_agent(&self) -> bool {
        let named = self.thread_source.get().is_some_and(|by| by != "user");
        named || self.source.is_some_and(|by| by.get().contains("subagent"))
    }

    fn is_by_program(&self) -> bool {
        self.source.is_some_and(|by| by.get() == "\"exec\"")
    }
}

impl Index {
    pub(super) fn read<R: Read + Seek>(
        lines: &mut Lines<R>,
        report: &mut Report,
    ) -> Result<Self, ReadError> {
        let mut index = Self::default();
        let mut ids = HashSet::new();
        while let Some(line) = lines.next(report)? {
            let parsed = line.parse(report, serde_json::from_slice::<Line<'_>>, |line| {
                line.payload.is_some()
            });
            let Some((parsed, bytes, offset)) = parsed else {
                continue;
            };
            let payload: Payload<'_> = match parsed.payload {
                Some(_) => json::object(parsed.payload),
                // Of old, items stood in the file as they are.
                None => serde_json::from_slice(bytes).unwrap_or_default(),
            };
            let told = payload.model_context_window.0;
            let told = told.or(payload.info.0.model_context_window.0);
            report.window = told.or(report.window);
            let mut entry = Entry {
                offset,
                length: bytes.len() as u64,
                line: line.number,
                sort: Sort::Item,
                named: payload
                    .id
                    .get()
                    .is_some_and(|id| !id.is_empty() && ids.insert(hash(&id))),
                unsaid: payload
                    .r#type
                    .get()
                    .is_some_and(|kind| kind == "reasoning" || kind.ends_with("_output")),
            };
            entry.sort = match (parsed.r#type.get(), payload.r#type.get()) {
                (Some("response_item"), _)
                | (_, Some("message" | "function_call" | "function_call_output" | "reasoning"))
                    if parsed.r#type.is("response_item") || parsed.payload.is_none() =>
                {
                    index.item(&payload, line.number)
                }
                (Some("compacted"), _) => Sort::Compacted,
                (Some("token_usage_record"), _) | (Some("event_msg"), Some("token_count")) => {
                    Sort::Usage
                }
                (Some("turn_context"), _) => Sort::Settings,
                (Some("event_msg"), Some("thread_rolled_back")) => {
                    index.roll_back(payload.num_turns.0.unwrap_or_default(), report);
                    continue;
                }
                (kind, _) => {
                    if kind == Some("session_meta") || kind.is_none() {
                        // A thread that goes on from another has the head of that one behind its own.
                        if report.session.is_none() {
                            index.side = payload.is_of_agent();
                            report.unattended = payload.is_by_program();
                        }
                        report.session = report.session.take().or(payload.id.get().map(Into::into));
                        report.of_session(payload.id.get());
                        report.cwd = report.cwd.take().or(payload.cwd.get().map(Into::into));
                    }
                    report.skip(kind.unwrap_or("untyped"));
                    continue;
                }
            };
            index.entries.push(entry);
        }
        report.lines = lines.number();
        Ok(index)
    }

    fn item(&mut self, payload: &Payload<'_>, line: u64) -> Sort {
        let Some(content) = payload.content.filter(|_| !payload.role.is("assistant")) else {
            return Sort::Item;
        };
        let places = self.said.entry(meaning(&payload.role, content));
        places.or_default().push((self.entries.len(), line));
        let words = item::words(content);
        let typed = payload.role.is("user") && words.iter().any(|words| !said::is_of_host(words));
        match typed {
            true => {
                self.turns.push(self.entries.len());
                Sort::Turn
            }
            false => Sort::Item,
        }
    }

    /// The last message before a place that says this, by where it stands; none of those that were used.
    pub(super) fn said(&self, meaning: u64, before: usize, used: &HashSet<usize>) -> Option<usize> {
        let places = self.said.get(&meaning)?.iter().rev();
        // What was taken back may have left its place to another.
        let stands = |place: usize, line: u64| {
            self.entries
                .get(place)
                .is_some_and(|entry| entry.line == line)
        };
        places
            .filter(|(place, line)| stands(*place, *line))
            .map(|(place, _)| *place)
            .find(|place| *place < before && !used.contains(place))
    }

    /// The user took back the last turns.
    fn roll_back(&mut self, turns: u64, report: &mut Report) {
        for _ in 0..turns {
            let Some(turn) = self.turns.pop() else {
                return;
            };
            report.abandoned += self.entries.len().saturating_sub(turn) as u64;
            self.entries.truncate(turn);
        }
    }
}

/// The item's own id, or its place.
pub(super) fn name(entry: &Entry, id: Option<&str>) -> String {
    match id.filter(|_| entry.named) {
        Some(id) => id.to_owned(),
        None => format!("line-{}", entry.line),
    }
}

pub(super) fn counted(payload: &Payload<'_>) -> Option<Usage> {
    let counts = payload.usage.or(payload.info.0.last_token_usage)?.0;
    let count = |count: Count| count.0.unwrap_or_default();
    Some(said::usage_within(
        count(counts.input_tokens),
        count(counts.cached_input_tokens),
        count(counts.cache_write_input_tokens),
        count(counts.output_tokens),
    ))
}

pub(super) fn meaning(role: &Text<'_>, content: &RawValue) -> u64 {
    hash(&(role.get(), item::words(content)))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
