//! Extraction without a model: what the user said outright in a conversation, turn by turn.
//!
//! In a turn in which the agent itself wrote to memory only that is kept which no file says (`beside`), so that the two never
//! save the same. Only words that the user typed are looked at: not what was recalled, not what a tool gave, not what a host
//! put in their name.

mod beside;

use std::collections::HashMap;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_conversation::{Block, Kind, Message, MessageId, Source};
use memdir_memory::MemoryType;
use memdir_memory::draft::{Draft, Given};
use memdir_store::RecordError;

use crate::cursor::{self, Cursor};
use crate::keep::{Judge, KeepError, Keeper, Kept, Suggestion, Wanted};
use crate::pieces::Pieces;
use crate::rules::{Act, Wish, wishes};

pub use beside::Beside;

/// A longer message was pasted, not typed.
const LONGEST: usize = 200_000;

/// Listens to a conversation.
///
/// ```
/// use memdir_agent::by_rules::Listener;
/// use memdir_conversation::Message;
///
/// let mut listener = Listener::default();
/// listener.hear(&Message::user("1", "From now on, run the linter before you commit."));
/// let heard = listener.finish("/memory".as_ref(), None);
/// assert_eq!(heard.suggestions.len(), 1);
/// assert_eq!(heard.last.as_deref(), Some("1"));
/// ```
#[derive(Debug)]
pub struct Listener {
    zone: TimeZone,
    /// Turns in which the user wished something.
    turns: Vec<Turn>,
    turn: Turn,
    pieces: Pieces,
    /// Places of the messages.
    places: HashMap<MessageId, usize>,
    last: Option<MessageId>,
    said: Option<Timestamp>,
}

/// A message of the user and what the agent did about it.
#[derive(Debug, Default)]
struct Turn {
    /// The place of the message.
    place: usize,
    suggestions: Vec<Suggestion>,
    /// Whether the agent used our own tools.
    remembered: bool,
    /// Files that the agent wrote.
    files: Vec<String>,
}

/// What was heard.
#[derive(Debug, Default)]
pub struct Heard {
    /// What the user asked to be kept or forgotten, in order.
    pub suggestions: Vec<Suggestion>,
    /// What the user asked to be kept in turns in which the agent wrote to memory itself: see [`Heard::settle`].
    pub beside: Vec<Beside>,
    /// Turns that were left to the agent, which wrote to memory itself.
    pub left_to_agent: usize,
    /// The last message.
    pub last: Option<String>,
    /// When it was said.
    pub said: Option<Timestamp>,
}

impl Default for Listener {
    fn default() -> Self {
        Self::in_zone(TimeZone::UTC)
    }
}

impl Listener {
    /// Listens to a user who lives there: "tomorrow" is a day of theirs.
    #[must_use]
    pub fn in_zone(zone: TimeZone) -> Self {
        Self {
            zone,
            turns: Vec::new(),
            turn: Turn::default(),
            pieces: Pieces::default(),
            places: HashMap::new(),
            last: None,
            said: None,
        }
    }

    /// Takes the next message.
    pub fn hear(&mut self, message: &Message) {
        match message.source {
            Source::User => {
                self.end_turn();
                let pieces = message.apart();
                let typed = pieces.iter().filter(|piece| piece.source == Source::User);
                typed.for_each(|piece| self.take_words(piece, &message.id));
            }
            Source::Model => message
                .blocks
                .iter()
                .for_each(|block| self.turn.note(block)),
            _ => {}
        }
        self.places.insert(message.id.clone(), self.places.len());
        self.last = Some(message.id.clone());
        self.said = message.at.or(self.said);
    }

    /// What was heard behind the cursor, the turn that is not over included; turns in which the agent wrote into the memory
    /// directory are apart. Where the message of the cursor did not come, all that was said later than it counts, and
    /// everything where nobody knows when it was said.
    #[must_use]
    pub fn finish(mut self, memory: &Path, since: Option<&Cursor>) -> Heard {
        self.end_turn();
        let place = since.and_then(|since| self.places.get(&MessageId::new(&since.message)));
        let last = since.and_then(|since| since.said);
        let is_new = |turn: &Turn| match (place, last) {
            (Some(place), _) => turn.place > *place,
            (None, Some(last)) => turn
                .suggestions
                .iter()
                .all(|one| one.said.is_none_or(|said| said > last)),
            (None, None) => true,
        };
        let mut heard = Heard {
            last: self.last.map(|last| last.to_string()),
            said: self.said,
            ..Heard::default()
        };
        for turn in self.turns.into_iter().filter(is_new) {
            match turn.wrote_to(memory) {
                true => heard.beside.push(turn.beside(memory)),
                false => heard.suggestions.extend(turn.suggestions),
            }
        }
        heard
    }

