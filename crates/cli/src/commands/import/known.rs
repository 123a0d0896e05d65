//! What need not be brought in again.

use std::collections::{BTreeSet, HashSet};

use jiff::civil::Date;
use memdir_memory::{MemoryPath, Topic, dates};
use memdir_store::{Digest, Waiting};

use super::gather::Piece;
use super::pieces::{day, said, said_on};
use crate::failure::Failure;
use crate::workplace::Workplace;

/// How far a memory has come.
pub(super) enum Standing {
    /// It is here, waits, or came up before in the same import.
    Here,
    /// It was accepted or rejected.
    Decided,
    New,
}

/// Everything that is known, in the inbox and among the memories.
pub(super) struct Known {
    waiting: Set,
    past: Set,
    here: HashSet<Digest>,
    seen: HashSet<Key>,
    /// The days of files that came in before.
    days: BTreeSet<Date>,
}

/// A memory as it is told from others: where it goes and what all of it is.
type Key = (MemoryPath, Digest);

#[derive(Default)]
struct Set {
    keys: HashSet<Key>,
    /// What they say, whatever they are called.
    said: HashSet<Digest>,
}

impl Set {
    fn of(all: &[Waiting]) -> Self {
        let mut set = Self::default();
        for one in all {
            let content = one.content();
            set.keys
                .insert((one.target.clone(), Digest::of(content.bytes())));
            set.said.insert(said(&content));
        }
        set
    }
}

impl Known {
    /// Looks through the inbox and, for parts of files, through the memories. Writes nothing.
    pub(super) fn of(workplace: &Workplace, pieces: &[Piece]) -> Result<Self, Failure> {
        let inbox = workplace.store.inbox();
        let (waiting, past) = (inbox.list()?, inbox.past()?);
        let dated = waiting.iter().chain(&past).filter_map(|one| one.dated);
        let days = dated.map(|dated| day(Some(dated))).collect();
        let mut here = HashSet::new();
        if pieces.iter().any(|piece| piece.part.is_some()) {
            for path in workplace.store.files()? {
                // One that cannot be read is nobody's twin.
                if let Ok(Some(found)) = workplace.store.read(&path) {
                    here.insert(said(&Topic::parse(&found.bytes)));
                }
            }
        }
        Ok(Self {
            waiting: Set::of(&waiting),
            past: Set::of(&past),
            here,
            seen: HashSet::new(),
            days,
        })
    }

    /// How far a memory has come. A part of a file has no name of its own: it is known by what it says.
    pub(super) fn standing(
        &mut self,
        workplace: &Workplace,
        piece: &Piece,
    ) -> Result<Standing, Failure> {
        let key = (piece.target.clone(), Digest::of(&piece.bytes));
        let says = self.says(piece);
        let is_here =
            |digest: &Digest| self.waiting.said.contains(digest) || self.here.contains(digest);
        if self.waiting.keys.contains(&key)
            || says.iter().any(is_here)
            || !self.seen.insert(key.clone())
            || is_the_same(workplace, piece)?
        {
            return Ok(Standing::Here);
        }
        let is_past = |digest: &Digest| self.past.said.contains(digest);
        match self.past.keys.contains(&key) || says.iter().any(is_past) {
            true => Ok(Standing::Decided),
            false => Ok(Standing::New),
        }
    }

    /// What a part of a file says, and said when others came in.
    fn says(&self, piece: &Piece) -> Vec<Digest> {
        let Some(part) = &piece.part else {
            return Vec::new();
        };
        let mut says = vec![said(&Topic::parse(&piece.bytes))];
        let is_dated = |day: &&Date| !dates::replacements(part, **day).is_empty();
        let days = self.days.iter().filter(is_dated);
        says.extend(days.map(|day| said_on(part, *day)));
        says
    }
}

/// Whether the memory is here, byte for byte.
fn is_the_same(workplace: &Workplace, piece: &Piece) -> Result<bool, Failure> {
    let here = workplace.store.read(&piece.target)?;
    Ok(here.is_some_and(|here| here.bytes == piece.bytes))
}
