//! Scores from posting lists, one term of the query after the other.
//!
//! Two signals. The *file* has the query's own words (BM25 over the whole file). The *passage* has them or words near
//! in meaning: each word of the query counts by the best match that the passage has for it, cosine times saturated
//! frequency, and the best passage speaks for its file. Both are sums of the same weights, so they are simply added.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::question::Asked;
use crate::segment::hash_of;
use crate::{Place, Posting, Postings, Totals};

/// BM25 of the file.
const FILE: Saturation = Saturation {
    slope: 1.0,
    length: 0.7,
};
/// The passage: how often matters little, lengths are alike by construction.
const PASSAGE: Saturation = Saturation {
    slope: 0.5,
    length: 0.4,
};
/// Share of the file's signal in the score; the passage has the rest.
const FILE_SHARE: f32 = 0.25;

/// BM25's curve: the first occurrence counts most, and less in a long text.
#[derive(Clone, Copy)]
struct Saturation {
    slope: f32,
    length: f32,
}

impl Saturation {
    fn of(self, frequency: f32, length: f32, average: f32) -> f32 {
        let relative = length / average.max(1.0);
        let bend = self.slope * (1.0 - self.length + self.length * relative);
        (self.slope + 1.0) * frequency / (frequency + bend)
    }
}

/// A posting list that was read, and for which word of the query.
pub(super) struct List {
    pub(super) word: usize,
    /// Which of the word's neighbours; none for the word itself.
    pub(super) near: Option<usize>,
    pub(super) cosine: f32,
    /// Where it stands among the postings that were read. A term that is near to two words is read once.
    pub(super) range: Range<usize>,
}

/// A file with its score. There may be as many as there are files, so that it is as small as can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) score: f32,
    /// Its best passage.
    pub(super) passage: u32,
}

/// Everything that was read for a query, and the scores made of it.
pub(super) struct Gathered {
    pub(super) postings: Vec<Posting>,
    pub(super) lists: Vec<List>,
    pub(super) weights: Vec<f32>,
    candidates: Vec<Candidate>,
}

/// Where the lists stand that were read for a query, by their terms.
type Known<'a> = HashMap<&'a str, Range<usize>, BuildHasherDefault<TermHasher>>;

/// A quick hash of terms: there are hundreds in a query, and nobody gains by making them collide.
#[derive(Default)]
struct TermHasher(u64);

