//! All that memory says in a window that has no room for more.

use memdir_memory::Index;
use minijinja::context;

use super::{IndexPart, MemoryPrompt};
use crate::fragment::{characters, inline};
use crate::templates::{PromptError, render};

/// The most characters of all titles together, and of one.
const TITLES: usize = 300;
const TITLE: usize = 60;

impl MemoryPrompt<'_> {
    /// The whole section in one line, for windows below [`MEMORY_WINDOW`](crate::MEMORY_WINDOW): where the memories are, the
    /// titles that fit, and what to do with them. It stands for the index too, wherever that would have been.
    ///
    /// ```
    /// use memdir_context::{Audience, IndexPart, MemoryPrompt, Style};
    /// use memdir_memory::index::load;
    ///
    /// let index = load(b"- [Role](user_role.md) \xe2\x80\x94 writes Rust\n");
    /// let prompt = MemoryPrompt {
    ///     directory: "/m",
    ///     audience: Audience::Private,
    ///     style: Style::Full,
    ///     daily_log: false,
    ///     skip_index: false,
    ///     guidelines: None,
    ///     index: IndexPart::Here(&index),
    /// };
    /// assert!(prompt.render_one_line().unwrap().starts_with("Memory: the folder `/m`, 1 file by `MEMORY.md`: Role. "));
    /// ```
    pub fn render_one_line(&self) -> Result<String, PromptError> {
        let index = match self.shown_index() {
            IndexPart::Here(loaded) => Index::parse(loaded.text.as_bytes()),
            IndexPart::Absent | IndexPart::Elsewhere => Index::parse(b""),
        };
        let count = index.entries().len();
        let mut titles: Vec<String> = Vec::new();
        let mut room = TITLES;
        for entry in index.entries() {
            let title = shortened(&inline(&entry.title));
            let needed = characters(&title) + 2;
            if needed > room {
                break;
            }
            room -= needed;
            titles.push(title);
        }
        let more = count - titles.len();
        let titles = titles.join(", ");
        render(
            "one_line.md",
            context! { count, titles, more, ..self.values("") },
        )
    }
}

/// A title that leaves room for others.
fn shortened(title: &str) -> String {
    let title = title.trim();
    if characters(title) <= TITLE {
        return title.to_owned();
    }
    let mut kept = String::new();
    let mut room = TITLE - 1;
    for character in title.chars() {
        match room.checked_sub(character.len_utf16()) {
            Some(left) => room = left,
            None => break,
        }
        kept.push(character);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}
