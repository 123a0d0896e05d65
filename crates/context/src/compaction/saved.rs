//! Where a cleared result goes, and what is sent in its place.

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Block, MessageId, Part};

use crate::fragment::inline;

/// An id up to this long names its file by itself.
const PLAIN: usize = 100;
/// How much of any other id is seen in the name of its file.
const SEEN: usize = 48;

/// A result that was taken out of what is sent, to be saved before the next request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedResult {
    /// The name of its file in the folder of the conversation's results.
    pub file: String,
    /// As they came; a broken history may have several for one call.
    pub results: Vec<Block>,
}

impl SavedResult {
    /// All that the tool answered, made when it is written: there may be hundreds before one request.
    #[must_use]
    pub fn content(&self) -> String {
        let contents: Vec<String> = self.results.iter().map(content).collect();
        contents.join("\n\n")
    }
}

/// The file for the result of a call: its id where that is a plain word, else what is plain of it with a digest of the
/// whole. No two ids share a name, and none leads out of the folder.
///
/// ```
/// use memdir_context::compaction::result_file;
///
/// assert_eq!(result_file("toolu_01AbC"), "toolu_01AbC.txt");
/// assert!(result_file("../../.ssh/id").starts_with("_-------ssh-id."));
/// ```
#[must_use]
pub fn result_file(call: &str) -> String {
    if !call.is_empty() && call.len() <= PLAIN && call.chars().all(is_plain) {
        return format!("{call}.txt");
    }
    // A plain id has no dot, so that none can take this name.
    named(call, blake3::hash(call.as_bytes()))
}

/// The file for the result of a call whose id has been cleared before, in another message.
///
/// ```
/// use memdir_context::compaction::repeated_result_file;
/// use memdir_conversation::MessageId;
///
/// let file = repeated_result_file(&MessageId::new("m7"), "call_0");
/// assert!(file.starts_with("_call_0."));
/// ```
#[must_use]
pub fn repeated_result_file(message: &MessageId, call: &str) -> String {
    // Under a key of its own no id can be made up that has the same digest.
    let mut digest = blake3::Hasher::new_derive_key("memdir: a result by its message and its call");
    digest.update(&(message.as_str().len() as u64).to_le_bytes());
    digest.update(message.as_str().as_bytes());
    digest.update(call.as_bytes());
    named(call, digest.finalize())
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A name that shows what is plain of an id.
fn named(call: &str, digest: blake3::Hash) -> String {
    let seen: String = call
        .chars()
        .take(SEEN)
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    let digest = digest.to_hex();
    format!("_{seen}.{}.txt", digest.get(..16).unwrap_or_default())
}

/// What is sent in place of results whose files are in one folder.
pub(super) struct Markers<'a> {
    folder: String,
    weights: &'a dyn Estimate,
    /// The length of the first one, and its tokens.
    first: Option<(usize, u64)>,
}

impl<'a> Markers<'a> {
    pub(super) fn new(folder: &str, weights: &'a dyn Estimate) -> Self {
        Self {
            folder: inline(folder.trim_end_matches('/')),
            weights,
            first: None,
        }
    }

    /// The one for a result that is in this file, and its tokens. They differ in an id only: one is weighed, and the
    /// others by it, for hundreds may be due before one request.
    pub(super) fn marker(&mut self, file: &str) -> (String, u64) {
        let marker = format!(
            "[Cleared to make room. The whole result is in {}/{file}]",
            self.folder
        );
        let (length, tokens) = *self
            .first
            .get_or_insert_with(|| (marker.len(), self.weights.text(&marker)));
        let tokens = match marker.len() == length {
            true => tokens,
            false => (tokens * marker.len() as u64).div_ceil(length as u64),
        };
        (marker, tokens)
    }
}

/// All that a tool answered: its words, or its JSON where it is more than words.
fn content(block: &Block) -> String {
    let parts = block.parts();
    let words: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Some(text.as_ref()),
            Part::Picture(_) | Part::Other(_) => None,
        })
        .collect();
    match words {
        Some(words) => words.join("\n"),
        None => block.json().to_owned(),
    }
}
