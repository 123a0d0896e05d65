//! The notes of a conversation, brought up to date by a model that may do nothing else.
//!
//! [`state`] knows how far they go and when they are due. A host that has the bytes of its last request lets `fork` repeat
//! them; any other asks `once`. Neither writes: what they make of the notes is judged by
//! [`judge`], and what is written has the sections of the template, whatever the model did.

mod fork;
mod once;
mod report;
pub mod state;

use std::path::Path;

use memdir_context::notes::{Notes, Refusal, Template, Verdict, judge};
use memdir_context::{NotesLimits, PromptError};
use memdir_conversation::{Message, Usage};
use memdir_model::{Body, Cancel, Error as ModelError, Model, Reply};
use memdir_store::{Error, RecordError, Records, SecretPolicy, SessionNotes};
use memdir_tools::{Denied, PlaceProblem};

use crate::extract::Strategy;
use crate::forking::FOR_NOTES;
use crate::{Meter, MeterError};
use state::{State, UnderWay};

pub use report::{Outcome, Report};

/// What notes are called in the ledger.
pub const PURPOSE: &str = "notes";
/// How many requests a fork makes at most: the first has all edits, the others mend what did not work.
pub const TURNS: usize = 3;

/// Everything that notes need beside the conversation.
pub struct NoteTaker<'a> {
    /// Where they stand.
    pub file: &'a SessionNotes,
    /// What is known of the notes of conversations.
    pub records: &'a Records,
    /// The conversation's name.
    pub conversation: &'a str,
    /// Who writes them.
    pub model: &'a dyn Model,
    /// What it may cost, and where that is written down.
    pub meter: &'a Meter,
    /// The folder in which the conversation works.
    pub folder: &'a Path,
    /// The memory directory.
    pub memory: &'a Path,
    /// Their sections.
    pub template: &'a Template,
    /// The user's own prompt.
    pub prompt: Option<&'a str>,
    /// How long they may be.
    pub limits: NotesLimits,
    /// How that is counted.
    pub count: &'a dyn Fn(&str) -> u64,
    /// What becomes of a secret in them.
    pub secrets: SecretPolicy,
    /// Whether it is only told what they would be. The model is asked all the same.
    pub dry_run: bool,
}

/// The conversation of which notes are taken.
#[derive(Debug, Clone, Copy)]
pub struct Talk<'a> {
    /// All that the model sees of it, the last reply included.
    pub visible: &'a [&'a Message],
    /// How many tokens it has.
    pub tokens: u64,
    /// The last request of the conversation, as it was sent; without it there is nothing to fork.
    pub parent: Option<&'a Body>,
}

