//! Extraction with a model: what is worth keeping of a conversation, saved by a run that cannot do harm.
//!
//! [`turn`] decides whether there is anything to look at. A host that has the bytes of its last request lets [`fork`]
//! repeat them, so that the provider's cache is read; any other asks [`once`], a single question with the messages as
//! data. Neither writes: what they propose goes through [`keep`](crate::keep), which decides whose word it is.

pub mod fork;
pub(crate) mod manifest;
pub mod once;
mod report;
mod shelf;
pub mod turn;

use std::path::Path;

use memdir_conversation::{Message, Usage};
use memdir_memory::private_spans;
use memdir_model::{Body, Cancel, Error as ModelError, Model, Reply};
use memdir_tools::{Denied, PlaceProblem};

use crate::forking::{FOR_MEMORIES, offers};
use crate::keep::{Judge, KeepError, Keeper, Kept, Suggestion};
use crate::origin::{Trust, Window};
use crate::{Meter, MeterError};

pub use report::Report;

/// What extraction is called in the ledger.
pub const PURPOSE: &str = "extraction";
/// How many requests a fork makes at most.
pub const TURNS: usize = 5;

/// Everything that extraction needs beside the conversation.
pub struct Extractor<'a> {
    /// Decides what becomes of what is found.
    pub keeper: Keeper<'a>,
    /// Who is asked.
    pub model: &'a dyn Model,
    /// What it may cost, and where that is written down.
    pub meter: &'a Meter,
    /// The folder in which the conversation works.
    pub folder: &'a Path,
    /// How strictly results of tools are judged.
    pub trust: Trust,
    /// Whether the project's repository tracks a file.
    pub is_tracked: &'a dyn Fn(&str) -> bool,
    /// Whether a file tells of a conversation that was paused: no background model is shown it.
    pub withheld: &'a dyn Fn(&Path) -> bool,
    /// What the user's organisation adds.
    pub guidelines: Option<&'a str>,
    /// Whether it is only told what would be kept. The model is asked all the same.
    pub dry_run: bool,
}

/// The conversation that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Talk<'a> {
    /// All that the model sees of it, the last reply included.
    pub visible: &'a [&'a Message],
    /// How many of these, the last ones, are to be looked at.
    pub messages: usize,
    /// The last request of the conversation, as it was sent; without it there is nothing to fork.
    pub parent: Option<&'a Body>,
}

/// Why nothing was extracted. The same messages are looked at again next time.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The request was not made, or failed.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// The answer could not be used.
    #[error("the answer could not be used: {0}")]
    Answer(String),
    /// What was found could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The memories could not be read.
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
    /// The folders of the conversation cannot be found.
    #[error(transparent)]
    Place(#[from] PlaceProblem),
    /// The prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] memdir_context::PromptError),
    /// Somebody asked to stop.
    #[error("stopped")]
    Cancelled,
}

/// How a conversation is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// By a fork that repeats its parent.
    Fork,
    /// By one request with the messages as data.
    OneRequest,
}

impl Strategy {
    /// How background work looks at a conversation that needs these tools: see [`Extractor::strategy`].
    pub(crate) fn of(
        model: &dyn Model,
        visible: &[&Message],
        parent: Option<&Body>,
        tools: &[&str],
    ) -> Self {
        let same = |parent: &Body| parent.model().as_deref() == Some(model.name());
        let can = |parent: &Body| same(parent) && offers(parent, tools);
        let is_private = visible
            .iter()
            .any(|message| !private_spans(&message.words()).is_empty());
        match model.api().is_some() && !is_private && parent.is_some_and(can) {
            true => Self::Fork,
            false => Self::OneRequest,
        }
    }
}

/// What a run proposes, before it is decided.
struct Proposed {
    suggestions: Vec<Suggestion>,
    window: Window,
    denied: Vec<Denied>,
    usage: Vec<Usage>,
    ended: String,
    /// So many of the messages, the last ones, there was no room for.
    unseen: usize,
}

impl Extractor<'_> {
    /// How this conversation is to be looked at. A fork repeats whatever was said: from a private word on it is out of the
    /// question, and so it is where another model than the conversation's own is to do it, or the conversation has no tools
    /// that write.
    #[must_use]
    pub fn strategy(&self, talk: &Talk<'_>) -> Strategy {
        Strategy::of(self.model, talk.visible, talk.parent, &FOR_MEMORIES)
    }

    /// Looks at the conversation and keeps what is worth it. `word` is a random one, for the marks around what is only
    /// data.
    ///
    /// # Errors
    ///
    /// When the model gives no answer or nothing can be written. Then nothing has changed.
    pub fn extract(
        &self,
        talk: &Talk<'_>,
        word: &str,
        cancel: &Cancel,
    ) -> Result<Report, ExtractError> {
        let strategy = self.strategy(talk);
        let proposed = match (strategy, talk.parent) {
            (Strategy::Fork, Some(parent)) => fork::run(self, talk, parent, cancel)?,
            _ => once::run(self, talk, word, cancel)?,
        };
        if cancel.is_cancelled() {
            return Err(ExtractError::Cancelled);
        }
        let judge = Judge::Window(&proposed.window);
        let kept = match self.dry_run {
            true => self.keeper.plan(&proposed.suggestions, judge)?,
            false => self.keeper.keep(&proposed.suggestions, judge)?,
        };
        Ok(self.report(strategy, proposed, kept))
    }

    fn report(&self, strategy: Strategy, proposed: Proposed, kept: Kept) -> Report {
        Report {
            strategy,
            ended: proposed.ended,
            mixed_by: proposed.window.mixed_by().map(str::to_owned),
            denied: proposed.denied,
            usage: proposed.usage,
            unseen: proposed.unseen,
            kept,
        }
    }

    /// Sends a request and waits for the whole answer, at the user's expense.
    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Reply, MeterError> {
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled.into());
        }
        self.meter.send(self.model, PURPOSE, body, cancel)?.whole()
    }

    /// Whether what a file says is the user's own: tracked by the repository, or a memory that was accepted. What a team
    /// shares, others write.
    fn is_own(&self, file: &str) -> bool {
        let memory = self.keeper.store.memory_directory();
        let file_path = Path::new(file);
        let goes_up = |part| matches!(part, std::path::Component::ParentDir);
        if file_path.components().any(goes_up) {
            return false;
        }
        match file_path.strip_prefix(memory) {
            Ok(beneath) => !beneath.starts_with("team"),
            Err(_) => (self.is_tracked)(file),
        }
    }
}

impl std::fmt::Debug for Extractor<'_> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Extractor")
            .field("keeper", &self.keeper)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
