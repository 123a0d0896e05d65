//! What whoever saves for later is told, and whoever selects what to recall.

use memdir_memory::index::INDEX_NAME;
use minijinja::{Value, context};

use crate::GUIDELINES_BYTES;
use crate::fragment::{block, bounded, inline};
use crate::templates::{PromptError, render};

/// What whoever saves for later is told.
///
/// ```
/// use memdir_context::ExtractionPrompt;
///
/// let prompt = ExtractionPrompt {
///     directory: "/home/ada/.claude/projects/-src-app/memory",
///     messages: 4,
///     turns: 5,
///     manifest: "- [user] user_role.md (2026-03-30T12:00:00Z): Who the user is",
///     team: false,
///     guidelines: None,
/// };
/// let text = prompt.for_fork().unwrap();
/// assert!(text.contains("the last 4 messages"));
/// assert!(text.contains("- [user] user_role.md"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ExtractionPrompt<'a> {
    /// The memory directory.
    pub directory: &'a str,
    /// How many messages, the last ones, are to be looked at.
    pub messages: usize,
    /// How many requests it may take.
    pub turns: usize,
    /// The memories that there are, a line each.
    pub manifest: &'a str,
    /// Whether there is a team to save for.
    pub team: bool,
    /// What the user's organisation adds.
    pub guidelines: Option<&'a str>,
}

impl ExtractionPrompt<'_> {
    /// The one message that a fork adds to the conversation it repeats.
    ///
    /// # Errors
    ///
    /// When the template is wrong, which a test rules out.
    pub fn for_fork(&self) -> Result<String, PromptError> {
        render("extraction.md", self.values())
    }

    /// What a model is told that is asked once and answers with JSON.
    ///
    /// # Errors
    ///
    /// When the template is wrong, which a test rules out.
    pub fn for_one_request(&self) -> Result<String, PromptError> {
        render("extraction_once.md", self.values())
    }

    fn values(&self) -> Value {
        let guidelines = self
            .guidelines
            .map(|text| block(text.trim()))
            .unwrap_or_default();
        context! {
            directory => inline(self.directory),
            messages => self.messages,
            turns => self.turns,
            manifest => block(self.manifest.trim_end()),
            team => self.team,
            guidelines => bounded(&guidelines, GUIDELINES_BYTES).into_owned(),
            index_name => INDEX_NAME,
        }
    }
}

/// What a model is told that selects memories to recall, at most so many.
///
/// # Errors
///
/// When the template is wrong, which a test rules out.
pub fn selector_prompt(most: usize) -> Result<String, PromptError> {
    render("selector.md", context! { most })
}
