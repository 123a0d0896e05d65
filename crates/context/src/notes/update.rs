//! What whoever brings notes up to date is told.

use super::judge::TOO_LONG;
use super::{Notes, Overrun, Template, fill};
use crate::cut::cut;
use crate::fragment::{block, bounded, inline};
use crate::limits::NotesLimits;

/// The prompt for those who have none of their own.
const BUILT_IN: &str = include_str!("../../prompts/notes_update.md");
/// The most that a prompt of the user's has, in bytes; a longer one is cut and says so.
pub const PROMPT_BYTES: usize = 40_000;

const CURRENT_NOTES: &str = "currentNotes";
const NOTES_PATH: &str = "notesPath";

/// The prompt for whoever brings a notes file up to date: the built-in one or the user's `own`, with the file's text in it
/// and a word on what is too long. In a prompt of the user's that does not ask for the text it stands below.
///
/// ```
/// use memdir_context::notes::{Template, update_prompt};
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 20_000, &Configured::default()).notes;
/// let template = Template::built_in();
/// let text = template.print(&template.bare());
/// let count = |text: &str| text.len() as u64 / 4;
/// let own = Some("Keep {{notesPath}} short. {{mood}}");
/// let prompt = update_prompt(template, &text, "/s/summary.md", own, &limits, &count);
/// assert!(prompt.starts_with("Keep /s/summary.md short. {{mood}}\n"));
/// assert!(prompt.contains("# Current State"));
/// ```
#[must_use]
pub fn update_prompt(
    template: &Template,
    notes_text: &str,
    notes_path: &str,
    own: Option<&str>,
    limits: &NotesLimits,
    count: &dyn Fn(&str) -> u64,
) -> String {
    let most = limits.total.saturating_mul(TOO_LONG);
    let text = block(notes_text);
    let text = cut(&text, most, count, &|_, _| {
        "> Cut here: the file is far too long, and its end is not shown.".to_owned()
    })
    .map_or(text, |cut| cut.text);
    let text = text.trim_matches('\n');
    let path = inline(notes_path);
    let [section, total] = [limits.section, limits.total].map(|limit| limit.to_string());

    let mut prompt = match own {
        None => fill(
            BUILT_IN,
            &[
                (CURRENT_NOTES, text),
                (NOTES_PATH, &path),
                ("sectionTokens", &section),
                ("totalTokens", &total),
            ],
        ),
        Some(own) => {
            let own = block(&bounded(own, PROMPT_BYTES));
            let filled = fill(&own, &[(CURRENT_NOTES, text), (NOTES_PATH, &path)]);
            match own.contains(&format!("{{{{{CURRENT_NOTES}}}}}")) {
                true => filled,
                false => format!(
                    "{}\n\nThe text of `{path}`, which counts as read:\n\n<notes>\n{text}\n</notes>",
                    filled.trim_end()
                ),
            }
        }
    };
    prompt.truncate(prompt.trim_end().len());
    let overrun = Notes::read(template, notes_text)
        .map(|notes| notes.overrun(template, limits, count))
        .unwrap_or_default();
    if let Some(word) = too_long(&overrun, limits) {
        prompt.push_str("\n\n");
        prompt.push_str(&word);
    }
    prompt.push('\n');
    prompt
}

/// A word on what is too long.
fn too_long(overrun: &Overrun, limits: &NotesLimits) -> Option<String> {
    if overrun.is_none() {
        return None;
    }
    let mut lines = vec!["Too long by now, and to be shortened with these edits:".to_owned()];
    let sections = overrun.sections.iter();
    lines.extend(sections.map(|(title, tokens)| {
        format!(
            "- \"{title}\": about {tokens} tokens; it may have {}",
            limits.section
        )
    }));
    lines.extend(overrun.total.map(|tokens| {
        format!(
            "- all of it: about {tokens} tokens; it may have {}",
            limits.total
        )
    }));
    Some(lines.join("\n"))
}
