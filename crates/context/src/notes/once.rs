//! What a model is told that brings notes up to date with one answer.

use super::{PROMPT_BYTES, Template, fill};
use crate::fragment::{block, bounded};
use crate::limits::NotesLimits;

const BUILT_IN: &str = include_str!("../../prompts/notes_once.md");

/// What a model is told that is asked once, and answers with the sections that change as JSON. The notes and the messages
/// come as data. What the user's `own` prompt says is added; where it asks for the notes or their place, it is told that
/// they are below.
///
/// ```
/// use memdir_context::notes::{Template, once_prompt};
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 20_000, &Configured::default()).notes;
/// let prompt = once_prompt(Template::built_in(), Some("In Latin: {{currentNotes}}"), &limits);
/// assert!(prompt.contains("- `Worklog`: What was done, step by step"));
/// assert!(prompt.ends_with("In Latin: the notes below\n"));
/// ```
#[must_use]
pub fn once_prompt(template: &Template, own: Option<&str>, limits: &NotesLimits) -> String {
    let sections = template.titles().zip(template.descriptions());
    let sections: Vec<String> = sections
        .map(|(title, description)| match description {
            Some(description) => format!("- `{title}`: {}", description.trim_matches(['_', '*'])),
            None => format!("- `{title}`"),
        })
        .collect();
    let [section, total] = [limits.section, limits.total].map(|limit| limit.to_string());
    let mut prompt = fill(
        BUILT_IN,
        &[
            ("sections", &*sections.join("\n")),
            ("sectionTokens", &section),
            ("totalTokens", &total),
        ],
    );
    prompt.truncate(prompt.trim_end().len());
    if let Some(own) = own {
        let below = [
            ("currentNotes", "the notes below"),
            ("notesPath", "the notes below"),
        ];
        let own = fill(&block(&bounded(own, PROMPT_BYTES)), &below);
        prompt.push_str("\n\n## What the user wants of the notes\n\n");
        prompt.push_str(own.trim());
    }
    prompt.push('\n');
    prompt
}
