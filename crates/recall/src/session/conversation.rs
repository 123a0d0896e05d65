//! What one conversation has been given, kept between processes: a hook is a process per event.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::Timestamp;
use memdir_memory::{scrub, scrub_to};
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::block::Block;
use super::piece::Piece;
use super::skip::Skip;

/// How many turns are kept for `why`.
pub const TURNS_KEPT: usize = 20;
/// How much of a message is kept, in characters: enough to tell which turn it was.
const QUERY_KEPT: usize = 200;

/// The state of recall in one conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    /// Memories in the conversation, by path.
    #[serde(default)]
    shown: BTreeMap<String, Shown>,
    /// Files that the main agent read or wrote by itself.
    #[serde(default)]
    read: BTreeSet<String>,
    /// The last turns, oldest first.
    #[serde(default)]
    turns: Vec<Turn>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shown {
    header: String,
    bytes: u64,
}

/// Why a memory was not given although it was a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Gate {
    /// It is in the conversation already.
    AlreadyShown,
    /// The agent has read or written it itself.
    AlreadyRead,
    /// Its time is over.
    Expired,
    /// It explains a tool that is in use: the agent knows how.
    ToolInUse,
    /// It is not relevant enough.
    NotRelevant,
    /// Better ones took all the places.
    BeyondLimit,
}

impl Gate {
    /// What a person reads.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Gate::AlreadyShown => "in the conversation already",
            Gate::AlreadyRead => "the agent read it itself",
            Gate::Expired => "its time is over",
            Gate::ToolInUse => "how to use a tool that is in use",
            Gate::NotRelevant => "not relevant enough",
            Gate::BeyondLimit => "others were better",
        }
    }
}

/// One turn: what was asked, what was given, what was held back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// When.
    pub at: Timestamp,
    /// The beginning of what the user said, without what is private, hidden or secret.
    pub query: String,
    /// Why nothing was looked up at all, where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skip>,
    /// What was given, best first.
    #[serde(default)]
    pub given: Vec<Given>,
    /// The best of what was not, and why.
    #[serde(default)]
    pub refused: Vec<Refused>,
    /// What a model that selects said to it, where one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<Selected>,
    /// How many memories were searched and how many there are, where the index did not have all of them yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Partial>,
}

/// What was searched while the index was being built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial {
    /// Memories that were searched.
    pub searched: u32,
    /// Memories that there are.
    pub memories: u32,
}

/// What a model that selects chose for a turn, and what became of that. Nothing waits for it: it is shown with the next request
/// or the next message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selected {
    /// What it chose, by the names that it knows.
    #[serde(default)]
    pub chosen: Vec<String>,
    /// When that was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Timestamp>,
    /// How it stands, for people: what was shown with what, or why it was not.
    pub said: String,
    /// Whether it was answered, and that is still to be shown.
    #[serde(default, skip_serializing_if = "is_not")]
    pub waits: bool,
    /// Tools that were in use, for whoever asks it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_not(flag: &bool) -> bool {
    !*flag
}

/// A memory that was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// Where it is.
    pub path: String,
    /// How relevant it was.
    pub score: f64,
    /// Its age in whole days.
    pub age_days: u64,
    /// Bytes of its text; none where it was only named.
    pub bytes: u64,
    /// Why it was chosen.
    pub reasons: Vec<String>,
}

/// A memory that was held back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// Where it is.
    pub path: String,
    /// How relevant it was.
    pub score: f64,
    /// Which gate held it back.
    pub gate: Gate,
}

impl Record for Conversation {
    const KIND: &'static str = "conversations";
    const VERSION: u64 = 1;
}

impl Turn {
    /// A turn about which nothing is known yet.
    #[must_use]
    pub fn new(at: Timestamp, query: &str) -> Turn {
        Turn {
            at,
            query: scrub_to(query, QUERY_KEPT),
            skipped: None,
            given: Vec::new(),
            refused: Vec::new(),
            selector: None,
            partial: None,
        }
    }
}

