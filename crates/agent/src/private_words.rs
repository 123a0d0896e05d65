//! Words that the user said in private and nowhere else: whoever answered may have repeated them.

use std::collections::HashSet;

use memdir_memory::words;

/// Collects them while the user is listened to.
///
/// ```
/// use memdir_agent::private_words::{PrivateWords, without};
///
/// let mut words = PrivateWords::default();
/// words.hear("Ask <private>Zelda</private> about it.", "Ask  about it.");
/// assert_eq!(without("I ask.\nZelda knows.", &words.finish()), "I ask.");
/// ```
#[derive(Debug, Clone, Default)]
pub struct PrivateWords {
    all: HashSet<String>,
    open: HashSet<String>,
}

impl PrivateWords {
    /// What the user said, and what of it is not private.
    pub fn hear(&mut self, whole: &str, shown: &str) {
        if shown != whole {
            self.all.extend(words::terms(whole));
        }
        self.open.extend(words::terms(shown));
    }

    /// The words that were only said in private.
    #[must_use]
    pub fn finish(mut self) -> HashSet<String> {
        self.open.extend(words::terms("<private></private>"));
        let open = self.open;
        self.all.retain(|word| !open.contains(word));
        self.all
    }
}

/// What others said, without the lines in which they repeat what is private.
#[must_use]
pub fn without(text: &str, private: &HashSet<String>) -> String {
    if private.is_empty() {
        return text.to_owned();
    }
    let open = text
        .lines()
        .filter(|line| words::terms(line).is_disjoint(private));
    open.collect::<Vec<_>>().join("\n")
}