impl Hasher for TermHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.rotate_left(5) ^ hash_of(bytes);
    }

    fn write_u8(&mut self, _: u8) {
        // What a text ends with; its length is in its hash.
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Averages that every term needs.
struct Averages {
    file: f32,
    passage: f32,
}

impl Averages {
    fn new(totals: &Totals) -> Self {
        let headers = totals.header_lengths as f32;
        let files = totals.files.max(1) as f32;
        Self {
            file: (headers + totals.lengths as f32) / files,
            passage: headers / files + totals.lengths as f32 / totals.passages.max(1) as f32,
        }
    }
}

impl Gathered {
    pub(super) fn new<P: Postings>(asked: &Asked, index: &mut P) -> Result<Self, P::Error> {
        let totals = index.totals();
        let averages = Averages::new(&totals);
        let (file_numbers, passage_numbers) = index.numbers();
        let mut gathered = Self {
            // Growing copies; but more than a small index can fill costs a call of the system.
            postings: Vec::with_capacity((16 * passage_numbers as usize).min(1 << 18)),
            lists: Vec::new(),
            weights: Vec::new(),
            candidates: Vec::new(),
        };
        let mut files = Files::new(file_numbers);
        let mut passages = Passages::new(passage_numbers);
        // Words of one question are often near each other: each list is read once.
        let mut known = Known::with_capacity_and_hasher(256, BuildHasherDefault::default());
        let shape = Shape::new(&totals);
        for (number, word) in asked.words.iter().enumerate() {
            let own = gathered.read(index, &word.term, &mut known)?;
            gathered.note(number, None, 1.0, &own);
            let own = gathered.postings.get(own).unwrap_or_default();
            files.group(own, index, shape);
            let frequency = files.grouped();
            let files_in_all = totals.files as f32;
            let inverse =
                (1.0 + (files_in_all - frequency + 0.5).max(0.5) / (frequency + 0.5)).ln();
            // What is rare here and rare in the language decides. In a directory of a few files the first says little.
            let weight = (inverse * word.rarity / 2.0).sqrt() * word.emphasis;
            files.add(weight, averages.file);
            passages.offer(own, 1.0, index, averages.passage, shape);
            for (at, (term, cosine)) in word.near.iter().enumerate() {
                let range = gathered.read(index, term, &mut known)?;
                gathered.note(number, Some(at), *cosine, &range);
                let list = gathered.postings.get(range).unwrap_or_default();
                passages.offer(list, *cosine, index, averages.passage, shape);
            }
            passages.settle(weight);
            gathered.weights.push(weight);
        }
        gathered.candidates = candidates(&files, &passages, index);
        Ok(gathered)
    }

    fn read<'a, P: Postings>(
        &mut self,
        index: &mut P,
        term: &'a str,
        known: &mut Known<'a>,
    ) -> Result<Range<usize>, P::Error> {
        if let Some(range) = known.get(term) {
            return Ok(range.clone());
        }
        let start = self.postings.len();
        index.read(term, &mut self.postings)?;
        let range = start..self.postings.len();
        known.insert(term, range.clone());
        Ok(range)
    }

    fn note(&mut self, word: usize, near: Option<usize>, cosine: f32, range: &Range<usize>) {
        if !range.is_empty() {
            self.lists.push(List {
                word,
                near,
                cosine,
                range: range.clone(),
            });
        }
    }

    /// The score of a file that has every word of the query once, in a text of average length.
    pub(super) fn possible(&self) -> f32 {
        self.weights.iter().sum::<f32>().max(f32::MIN_POSITIVE)
    }

    /// The best match that any file has for a word of the query: 0 when the whole directory knows nothing like it.
    pub(super) fn familiar(&self, word: usize) -> f32 {
        self.lists
            .iter()
            .filter(|list| list.word == word)
            .map(|list| list.cosine)
            .fold(0.0, f32::max)
    }

    /// The candidates in order; sorted no further than they are taken.
    pub(super) fn best_first(&mut self) -> impl Iterator<Item = Candidate> {
        const BATCH: usize = 64;
        let candidates = &mut self.candidates;
        // The best come to the end. From `sorted` on they are in order, from `next` on they were taken.
        let mut next = candidates.len();
        let mut sorted = next;
        std::iter::from_fn(move || {
            if next == sorted {
                sorted = next.saturating_sub(BATCH);
                let rest = candidates.get_mut(..next)?;
                if sorted > 0 {
                    rest.select_nth_unstable_by(sorted, worse_first);
                }
                rest.get_mut(sorted..)?.sort_unstable_by(worse_first);
            }
            next = next.checked_sub(1)?;
            candidates.get(next).copied()
        })
    }
}

fn worse_first(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    // Files are in the order of their passages.
    a.score.total_cmp(&b.score).then(b.passage.cmp(&a.passage))
}

/// Whether files have passages to be told apart. Where all are short, as most memories are, much need not be asked.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    OnePassageEach,
    Several,
}

impl Shape {
    fn new(totals: &Totals) -> Self {
        match totals.files == totals.passages {
            true => Self::OnePassageEach,
            false => Self::Several,
        }
    }
}

/// All passages of the file that one of them belongs to.
pub(super) fn file_passages<P: Postings>(passage: u32, file: u32, index: &P) -> Range<u32> {
    let (_, total) = index.numbers();
    let mut start = passage;
    while start > 0 && index.place(start - 1).file == file {
        start -= 1;
    }
    let mut end = passage + 1;
    while end < total && index.place(end).file == file {
        end += 1;
    }
    start..end
}

/// So many zeros. Negative ones, because memory that the system hands out as zeros is mapped twice: when it is first read and
/// when it is first written.
fn column(count: usize) -> Vec<f32> {
    vec![-0.0; count]
}

fn slot<T>(column: &mut [T], number: u32) -> Option<&mut T> {
    column.get_mut(usize::try_from(number).ok()?)
}

/// The signal of whole files.
struct Files {
    scores: Vec<f32>,
    /// The files of the list that is being looked at, each once.
    group: Vec<Counted>,
}

/// How often a term stands in a file, and how long that is.
struct Counted {
    file: u32,
    frequency: f32,
    length: f32,
}

impl Files {
    fn new(files: u32) -> Self {
        let count = usize::try_from(files).unwrap_or_default();
        Self {
            scores: column(count),
            group: Vec::new(),
        }
    }

    /// Takes the files of a list. Places are looked up here and nowhere else: there are many.
    fn group<P: Postings>(&mut self, list: &[Posting], index: &P, shape: Shape) {
        self.group.clear();
        self.group.reserve(list.len());
        let mut last: Option<u32> = None;
        for posting in list {
            let place = index.place(posting.passage);
            if last == Some(place.file)
                && let Some(counted) = self.group.last_mut()
            {
                counted.frequency += strength(posting);
                continue;
            }
            last = Some(place.file);
            let text = match shape {
                Shape::OnePassageEach => f32::from(place.length),
                Shape::Several => text_length(posting.passage, &place, index),
            };
            self.group.push(Counted {
                file: place.file,
                frequency: strength(posting),
                length: f32::from(place.header_length) + text,
            });
        }
    }