impl Conversation {
    /// As it may be kept: what an earlier version wrote down of messages is looked at again.
    fn scrub(&mut self) {
        for turn in &mut self.turns {
            turn.query = scrub_to(&turn.query, QUERY_KEPT);
            for reason in turn.given.iter_mut().flat_map(|given| &mut given.reasons) {
                *reason = scrub(reason).into_owned();
            }
        }
    }

    /// Bytes of memories in the conversation.
    #[must_use]
    pub fn given_bytes(&self) -> u64 {
        self.shown.values().map(|shown| shown.bytes).sum()
    }

    /// Whether a memory may be given; if not, what holds it back.
    #[must_use]
    pub fn gate(&self, path: &str) -> Option<Gate> {
        if self.shown.contains_key(path) {
            Some(Gate::AlreadyShown)
        } else if self.read.contains(path) {
            Some(Gate::AlreadyRead)
        } else {
            None
        }
    }

    /// Every path that is in the conversation.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.shown.keys().chain(&self.read).map(String::as_str)
    }

    /// The header with which a memory was first shown, where it still is in the conversation.
    #[must_use]
    pub fn header(&self, path: &str) -> Option<&str> {
        self.shown.get(path).map(|shown| shown.header.as_str())
    }

    /// Notes that the agent read or wrote a file by itself.
    pub fn note_read(&mut self, path: impl Into<String>) {
        self.read.insert(path.into());
    }

    /// Notes that a memory is in the conversation with so many bytes, where that is not known yet.
    pub fn note_shown(&mut self, path: &str, bytes: u64) {
        self.shown.entry(path.to_owned()).or_insert(Shown {
            header: String::new(),
            bytes,
        });
    }

    /// Notes a turn and what its block showed.
    ///
    /// ```
    /// use memdir_recall::{Block, Conversation, Gate, Turn};
    ///
    /// let mut conversation = Conversation::default();
    /// let block = Block { shown: vec![("/m/a.md".to_owned(), 120)], ..Block::default() };
    /// conversation.note_turn(Turn::new(jiff::Timestamp::UNIX_EPOCH, "why Friday"), &[], &block);
    /// assert_eq!(conversation.gate("/m/a.md"), Some(Gate::AlreadyShown));
    /// assert_eq!(conversation.given_bytes(), 120);
    /// // Compaction took it out: it may come again.
    /// conversation.keep_only(|path| path != "/m/a.md");
    /// assert_eq!(conversation.gate("/m/a.md"), None);
    /// assert_eq!(conversation.given_bytes(), 0);
    /// ```
    pub fn note_turn(&mut self, turn: Turn, pieces: &[Piece], block: &Block) {
        self.note_block(pieces, block);
        self.turns.push(turn);
        let surplus = self.turns.len().saturating_sub(TURNS_KEPT);
        self.turns.drain(..surplus);
    }

    /// Notes what a model selected for the turn of that moment, and what was shown of it.
    pub fn note_selected(
        &mut self,
        at: Timestamp,
        selected: Selected,
        given: &[Given],
        pieces: &[Piece],
        block: &Block,
    ) {
        self.note_block(pieces, block);
        if let Some(turn) = self.turns.iter_mut().rev().find(|turn| turn.at == at) {
            turn.selector = Some(selected);
            turn.given.extend(given.iter().cloned());
        }
    }

    fn note_block(&mut self, pieces: &[Piece], block: &Block) {
        for (path, bytes) in &block.shown {
            let header = pieces
                .iter()
                .find(|piece| piece.path == *path)
                .map(|piece| piece.header.clone())
                .unwrap_or_default();
            self.shown.entry(path.clone()).or_insert(Shown {
                header,
                bytes: *bytes,
            });
        }
        // What was only named need not be named again either.
        for path in &block.named {
            self.shown.entry(path.clone()).or_insert(Shown {
                header: String::new(),
                bytes: 0,
            });
        }
    }

    /// Memories that were shown or named, and files that the agent read or wrote by itself.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        self.paths()
    }

    /// After compaction: only what is still in the conversation counts.
    pub fn keep_only(&mut self, stays: impl Fn(&str) -> bool) {
        self.shown.retain(|path, _| stays(path));
        self.read.retain(|path| stays(path));
    }

    /// The last turns, oldest first.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

