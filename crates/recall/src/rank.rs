//! The one scorer: files in order of how much they help with a query, or silence.

mod evidence;
mod gather;
mod question;
mod silence;

use memdir_memory::MemoryType;

use crate::Postings;
use evidence::Evidence;
use gather::Gathered;
use question::Asked;

/// What is known of a file without reading it, for the light features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Light {
    /// Whole days since it was last changed.
    pub age_days: u32,
    /// What it is about.
    pub kind: Option<MemoryType>,
    /// Of files that are equally good the one with the smaller number comes first. Not the file's number, which
    /// depends on how the index came about.
    pub tie: u64,
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

#[cfg(feature = "minilm")]
impl Hit {
    /// A file, and nothing said about it.
    pub(crate) fn bare(file: u32) -> Hit {
        Hit {
            file,
            passage: 0,
            score: 0.0,
            reasons: Vec::new(),
        }
    }
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

/// Candidates among which age may change the order.
const CLOSE: usize = 40;
/// And so many more that are exactly as good as the last of them.
const TIED: usize = 1_000;
/// A fresh memory gains so much over an old one, as a share of its score.
const FRESHNESS: f32 = 0.02;
/// Days after which half of that is gone.
const HALF_LIFE: f32 = 30.0;
/// What a memory about the project loses once it is half a year old: plans and dates pass.
const STALE_PROJECT: f32 = 0.03;

/// Ranks the files of an index for a query. `light` is asked about candidates only; `None` leaves a file out.
///
/// ```
/// use memdir_recall::{Collection, Document, Light, Options, rank};
///
/// let mut notes = Collection::default();
/// notes.add(&Document { body: "We deploy on Thursdays", ..Document::default() });
/// notes.add(&Document { body: "The office is closed in August", ..Document::default() });
/// let light = |_| Some(Light::default());
/// let ranked = rank("when do we ship to production?", &mut notes, light, &Options::default())?;
/// assert_eq!(ranked.hits.first().map(|hit| hit.file), Some(0));
/// let ranked = rank("who won the cup final?", &mut notes, light, &Options::default())?;
/// assert!(ranked.hits.is_empty());
/// # Ok::<(), std::convert::Infallible>(())
/// ```
///
/// # Errors
///
/// When the index cannot be read.
pub fn rank<P: Postings>(
    query: &str,
    index: &mut P,
    light: impl FnMut(u32) -> Option<Light>,
    options: &Options,
) -> Result<Ranked, P::Error> {
    Sought::new(query).order(index, light, options)
}

/// A query with what an index has for it: read once, put in order as often as it is wanted.
pub(crate) struct Sought {
    asked: Asked,
    gathered: Option<Gathered>,
}

impl Sought {
    pub(crate) fn new(query: &str) -> Self {
        Self {
            asked: Asked::new(query),
            gathered: None,
        }
    }

    /// The files in order, always of the same index; see [`rank`].
    pub(crate) fn order<P: Postings>(
        &mut self,
        index: &mut P,
        mut light: impl FnMut(u32) -> Option<Light>,
        options: &Options,
    ) -> Result<Ranked, P::Error> {
        let asked = &self.asked;
        if asked.words.is_empty() || (options.silence && asked.says_nothing()) {
            return Ok(Ranked::silent(Silence::NothingAsked));
        }
        let gathered = match &mut self.gathered {
            Some(gathered) => gathered,
            none => none.insert(Gathered::new(asked, index)?),
        };
        let wanted = options.limit.max(CLOSE);
        let mut close: Vec<(u64, Hit)> = Vec::new();
        let mut last = f32::INFINITY;
        for candidate in gathered.best_first() {
            let is_full = close.len() >= wanted && candidate.score < last;
            if is_full || close.len() >= wanted + TIED {
                break;
            }
            let file = index.place(candidate.passage).file;
            if let Some(light) = light(file) {
                last = candidate.score;
                let hit = Hit {
                    file,
                    passage: candidate.passage,
                    score: candidate.score * liveliness(&light),
                    reasons: Vec::new(),
                };
                close.push((light.tie, hit));
            }
        }
        if close.is_empty() {
            return Ok(Ranked::silent(Silence::NothingFound));
        }
        close.sort_by(|(tie, a), (other, b)| b.score.total_cmp(&a.score).then(tie.cmp(other)));
        let mut hits: Vec<Hit> = close.into_iter().map(|(_, hit)| hit).collect();
        hits.truncate(options.limit);
        let totals = index.totals();
        let mut relevances = Vec::new();
        for hit in &mut hits {
            let evidence = Evidence::new(gathered, hit.file, hit.passage, index);
            hit.reasons = evidence.reasons(asked);
            hit.score = (hit.score / gathered.possible()).clamp(0.0, 1.0);
            relevances.push(silence::relevance(asked, gathered, &evidence, &totals));
        }
        if options.silence {
            let mut shown = silence::shown(&relevances).into_iter();
            hits.retain(|_| shown.next().unwrap_or_default());
        }
        if hits.is_empty() {
            return Ok(Ranked::silent(Silence::NotRelevantEnough));
        }
        Ok(Ranked {
            hits,
            silence: None,
        })
    }
}

impl Ranked {
    fn silent(why: Silence) -> Self {
        Self {
            hits: Vec::new(),
            silence: Some(why),
        }
    }
}

/// The light features: a factor close to one.
fn liveliness(light: &Light) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "days are few")]
    let age = light.age_days as f32;
    let fresh = FRESHNESS * (-age / HALF_LIFE * std::f32::consts::LN_2).exp();
    let stale = if light.kind == Some(MemoryType::Project) && light.age_days > 180 {
        STALE_PROJECT
    } else {
        0.0
    };
    1.0 + fresh - stale
}
