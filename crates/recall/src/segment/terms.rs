//! Terms as numbers: while a segment is made, counting and sorting numbers costs a fraction of doing so with texts.

use std::collections::HashMap;

use super::bytes::TermState;

/// The terms that were met so far, numbered in that order.
#[derive(Default)]
pub(crate) struct Terms {
    numbers: HashMap<Box<str>, u32, TermState>,
}

impl Terms {
    /// The number of a term; a new one where it was not met before.
    pub(crate) fn number(&mut self, term: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(term.into(), number);
        number
    }

    /// Every term with its number, in no order.
    pub(super) fn into_all(self) -> impl Iterator<Item = (Box<str>, u32)> {
        self.numbers.into_iter()
    }
}
