//! Recall's index: the memories that were left for later while a message waited.

use jiff::Timestamp;
use memdir_agent::jobs::{Job, JobKind, Told, Worked};
use memdir_model::Cancel;
use memdir_recall::Finder;

use crate::Home;

/// There is one index for all conversations of a memory directory.
const NAME: &str = "recall";

/// The work of indexing what was left.
#[must_use]
pub fn index_job(now: Timestamp) -> Job {
    Job::new(JobKind::Index, NAME, now)
}

/// Indexes what was left, step by step.
#[must_use]
pub fn build_index(home: &Home, cancel: &Cancel) -> Worked {
    let finder = Finder::new(&home.store).with_everywhere(home.places.everywhere_dir());
    match finder.complete(&|_| !cancel.is_cancelled()) {
        Ok(None) => Worked::Skipped("somebody else is at it".to_owned()),
        Ok(Some(done)) if !done.written => {
            let folder = finder.folder();
            Worked::Failed(format!(
                "the index in {} cannot be written",
                folder.display()
            ))
        }
        Ok(Some(done)) if done.pending > 0 => {
            let all = done.memories.saturating_add(done.pending);
            Worked::Failed(format!("{} of {all} memories are indexed", done.memories))
        }
        Ok(Some(done)) => Worked::Done(Told::from(format!(
            "{} memories are indexed, {} of them now",
            done.memories, done.read
        ))),
        Err(error) => Worked::Failed(error.to_string()),
    }
}
