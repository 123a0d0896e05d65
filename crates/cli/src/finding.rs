//! Recall in a workplace: where it looks, and keeping it up with our own changes.

use memdir_recall::{Finder, Unread};
use memdir_store::{Error, Operation, Outcome, Restoration};

use crate::failure::Failure;
use crate::output::Output;
use crate::reader;
use crate::table::{one_line, thousands};
use crate::workplace::Workplace;

/// How many files that could not be searched are named before the rest is counted.
const UNREAD_SHOWN: usize = 10;

impl Workplace {
    /// Finds memories of this directory, of its inbox, and those for all projects.
    pub(crate) fn finder(&self) -> Finder {
        let finder = Finder::new(&self.store).with_everywhere(self.places.everywhere_dir());
        if self.wants_model() && reader::BUILT_IN {
            // Only a build without the model refuses.
            return reader::with_model(finder.clone(), &self.model_folder()).unwrap_or(finder);
        }
        finder
    }

    /// Commits an operation, and lets recall know which files it changed.
    pub(crate) fn commit(&self, operation: Operation<'_>) -> Result<Outcome, Error> {
        self.noting(|| operation.commit())
    }

    /// Restores what an undo has planned, and lets recall know.
    pub(crate) fn restore(&self, plan: Restoration) -> Result<Outcome, Error> {
        self.noting(|| self.store.restore(plan))
    }

    fn noting(&self, change: impl FnOnce() -> Result<Outcome, Error>) -> Result<Outcome, Error> {
        let finder = self.finder();
        let watch = finder.watch();
        let outcome = change()?;
        // Where this does not work, the next question looks for itself.
        finder.note(watch.as_ref(), &outcome.changed);
        Ok(outcome)
    }
}

impl From<memdir_recall::Error> for Failure {
    fn from(error: memdir_recall::Error) -> Failure {
        match error {
            memdir_recall::Error::Store(error) => Failure::from(error),
            other => Failure::new(other.to_string(), ""),
        }
    }
}

impl From<memdir_store::RecordError> for Failure {
    fn from(error: memdir_store::RecordError) -> Failure {
        match error {
            memdir_store::RecordError::Store(error) => Failure::from(error),
            other => Failure::new(other.to_string(), ""),
        }
    }
}

/// That not all memories are in recall's index yet.
pub(crate) fn being_built(searched: u32, pending: u32) -> String {
    let number = |number: u32| thousands(usize::try_from(number).unwrap_or(usize::MAX));
    let all = number(searched.saturating_add(pending));
    let searched = number(searched);
    format!("recall's index is being built: {searched} of {all} memories can be found so far")
}

/// Names the files that could not be searched, with the reason, on standard error and after the answer.
pub(crate) fn warn_of_unread(output: &mut Output, unread: &[Unread]) -> Result<(), Failure> {
    if unread.is_empty() {
        return Ok(());
    }
    output.flush()?;
    for one in unread.iter().take(UNREAD_SHOWN) {
        let path = one_line(&one.path);
        let reason = one_line(&one.reason);
        output.warn(format!("{path} was not searched: {reason}"));
    }
    let more = unread.len().saturating_sub(UNREAD_SHOWN);
    if more > 0 {
        output.warn(format!("{more} more files were not searched"));
    }
    Ok(())
}
