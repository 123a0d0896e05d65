//! An index that lives in memory: for tests, for evaluation, and for a few files.

use std::collections::HashMap;
use std::convert::Infallible;

use crate::{Document, Draft, Place, Posting, Postings, Totals};

/// Memories held in memory, numbered in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct Collection {
    lists: HashMap<String, Vec<Posting>>,
    places: Vec<Place>,
    totals: Totals,
}

impl Collection {
    /// Adds a memory and returns its number.
    pub fn add(&mut self, document: &Document<'_>) -> u32 {
        self.add_draft(Draft::new(document))
    }

    /// Adds a memory that was cut already and returns its number.
    pub fn add_draft(&mut self, draft: Draft) -> u32 {
        let file = self.totals.files;
        for passage in draft.passages {
            let number = self.totals.passages;
            self.places.push(Place {
                file,
                header_length: draft.header_length,
                length: passage.length,
            });
            for (term, weight) in passage.terms {
                self.lists.entry(term).or_default().push(Posting {
                    passage: number,
                    weight,
                });
            }
            self.totals.passages += 1;
            self.totals.lengths += u64::from(passage.length);
        }
        self.totals.files += 1;
        self.totals.header_lengths += u64::from(draft.header_length);
        file
    }
}

impl Postings for Collection {
    type Error = Infallible;

    fn totals(&self) -> Totals {
        self.totals
    }

    fn read(&mut self, term: &str, into: &mut Vec<Posting>) -> Result<(), Infallible> {
        if let Some(list) = self.lists.get(term) {
            into.extend_from_slice(list);
        }
        Ok(())
    }

    fn place(&self, passage: u32) -> Place {
        usize::try_from(passage)
            .ok()
            .and_then(|number| self.places.get(number))
            .copied()
            .unwrap_or_default()
    }
}
