//! `memdir compact`: what making room in a conversation would take out of it, and what would stay.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use memdir_context::compaction::{
    CachePrices, Clearing, Fixed, Micro, Record, Situation, Thinking, WrittenNotes, files_read,
    micro, with_notes,
};
use memdir_context::notes::{Notes, Template};
use memdir_context::restore::FileKind;
use memdir_context::{Configured, Limits};
use memdir_conversation::tokens::{Bytes, Estimate};
use memdir_conversation::transcript::{Reading, conversation, format_of};
use memdir_conversation::{Conversation, Edits, Message, Trigger};
use memdir_store::{open_regular, read_regular};

use self::report::{Clear, Compaction, Report};
use crate::failure::Failure;
use crate::output::Output;
use crate::table::{count, one_line};

/// The most bytes of a notes file.
const NOTES_BYTES: u64 = 1_000_000;
/// What is reserved for an answer; the sizes hold it to their own limit.
const ANSWER: u64 = 32_000;
/// What Anthropic asks for cached input, as far as a model is not known.
const PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};
/// What stands for notes where there are none.
const NO_NOTES: &str =
    "No notes were kept. What follows was gathered from the conversation itself.";

/// What making room in a conversation would take out, and what would stay
///
/// Shows both ways that need no model: old results of tools cleared, and the notes of the conversation in its place.
/// Without notes the user's words, the files touched and the commands that failed stand alone. The transcript is only
/// read, never changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir compact ~/.claude/projects/-home-me-app/5d1c4e3a.jsonl
  memdir compact session.jsonl --notes summary.md --keep 20000
  memdir compact session.jsonl --summary

JSON: {messages, tokens, window, limit, clearing, compaction}; `clearing` has {results, faded, tokens_after, turns} or \
{why_not}; `compaction` has {tokens_after, goes, stays, first, typed, files, failed, read_again, room_to_restore, summary} or \
{why_not}.")]
pub(crate) struct Compact {
    /// The transcript of Claude Code, Codex or Gemini CLI, or messages of an API
    transcript: PathBuf,
    /// How many tokens of the end stay at least
    #[arg(long, value_name = "TOKENS")]
    keep: Option<u64>,
    /// The context window of the model
    #[arg(long, value_name = "TOKENS", default_value_t = 200_000)]
    window: u64,
    /// The notes of the conversation, taken to cover all of it
    #[arg(long, value_name = "FILE")]
    notes: Option<PathBuf>,
    /// The message that would stand in place of what goes, and nothing else
    #[arg(long)]
    summary: bool,
}

