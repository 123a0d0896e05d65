//! The index as the scorer sees it: one row of passages, the base's first.

use crate::index::Index;
use crate::segment::{Damaged, Segment};
use crate::{Place, Posting, Postings, Totals};

/// Posting lists of a whole index.
pub(crate) struct Lists<'a> {
    index: &'a Index,
    totals: Totals,
    /// Passages and files of the base, the removed ones included: where the delta's numbers begin.
    base: Totals,
    numbers: (u32, u32),
}

impl<'a> Lists<'a> {
    pub(crate) fn new(index: &'a Index) -> Lists<'a> {
        let sums = |segment: &Option<Segment>| {
            let sums = segment.as_ref().map(Segment::totals);
            sums.unwrap_or_default()
        };
        let (base, delta) = (sums(&index.base), sums(&index.delta));
        Lists {
            index,
            totals: index.totals(),
            base,
            numbers: (base.files + delta.files, base.passages + delta.passages),
        }
    }
}

impl Postings for Lists<'_> {
    type Error = Damaged;

    fn totals(&self) -> Totals {
        self.totals
    }

    fn numbers(&self) -> (u32, u32) {
        self.numbers
    }

    fn read(&mut self, term: &str, into: &mut Vec<Posting>) -> Result<(), Damaged> {
        let from = into.len();
        if let Some(base) = &self.index.base {
            base.postings(term, 0, into)?;
            let removed = &self.index.removed;
            if !removed.is_empty() {
                let mut at = 0;
                into.retain(|posting| {
                    at += 1;
                    at <= from || !removed.contains(base.place(posting.passage).file)
                });
            }
        }
        if let Some(delta) = &self.index.delta {
            delta.postings(term, self.base.passages, into)?;
        }
        Ok(())
    }

    fn place(&self, passage: u32) -> Place {
        match passage.checked_sub(self.base.passages) {
            None => self.index.base.as_ref().map(|base| base.place(passage)),
            Some(passage) => self.index.delta.as_ref().map(|delta| {
                let place = delta.place(passage);
                Place {
                    file: place.file + self.base.files,
                    ..place
                }
            }),
        }
        .unwrap_or_default()
    }
}