    fn end_turn(&mut self) {
        let turn = std::mem::take(&mut self.turn);
        if !turn.suggestions.is_empty() {
            self.turns.push(turn);
        }
        self.turn.place = self.places.len();
    }

    fn take_words(&mut self, message: &Message, id: &MessageId) {
        let mut typed = message.words();
        let private = self.pieces.spans(message);
        let begun = private.open();
        let open = private.replace(&typed, "\n").into_owned();
        if begun {
            typed = open;
        }
        if typed.len() > LONGEST {
            return;
        }
        let at = message.at.unwrap_or_else(Timestamp::now);
        let today = at.to_zoned(self.zone.clone()).date();
        for wish in wishes(&typed, today) {
            let wanted = match wish.act {
                Act::Forget => Wanted::Forgotten(wish.text.clone()),
                Act::Keep(kind) => {
                    let given = Given {
                        kind: Some(kind),
                        ..Given::default()
                    };
                    Wanted::Kept(Box::new(Draft::new(&wish.text, given, today)))
                }
            };
            let suggestion = Suggestion {
                team: is_for_team(&wish),
                evidence: typed.get(wish.evidence).map(str::to_owned),
                message: Some(id.to_string()),
                conversation: None,
                said: message.at,
                wanted,
            };
            self.turn.suggestions.push(suggestion);
        }
    }
}

impl Turn {
    /// Notes what a call of the agent writes.
    fn note(&mut self, block: &Block) {
        let Kind::ToolCall { name, .. } = block.kind() else {
            return;
        };
        let tool = name.rsplit("__").next().unwrap_or_default();
        match tool {
            "remember" | "forget" => self.remembered = true,
            "apply_patch" => self.files.push(block.json().to_string()),
            "Write" | "Edit" | "MultiEdit" | "write_file" | "replace" => {
                self.files.extend(block.file());
            }
            _ => {}
        }
    }

    /// What is left to do in a turn in which the agent saved something itself. What is to be forgotten it has seen to.
    fn beside(self, memory: &Path) -> Beside {
        let mut suggestions = self.suggestions;
        suggestions.retain(|one| matches!(one.wanted, Wanted::Kept(_)));
        let memory = format!("{}/", memory.display());
        Beside {
            suggestions,
            texts: self
                .files
                .iter()
                .filter_map(|file| Some(file.split_once(&memory)?.1.to_owned()))
                .collect(),
            anywhere: self.remembered,
        }
    }

    /// Whether the agent saved or changed a memory itself.
    fn wrote_to(&self, memory: &Path) -> bool {
        let memory = format!("{}/", memory.display());
        // Of a patch the paths stand in its text.
        self.remembered || self.files.iter().any(|file| file.contains(&memory))
    }
}

/// What by its kind belongs to the team, where there is one.
fn is_for_team(wish: &Wish) -> bool {
    match wish.act {
        Act::Keep(MemoryType::Project | MemoryType::Reference) => true,
        Act::Keep(MemoryType::Feedback) => matches!(wish.rule, "convention" | "our way"),
        Act::Keep(MemoryType::User) | Act::Forget => false,
    }
}

/// Why a conversation could not be looked through. Its cursor stays where it was.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The memories.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The cursor.
    #[error(transparent)]
    Cursor(#[from] RecordError),
}

/// Looks through a conversation from its cursor on, keeps what it finds, and moves the cursor.
///
/// # Errors
///
/// When memories or cursor cannot be read or written; the same messages are then looked at again.
pub fn extract<'m>(
    keeper: &Keeper<'_>,
    conversation: &str,
    messages: impl IntoIterator<Item = &'m Message>,
    zone: TimeZone,
) -> Result<Kept, ExtractError> {
    let since = cursor::get(keeper.store, conversation)?;
    let mut listener = Listener::in_zone(zone);
    for message in messages {
        listener.hear(message);
    }
    let mut heard = listener.finish(keeper.store.memory_directory(), since.as_ref());
    heard.settle(keeper.store)?;
    let kept = keeper.keep(&heard.suggestions, Judge::Rules)?;
    if let Some(message) = heard.last {
        let left = Cursor {
            message,
            said: heard.said,
            at: Timestamp::now(),
            file: None,
        };
        cursor::set(keeper.store, conversation, &left)?;
    }
    Ok(kept)
}