/// The conversations of one memory directory.
#[derive(Debug, Clone)]
pub struct ConversationRecords {
    records: Records,
}

impl ConversationRecords {
    /// Those in a state folder, which need not exist.
    #[must_use]
    pub fn new(state: impl Into<PathBuf>) -> Self {
        Self {
            records: Records::new(state),
        }
    }

    /// The same, without waiting for the disk: after a power cut a memory may be shown twice.
    #[must_use]
    pub fn light(self) -> Self {
        Self {
            records: self.records.light(),
        }
    }

    /// One conversation; an empty one where nothing is known or what is kept is damaged.
    pub fn get(&self, id: &str) -> Result<Conversation, RecordError> {
        match self.records.get::<Conversation>(id) {
            Ok(found) => Ok(found
                .map(|(conversation, _)| conversation)
                .unwrap_or_default()),
            Err(RecordError::Damaged { .. }) => Ok(Conversation::default()),
            Err(error) => Err(error),
        }
    }

    /// Changes a conversation, however many processes do so at once: `change` runs again on what another one wrote.
    pub fn update(
        &self,
        id: &str,
        mut change: impl FnMut(&mut Conversation),
    ) -> Result<(), RecordError> {
        let update = |found: Option<Conversation>| {
            let mut conversation = found.unwrap_or_default();
            change(&mut conversation);
            conversation
        };
        self.records.update(id, update).map(|_| ())
    }

    /// Takes out of every conversation what may not be kept of messages; how many there were. What a newer memdir wrote is
    /// left alone.
    pub fn scrub(&self) -> Result<usize, RecordError> {
        let mut scrubbed = 0;
        for (id, conversation, _) in self.records.list::<Conversation>()?.records {
            let mut clean = conversation.clone();
            clean.scrub();
            if clean != conversation {
                self.update(&id, Conversation::scrub)?;
                scrubbed += 1;
            }
        }
        Ok(scrubbed)
    }

    /// Every conversation by id, the one with the newest turn last.
    pub fn all(&self) -> Result<Vec<(String, Conversation)>, RecordError> {
        let listed = self.records.list::<Conversation>()?;
        let mut all: Vec<(String, Conversation)> = listed
            .records
            .into_iter()
            .map(|(id, conversation, _)| (id, conversation))
            .collect();
        all.sort_by_key(|(_, conversation)| conversation.turns.last().map(|turn| turn.at));
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_spans_are_never_stored() {
        let turn = Turn::new(Timestamp::UNIX_EPOCH, "x <private>secret</private>");
        assert_eq!(turn.query, "x [private]");
    }

    #[test]
    fn two_processes_lose_nothing_of_each_other() {
        let state = tempfile::tempdir().unwrap();
        let (one, other) = (
            ConversationRecords::new(state.path()),
            ConversationRecords::new(state.path()),
        );
        std::thread::scope(|scope| {
            for records in [&one, &other] {
                scope.spawn(move || {
                    for number in 0..20 {
                        let path = format!("/m/{number}-{records:p}.md");
                        records
                            .update("c", |conversation| conversation.note_read(path.clone()))
                            .unwrap();
                    }
                });
            }
        });
        assert_eq!(one.get("c").unwrap().read.len(), 40);
        assert_eq!(one.get("unknown").unwrap(), Conversation::default());
    }

    #[test]
    fn only_the_last_turns_are_kept() {
        let mut conversation = Conversation::default();
        for number in 0..TURNS_KEPT + 3 {
            let turn = Turn::new(Timestamp::UNIX_EPOCH, &format!("turn {number}"));
            conversation.note_turn(turn, &[], &Block::default());
        }
        assert_eq!(conversation.turns().len(), TURNS_KEPT);
        assert_eq!(conversation.turns()[0].query, "turn 3");
    }
}