    /// How many files the list names.
    fn grouped(&self) -> f32 {
        self.group.len() as f32
    }

    /// Adds the list's signal to the scores.
    fn add(&mut self, weight: f32, average: f32) {
        for counted in &self.group {
            let signal = FILE.of(counted.frequency, counted.length, average);
            if let Some(score) = slot(&mut self.scores, counted.file) {
                *score += weight * signal;
            }
        }
    }
}

/// The sum of the lengths of a file's passages, of which one is known. Whole numbers: their order does not matter.
fn text_length<P: Postings>(passage: u32, place: &Place, index: &P) -> f32 {
    let (_, total) = index.numbers();
    let mut length = f32::from(place.length);
    let (mut before, mut after) = (passage, passage + 1);
    while before > 0 {
        before -= 1;
        let other = index.place(before);
        if other.file != place.file {
            break;
        }
        length += f32::from(other.length);
    }
    while after < total {
        let other = index.place(after);
        if other.file != place.file {
            break;
        }
        length += f32::from(other.length);
        after += 1;
    }
    length
}

/// The signal of passages.
struct Passages {
    scores: Vec<f32>,
    /// The best match for the word that is being looked at.
    best: Vec<f32>,
    touched: Vec<u32>,
}

impl Passages {
    fn new(passages: u32) -> Self {
        let count = usize::try_from(passages).unwrap_or_default();
        Self {
            scores: column(count),
            best: column(count),
            touched: Vec::new(),
        }
    }

    /// Takes a list's matches where they are better than what is there.
    fn offer<P: Postings>(
        &mut self,
        list: &[Posting],
        cosine: f32,
        index: &P,
        average: f32,
        shape: Shape,
    ) {
        let passages = u32::try_from(self.scores.len()).unwrap_or(u32::MAX);
        for posting in list {
            let place = index.place(posting.passage);
            self.raise(posting.passage, cosine, strength(posting), &place, average);
            if posting.weight.header == 0 || shape == Shape::OnePassageEach {
                continue;
            }
            // What the header says, it says of every passage.
            let header = f32::from(posting.weight.header);
            for passage in posting.passage + 1..passages {
                let next = index.place(passage);
                if next.file != place.file {
                    break;
                }
                self.raise(passage, cosine, header, &next, average);
            }
        }
    }

    fn raise(&mut self, passage: u32, cosine: f32, frequency: f32, place: &Place, average: f32) {
        let length = f32::from(place.header_length) + f32::from(place.length);
        let signal = cosine * PASSAGE.of(frequency, length, average);
        if let Some(best) = slot(&mut self.best, passage)
            && signal > *best
        {
            if *best == 0.0 {
                self.touched.push(passage);
            }
            *best = signal;
        }
    }

    /// Adds the best matches for a word to the scores.
    fn settle(&mut self, weight: f32) {
        for passage in self.touched.drain(..) {
            if let Some(best) = slot(&mut self.best, passage) {
                let gain = weight * std::mem::take(best);
                if let Some(score) = slot(&mut self.scores, passage) {
                    *score += gain;
                }
            }
        }
    }
}

fn strength(posting: &Posting) -> f32 {
    f32::from(posting.weight.header) + f32::from(posting.weight.body)
}

/// Each file that has anything, with its best passage.
fn candidates<P: Postings>(files: &Files, passages: &Passages, index: &P) -> Vec<Candidate> {
    let is_match = |score: &&f32| **score != 0.0;
    let most = passages.scores.iter().filter(is_match).count();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(most);
    let finish = |file: u32, mut best: Candidate| {
        let place = usize::try_from(file).unwrap_or(usize::MAX);
        let whole = files.scores.get(place).copied().unwrap_or_default();
        best.score = FILE_SHARE * whole + (1.0 - FILE_SHARE) * best.score;
        best
    };
    let mut last: Option<(u32, Candidate)> = None;
    for (passage, score) in (0..)
        .zip(&passages.scores)
        .filter(|(_, score)| is_match(score))
    {
        let file = index.place(passage).file;
        let candidate = Candidate {
            score: *score,
            passage,
        };
        match &mut last {
            Some((same, best)) if *same == file => {
                if candidate.score > best.score {
                    *best = candidate;
                }
            }
            _ => {
                candidates.extend(last.map(|(file, best)| finish(file, best)));
                last = Some((file, candidate));
            }
        }
    }
    candidates.extend(last.map(|(file, best)| finish(file, best)));
    candidates
}
