//! A conversation that goes on: which instruction files are no longer what it was shown.
//!
//! What was sent stays as it is, so that a provider's cache still fits; what is different goes to the end.

use std::path::PathBuf;

use super::block::{shown, title};
use super::{Applies, Instructions, LoadedFile};
use crate::reminder::Reminder;

/// A file as a conversation was shown it. A host keeps these with the conversation, in whatever form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The path under which it stood.
    pub path: PathBuf,
    /// What the model saw of it.
    pub text: String,
}

impl Instructions {
    /// What a conversation that begins now is shown, to be kept until it is resumed.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        let files = self.files.iter().filter(|file| file.is_shown());
        files
            .map(|file| Shown {
                path: file.path.clone(),
                text: file.text.clone(),
            })
            .collect()
    }

    /// What a conversation that was shown `earlier` is told when it is resumed: every file that is new or different,
    /// whole, and those that no longer hold. Nothing where nothing changed.
    ///
    /// ```
    /// use memdir_context::instructions::{Answer, Discovery, Sources};
    ///
    /// let found = |text: &str| {
    ///     let mut discovery = Discovery::new(Sources::new("/project", "/project", 1000));
    ///     while let Some(request) = discovery.request() {
    ///         let answer = match request.path.to_str() {
    ///             Some("/project/CLAUDE.md") => Answer::file("/project/CLAUDE.md", text, 1000),
    ///             _ => Answer::Absent,
    ///         };
    ///         discovery.feed(answer);
    ///     }
    ///     discovery.finish()
    /// };
    /// let earlier = found("Use tabs.").shown();
    /// assert_eq!(found("Use tabs.").changed_since(&earlier), None);
    /// let reminder = found("Use spaces.").changed_since(&earlier).unwrap();
    /// assert!(reminder.body().contains("Use spaces."));
    /// ```
    #[must_use]
    pub fn changed_since(&self, earlier: &[Shown]) -> Option<Reminder> {
        let now: Vec<&LoadedFile> = self.files.iter().filter(|file| file.is_shown()).collect();
        let mut parts = Vec::new();
        for file in &now {
            let known = earlier.iter().find(|shown| shown.path == file.path);
            let text = plain(&file.text);
            if known.is_none_or(|known| plain(&known.text) != text)
                && !(known.is_none() && text.is_empty())
            {
                let text = match text.is_empty() {
                    true => "It is empty now.",
                    false => text,
                };
                parts.push(format!("## {}\n\n{text}", title(file)));
            }
        }
        let gone: Vec<String> = earlier
            .iter()
            .filter(|known| !self.files.iter().any(|file| is_still_there(file, known)))
            .filter(|known| !plain(&known.text).is_empty())
            .map(|known| format!("- {}", shown(&known.path)))
            .collect();
        if !gone.is_empty() {
            parts.push(format!(
                "No longer among the instruction files, so that what was shown of them no longer counts:\n\n{}",
                gone.join("\n")
            ));
        }
        (!parts.is_empty()).then(|| Reminder::new(&format!("{OPENING}\n\n{}", parts.join("\n\n"))))
    }
}

/// A file that is left out for its size holds as it did; that it is left out was said in the block.
fn is_still_there(file: &LoadedFile, known: &Shown) -> bool {
    file.path == known.path && matches!(file.applies, Applies::Always | Applies::LeftOut)
}

/// What comes before the files.
const OPENING: &str = "\
# Changed instruction files

These differ from what this conversation was shown at its beginning. Where they do, what stands here counts. There is no \
need to mention this.";

/// A text as the block has it.
fn plain(text: &str) -> &str {
    let text = text.trim_matches(['\n', '\r']);
    match text.trim().is_empty() {
        true => "",
        false => text,
    }
}
