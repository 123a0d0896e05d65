//! Reasons in words: as they were written, and not as they are indexed.

use std::collections::HashMap;
use std::fmt;

use crate::{Reason, tokens};

/// So much of a memory is looked through for the word that speaks for it.
const LOOKED_THROUGH: usize = 4096;
/// So many characters an indexed word and its written form have in common.
const SHARED: usize = 3;

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Word(word) => out.write_str(word),
            Reason::Near(asked, has) => write!(out, "{has} (near {asked})"),
        }
    }
}

/// Words of a question as it has them, by their terms: the same for all that it finds.
#[derive(Default)]
pub(crate) struct Forms(HashMap<String, String>);

impl Forms {
    /// The reasons with their words as the question and the memory have them; what is found in neither stays as it is.
    pub(crate) fn written(
        &mut self,
        reasons: &[Reason],
        question: &str,
        text: &str,
    ) -> Vec<Reason> {
        let end = text.floor_char_boundary(LOOKED_THROUGH);
        let text = text.get(..end).unwrap_or_default();
        let mut asked = |term: &String| match self.0.get(term) {
            Some(form) => form.clone(),
            None => {
                let form = form_in(question, term);
                self.0.insert(term.clone(), form.clone());
                form
            }
        };
        reasons
            .iter()
            .map(|reason| match reason {
                Reason::Word(term) => Reason::Word(asked(term)),
                Reason::Near(word, has) => Reason::Near(asked(word), form_in(text, has)),
            })
            .collect()
    }
}

/// The first word of a text that is indexed as this term.
fn form_in(text: &str, term: &str) -> String {
    // Pairs of characters are not cut out of a word that has spaces around it.
    if term.chars().next().is_some_and(tokens::is_paired) {
        return term.to_owned();
    }
    // Most words are told apart by how they begin, without a copy of them.
    let begins_alike = |word: &str| {
        let mut written = word.chars().flat_map(char::to_lowercase);
        term.chars()
            .take(SHARED)
            .all(|one| written.next() == Some(one))
    };
    let is_term = |word: &&str| {
        let mut is = false;
        if begins_alike(word) {
            tokens::for_each_term(&word.to_lowercase(), |one| is |= one == term);
        }
        is
    };
    let mut words = text.split(|character: char| !character.is_alphanumeric());
    match words.find(is_term) {
        Some(word) => word.to_lowercase(),
        None => term.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_they_were_written() {
        let reasons = [
            Reason::Word("test".to_owned()),
            Reason::Near("databas".to_owned(), "migrat".to_owned()),
            Reason::Word("elsewher".to_owned()),
        ];
        let found = Forms::default().written(
            &reasons,
            "Which Database do the TESTS use?",
            "The migration ships.",
        );
        let shown: Vec<String> = found.iter().map(Reason::to_string).collect();
        assert_eq!(shown, ["tests", "migration (near database)", "elsewher"]);
    }
}
