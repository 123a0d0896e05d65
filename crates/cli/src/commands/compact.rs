//! `memdir compact`: what making room in a conversation takes out of it, and what stays.

mod look;
mod report;
mod summing;

use std::path::{Path, PathBuf};

use clap::Args;
use memdir_agent::notes::state;
use memdir_context::notes::Notes;
use memdir_context::{Compaction as Way, Limits};
use memdir_conversation::tokens::Estimate;
use memdir_conversation::transcript::Report as Read;
use memdir_conversation::{Conversation, MessageId};
use memdir_store::read_regular;

use self::look::{How, Look, Looked, Noted, off};
use self::report::{Compaction, Report};
use self::summing::Summing;
use crate::clock::Clock;
use crate::compaction::{configured, switches};
use crate::failure::Failure;
use crate::note_taking::{self, Form};
use crate::output::Output;
use crate::session_file::{Session, create, refuse_existing};
use crate::spending::Spending;
use crate::workplace::Workplace;
use crate::written_talk;

/// The most bytes of a notes file.
const NOTES_BYTES: u64 = 1_000_000;
/// What helps where the file exists.
const ANOTHER_NAME: &str = "give another name";

/// What making room in a conversation would take out, and what would stay
///
/// Shows both ways that need no model: old results of tools cleared, and the notes of the conversation in its place.
/// Without notes the user's words, the files touched and the commands that failed stand alone. With --model a model sums
/// the conversation up instead, within the budget of the day; these three stand behind its summary all the same, word for
/// word. Nothing is written unless -o names a new file for the compacted conversation; the transcript itself is only read,
/// never changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir compact ~/.claude/projects/-home-me-app/5d1c4e3a.jsonl
  memdir compact session.jsonl --notes summary.md --keep 20000
  memdir compact session.jsonl --summary
  memdir compact session.jsonl --model --instructions \"Keep the numbers of the benchmark\"
  memdir compact rollout.jsonl -o 5d1c4e3a-0000-4000-8000-000000000000.jsonl --dry-run
  memdir compact rollout.jsonl -o 5d1c4e3a-0000-4000-8000-000000000000.jsonl

JSON: {file, format, messages, model, tokens, basis, kinds, window, limit, clearing, compaction, written}; `clearing` has \
{results, faded, tokens_after, kinds_after, turns} or {why_not}; `compaction` has {tokens_after, kinds_after, notes, by, cut, \
goes, stays, first, typed, files, failed, restored, room_to_restore, summary} or {why_not}; `by` has {model, \
requests, dropped, empty, tokens_in, tokens_out} or is null, `written` has {file, bytes, dry_run} or is null.")]
pub(crate) struct Compact {
    /// The transcript of Claude Code, Codex or Gemini CLI, or messages of an API
    transcript: PathBuf,
    /// How many tokens of the end stay at least
    #[arg(long, value_name = "TOKENS")]
    keep: Option<u64>,
    /// How many tokens the model takes, instead of what the transcript or the table of models says
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1_000..))]
    window: Option<u64>,
    /// The notes of the conversation, taken to cover all of it, instead of those that memdir keeps
    #[arg(long, value_name = "FILE")]
    notes: Option<PathBuf>,
    /// Let a model sum it up: the one that is named for compaction, or one of yours by its name
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["notes", "keep"]
    )]
    model: Option<String>,
    /// What the summary is to heed in addition
    #[arg(long, value_name = "TEXT", requires = "model")]
    instructions: Option<String>,
    #[command(flatten)]
    spending: Spending,
    /// Write the compacted conversation to a new file, as a session that memdir reads and Claude Code resumes
    #[arg(short, long, value_name = "FILE", conflicts_with = "summary")]
    output: Option<PathBuf>,
    /// Write nothing, say what would be written
    #[arg(long)]
    dry_run: bool,
    /// The message that would stand in place of what goes, and nothing else
    #[arg(long)]
    summary: bool,
}

impl Compact {
    pub(crate) fn run(&self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if let Some(path) = &self.output {
            refuse_existing(path, ANOTHER_NAME)?;
        }
        if self.model.is_some()
            && let Some(off) = off(&switches(workplace), Way::Full)
        {
            let next = "no model was asked; switch it on again first";
            return Err(Failure::new(format!("it cannot be compacted: {off}"), next));
        }
        let (conversation, read) = self.read(output)?;
        let look = Look::new(workplace, &self.transcript, &conversation, &read);
        let window = look.window(workplace, self.window)?;
        let mut limits = Limits::new(window, u64::MAX, &configured(workplace));
        if let Some(keep) = self.keep {
            limits.kept.least = keep;
            limits.kept.most = limits.kept.most.max(keep.saturating_mul(2));
        }
        let summing = self.summing(workplace)?;
        let how = match &summing {
            Some(summing) => How::Model(summing),
            None => {
                let notes = self.notes(workplace, &conversation, &limits, &look.weights())?;
                How::Notes(notes)
            }
        };
        let Looked {
            mut report,
            compacted,
        } = look.at(&limits, &how, &self.named()?).map_err(|error| {
            Failure::new(error.to_string(), "`memdir cost` shows what was spent")
        })?;
        if let Some(path) = &self.output {
            let short = match (&compacted, &report.compaction) {
                (Some(compacted), _) => shortened(&conversation, compacted)?,
                (None, Compaction::Impossible { why_not }) => {
                    return Err(impossible(why_not));
                }
                (None, Compaction::Possible(_)) => return Ok(()),
            };
            report.written = Some(self.write(path, &short, &read, output)?);
        }
        self.tell(&report, &limits, output)
    }

