//! What whoever tidies up the memories is told.

use memdir_memory::index::{INDEX_NAME, LINE_CHARACTERS};
use minijinja::context;

use crate::GUIDELINES_BYTES;
use crate::fragment::{block, bounded, inline};
use crate::templates::{PromptError, render};

/// So many logs and folders of transcripts are named.
const NAMED: usize = 60;

/// What whoever tidies up the memories is told.
///
/// ```
/// use memdir_context::DreamPrompt;
///
/// let prompt = DreamPrompt {
///     directory: "/home/ada/.claude/projects/-src-app/memory",
///     fork: false,
///     manifest: "- [user] user_role.md (2026-03-30T12:00:00Z): Who the user is",
///     logs: &[],
///     transcripts: &["/home/ada/.claude/projects/-src-app".to_owned()],
///     turns: 40,
///     max_loss: 25,
///     guidelines: None,
/// };
/// let text = prompt.render().unwrap();
/// assert!(text.contains("- [user] user_role.md"));
/// assert!(text.contains("more than 25 of 100"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DreamPrompt<'a> {
    /// The memory directory.
    pub directory: &'a str,
    /// Whether it stands behind a conversation.
    pub fork: bool,
    /// The memories that there are, a line each.
    pub manifest: &'a str,
    /// The daily logs to read.
    pub logs: &'a [String],
    /// The folders with transcripts of the project.
    pub transcripts: &'a [String],
    /// How many requests it may take.
    pub turns: usize,
    /// How many of a hundred memories may be lost.
    pub max_loss: u64,
    /// What the user's organisation adds.
    pub guidelines: Option<&'a str>,
}

impl DreamPrompt<'_> {
    /// The one message that says it all.
    ///
    /// # Errors
    ///
    /// When the template is wrong, which a test rules out.
    pub fn render(&self) -> Result<String, PromptError> {
        let named = |paths: &[String]| -> Vec<String> {
            let newest = paths.iter().rev().take(NAMED).rev();
            newest.map(|path| inline(path)).collect()
        };
        let guidelines = self
            .guidelines
            .map(|text| block(text.trim()))
            .unwrap_or_default();
        render(
            "dream.md",
            context! {
                directory => inline(self.directory),
                fork => self.fork,
                manifest => block(self.manifest.trim_end()),
                logs => named(self.logs),
                transcripts => named(self.transcripts),
                turns => self.turns,
                max_loss => self.max_loss,
                guidelines => bounded(&guidelines, GUIDELINES_BYTES).into_owned(),
                index_name => INDEX_NAME,
                line_characters => LINE_CHARACTERS,
            },
        )
    }
}
