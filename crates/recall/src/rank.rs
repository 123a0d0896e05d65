//! The one scorer: files in order of how much they help with a query, or silence.

use std::collections::BTreeMap;

use memdir_memory::MemoryType;

use crate::{Postings, tokens};

/// What is known of a file without reading it, for the light features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Light {
    /// Whole days since it was last changed.
    pub age_days: u32,
    /// What it is about.
    pub kind: Option<MemoryType>,
}

/// How to rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// At most so many files.
    pub limit: usize,
    /// Whether to keep silent when nothing is relevant enough. Off, the best files come however poor they are.
    pub silence: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limit: 5,
            silence: true,
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranked {
    /// The best file first.
    pub hits: Vec<Hit>,
    /// Why there are none.
    pub silence: Option<Silence>,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Number of the file in the index.
    pub file: u32,
    /// Its best passage, numbered in the index.
    pub passage: u32,
    /// From 0 to 1: how much of what was asked the file is about. Comparable between queries.
    pub score: f32,
    /// What speaks for it, the strongest reason first.
    pub reasons: Vec<Reason>,
}

/// Something that speaks for a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// It has this word of the query (as the index keeps it).
    Word(String),
    /// It has the second word, which means much the same as the first, which is in the query.
    Near(String, String),
}

/// Why nothing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The query has no words to search for: it is empty, or of common words only.
    NothingAsked,
    /// No file has anything to do with the query.
    NothingFound,
    /// The best file is not relevant enough.
    NotRelevantEnough,
}

/// Ranks the files of an index for a query. `light` is asked about candidates only; `None` leaves a file out.
///
/// # Errors
///
/// When the index cannot be read.
pub fn rank<P: Postings>(
    query: &str,
    index: &mut P,
    mut light: impl FnMut(u32) -> Option<Light>,
    options: &Options,
) -> Result<Ranked, P::Error> {
    let mut scores: BTreeMap<u32, (f32, u32, Vec<Reason>)> = BTreeMap::new();
    let mut terms = Vec::new();
    tokens::for_each_term(query, |term| terms.push(term.to_owned()));
    let mut list = Vec::new();
    for term in terms {
        list.clear();
        index.read(&term, &mut list)?;
        for posting in &list {
            let file = index.place(posting.passage).file;
            let entry = scores
                .entry(file)
                .or_insert((0.0, posting.passage, Vec::new()));
            entry.0 += 1.0;
            entry.2.push(Reason::Word(term.clone()));
        }
    }
    let mut hits: Vec<Hit> = scores
        .into_iter()
        .filter(|(file, _)| light(*file).is_some())
        .map(|(file, (score, passage, reasons))| Hit {
            file,
            passage,
            score,
            reasons,
        })
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(options.limit);
    let silence = hits.is_empty().then_some(Silence::NothingFound);
    Ok(Ranked { hits, silence })
}
