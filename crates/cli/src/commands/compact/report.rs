//! What is said about making room.

use serde::Serialize;

use super::messages;
use crate::table::{count, cut, pairs, thousands};

/// How much of the first message that stays is shown.
const FIRST_COLUMNS: usize = 60;

/// What `memdir compact` says.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) messages: usize,
    pub(super) tokens: u64,
    pub(super) window: u64,
    /// From how many tokens on a conversation is compacted by itself.
    pub(super) limit: u64,
    pub(super) clearing: Clear,
    pub(super) compaction: Compaction,
}

/// What clearing results of tools would do.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Clear {
    Possible {
        results: usize,
        faded: usize,
        tokens_after: u64,
        /// After how many requests it has paid for itself.
        turns: Option<u64>,
    },
    Impossible {
        why_not: String,
    },
}

/// What notes in place of the conversation would do.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Compaction {
    Possible(Box<Done>),
    Impossible { why_not: String },
}

#[derive(Serialize)]
pub(super) struct Done {
    pub(super) tokens_after: u64,
    /// How many messages go.
    pub(super) goes: usize,
    /// How many stay.
    pub(super) stays: usize,
    /// The words of the first that stays.
    pub(super) first: Option<String>,
    /// How many messages of the user are repeated.
    pub(super) typed: usize,
    /// How many files are named.
    pub(super) files: usize,
    /// How many failed commands are named.
    pub(super) failed: usize,
    /// The files that would be shown again.
    pub(super) read_again: Vec<String>,
    /// How many tokens there would be for them.
    pub(super) room_to_restore: u64,
    /// The message that stands in place of what goes.
    pub(super) summary: String,
}

impl Report {
    /// The report for people.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut rows = vec![(
            "conversation",
            format!(
                "{}, {} tokens; it is compacted at {} of {}",
                messages(self.messages),
                number(self.tokens),
                number(self.limit),
                number(self.window)
            ),
        )];
        match &self.clearing {
            Clear::Impossible { why_not } => rows.push(("clearing", format!("nothing: {why_not}"))),
            Clear::Possible {
                results,
                faded,
                tokens_after,
                turns,
            } => {
                let mut line = count(*results, "result of a tool", "results of tools");
                if *faded > 0 {
                    line.push_str(&format!(", {}", count(*faded, "reminder", "reminders")));
                }
                line.push_str(&format!("; {} tokens remain", number(*tokens_after)));
                if let Some(turns) = turns {
                    line.push_str(&format!(
                        "; pays for the lost cache after {} requests",
                        number(*turns)
                    ));
                }
                rows.push(("clearing", line));
            }
        }
        match &self.compaction {
            Compaction::Impossible { why_not } => {
                rows.push(("compaction", format!("not possible: {why_not}")));
            }
            Compaction::Possible(done) => {
                rows.push((
                    "compaction",
                    format!("{} tokens remain", number(done.tokens_after)),
                ));
                rows.push(("  goes", messages(done.goes)));
                let from = match done.first.as_deref().filter(|words| !words.is_empty()) {
                    Some(words) => format!(", from “{}” on", cut(words, FIRST_COLUMNS)),
                    None => String::new(),
                };
                rows.push(("  stays", messages(done.stays) + &from));
                rows.push((
                    "  repeated",
                    format!(
                        "{} of the user, {}, {}",
                        messages(done.typed),
                        count(done.files, "file touched", "files touched"),
                        count(done.failed, "command that failed", "commands that failed")
                    ),
                ));
                let again = match done.read_again.is_empty() {
                    true => "nothing".to_owned(),
                    false => format!(
                        "{}; at most {} tokens",
                        done.read_again.join(", "),
                        number(done.room_to_restore)
                    ),
                };
                rows.push(("  shown again", again));
            }
        }
        pairs(&rows).collect()
    }
}

fn number(number: u64) -> String {
    thousands(usize::try_from(number).unwrap_or(usize::MAX))
}
