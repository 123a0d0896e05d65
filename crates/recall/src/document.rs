//! A memory as the passages and terms that are indexed.

use std::collections::BTreeMap;

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

/// A memory ready to be indexed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Weighted number of terms in the header.
    pub header_length: u16,
    /// At least one passage, also for an empty file. The first carries the header's terms.
    pub passages: Vec<Passage>,
}

/// A stretch of a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Number of terms in its text.
    pub length: u16,
    /// Each term once, sorted by its bytes.
    pub terms: Vec<(String, Weight)>,
}

impl Draft {
    /// Cuts a memory into passages and counts their terms.
    pub fn new(document: &Document<'_>) -> Self {
        let mut terms: BTreeMap<String, Weight> = BTreeMap::new();
        let mut header_length = 0u16;
        for field in [
            document.name,
            document.description,
            document.kind,
            document.path,
        ] {
            tokens::for_each_term(field, |term| {
                let weight = terms.entry(term.to_owned()).or_default();
                weight.header = weight.header.saturating_add(1);
                header_length = header_length.saturating_add(1);
            });
        }
        let mut length = 0u16;
        tokens::for_each_term(document.body, |term| {
            let weight = terms.entry(term.to_owned()).or_default();
            weight.body = weight.body.saturating_add(1);
            length = length.saturating_add(1);
        });
        let passage = Passage {
            length,
            terms: terms.into_iter().collect(),
        };
        Self {
            header_length,
            passages: vec![passage],
        }
    }
}