/// Why notes were not brought up to date. They are as they were.
#[derive(Debug, thiserror::Error)]
pub enum NotesError {
    /// Somebody else is at it.
    #[error("another process is updating these notes, since {since}")]
    UnderWay {
        /// Since when.
        since: jiff::Timestamp,
    },
    /// The request was not made, or failed.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// The answer could not be used.
    #[error("the answer could not be used: {0}")]
    Answer(String),
    /// They could not be read.
    #[error(transparent)]
    Store(#[from] Error),
    /// They could not be written, or what is known of them.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The folders of the conversation cannot be found.
    #[error(transparent)]
    Place(#[from] PlaceProblem),
    /// The prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// Somebody asked to stop.
    #[error("stopped")]
    Cancelled,
}

/// What a run made of the notes, before it is judged.
struct Taken {
    text: String,
    /// So many of the visible messages, the first ones, it was shown.
    covers: usize,
    /// Whether it got to where it wanted.
    whole: bool,
    denied: Vec<Denied>,
    usage: Vec<Usage>,
    ended: &'static str,
}

/// The notes before an update.
struct Standing {
    notes: Notes,
    /// The same as text: what the model is shown and its edits refer to.
    text: String,
    /// What is on the disk; none where the file is not there, or no notes of this template.
    seen: Option<Vec<u8>>,
    /// Whether something else stands in their place.
    foreign: bool,
}

impl NoteTaker<'_> {
    /// Brings the notes up to date. `word` is a random one, for the marks around what is only data.
    ///
    /// # Errors
    ///
    /// When the model gives no answer or nothing can be written. Then nothing has changed.
    pub fn update(
        &self,
        talk: &Talk<'_>,
        word: &str,
        cancel: &Cancel,
    ) -> Result<Report, NotesError> {
        let now = (self.meter.now)();
        let mut under_way = match self.dry_run {
            true => None,
            false => Some(UnderWay::begin(self.records, self.conversation, now)?),
        };
        let last = talk.visible.last().copied();
        let standing = self.standing()?;
        let strategy = Strategy::of(self.model, talk.visible, talk.parent, &FOR_NOTES);
        let taken = match (strategy, talk.parent) {
            (Strategy::Fork, Some(parent)) => {
                fork::run(self, talk.visible, parent, &standing.text, cancel)
            }
            _ => once::run(self, talk.visible, &standing, word, cancel),
        };
        if cancel.is_cancelled() {
            return Err(NotesError::Cancelled);
        }
        let mut report = match taken {
            Ok(taken) => self.judged(strategy, talk, &standing, taken),
            Err(error) => {
                // What was paid for and came to nothing is not asked again before there is more to say.
                if let (NotesError::Answer(_), Some(under_way)) = (&error, under_way.take()) {
                    under_way.end(|state| state.look(talk.tokens, last))?;
                }
                return Err(error);
            }
        };
        if let Outcome::Written { created, .. } = &mut report.outcome {
            *created = standing.seen.is_none();
            if !self.dry_run {
                if standing.foreign {
                    report.aside = self.file.set_aside()?;
                }
                let seen = standing.seen.as_deref();
                report.notices = self.file.write(seen, &report.text, self.secrets)?;
            }
        }
        if let Some(under_way) = under_way {
            let covered = report.covered.clone();
            under_way.end(|state| {
                state.look(talk.tokens, last);
                if let Some(covered) = covered {
                    state.covered = Some(covered);
                    state.at = Some(now);
                }
            })?;
        }
        Ok(report)
    }

    /// The notes as they are.
    fn standing(&self) -> Result<Standing, NotesError> {
        let (found, too_large) = match self.file.read() {
            Err(Error::TooLarge { .. }) => (None, true),
            found => (found?, false),
        };
        let text = found
            .as_ref()
            .map(|found| String::from_utf8_lossy(&found.bytes));
        let notes = text
            .as_deref()
            .and_then(|text| Notes::read(self.template, text));
        let has_words = text.as_deref().is_some_and(|text| !text.trim().is_empty());
        let foreign = too_large || (notes.is_none() && has_words);
        let notes = notes.unwrap_or_else(|| self.template.bare());
        Ok(Standing {
            text: self.template.print(&notes),
            seen: found.filter(|_| !foreign).map(|found| found.bytes),
            notes,
            foreign,
        })
    }

    fn judged(
        &self,
        strategy: Strategy,
        talk: &Talk<'_>,
        standing: &Standing,
        taken: Taken,
    ) -> Report {
        let verdict = judge(
            self.template,
            &standing.text,
            &taken.text,
            &self.limits,
            self.count,
        );
        let text = verdict.text().unwrap_or(&standing.text).to_owned();
        let outcome = match verdict {
            Verdict::Refused(refusal) => Outcome::Refused(refusal),
            _ if text == standing.text => Outcome::Unchanged,
            Verdict::Accepted { .. } => Outcome::written(Vec::new()),
            Verdict::Repaired { problems, .. } => Outcome::written(problems),
        };
        // Only what certainly went into them is covered: what is not stays in the conversation when it is compacted.
        let is_covered = taken.whole && matches!(outcome, Outcome::Written { .. });
        let last = taken.covers.checked_sub(1);
        let covered = last.and_then(|last| talk.visible.get(last));
        let notes = Notes::read(self.template, &text).unwrap_or_else(|| self.template.bare());
        Report {
            strategy,
            ended: taken.ended,
            covered: covered
                .filter(|_| is_covered)
                .map(|message| message.id.to_string()),
            unseen: talk.visible.len().saturating_sub(taken.covers),
            overrun: notes.overrun(self.template, &self.limits, self.count),
            outcome,
            text,
            denied: taken.denied,
            usage: taken.usage,
            notices: Vec::new(),
            aside: None,
        }
    }

    /// What is known of these notes.
    fn state(&self) -> Result<State, NotesError> {
        Ok(state::get(self.records, self.conversation)?.unwrap_or_default())
    }

    /// Sends a request and waits for the whole answer, at the user's expense.
    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Reply, MeterError> {
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        self.meter.send(self.model, PURPOSE, body, cancel)?.whole()
    }
}

impl Outcome {
    fn written(problems: Vec<memdir_context::notes::Problem>) -> Self {
        Self::Written {
            created: false,
            problems,
        }
    }

    /// Why the notes stayed as they were.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

impl std::fmt::Debug for NoteTaker<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("NoteTaker")
            .field("file", &self.file)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
