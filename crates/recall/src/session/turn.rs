//! One turn of a conversation: what the user said in, what the agent is given out.

use std::path::Path;

use jiff::{Timestamp, civil::Date};
use memdir_memory::{MemoryPath, scrub_away};

use super::block::{Block, block};
use super::conversation::{Conversation, Gate, Given, Partial, Refused, Turn};
use super::piece::{Memory, Piece};
use super::skip::Skip;
use super::tool;
use crate::finder::{Named, Passed};
use crate::{Error, Finder, Found, MAX_SELECTED, OpenFinder, Question, Reason, Scope};

/// How many of those that were held back are told, for each gate.
const REFUSED_TOLD: usize = 5;

/// What a turn begins with.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// What the user said.
    pub text: &'a str,
    /// A switch that turns recall off, where one does.
    pub off: Option<Skip>,
    /// Tools called without error since the user's previous message.
    pub tools: &'a [String],
    /// How many memories at most.
    pub limit: usize,
    /// How many characters the host takes.
    pub host_limit: Option<usize>,
    /// Whether to keep silent when nothing is relevant enough.
    pub silence: bool,
    /// The time by which ages are told.
    pub now: Timestamp,
    /// Whether a memory's last day is over.
    pub is_over: &'a dyn Fn(Date) -> bool,
}

impl<'a> Message<'a> {
    /// A message with the usual limits.
    #[must_use]
    pub fn new(text: &'a str, now: Timestamp) -> Message<'a> {
        Message {
            text,
            off: None,
            tools: &[],
            limit: MAX_SELECTED,
            host_limit: None,
            silence: true,
            now,
            is_over: &|_| false,
        }
    }
}

/// What a turn is given, and the account of it.
#[derive(Debug)]
pub struct Outcome {
    /// The account, for [`Conversation::note_turn`].
    pub turn: Turn,
    /// The memories that were chosen, best first.
    pub found: Vec<Found>,
    /// The same, ready to be shown.
    pub pieces: Vec<Piece>,
    /// The same, as one text.
    pub block: Block,
}

/// Decides what a turn is given. Nothing is noted: that is for who really gives it.
///
/// ```
/// use memdir_recall::{Conversation, Finder, Gate, Message, take_turn};
/// use memdir_store::Store;
///
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir(folder.path().join("memory"))?;
/// # std::fs::write(folder.path().join("memory/bees.md"), "The user keeps bees in wooden hives.\n")?;
/// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
/// let finder = Finder::new(&store);
/// let mut conversation = Conversation::default();
/// let message = Message { silence: false, ..Message::new("wooden hives for bees", jiff::Timestamp::now()) };
///
/// let first = take_turn(&finder, &conversation, &message)?;
/// assert!(first.block.text.contains("keeps bees"));
/// conversation.note_turn(first.turn, &first.pieces, &first.block);
///
/// let second = take_turn(&finder, &conversation, &message)?;
/// assert_eq!(second.block.text, "");
/// assert_eq!(second.turn.refused[0].gate, Gate::AlreadyShown);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn take_turn(
    finder: &Finder,
    conversation: &Conversation,
    message: &Message<'_>,
) -> Result<Outcome, Error> {
    take_turn_with(&mut finder.open(), conversation, message)
}

/// The same with an index that stays open between the turns.
pub fn take_turn_with(
    open: &mut OpenFinder,
    conversation: &Conversation,
    message: &Message<'_>,
) -> Result<Outcome, Error> {
    let mut turn = Turn::new(message.now, message.text);
    // Why a memory was found is kept, and tells the words it was found by.
    let said = scrub_away(message.text);
    turn.skipped = message
        .off
        .or_else(|| Skip::of(&said, conversation.given_bytes()));
    if turn.skipped.is_some() {
        return Ok(Outcome {
            turn,
            found: Vec::new(),
            pieces: Vec::new(),
            block: Block::default(),
        });
    }
    let without: Vec<(Scope, MemoryPath)> = conversation
        .paths()
        .filter_map(|path| open.finder().place_of(Path::new(path)))
        .collect();
    let question = Question {
        query: &said,
        limit: message.limit,
        silence: message.silence,
        now: message.now,
        is_over: message.is_over,
        without: &without,
    };
    let weighed = open.weigh(&question, REFUSED_TOLD, &|found| {
        !tool::explains(found, message.tools)
    })?;
    let (searched, pending) = weighed.searched;
    turn.partial = (pending > 0).then(|| Partial {
        searched,
        memories: searched.saturating_add(pending),
    });
    let finder = open.finder();
    for (named, why) in &weighed.passed {
        let gate = match why {
            Passed::Refused => Gate::ToolInUse,
            Passed::Beyond => Gate::BeyondLimit,
        };
        turn.refused.push(refused(finder, named, gate));
    }
    // What would have come, were it not in the conversation already or its time over.
    for named in &weighed.all {
        let is_over = named.expires.is_some_and(message.is_over);
        let gate = conversation.gate(&path_of(finder, named.scope, &named.path));
        if let Some(gate) = gate.or(is_over.then_some(Gate::Expired)) {
            turn.refused.push(refused(finder, named, gate));
        }
    }
    let nearest = weighed.nearest.iter();
    turn.refused
        .extend(nearest.map(|named| refused(finder, named, Gate::NotRelevant)));
    let found = weighed.found;
    let pieces: Vec<Piece> = found
        .iter()
        .map(|found| piece(finder, conversation, found))
        .collect();
    let block = block(&pieces, message.host_limit);
    turn.given = found
        .iter()
        .zip(&pieces)
        .map(|(found, piece)| given(found, piece, &block))
        .collect();
    Ok(Outcome {
        turn,
        found,
        pieces,
        block,
    })
}

fn path_of(finder: &Finder, scope: Scope, path: &MemoryPath) -> String {
    let path = finder.path_of(scope, path);
    path.to_string_lossy().into_owned()
}

fn piece(finder: &Finder, conversation: &Conversation, found: &Found) -> Piece {
    let memory = Memory {
        path: path_of(finder, found.scope, &found.path),
        days: found.days,
        origin: found.origin(),
        text: found.text.clone(),
    };
    Piece::new(&memory, conversation.header(&memory.path))
}

fn refused(finder: &Finder, named: &Named, gate: Gate) -> Refused {
    Refused {
        path: path_of(finder, named.scope, &named.path),
        score: f64::from(named.score),
        gate,
    }
}

fn given(found: &Found, piece: &Piece, block: &Block) -> Given {
    let shown = block.shown.iter().find(|(path, _)| *path == piece.path);
    Given {
        path: piece.path.clone(),
        score: f64::from(found.score),
        age_days: found.days,
        bytes: shown.map_or(0, |(_, bytes)| *bytes),
        reasons: found.reasons.iter().map(Reason::to_string).collect(),
    }
}
