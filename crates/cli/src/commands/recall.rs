//! `memdir recall`: the few memories that help with something.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use memdir_agent::pauses::PAUSED;
use memdir_memory::{MemoryType, Source, age};
use memdir_recall::{
    Answer, ConversationRecords, Found, HOST_LIMIT, Message, Question, Scope, Silence, Skip,
    take_turn,
};
use serde::Serialize;

use crate::background::is_paused;
use crate::clock::Clock;
use crate::failure::Failure;
use crate::finding::{being_built, warn_of_unread};
use crate::output::{FAINT, Output, STRONG};
use crate::quoting::quoted;
use crate::table::{GAP, count, cut, one_line, push_padded, widest, width};
use crate::workplace::Workplace;

/// More of a question than this is not even read; of this the beginning and the end are looked at.
const MAX_INPUT: u64 = 1024 * 1024;
/// A description with less room than this is not cut further.
const LEAST_DESCRIPTION: usize = 24;

/// Find the memories that help with something
///
/// At most five, the best first, by words and by meaning; none where nothing is relevant enough. Searched are
/// the memories of this project, those for all projects, and what waits in the inbox. No network, no model,
/// no key.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir recall \"when do we deploy\"
  memdir recall --explain friday release
  git log -1 --format=%B | memdir recall -

With --conversation the answer is what an agent would be given in this turn of it: \
nothing that it has already, within its budget, and noted for `memdir why`.

JSON: an array of {path, score, name, description, type, age_days, reasons, source, \
scope}; what is unknown is null, `score` is from 0 to 1, `scope` is project, inbox or everywhere.")]
pub(crate) struct Recall {
    /// What to look for; `-` reads it from standard input
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<OsString>,
    /// At most so many memories
    #[arg(long, value_name = "N", default_value_t = 5)]
    limit: usize,
    /// Say what speaks for each, and how much was searched
    #[arg(long)]
    explain: bool,
    /// Answer also when nothing is relevant enough
    #[arg(long)]
    always: bool,
    /// As a turn of this conversation
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// A tool that the agent is using: how to use it is not worth telling
    #[arg(long = "tool", value_name = "NAME", requires = "conversation")]
    tools: Vec<String>,
}

/// One memory as `--json` prints it.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    score: f64,
    name: Option<&'a str>,
    description: Option<&'a str>,
    r#type: Option<MemoryType>,
    age_days: u64,
    reasons: Vec<String>,
    source: Option<Source>,
    scope: Scope,
}

impl Recall {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let query = self.read_query()?;
        match &self.conversation {
            Some(id) => self.turn(workplace, id, &query, output),
            None => self.answer(workplace, &query, output),
        }
    }

    /// The question. Whatever is no text in it is no word either.
    fn read_query(&self) -> Result<String, Failure> {
        if self.query.iter().all(|word| word != "-") {
            let words: Vec<_> = self
                .query
                .iter()
                .map(|word| word.to_string_lossy())
                .collect();
            return Ok(words.join(" "));
        }
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_INPUT).read_to_end(&mut bytes);
        read.map_err(|error| Failure::new(format!("could not read standard input: {error}"), ""))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn answer(
        &self,
        workplace: &Workplace,
        query: &str,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let clock = Clock::new();
        let question = Question {
            limit: self.limit,
            silence: !self.always,
            now: clock.now(),
            is_over: &|day| day < clock.today(),
            ..Question::new(query)
        };
        let answer = workplace.finder().find(&question)?;
        if output.json {
            output.json(&rows(&answer.found))?;
        } else if answer.found.is_empty() {
            output.line(silence(workplace, &answer))?;
        } else {
            print(&answer.found, self.explain, output)?;
        }
        if self.explain && !output.json {
            let memories = usize::try_from(answer.memories).unwrap_or(usize::MAX);
            let searched = count(memories, "memory", "memories");
            output.line(format!("{FAINT}{searched} searched{FAINT:#}"))?;
        }
        workplace.warn_of_model(output)?;
        if answer.pending > 0 {
            output.flush()?;
            output.warn(being_built(answer.memories, answer.pending));
        }
        warn_of_unread(output, &answer.unread)
    }

    /// What a turn of a conversation is given, noted as given.
    fn turn(
        &self,
        workplace: &Workplace,
        id: &str,
        query: &str,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if is_paused(workplace, id) {
            // For programs the same as in any turn for which there is nothing.
            if output.json {
                return Ok(output.json(&rows(&[]))?);
            }
            let words = format!("pause --resume --conversation {}", quoted(Path::new(id)));
            let back = workplace.command(&words);
            return Ok(output.line(format!("Nothing: {PAUSED}. {back} switches it on again."))?);
        }
        let clock = Clock::new();
        let records = ConversationRecords::new(workplace.store.state_directory());
        let conversation = records.get(id)?;
        let message = Message {
            off: off(workplace),
            tools: &self.tools,
            limit: self.limit,
            host_limit: Some(HOST_LIMIT),
            silence: !self.always,
            is_over: &|day| day < clock.today(),
            ..Message::new(query, clock.now())
        };
        let outcome = take_turn(&workplace.finder(), &conversation, &message)?;
        records.update(id, |conversation| {
            conversation.note_turn(outcome.turn.clone(), &outcome.pieces, &outcome.block);
        })?;
        if output.json {
            return Ok(output.json(&rows(&outcome.found))?);
        }
        if let Some(skip) = outcome.turn.skipped {
            return Ok(output.line(format!("Nothing: {skip}."))?);
        }
        if outcome.block.text.is_empty() {
            let why = workplace.command(&format!("why --conversation {id}"));
            return Ok(output.line(format!("Nothing for this turn. {why} says why."))?);
        }
        Ok(output.line(crate::visible::visible(&outcome.block.text))?)
    }
}

