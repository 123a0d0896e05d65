//! What was done to make room, or why not.

use std::fmt;

use memdir_conversation::tokens::Kinds;
use memdir_conversation::{Trigger, Usage};

use super::budget::Budget;
use super::economy::BreakEven;
use super::micro::NothingCleared;
use super::notes::NotesSkipped;
use crate::switches::Compaction;
use crate::thresholds::Grouped;

/// One step, done or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Results of tools were cleared.
    Cleared {
        /// The files that the results went to.
        files: Vec<String>,
        /// How many recalled memories and rules gave way to their names.
        faded: usize,
        /// How many messages go without their thinking.
        thoughtless: usize,
        /// The tokens of the request before.
        tokens_before: u64,
        /// The tokens of the request afterwards.
        tokens_after: u64,
        /// Those before by what they are for, and those afterwards.
        kinds: Box<(Kinds, Kinds)>,
        /// When it has paid for itself.
        break_even: BreakEven,
    },
    /// The provider clears by itself from now on.
    AskedProvider,
    /// A summary stands in for the conversation.
    Compacted {
        /// Whose words it has.
        way: Compaction,
        /// Why it was made.
        trigger: Trigger,
        /// The tokens of the request before.
        tokens_before: u64,
        /// The tokens of what stands in its place, and what of them cannot shrink.
        budget: Budget,
        /// The tokens of the next request; a host that shows files again counts those too.
        tokens_after: u64,
        /// Those before by what they are for, and those afterwards.
        kinds: Box<(Kinds, Kinds)>,
        /// How many messages stayed.
        kept: usize,
        /// Sections of the notes that were cut.
        cut: Vec<String>,
        /// How often a model was asked.
        requests: usize,
        /// How many messages the summary was written without.
        dropped: usize,
        /// What the requests cost.
        usage: Vec<Usage>,
    },
    /// A step was not taken.
    Skipped {
        /// Which.
        way: Compaction,
        /// Why not.
        why: Why,
    },
    /// A step was tried in vain.
    Failed {
        /// Which.
        way: Compaction,
        /// What was wrong.
        what: String,
        /// How often in a row.
        failures: u64,
    },
    /// The last compaction left so little room that the next would come at once: it will not be repeated.
    NoHeadroom(Budget),
}

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cleared {
                files,
                tokens_before,
                tokens_after,
                ..
            } => write!(
                out,
                "cleared {} results of tools: {} tokens became {}",
                files.len(),
                Grouped(*tokens_before),
                Grouped(*tokens_after)
            ),
            Self::AskedProvider => {
                out.write_str("the provider clears old results of tools from now on")
            }
            Self::Compacted {
                way,
                tokens_before,
                tokens_after,
                kept,
                ..
            } => write!(
                out,
                "compacted ({}): {} tokens became {}, {kept} {}",
                way.as_str(),
                Grouped(*tokens_before),
                Grouped(*tokens_after),
                match kept {
                    1 => "message stays",
                    _ => "messages stay",
                }
            ),
            Self::Skipped { way, why } => write!(out, "{} not done: {why}", way.as_str()),
            Self::Failed {
                way,
                what,
                failures,
            } => write!(out, "{} failed ({failures} in a row): {what}", way.as_str()),
            Self::NoHeadroom(budget) => write!(
                out,
                "compaction leaves {} tokens of {}, and is not repeated",
                Grouped(budget.tokens),
                Grouped(budget.limit)
            ),
        }
    }
}

/// Why a step was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It is switched off.
    Off {
        /// By whom.
        by: String,
    },
    /// There is room enough.
    Room {
        /// How many tokens there are.
        used: u64,
        /// From how many on room is made.
        threshold: u64,
    },
    /// Nothing worth clearing.
    Nothing(NothingCleared),
    /// Notes cannot stand in.
    Notes(NotesSkipped),
    /// Somebody asked for more than clearing.
    Asked,
    /// A step before it sufficed.
    Done,
    /// No model is there to ask.
    NoModel,
    /// It failed too often.
    GaveUp {
        /// How often in a row.
        failures: u64,
    },
    /// The last one left no headroom.
    NoHeadroom {
        /// How many tokens it left.
        tokens: u64,
    },
}

impl fmt::Display for Why {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off { by } => write!(out, "switched off by {by}"),
            Self::Room { used, threshold } => {
                write!(
                    out,
                    "{} tokens, it begins at {}",
                    Grouped(*used),
                    Grouped(*threshold)
                )
            }
            Self::Nothing(NothingCleared::BelowWarning { used, warning }) => {
                write!(
                    out,
                    "{} tokens, it begins at {}",
                    Grouped(*used),
                    Grouped(*warning)
                )
            }
            Self::Nothing(NothingCleared::FewResults { standing, limit }) => write!(
                out,
                "results of tools have {} tokens, {} may stand",
                Grouped(*standing),
                Grouped(*limit)
            ),
            Self::Nothing(NothingCleared::SavesLittle { saving, least }) => {
                let (saving, least) = (Grouped(*saving), Grouped(*least));
                write!(out, "it would save {saving} tokens, {least} are worth it")
            }
            Self::Notes(why) => write!(out, "{why}"),
            Self::Asked => out.write_str("more was asked for"),
            Self::Done => out.write_str("not needed any more"),
            Self::NoModel => out.write_str("no model to ask"),
            Self::GaveUp { failures } => write!(out, "failed {failures} times in a row"),
            Self::NoHeadroom { tokens } => write!(
                out,
                "the last compaction left {} tokens, and another would leave no less",
                Grouped(*tokens)
            ),
        }
    }
}

impl fmt::Display for NotesSkipped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instructed => out.write_str("instructions were given, which notes do not know"),
            Self::NoNotes => out.write_str("there are no notes"),
            Self::BareNotes => out.write_str("nothing is written in the notes"),
            Self::CoverUnknown => out.write_str("it is not known up to where the notes go"),
            Self::CoverNotFound(id) => {
                write!(out, "the last message that the notes cover, {id}, is gone")
            }
            Self::AllStays => out.write_str("all of it would stay"),
            Self::TooLong { tokens, limit } => {
                let (tokens, limit) = (Grouped(*tokens), Grouped(*limit));
                write!(out, "{tokens} tokens would remain, {limit} are too many")
            }
        }
    }
}
