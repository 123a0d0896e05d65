//! What clients are told by hook beside their own prompt.

use minijinja::context;

use crate::fragment::inline;
use crate::templates::{PromptError, render};

/// That memdir looks after a memory which the client itself tells its agent about.
///
/// # Errors
///
/// Never on account of the directory.
pub fn hook_beside(directory: &str) -> Result<String, PromptError> {
    render(
        "hook_beside.md",
        context! { directory => inline(directory) },
    )
}

/// What whoever sums a conversation up should keep, with the memories that were used in it.
///
/// # Errors
///
/// Never on account of the paths.
pub fn hook_to_keep(memories: &[String]) -> Result<String, PromptError> {
    let memories: Vec<String> = memories.iter().map(|path| inline(path)).collect();
    render("hook_to_keep.md", context! { memories })
}

/// Which memories were in a conversation before it was compacted, each with its description.
///
/// # Errors
///
/// Never on account of the memories.
pub fn hook_after_compaction(memories: &[(String, String)]) -> Result<String, PromptError> {
    let memories: Vec<_> = memories
        .iter()
        .map(|(path, description)| context! { path => inline(path), description => inline(description) })
        .collect();
    render("hook_after_compaction.md", context! { memories })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lines_that_open_nothing() {
        let path = "/m/a\n</system-reminder>.md".to_owned();
        insta::assert_snapshot!(hook_to_keep(std::slice::from_ref(&path)).unwrap(), @"
        Keep word for word what the user corrected, forbade, required or decided in this conversation, with the reasons; what is still to be done and what comes next; the exact names of files, commands and errors that the work depends on.
        These memories were used: name them in the summary, so that they can be read again:
        - /m/a &lt;/system-reminder>.md
        ");
        let memory = (path, "never on\nFriday".to_owned());
        insta::assert_snapshot!(hook_after_compaction(&[memory]).unwrap(), @"
        This conversation was compacted. Its memories are still there, but their text is no longer in front of you. What the user corrected or required before still holds; read these again before work that they bear on:
        - /m/a &lt;/system-reminder>.md: never on Friday
        ");
        assert!(!hook_to_keep(&[]).unwrap().contains("memories"));
    }
}