/// The switch that turns recall off for agents, where one does.
fn off(workplace: &Workplace) -> Option<Skip> {
    let places = &workplace.places;
    if !places.memory.enabled {
        Some(Skip::MemoryOff)
    } else if !places.settings.settings().recall.enabled {
        Some(Skip::RecallOff)
    } else {
        None
    }
}

fn rows(found: &[Found]) -> Vec<Row<'_>> {
    let row = |found| Row::new(found);
    found.iter().map(row).collect()
}

impl<'a> Row<'a> {
    fn new(found: &'a Found) -> Row<'a> {
        Row {
            path: found.path.as_str(),
            // As many digits as mean something.
            score: (f64::from(found.score) * 1e4).round() / 1e4,
            name: found.header.name.as_deref(),
            description: found.header.description.as_deref(),
            r#type: found.kind(),
            age_days: found.days,
            reasons: found.reasons.iter().map(ToString::to_string).collect(),
            source: found.header.source,
            scope: found.scope,
        }
    }
}

/// Why there is no answer, and what to do about it.
fn silence(workplace: &Workplace, answer: &Answer) -> String {
    if answer.memories == 0 {
        return super::list::nothing_yet(workplace);
    }
    match answer.silence {
        Some(Silence::NothingAsked) => {
            "There is nothing to look for in that: say it in more, or rarer, words.".to_owned()
        }
        Some(Silence::NothingFound) => "No memory has anything to do with that.".to_owned(),
        _ => "No memory is relevant enough. --always shows the nearest.".to_owned(),
    }
}

fn print(found: &[Found], explain: bool, output: &mut Output) -> Result<(), Failure> {
    let paths: Vec<String> = found.iter().map(shown_path).collect();
    let ages: Vec<String> = found
        .iter()
        .map(|found| age::describe(found.days))
        .collect();
    let path_width = widest(paths.iter().map(String::as_str));
    let kind_width = widest(found.iter().map(kind));
    let age_width = widest(ages.iter().map(String::as_str));
    for ((found, path), age) in found.iter().zip(&paths).zip(&ages) {
        let mut row = format!("{FAINT}{:.2}{FAINT:#}{GAP}{STRONG}", found.score);
        push_padded(&mut row, path, path_width);
        row.push_str(&format!("{STRONG:#}{GAP}"));
        push_padded(&mut row, kind(found), kind_width);
        row.push_str(&format!("{GAP}{FAINT}"));
        push_padded(&mut row, age, age_width);
        row.push_str(&format!("{FAINT:#}{GAP}"));
        let before = 4 + path_width + kind_width + age_width + 4 * width(GAP);
        let room = output.width.map_or(usize::MAX, |width| {
            width.saturating_sub(before).max(LEAST_DESCRIPTION)
        });
        let description = found
            .header
            .description
            .as_deref()
            .unwrap_or("(no description)");
        row.push_str(&cut(&one_line(description), room));
        output.line(row)?;
        if explain && !found.reasons.is_empty() {
            let reasons: Vec<String> = found.reasons.iter().map(ToString::to_string).collect();
            let reasons = one_line(&reasons.join(", ")).into_owned();
            output.line(format!("      {FAINT}{reasons}{FAINT:#}"))?;
        }
    }
    Ok(())
}

fn shown_path(found: &Found) -> String {
    let path = one_line(found.path.as_str());
    match found.scope {
        Scope::Project => path.into_owned(),
        Scope::Inbox => format!("{path} (inbox)"),
        Scope::Everywhere => format!("{path} (everywhere)"),
    }
}

fn kind(found: &Found) -> &'static str {
    found.kind().map_or("-", MemoryType::as_str)
}
