//! The leading reminder block, as the model sees it.

use std::path::Path;

use memdir_memory::hidden;

use super::{Applies, Instructions, LoadedFile};
use crate::reminder::Reminder;

/// About how long a title is.
const TITLE_BYTES: usize = 128;
/// What comes before the files.
const OPENING: &str = "\
Context for this conversation. It may or may not be relevant to what is asked.

# Instruction files

Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, \
the later one counts.";

impl Instructions {
    /// One reminder block with every file under its title; none where there is nothing to show.
    #[must_use]
    pub fn block(&self) -> Option<String> {
        self.block_with(&[])
    }

    /// The same with more that a host has to say, each part under its title. Parts without text are left out.
    #[must_use]
    pub fn block_with(&self, more: &[(&str, &str)]) -> Option<String> {
        let texts = self.files.iter().map(|file| file.text.len());
        let titles = self.files.len() * TITLE_BYTES;
        let mut content = String::with_capacity(OPENING.len() + texts.sum::<usize>() + titles);
        content.push_str(OPENING);
        let mut is_empty = true;
        for file in self.files.iter().filter(|file| file.is_shown()) {
            let text = file.text.trim_matches(['\n', '\r']);
            if text.trim().is_empty() {
                continue;
            }
            is_empty = false;
            content.push_str(&format!("\n\n## {}\n\n", title(file)));
            content.push_str(text);
        }
        if let Some(note) = self.left_out() {
            is_empty = false;
            content.push_str(&format!("\n\n{note}"));
        }
        if is_empty {
            return Reminder::leading(more.iter().copied()).map(|block| format!("{block}\n"));
        }
        for (title, part) in more {
            let part = part.trim_matches('\n');
            if !part.trim().is_empty() {
                let title = title.replace(['\n', '\r'], " ");
                content.push_str(&format!("\n\n# {title}\n\n{part}"));
            }
        }
        Some(format!("{}\n", Reminder::of(content)))
    }

    /// Says which files were left out, so that an agent can read one that it needs.
    fn left_out(&self) -> Option<String> {
        let left_out = |file: &&LoadedFile| matches!(file.applies, Applies::LeftOut);
        let lines: Vec<String> = self
            .files
            .iter()
            .filter(left_out)
            .map(|file| format!("\n- {} (about {} tokens)", shown(&file.path), file.tokens()))
            .collect();
        (!lines.is_empty()).then(|| {
            format!(
                "Left out, because all instruction files together are over the limit that the \
                 user has set:{}",
                lines.concat()
            )
        })
    }
}

pub(super) fn title(file: &LoadedFile) -> String {
    format!("{} ({})", shown(&file.path), file.kind.title())
}

/// A path on one line, with nothing hidden in it.
pub(super) fn shown(path: &Path) -> String {
    let path = path.display().to_string();
    hidden::clean(&path).text.replace(['\n', '\r', '\t'], " ")
}
