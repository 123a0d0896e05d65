//! What the user said outright in a turn in which the agent wrote to memory itself: kept where no file says it.

use std::collections::HashSet;

use memdir_memory::{Topic, words};
use memdir_store::Store;

use super::Heard;
use crate::keep::{Catalogue, KeepError, Suggestion, Wanted};

/// So much of a statement the agent's own file must hold to have said it in other words.
const OWN_SHARE: f64 = 0.6;
/// So much one sentence of any other memory must.
const SHARE: f64 = 0.75;

/// A turn in which the agent wrote to memory itself.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// What the user asked to be kept.
    pub suggestions: Vec<Suggestion>,
    /// The memories that the agent wrote, beneath the directory; of a patch all that follows the first one's path.
    pub(super) texts: Vec<String>,
    /// Whether it used our own tools, which choose the file.
    pub(super) anywhere: bool,
}

impl Heard {
    /// Adds to the suggestions what the user said in turns in which the agent wrote to memory, where no memory says it and
    /// nothing that waits for the user's word.
    ///
    /// # Errors
    ///
    /// When the memories cannot be read.
    pub fn settle(&mut self, store: &Store) -> Result<(), KeepError> {
        let turns = std::mem::take(&mut self.beside);
        if turns.iter().all(|turn| turn.suggestions.is_empty()) {
            self.left_to_agent += turns.len();
            return Ok(());
        }
        let catalogue = Catalogue::read(store)?;
        let waiting = store.inbox().list()?;
        for turn in turns {
            let is_own = |path: &str| turn.texts.iter().any(|text| text.contains(path));
            let is_in_one = |said: &Statement| {
                let mut memories = catalogue.memories().iter();
                let mut waiting = waiting.iter();
                memories.any(|known| {
                    let topic = Topic::parse(&known.bytes);
                    said.is_in(&topic, is_own(known.path.as_str()))
                }) || waiting.any(|one| said.is_in(&one.content(), turn.anywhere))
            };
            let is_said = |suggestion: &Suggestion| Statement::of(suggestion).iter().all(is_in_one);
            let before = self.suggestions.len();
            let new = turn.suggestions.into_iter().filter(|one| !is_said(one));
            self.suggestions.extend(new);
            if self.suggestions.len() == before {
                self.left_to_agent += 1;
            }
        }
        Ok(())
    }
}

/// What the user asked to be kept, in words that can be compared.
struct Statement {
    text: String,
    terms: HashSet<String>,
}

impl Statement {
    /// Each sentence of it.
    fn of(suggestion: &Suggestion) -> Vec<Self> {
        let Wanted::Kept(draft) = &suggestion.wanted else {
            return Vec::new();
        };
        let opening = words::terms("always please remember note that");
        let sentences = sentences(words::without_opening(&draft.body));
        let statements = sentences.map(|text| Self {
            text: text.to_owned(),
            terms: words::terms(text).difference(&opening).cloned().collect(),
        });
        statements.filter(|one| !one.terms.is_empty()).collect()
    }

    /// Whether a memory says it: one sentence of it, or all of it where the agent wrote it in this very turn.
    fn is_in(&self, topic: &Topic, own: bool) -> bool {
        let header = topic.header();
        let body = topic.body_text();
        let told = [header.name.as_deref(), header.description.as_deref()];
        let lines = || {
            let told = told.into_iter().flatten();
            told.chain(sentences(&body))
        };
        if own {
            let whole: HashSet<String> = lines().flat_map(words::terms).collect();
            let nearest = lines().max_by(|one, other| {
                let near = |line: &str| words::overlap(&words::terms(line), &self.terms);
                near(one).total_cmp(&near(other))
            });
            let denied = nearest.is_some_and(|line| words::negation_differs(line, &self.text));
            return !denied && self.is_held(&whole, OWN_SHARE);
        }
        let mut lines = lines();
        lines.any(|line| {
            self.is_held(&words::terms(line), SHARE) && !words::negation_differs(line, &self.text)
        })
    }

    /// Whether so much of it is among these words, and every number.
    fn is_held(&self, words: &HashSet<String>, share: f64) -> bool {
        let is_number = |term: &&String| term.contains(|c: char| c.is_numeric());
        let mut numbers = self.terms.iter().filter(is_number);
        let held = self.terms.intersection(words).count();
        #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
        let held = held as f64 / self.terms.len().max(1) as f64;
        held >= share && numbers.all(|number| words.contains(number))
    }
}

/// The sentences of a text, roughly: a dot within a word ends none.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.split(['\n', '。', '；', '！']);
    lines.flat_map(|line| line.split(". ").flat_map(|part| part.split("; ")))
}