impl Compact {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let conversation = self.conversation(output)?;
        let limits = self.limits();
        let notes = self.notes(&limits)?;
        let report = self.report(&conversation, &limits, notes.as_ref());
        if output.json {
            return Ok(output.json(&report)?);
        }
        if self.summary {
            return match &report.compaction {
                Compaction::Possible(done) => Ok(output.raw(done.summary.as_bytes())?),
                Compaction::Impossible { why_not } => Err(Failure::new(why_not.as_str(), "")),
            };
        }
        for line in report.lines() {
            output.line(line)?;
        }
        Ok(())
    }

    fn conversation(&self, output: &Output) -> Result<Conversation, Failure> {
        let shown = self.transcript.display();
        let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{shown}: {error}"), "");
        let mut file = open_regular(&self.transcript)
            .map_err(|error| failed(&error))?
            .ok_or_else(|| failed(&"there is no such file"))?;
        let format = format_of(&mut file).map_err(|error| failed(&error))?;
        let (conversation, report) =
            conversation(format, file, &Reading::whole()).map_err(|error| failed(&error))?;
        if report.loses() {
            output.warn(format!("some lines of {shown} could not be read"));
        }
        Ok(conversation)
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::new(self.window, ANSWER, &Configured::default());
        if let Some(keep) = self.keep {
            limits.kept.least = keep;
            limits.kept.most = limits.kept.most.max(keep.saturating_mul(2));
        }
        limits
    }

    fn notes(&self, limits: &Limits) -> Result<Option<memdir_context::notes::Summary>, Failure> {
        let Some(path) = self.notes.as_deref() else {
            return Ok(None);
        };
        let text = read_text(path)?;
        let template = Template::built_in();
        let notes = Notes::read(template, &text).ok_or_else(|| {
            Failure::new(
                format!("{}: not the notes of a conversation", path.display()),
                "notes have the ten sections of `session-memory/summary.md`",
            )
        })?;
        let shown = path.display().to_string();
        let weigh = |text: &str| Allowing.text(text);
        Ok(Some(notes.summary(template, &limits.notes, &weigh, &shown)))
    }

    fn report(
        &self,
        conversation: &Conversation,
        limits: &Limits,
        notes: Option<&memdir_context::notes::Summary>,
    ) -> Report {
        let visible = conversation.visible();
        let (used, fixed) = used(&visible);
        let edits = Edits::new();
        let transcript = self.transcript.display().to_string();
        let cleared = micro(&Clearing {
            visible: &visible,
            edits: &edits,
            weights: &Allowing,
            used,
            before: fixed,
            warning: limits.thresholds.warning,
            limits: limits.cleared,
            folder: "tool-results",
            thinking: Thinking::Free,
            prices: PRICES,
            tools: &[],
        });
        let clearing = match cleared {
            Micro::Cleared(cleared) => Clear::Possible {
                results: cleared.saved.len(),
                faded: cleared.faded,
                tokens_after: cleared.tokens_after,
                turns: cleared.break_even.turns,
            },
            Micro::Nothing(why) => Clear::Impossible {
                why_not: memdir_context::compaction::Why::Nothing(why).to_string(),
            },
            Micro::Provider(_) => Clear::Impossible {
                why_not: "the provider does it".to_owned(),
            },
        };
        let situation = Situation {
            conversation,
            edits: &edits,
            weights: &Allowing,
            limits,
            used,
            fixed: Fixed {
                system: fixed,
                ..Fixed::default()
            },
            thinking: Thinking::Free,
            transcript: Some(&transcript),
            trigger: Trigger::Manual,
        };
        let written = WrittenNotes {
            text: notes.map_or(NO_NOTES, |notes| &notes.text),
            cut: notes.map_or(&[], |notes| &notes.cut),
            bare: false,
            covered: visible.last().map(|message| &message.id),
        };
        let compaction = match with_notes(&situation, Some(written), false) {
            Err(why) => Compaction::Impossible {
                why_not: why.to_string(),
            },
            Ok(done) => {
                let record = Record::of(conversation.messages(), |id| done.kept.contains(id));
                let mut read = files_read(conversation, &done.kept, &|_| FileKind::Ordinary);
                read.retain(|file| !file.kept);
                read.sort_by_key(|file| std::cmp::Reverse(file.when));
                read.truncate(limits.restored.files);
                let first = visible
                    .iter()
                    .find(|message| done.kept.first() == Some(&message.id));
                Compaction::Possible(Box::new(report::Done {
                    tokens_after: done.budget.tokens,
                    goes: visible.len() - done.kept.len(),
                    stays: done.kept.len(),
                    first: first.map(|message| one_line(&message.words()).into_owned()),
                    typed: record.typed(),
                    files: record.files().len(),
                    failed: record.failed().len(),
                    read_again: read.into_iter().map(|file| file.path).collect(),
                    room_to_restore: done.room_to_restore,
                    summary: done.summary,
                }))
            }
        };
        Report {
            messages: visible.len(),
            tokens: used,
            window: limits.window,
            limit: limits.thresholds.compaction,
            clearing,
            compaction,
        }
    }
}

/// A count with the allowance for error that holds while no response has told better.
struct Allowing;

impl Estimate for Allowing {
    fn text(&self, text: &str) -> u64 {
        (Bytes.text(text) * 4).div_ceil(3)
    }
}

/// The tokens of the next request, and those outside its messages: what the provider counted for the last reply and an
/// estimate of what came after; without its count an estimate of the messages alone.
fn used(visible: &[&Message]) -> (u64, u64) {
    let weigh = |messages: &[&Message]| -> u64 {
        messages
            .iter()
            .map(|message| Allowing.message(message))
            .sum()
    };
    let counted = visible
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, message)| Some((at, message.usage?)));
    let all = weigh(visible);
    match counted {
        Some((at, usage)) => {
            let used = usage.total() + weigh(visible.get(at + 1..).unwrap_or_default());
            (used, used.saturating_sub(all))
        }
        None => (all, 0),
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", path.display()), "");
    let bytes = read_regular(path, NOTES_BYTES)
        .map_err(|error| failed(&error))?
        .ok_or_else(|| failed(&"there is no such file"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `1 message`, `2 messages`.
fn messages(number: usize) -> String {
    count(number, "message", "messages")
}
