//! Consolidation, or dream: memories are merged, mended and thinned out, and it cannot do harm.
//!
//! [`gates`] decides whether it is time. The dream itself works on a draft: [`mend`](crate::mend) first, then a model if
//! there is one, on a copy that reads like the directory, then the rules once more. What the model wants is settled by
//! code, which decides whose word each memory is; the result is judged, and only then applied, as one operation that one
//! `undo` takes back. What is not good enough waits as a [`Proposal`].

mod ask;
mod copy;
mod deadline;
mod draft;
pub mod gates;
mod judge;
mod logs;
mod progress;
mod proposal;
mod settle;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_memory::MemoryPath;
use memdir_model::Cancel;
use memdir_settings::Mode;
use memdir_store::consolidate::{
    Acquired, Busy, ConsolidateError, Held, TIME_BOX, acquire, last_consolidated,
};
use memdir_store::{Author, Error, Reason, RecordError, SecretPolicy, Store, Suggested};
use memdir_tools::{Denied, PlaceProblem};

use crate::MeterError;
use crate::keep::KeepError;
use deadline::Deadline;
use draft::{Draft, Snapshot};
use progress::Teller;

pub use ask::{Asked, TURNS};
pub use draft::Change;
pub use judge::Because;
pub use progress::Progress;
pub use proposal::Proposal;

/// What a dream is called in the ledger, and in the history.
pub const PURPOSE: &str = "dream";

/// A dream of one memory directory.
pub struct Dreamer<'a> {
    /// The memories.
    pub store: &'a Store,
    /// Whether a result is applied or waits for the user. Whoever asks has seen to it that it is not off.
    pub mode: Mode,
    /// The model that does it; without one the rules do.
    pub asked: Option<Asked<'a>>,
    /// Whether it is about the daily logs since the last dream.
    pub logs: bool,
    /// The conversation that set it off.
    pub conversation: Option<&'a str>,
    /// So many of a hundred memories may be lost.
    pub max_loss: u64,
    /// What becomes of a secret in private memory.
    pub secrets: SecretPolicy,
    /// Where the user lives: "tomorrow" is a day of theirs.
    pub zone: TimeZone,
    /// Whether a result is applied that would wait for the user.
    pub force: bool,
    /// Whether it is only told what would become of the memories. A model is asked all the same.
    pub dry_run: bool,
    /// The time.
    pub now: fn() -> Timestamp,
}

/// What came of a dream.
#[derive(Debug)]
pub struct Dreamt {
    /// What became of the result.
    pub fate: Fate,
    /// What changes, file by file.
    pub changes: Vec<Change>,
    /// Memories that would be there no more, and named by none.
    pub lost: Vec<MemoryPath>,
    /// What the rules mended, a line each.
    pub mended: Vec<String>,
    /// Memories that wait in the inbox: the model has their words from somewhere else.
    pub held: Vec<MemoryPath>,
    /// What the model was not allowed.
    pub denied: Vec<Denied>,
    /// How it ended, where that was not the model's own decision.
    pub unfinished: Option<String>,
    /// How far the model came.
    pub progress: Progress,
}

/// What became of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Nothing had to change.
    Nothing,
    /// It stands in the memories, as this operation.
    Applied(u64),
    /// It waits for the user, for these reasons.
    Proposed(Vec<Because>),
    /// It was only to be told; it would wait for these reasons, or be applied if there are none.
    Told(Vec<Because>),
}

