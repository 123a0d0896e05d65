//! Finding copies among all memories: the oldest first, each younger one compared with the few that share most of its words.

use std::collections::{BTreeMap, HashMap};

use memdir_memory::MemoryPath;

use super::known::{Known, frequencies};
use super::meaning::Lexicon;
use super::statements::Statements;
use super::told::Mending;
use super::twins::{Verdict, judge};
use super::union::unite;

/// With so many of those that are left a memory is compared word for word, the most alike first.
const CANDIDATES: usize = 16;
/// A word that more memories than this have tells nothing about which are alike.
const FREQUENT: usize = 250;
/// Memories with more statements are compared for being exactly the same only.
const MOST_STATEMENTS: usize = 400;

/// What became of the memories.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Memories that took others in.
    pub(super) grown: BTreeMap<MemoryPath, Vec<u8>>,
    /// Memories that went into others.
    pub(super) gone: BTreeMap<MemoryPath, MemoryPath>,
    pub(super) told: Vec<Mending>,
}

/// Merges copies.
pub(super) fn gather(mut memories: Vec<Known>, lexicon: &mut Lexicon) -> Gathered {
    let order = |memory: &Known| {
        let path = memory.path.as_str();
        (memory.written, path.len(), path.to_owned())
    };
    memories.sort_by_cached_key(order);
    let said = frequencies(&memories);
    let mut left = Left::default();
    let mut gathered = Gathered::default();
    for memory in memories {
        let twin = left.twin(&memory, &said, &mut gathered.told);
        let united = twin.and_then(|at| {
            let older = left.memories.get(at)?;
            Some((at, unite(&older.topic, &memory.topic, &memory.path)?))
        });
        let Some((at, union)) = united else {
            left.push(memory);
            continue;
        };
        let Some(older) = left.memories.get(at) else {
            continue;
        };
        gathered.told.push(Mending::Merged {
            from: memory.path.clone(),
            into: older.path.clone(),
            brought: union.brought,
            source: union.source,
        });
        gathered
            .gone
            .insert(memory.path.clone(), older.path.clone());
        let path = older.path.clone();
        let grown = Known::new(&path, union.topic, older.written, lexicon);
        gathered.grown.insert(path, grown.topic.bytes().to_vec());
        left.replace(at, grown);
    }
    gathered
}

/// The memories that are left, with their words.
#[derive(Default)]
struct Left {
    memories: Vec<Known>,
    by_word: HashMap<u32, Vec<usize>>,
    by_statements: HashMap<Vec<String>, usize>,
}

impl Left {
    fn push(&mut self, memory: Known) {
        self.list(self.memories.len(), &memory);
        self.memories.push(memory);
    }

    fn replace(&mut self, at: usize, memory: Known) {
        self.list(at, &memory);
        if let Some(place) = self.memories.get_mut(at) {
            *place = memory;
        }
    }

    fn list(&mut self, at: usize, memory: &Known) {
        for term in &memory.terms {
            let places = self.by_word.entry(*term).or_default();
            if !places.contains(&at) {
                places.push(at);
            }
        }
        self.by_statements
            .entry(signature(&memory.statements))
            .or_insert(at);
    }

    /// The memory that this one is a copy of. What it opposes is told.
    fn twin(
        &self,
        memory: &Known,
        said: &HashMap<String, usize>,
        told: &mut Vec<Mending>,
    ) -> Option<usize> {
        let judged = |at: usize| {
            let older = self.memories.get(at)?;
            Some((older, judge(older, memory, said)))
        };
        let same = self.by_statements.get(&signature(&memory.statements));
        if let Some(at) = same.copied()
            && matches!(judged(at), Some((_, Verdict::Same)))
        {
            return Some(at);
        }
        if memory.statements.all.len() > MOST_STATEMENTS {
            return None;
        }
        let mut opposed = Vec::new();
        for at in self.candidates(memory) {
            match judged(at) {
                Some((_, Verdict::Same)) => return Some(at),
                Some((older, Verdict::Opposed(first, second))) => {
                    let text = |known: &Known, at: usize| {
                        let statement = known.cut.get(at);
                        statement.map(|statement| shown(&statement.text))
                    };
                    opposed.push(Mending::Opposed {
                        one: older.path.clone(),
                        other: memory.path.clone(),
                        said: (
                            text(older, first).unwrap_or_default(),
                            text(memory, second).unwrap_or_default(),
                        ),
                    });
                }
                _ => {}
            }
        }
        told.extend(opposed);
        None
    }

    /// The memories that share most words with this one, in the order of how many.
    fn candidates(&self, memory: &Known) -> Vec<usize> {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for term in &memory.terms {
            let places = self.by_word.get(term).map(Vec::as_slice);
            let places = places.unwrap_or_default();
            if places.len() <= FREQUENT {
                for at in places {
                    *shared.entry(*at).or_insert(0) += 1;
                }
            }
        }
        let mut found: Vec<(usize, usize)> = shared
            .into_iter()
            .filter(|(at, count)| {
                let other = self.memories.get(*at).map_or(0, |known| known.terms.len());
                *count * 3 >= other.min(memory.terms.len())
                    && self
                        .memories
                        .get(*at)
                        .is_some_and(|known| known.statements.all.len() <= MOST_STATEMENTS)
            })
            .collect();
        found.sort_by_key(|(at, count)| (std::cmp::Reverse(*count), *at));
        found.truncate(CANDIDATES);
        found.into_iter().map(|(at, _)| at).collect()
    }
}

/// What a memory says, in whatever order.
fn signature(statements: &Statements) -> Vec<String> {
    let mut all: Vec<String> = statements
        .all
        .iter()
        .map(|statement| statement.plain.clone())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A statement for people: on one line, and not endless.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 120;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default()),
        None => line,
    }
}