    /// How a summary names the transcript: in a file, from wherever that is read.
    fn named(&self) -> Result<String, Failure> {
        let path = match self.output {
            Some(_) => std::path::absolute(&self.transcript)
                .map_err(|error| Failure::new(error.to_string(), "go to a folder that exists"))?,
            None => self.transcript.clone(),
        };
        Ok(path.display().to_string())
    }

    fn tell(&self, report: &Report, limits: &Limits, output: &mut Output) -> Result<(), Failure> {
        if output.json {
            return Ok(output.json(report)?);
        }
        if !self.summary {
            return Ok(report.print(limits, output)?);
        }
        match &report.compaction {
            Compaction::Possible(done) => Ok(output.raw(done.summary.as_bytes())?),
            Compaction::Impossible { why_not } => Err(impossible(why_not)),
        }
    }

    fn read(&self, output: &Output) -> Result<(Conversation, Read), Failure> {
        let (conversation, read) = written_talk::read(&self.transcript)?;
        if read.loses() {
            output.warn(format!(
                "some lines of {} could not be read; `memdir transcript check` says which",
                self.transcript.display()
            ));
        }
        Ok((conversation, read))
    }

    /// The model that is to sum it up, where one is.
    fn summing<'a>(&self, workplace: &'a Workplace) -> Result<Option<Summing<'a>>, Failure> {
        let model = self.model.as_deref();
        let summing = model.map(|name| {
            let instructions = self.instructions.as_deref();
            Summing::new(workplace, name, instructions, self.spending)
        });
        summing.transpose()
    }

    /// The notes that are given, or those that were kept of this conversation and say how far they go.
    fn notes(
        &self,
        workplace: &Workplace,
        conversation: &Conversation,
        limits: &Limits,
        weights: &dyn Estimate,
    ) -> Result<Option<Noted>, Failure> {
        let template = Form::of(workplace)?.template;
        let summed = |notes: &Notes, path: &Path| {
            let weigh = |text: &str| weights.text(text);
            let shown = path.display().to_string();
            notes.summary(&template, &limits.notes, &weigh, &shown)
        };
        if let Some(path) = self.notes.as_deref() {
            let notes = Notes::read(&template, &read_text(path)?).ok_or_else(|| {
                Failure::new(
                    format!("{}: not the notes of a conversation", path.display()),
                    "notes have the ten sections of `session-memory/summary.md`",
                )
            })?;
            return Ok(Some(Noted {
                summary: summed(&notes, path),
                covered: None,
            }));
        }
        let name = written_talk::stem(&self.transcript);
        let records = note_taking::records(workplace);
        let state = state::waited_for(&records, &name, Clock::new().now())?;
        let covered = state.and_then(|state| state.covered);
        let covered = covered.map(|covered| MessageId::new(&covered));
        let visible = conversation.visible();
        let is_there = |covered: &MessageId| visible.iter().any(|one| one.id == *covered);
        let Some(covered) = covered.filter(is_there) else {
            return Ok(None);
        };
        let file = written_talk::notes_of(workplace, &self.transcript)?;
        let text = file.read()?.map(|found| found.bytes);
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let notes = text.and_then(|text| Notes::read(&template, &text));
        let notes = notes.filter(|notes| !notes.is_bare(&template));
        Ok(notes.map(|notes| Noted {
            summary: summed(&notes, &file.path()),
            covered: Some(covered),
        }))
    }

    /// Writes the conversation to its new file, or says that it would be.
    fn write(
        &self,
        path: &Path,
        short: &Conversation,
        read: &Read,
        output: &Output,
    ) -> Result<report::Written, Failure> {
        let name = path.file_stem().map(|stem| stem.to_string_lossy());
        let mut session = Session::of(read, name.as_deref());
        for message in short.messages() {
            session.add(message.clone());
        }
        if !self.dry_run {
            create(path, &session.text, ANOTHER_NAME)?;
        }
        session.warn(read, output);
        Ok(report::Written {
            file: path.to_owned(),
            bytes: session.text.len() as u64,
            dry_run: self.dry_run,
        })
    }
}

/// What stays of a conversation, and what stands for the rest.
fn shortened(
    conversation: &Conversation,
    compacted: &memdir_context::compaction::Compacted,
) -> Result<Conversation, Failure> {
    let twice = |error: memdir_conversation::ConversationError| Failure::new(error.to_string(), "");
    let mut short = Conversation::new();
    for message in compacted.kept.iter().filter_map(|id| conversation.get(id)) {
        short.append(message.clone()).map_err(twice)?;
    }
    let last = conversation.messages().last();
    let last = last.map_or("", |message| message.id.as_str());
    let (boundary, summary) = (format!("compacted-{last}"), format!("summary-{last}"));
    compacted
        .append_to(&mut short, &boundary, &summary)
        .map_err(twice)?;
    Ok(short)
}

fn impossible(why_not: &str) -> Failure {
    Failure::new(format!("it cannot be compacted: {why_not}"), "")
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()), "");
    let bytes = read_regular(path, NOTES_BYTES)
        .map_err(|error| failed(&error))?
        .ok_or_else(|| failed(&"there is no such file"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