/// Why there was no dream. Then nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum DreamError {
    /// Somebody else is at it.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// A request was not made, or failed.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// The model cannot use tools.
    #[error("this model cannot use tools, and a dream needs them")]
    NoTools,
    /// Somebody asked to stop.
    #[error("stopped; nothing was changed")]
    Stopped,
    /// It took too long.
    #[error("it took more than {} minutes; nothing was changed", TIME_BOX.as_secs() / 60)]
    TimedOut,
    /// The lock was lost: the run slept for long, or somebody took it.
    #[error(
        "another program has begun to consolidate these memories meanwhile; nothing was changed"
    )]
    Lost,
    /// The result waits for the user, but is too large to be kept.
    #[error("the result is too large to be kept as a proposal; nothing was changed")]
    TooLarge,
    /// A memory is not what it was when the proposal was made.
    #[error("{0} is not what it was when the proposal was made; nothing was changed")]
    Stale(MemoryPath),
    /// The memories could not be read or written.
    #[error(transparent)]
    Store(#[from] Error),
    /// What is written down about dreams could not be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The lock could not be asked for.
    #[error(transparent)]
    Lock(#[from] ConsolidateError),
    /// What the logs say could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The folders of the conversation cannot be found.
    #[error(transparent)]
    Place(#[from] PlaceProblem),
    /// The prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] memdir_context::PromptError),
}

/// A result before it is known what becomes of it.
struct Outcome {
    snapshot: Snapshot,
    draft: Draft,
    suggested: Vec<Suggested>,
    mended: Vec<String>,
    denied: Vec<Denied>,
    unfinished: Option<String>,
}

impl Dreamer<'_> {
    /// Dreams. `tell` is told how far it is, `cancel` stops it; it stops by itself when its time is up.
    ///
    /// # Errors
    ///
    /// When somebody else is at it, when it was stopped, or when anything failed. Then nothing has changed.
    pub fn dream(&self, tell: &dyn Fn(&Progress), cancel: &Cancel) -> Result<Dreamt, DreamError> {
        let store = self.store;
        let (memory, state) = (store.memory_directory(), store.state_directory());
        let began = (self.now)();
        let teller = Teller::new(tell);
        if store.every_file()?.is_empty() {
            // It was looked at, which the lock tells: else each turn would want to look again.
            if !self.dry_run && memory.is_dir() {
                match acquire(memory, state, began)? {
                    Acquired::Held(held) => held.succeed()?,
                    Acquired::Busy(busy) => return Err(busy.into()),
                }
                gates::forget_before(store, began)?;
            }
            return Ok(Dreamt::of_nothing());
        }
        // Once the lock is held, the moment is that of acquiring.
        let last = last_consolidated(memory, state, began);
        let held = match self.dry_run {
            true => None,
            false => match acquire(memory, state, began)? {
                Acquired::Held(held) => Some(held),
                Acquired::Busy(busy) => return Err(busy.into()),
            },
        };
        let outcome = self.work(last, &teller, cancel)?;
        let dreamt = self.finish(outcome, held.as_ref(), began, &teller, cancel)?;
        if let Some(held) = held {
            held.succeed()?;
            gates::forget_before(store, began)?;
        }
        Ok(dreamt)
    }

    /// Makes a result, without touching the memories.
    fn work(
        &self,
        last: Option<Timestamp>,
        teller: &Teller<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, DreamError> {
        let store = self.store;
        let snapshot = Snapshot::read(store)?;
        let mut draft = snapshot.draft();
        let logs = match self.logs {
            true => logs::since(&snapshot.others, last, &self.zone),
            false => Vec::new(),
        };
        let mut mended = Vec::new();
        if self.asked.is_none() {
            let kept = logs::by_rules(store, &logs, &self.zone, self.secrets, &mut draft)?;
            mended.extend(kept);
        }
        mended.extend(draft.mend(&snapshot.others, &self.zone, (self.now)()));
        let (mut suggested, mut denied, mut unfinished) = (Vec::new(), Vec::new(), None);
        if let Some(asked) = &self.asked {
            let memory = store.memory_directory();
            let logs: Vec<String> = logs
                .iter()
                .map(|log| memory.join(log.path.as_str()).display().to_string())
                .collect();
            let dream = (memory, self.conversation, self.max_loss);
            let deadline = Deadline::start(TIME_BOX, cancel);
            let answered = asked.run(&draft, &snapshot, &logs, dream, teller, deadline.cancel());
            let answered = match deadline.end() {
                true => return Err(DreamError::TimedOut),
                false => answered?,
            };
            suggested = answered.wishes.settle(&mut draft)?;
            denied = answered.denied;
            unfinished = answered.unfinished;
            mended.extend(draft.mend(&snapshot.others, &self.zone, (self.now)()));
        }
        let mut told = std::collections::HashSet::new();
        mended.retain(|line| told.insert(line.clone()));
        draft.name_merged();
        Ok(Outcome {
            snapshot,
            draft,
            suggested,
            mended,
            denied,
            unfinished,
        })
    }

    /// Judges a result, and applies it or keeps it.
    fn finish(
        &self,
        outcome: Outcome,
        held: Option<&Held>,
        began: Timestamp,
        teller: &Teller<'_>,
        cancel: &Cancel,
    ) -> Result<Dreamt, DreamError> {
        let changes = outcome.snapshot.changes(&outcome.draft);
        let mut judgement = judge::judge(&outcome.snapshot, &outcome.draft, self.max_loss);
        if let Some(how) = &outcome.unfinished {
            judgement.because.push(Because::Unfinished(how.clone()));
        }
        if self.mode != Mode::Auto {
            judgement.because.insert(0, Because::Asked);
        }
        let mut dreamt = Dreamt {
            fate: Fate::Nothing,
            changes,
            lost: judgement.lost,
            mended: outcome.mended,
            held: outcome
                .suggested
                .iter()
                .map(|one| one.target.clone())
                .collect(),
            denied: outcome.denied,
            unfinished: outcome.unfinished,
            progress: teller.last(),
        };
        let mut because = judgement.because;
        if self.force {
            because.clear();
        }
        let Some(held) = held else {
            if !dreamt.changes.is_empty() {
                dreamt.fate = Fate::Told(because);
            }
            return Ok(dreamt);
        };
        if cancel.is_cancelled() {
            return Err(DreamError::Stopped);
        }
        // A process that slept for long may have been given up by others.
        let took = (self.now)().duration_since(began);
        if took.unsigned_abs() > TIME_BOX {
            return Err(DreamError::TimedOut);
        }
        if !held.is_current() {
            return Err(DreamError::Lost);
        }
        if !dreamt.changes.is_empty() {
            if because.is_empty() {
                match apply(self.store, &dreamt.changes, &self.reason(), self.secrets) {
                    Ok(operation) => dreamt.fate = operation.map_or(Fate::Nothing, Fate::Applied),
                    Err(Error::Conflict { path, .. } | Error::Exists(path)) => {
                        because.push(Because::Changed(path));
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            if !because.is_empty() {
                let why = because.iter().map(ToString::to_string).collect();
                Proposal::new(began, why, &dreamt.changes).keep(self.store)?;
                dreamt.fate = Fate::Proposed(because);
            }
        }
        if !outcome.suggested.is_empty() {
            // So that the history has the content they start from, however it came there.
            self.store.sweep()?;
            let inbox = self.store.inbox();
            inbox.suggest(&self.reason(), &outcome.suggested, self.secrets)?;
        }
        Ok(dreamt)
    }

    fn reason(&self) -> Reason {
        Reason {
            conversation: self.conversation.map(str::to_owned),
            ..Reason::new(Author::Dream, PURPOSE)
        }
    }
}

/// Applies changes, all of them as one operation or none; the operation, if anything had to change.
///
/// # Errors
///
/// When a file is not what it was, or cannot be written. Then nothing has changed.
pub fn apply(
    store: &Store,
    changes: &[Change],
    reason: &Reason,
    secrets: SecretPolicy,
) -> Result<Option<u64>, Error> {
    let mut operation = store.operation(reason.clone());
    operation.secrets(secrets).strictly();
    for change in changes {
        let seen = change.before.clone();
        match (&change.after, seen, change.mtime) {
            (Some(text), seen, Some(mtime)) => {
                operation.write_dated(&change.path, seen, text.clone(), mtime);
            }
            (Some(text), seen, None) => {
                operation.write(&change.path, seen, text.clone());
            }
            (None, Some(seen), _) => {
                operation.remove(&change.path, seen);
            }
            (None, None, _) => {}
        }
    }
    Ok(operation.commit()?.operation)
}

impl Dreamt {
    /// Of a directory without memories.
    fn of_nothing() -> Self {
        Self {
            fate: Fate::Nothing,
            changes: Vec::new(),
            lost: Vec::new(),
            mended: Vec::new(),
            held: Vec::new(),
            denied: Vec::new(),
            unfinished: None,
            progress: Progress::default(),
        }
    }
}

impl DreamError {
    /// Whether nothing is wrong with the work, only it may not be paid for just now.
    #[must_use]
    pub fn may_be_tried_later(&self) -> bool {
        matches!(self, Self::Meter(error) if error.may_be_tried_later())
    }
}

impl std::fmt::Debug for Dreamer<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Dreamer")
            .field("store", &self.store)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}
