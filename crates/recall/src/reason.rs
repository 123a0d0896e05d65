//! Reasons in words: as they were written, and not as they are indexed.

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

/// The reasons with their words as the question and the memory have them; what is found in neither stays as it is.
pub(crate) fn written(reasons: &[Reason], question: &str, text: &str) -> Vec<Reason> {
    let end = text.floor_char_boundary(LOOKED_THROUGH);
    let text = text.get(..end).unwrap_or_default();
    reasons
        .iter()
        .map(|reason| match reason {
            Reason::Word(term) => Reason::Word(form_in(question, term)),
            Reason::Near(asked, has) => Reason::Near(form_in(question, asked), form_in(text, has)),
        })
        .collect()
}

/// The first word of a text that is indexed as this term.
fn form_in(text: &str, term: &str) -> String {
    // Pairs of characters are not cut out of a word that has spaces around it.
    if term.chars().next().is_some_and(tokens::is_paired) {
        return term.to_owned();
    }
    let head: String = term.chars().take(SHARED).collect();
    let is_term = |word: &&str| {
        let word = word.to_lowercase();
        let mut is = false;
        if word.starts_with(&head) {
            tokens::for_each_term(&word, |one| is |= one == term);
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
        let found = written(
            &reasons,
            "Which Database do the TESTS use?",
            "The migration ships.",
        );
        let shown: Vec<String> = found.iter().map(Reason::to_string).collect();
        assert_eq!(shown, ["tests", "migration (near database)", "elsewher"]);
    }
}
