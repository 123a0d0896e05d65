//! The notes of the conversation in its place, without a model.

use std::time::Duration;

use memdir_conversation::MessageId;

use super::kept;
use super::situation::{Compacted, Fit, Situation};

/// How long an update of the notes is waited for, and how long ago it may have begun.
const NOTES_WAIT: Duration = Duration::from_secs(15);
const NOTES_AGE: Duration = Duration::from_secs(60);

/// The notes of a conversation, as they were last written.
#[derive(Debug, Clone, Copy)]
pub struct WrittenNotes<'a> {
    /// Their text, each section within its limit.
    pub text: &'a str,
    /// The titles of sections that were cut for it.
    pub cut: &'a [String],
    /// Whether they are still the bare template.
    pub bare: bool,
    /// The last message that they cover.
    pub covered: Option<&'a MessageId>,
}

/// Why notes cannot stand in for a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesSkipped {
    /// Whoever asked said what the summary is to be about, which notes do not know.
    Instructed,
    /// There are none.
    NoNotes,
    /// Nothing was written into them.
    BareNotes,
    /// It is not known up to where they go.
    CoverUnknown,
    /// The last message that they cover is no longer in the conversation.
    CoverNotFound(MessageId),
    /// Everything would stay: it is too short, or the notes cover too little of it.
    AllStays,
    /// It would still be too long.
    TooLong {
        /// How many tokens it would have.
        tokens: u64,
        /// How many it may have.
        limit: u64,
    },
}

/// The conversation with its notes in place of what they cover.
///
/// # Errors
///
/// When notes cannot stand in for it; nothing has changed then.
pub fn with_notes(
    situation: &Situation<'_>,
    notes: Option<WrittenNotes<'_>>,
    instructed: bool,
) -> Result<Compacted, NotesSkipped> {
    if instructed {
        return Err(NotesSkipped::Instructed);
    }
    let notes = notes.ok_or(NotesSkipped::NoNotes)?;
    if notes.bare || notes.text.trim().is_empty() {
        return Err(NotesSkipped::BareNotes);
    }
    let covered = notes.covered.ok_or(NotesSkipped::CoverUnknown)?;
    let visible = situation.conversation.visible();
    let floor = kept::floor(&visible);
    let at = visible
        .iter()
        .position(|message| &message.id == covered)
        .filter(|at| *at >= floor)
        .ok_or_else(|| NotesSkipped::CoverNotFound(covered.clone()))?;
    let start = kept::extended(
        &visible,
        at,
        situation.weights,
        situation.edits,
        situation.limits.kept,
    );
    if start == floor {
        return Err(NotesSkipped::AllStays);
    }
    let mut compacted = situation.compacted(
        &visible,
        start,
        "Notes of this conversation",
        notes.text,
        Fit::Parts,
    );
    compacted.cut = notes.cut.to_vec();
    let limit = situation.limits.thresholds.compaction;
    match compacted.budget.tokens < limit {
        true => Ok(compacted),
        false => Err(NotesSkipped::TooLong {
            tokens: compacted.budget.tokens,
            limit,
        }),
    }
}

/// How long to wait for an update of the notes that began so long ago; not at all for one that may never end.
#[must_use]
pub fn wait_for_notes(began: Duration) -> Option<Duration> {
    (began < NOTES_AGE).then_some(NOTES_WAIT)
}
