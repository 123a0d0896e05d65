//! A memory as the passages and terms that are indexed.

use crate::tokens;

/// The parts of a memory that are searched.
#[derive(Clone, Copy, Debug, Default)]
pub struct Document<'a> {
    /// `name` of the header.
    pub name: &'a str,
    /// `description` of the header.
    pub description: &'a str,
    /// `type` of the header, as the word.
    pub kind: &'a str,
    /// Path inside the memory directory.
    pub path: &'a str,
    /// What follows the header.
    pub body: &'a str,
}

/// How strongly a term stands in a passage: how often, with the weights of the fields, capped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// In name, description, type and path. Only in the postings of a file's first passage.
    pub header: u8,
    /// In the passage's own text.
    pub body: u8,
}

/// A memory ready to be indexed. A term is its text, or whatever stands for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft<T = String> {
    /// Weighted number of terms in the header.
    pub header_length: u16,
    /// At least one passage, also for an empty file. The first carries the header's terms.
    pub passages: Vec<Passage<T>>,
}

/// A stretch of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage<T = String> {
    /// Number of terms in its text.
    pub length: u16,
    /// Each term once, sorted; texts by their bytes.
    pub terms: Vec<(T, Weight)>,
}

/// What a word in each header field counts, in words of the text. The description decides whether a memory is recalled.
const NAME: u8 = 2;
const DESCRIPTION: u8 = 2;
const KIND: u8 = 1;
const PATH: u8 = 1;
/// A passage is closed at the first line end after so many terms; a longer line is cut.
const PASSAGE_TERMS: usize = 40;
/// A line that would make a passage longer than this begins the next one.
const LONGEST_PASSAGE: usize = 50;
/// What comes after so many passages of one file is not indexed: some hundred pages of text.
const MOST_PASSAGES: usize = 4096;

impl Draft {
    /// Cuts a memory into passages and counts their terms.
    ///
    /// ```
    /// use memdir_recall::{Document, Draft};
    ///
    /// let long = "One line of many about the harbour.\n".repeat(40);
    /// let draft = Draft::new(&Document { name: "harbour", body: &long, ..Document::default() });
    /// assert!(draft.passages.len() > 1);
    /// ```
    pub fn new(document: &Document<'_>) -> Self {
        Draft::cut(document, str::to_owned)
    }
}

impl<T: Ord> Draft<T> {
    /// The same with what `named` says instead of each term's text: an index of very many memories counts numbers.
    pub(crate) fn cut(document: &Document<'_>, named: impl FnMut(&str) -> T) -> Self {
        let mut cutter = Cutter {
            named,
            header_length: 0,
            passages: Vec::new(),
            terms: Vec::new(),
            line: Vec::new(),
            length: 0,
        };
        cutter.header(document.name, NAME);
        cutter.header(document.description, DESCRIPTION);
        cutter.header(document.kind, KIND);
        let path = document.path.strip_suffix(".md").unwrap_or(document.path);
        cutter.header(path, PATH);
        for line in document.body.lines() {
            if cutter.passages.len() >= MOST_PASSAGES {
                break;
            }
            cutter.line(line);
        }
        if cutter.length > 0 || cutter.passages.is_empty() {
            cutter.close();
        }
        Self {
            header_length: cutter.header_length,
            passages: cutter.passages,
        }
    }
}

/// The passages of a memory while they are cut.
struct Cutter<T, N> {
    named: N,
    header_length: u16,
    passages: Vec<Passage<T>>,
    /// As they come, one of a kind as often as it comes.
    terms: Vec<(T, Weight)>,
    /// Those of one line.
    line: Vec<T>,
    length: usize,
}

impl<T: Ord, N: FnMut(&str) -> T> Cutter<T, N> {
    fn header(&mut self, field: &str, counts: u8) {
        tokens::for_each_term(field, |term| {
            let term = (self.named)(term);
            // Type and path mostly repeat what the name says; that makes it neither truer nor longer.
            if counts == 1 && self.terms.iter().any(|(known, _)| *known == term) {
                return;
            }
            let weight = Weight {
                header: counts,
                body: 0,
            };
            self.terms.push((term, weight));
            self.header_length = self.header_length.saturating_add(1);
        });
    }

    fn line(&mut self, line: &str) {
        tokens::for_each_term(line, |term| self.line.push((self.named)(term)));
        if self.length > 0 && self.length + self.line.len() > LONGEST_PASSAGE {
            self.close();
        }
        let mut terms = std::mem::take(&mut self.line);
        let parts = terms.len().div_ceil(LONGEST_PASSAGE).max(1);
        let share = terms.len().div_ceil(parts).max(1);
        let mut rest = terms.drain(..);
        while rest.len() > 0 {
            let count = share.min(rest.len());
            let weight = Weight { header: 0, body: 1 };
            let part = rest.by_ref().take(count);
            self.terms.extend(part.map(|term| (term, weight)));
            self.length += count;
            if self.length >= PASSAGE_TERMS {
                self.close();
            }
        }
        drop(rest);
        // Its room serves the next line.
        self.line = terms;
    }

    fn close(&mut self) {
        count(&mut self.terms);
        self.passages.push(Passage {
            length: u16::try_from(self.length).unwrap_or(u16::MAX),
            terms: self.terms.drain(..).collect(),
        });
        self.length = 0;
    }
}

/// Leaves each term once, with all that it weighs, sorted.
fn count<T: Ord>(terms: &mut Vec<(T, Weight)>) {
    terms.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    terms.dedup_by(|(term, weight), (kept, sum)| {
        let is_same = term == kept;
        if is_same {
            sum.header = sum.header.saturating_add(weight.header);
            sum.body = sum.body.saturating_add(weight.body);
        }
        is_same
    });
}
