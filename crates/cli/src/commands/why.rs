//! `memdir why`: what the last turns were given, and what was held back.

use std::path::Path;

use clap::Args;
use jiff::Timestamp;
use memdir_memory::age;
use memdir_recall::{Conversation, ConversationRecords, Partial, Skip, Turn};
use serde::Serialize;

use crate::failure::Failure;
use crate::finding::being_built;
use crate::moment;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{count, one_line};
use crate::workplace::Workplace;

/// Bytes of a token, roughly, in the languages that memories are written in.
const TOKEN_BYTES: u64 = 4;

/// What the last turns were given, and which gate held the rest back
///
/// For each turn: the memories that the agent was given, why, how old and how large they are; and those that came close
/// and were held back, with the reason. A turn is noted where an agent asks, by hook or by
/// `memdir recall --conversation`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir why
  memdir why --conversation 7f3c-01 --turns 1

JSON: {conversation, turns}; a turn has {at, query, skipped, given, refused, selector}; `given` has \
{path, score, age_days, bytes, tokens, reasons}, `refused` has {path, score, gate}, `selector` is null or has {chosen, shown, \
said}: what the model that selects chose, and what became of it; `partial` has {searched, memories} where the index was still \
being built.")]
pub(crate) struct Why {
    /// Which conversation; without it the one with the latest turn
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
    /// How many turns, the latest last
    #[arg(long, value_name = "N", default_value_t = 3)]
    turns: usize,
}

#[derive(Serialize)]
struct Report<'a> {
    conversation: Option<&'a str>,
    turns: Vec<TurnRow<'a>>,
}

#[derive(Serialize)]
struct TurnRow<'a> {
    at: Timestamp,
    query: &'a str,
    skipped: Option<Skip>,
    given: Vec<GivenRow<'a>>,
    refused: &'a [memdir_recall::Refused],
    selector: Option<&'a memdir_recall::Selected>,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
}

#[derive(Serialize)]
struct GivenRow<'a> {
    path: &'a str,
    score: f64,
    age_days: u64,
    bytes: u64,
    tokens: u64,
    reasons: &'a [String],
}

impl Why {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let records = ConversationRecords::new(workplace.store.state_directory());
        let found: Option<(String, Conversation)> = match &self.conversation {
            Some(id) => Some((id.clone(), records.get(id)?)),
            None => records.all()?.pop(),
        };
        let found = found.filter(|(_, conversation)| !conversation.turns().is_empty());
        let (id, turns) = match &found {
            Some((id, conversation)) => {
                let turns = conversation.turns();
                let from = turns.len().saturating_sub(self.turns);
                (Some(id.as_str()), turns.get(from..).unwrap_or_default())
            }
            None => (None, [].as_slice()),
        };
        if output.json {
            return Ok(output.json(&Report {
                conversation: id,
                turns: turns.iter().map(row).collect(),
            })?);
        }
        let Some(id) = id else {
            return Ok(output.line(match &self.conversation {
                Some(id) => format!("Nothing is known of a conversation {}.", one_line(id)),
                None => "No agent has asked for memories here yet.".to_owned(),
            })?);
        };
        output.line(format!("Conversation {STRONG}{}{STRONG:#}", one_line(id)))?;
        turns
            .iter()
            .try_for_each(|turn| print(workplace, turn, output))
    }
}

fn row(turn: &Turn) -> TurnRow<'_> {
    let given = turn.given.iter().map(|given| GivenRow {
        path: &given.path,
        score: rounded(given.score),
        age_days: given.age_days,
        bytes: given.bytes,
        tokens: given.bytes.div_ceil(TOKEN_BYTES),
        reasons: &given.reasons,
    });
    TurnRow {
        at: turn.at,
        query: &turn.query,
        skipped: turn.skipped,
        given: given.collect(),
        refused: &turn.refused,
        selector: turn.selector.as_ref(),
        partial: turn.partial,
    }
}

fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

fn print(workplace: &Workplace, turn: &Turn, output: &mut Output) -> Result<(), Failure> {
    let at = moment::shown(turn.at);
    let query = one_line(&turn.query);
    output.line(format!("\n{FAINT}{at}{FAINT:#}  \"{query}\""))?;
    if let Some(skip) = turn.skipped {
        return Ok(output.line(format!("  nothing was looked up: {skip}"))?);
    }
    if turn.given.is_empty() {
        output.line("  nothing was given")?;
    }
    if let Some(Partial { searched, memories }) = turn.partial {
        let built = being_built(searched, memories.saturating_sub(searched));
        output.line(format!("  {WARN}{built}{WARN:#}"))?;
    }
    for given in &turn.given {
        let path = named(workplace, &given.path);
        let tokens = usize::try_from(given.bytes.div_ceil(TOKEN_BYTES)).unwrap_or(usize::MAX);
        let size = match given.bytes {
            0 => "only named".to_owned(),
            _ => format!("about {}", count(tokens, "token", "tokens")),
        };
        output.line(format!(
            "  {GOOD}given{GOOD:#}  {:.2}  {STRONG}{}{STRONG:#}  {}, {size}",
            given.score,
            one_line(&path),
            age::describe(given.age_days),
        ))?;
        if !given.reasons.is_empty() {
            let reasons = given.reasons.join(", ");
            output.line(format!("         {FAINT}{}{FAINT:#}", one_line(&reasons)))?;
        }
    }
    if let Some(selector) = &turn.selector {
        let chose = match selector.chosen.as_slice() {
            [] => String::new(),
            chosen => format!("chose {}; ", chosen.join(", ")),
        };
        let line = format!("{chose}{}", selector.said);
        output.line(format!("  {FAINT}selector: {}{FAINT:#}", one_line(&line)))?;
    }
    for refused in &turn.refused {
        let path = named(workplace, &refused.path);
        output.line(format!(
            "  {WARN}not{WARN:#}    {:.2}  {}  {}",
            refused.score,
            one_line(&path),
            refused.gate.words(),
        ))?;
    }
    Ok(())
}

/// A memory of this project by its file, any other by its whole path.
fn named(workplace: &Workplace, path: &str) -> String {
    let path = Path::new(path);
    match path.strip_prefix(workplace.store.memory_directory()) {
        Ok(file) => file.display().to_string(),
        Err(_) => workplace.shown(path),
    }
}
