//! From text to terms: what is counted in a memory and looked up for a query.

use unicode_normalization::UnicodeNormalization;

/// No term is longer, in bytes.
pub const LONGEST_TERM: usize = 64;

/// Calls `take` with each term of a text, in order.
pub fn for_each_term(text: &str, mut take: impl FnMut(&str)) {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).collect();
    for word in folded.split(|character: char| !character.is_alphanumeric()) {
        if !word.is_empty() && word.len() <= LONGEST_TERM {
            take(word);
        }
    }
}
