//! Edits of an index. Each changes its own lines and no others.

use super::{Entry, Index, LINE_CHARACTERS, Place};
use crate::{
    MemoryPath,
    lines::{line_end_before, part},
    scalar::one_line,
};

impl Index {
    /// Puts in the line for a memory: in place of the one that leads to the same file, else after
    /// the last entry, else at the end. Line ends stay as the file has them, and so does whether
    /// its last line is ended.
    pub fn with_entry(&self, title: &str, target: &MemoryPath, hook: &str) -> Self {
        if let Some(place) = self.places_of(target).next() {
            let text = entry_line(title, target, hook);
            // Bullet and indent are the user's.
            let link = text.strip_prefix("- ").unwrap_or(&text);
            return self.replaced(place.link, place.line.end, link.as_bytes());
        }
        self.with_new_entries([(title, target, hook)])
    }

    /// Puts in lines for memories that have none, after the last entry, else at the end.
    pub fn with_new_entries<'a>(
        &self,
        entries: impl IntoIterator<Item = (&'a str, &'a MemoryPath, &'a str)>,
    ) -> Self {
        let at = self
            .entries
            .last()
            .map_or(self.bytes.len(), |place| place.line.next);
        let line_end = line_end_before(&self.bytes, at);
        let before = part(&self.bytes, 0, at);
        let is_at_line_start =
            before.is_empty() || before.ends_with(b"\n") || before.ends_with(b"\r");
        let mut lines = Vec::new();
        for (title, target, hook) in entries {
            let text = entry_line(title, target, hook);
            if is_at_line_start {
                lines.extend_from_slice(text.as_bytes());
                lines.extend_from_slice(line_end);
            } else {
                lines.extend_from_slice(line_end);
                lines.extend_from_slice(text.as_bytes());
            }
        }
        self.replaced(at, at, &lines)
    }

    /// Takes out every line that leads to a file.
    pub fn without_target(&self, target: &MemoryPath) -> Self {
        let target = target.as_str().as_bytes();
        self.without(|index, place| place.leads_to(&index.bytes, target))
    }

    /// Keeps the entries that are wanted; lines that are not entries stay.
    ///
    /// ```
    /// use memdir_memory::Index;
    /// let index = Index::parse(b"# Mine\n- [A](a.md)\n- [B](b.md)\n");
    /// let kept = index.retain(|entry| entry.target == "b.md");
    /// assert_eq!(kept.bytes(), b"# Mine\n- [B](b.md)\n");
    /// ```
    pub fn retain(&self, mut keep: impl FnMut(&Entry<'_>) -> bool) -> Self {
        self.without(|index, place| !keep(&place.entry(&index.bytes)))
    }

    fn without(&self, mut goes: impl FnMut(&Self, &Place) -> bool) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        for place in &self.entries {
            if !goes(self, place) {
                continue;
            }
            bytes.extend_from_slice(part(&self.bytes, at, place.line.start));
            at = place.line.next;
            // A file whose last line is not ended stays one.
            if place.line.next == place.line.end {
                let open = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
                let length = open.strip_suffix(b"\r").unwrap_or(open).len();
                bytes.truncate(length);
            }
        }
        bytes.extend_from_slice(part(&self.bytes, at, self.bytes.len()));
        Self::from_bytes(bytes)
    }

    /// Lets every line that leads to `old` lead to `new`.
    pub fn retarget(&self, old: &MemoryPath, new: &MemoryPath) -> Self {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut at = 0;
        for place in self.places_of(old) {
            // The whole of what stands in the parentheses, because the form may change with it.
            let (mut start, mut end) = place.target;
            if self.bytes.get(end) == Some(&b'>') {
                start -= 1;
                end += 1;
            }
            bytes.extend_from_slice(part(&self.bytes, at, start));
            bytes.extend_from_slice(link_target(new).as_bytes());
            at = end;
        }
        bytes.extend_from_slice(part(&self.bytes, at, self.bytes.len()));
        Self::from_bytes(bytes)
    }

    fn replaced(&self, start: usize, end: usize, by: &[u8]) -> Self {
        let after = part(&self.bytes, end, self.bytes.len());
        Self::from_bytes([part(&self.bytes, 0, start), by, after].concat())
    }
}

/// The line for a memory, without a line end: `- [Title](file.md) — hook`. Without a title the
/// file's name stands for it; a hook that makes the line longer than [`LINE_CHARACTERS`] is cut at
/// a word, because an index is not a store.
pub fn entry_line(title: &str, target: &MemoryPath, hook: &str) -> String {
    let title = one_line(title).replace('[', "(").replace(']', ")");
    let title = if title.is_empty() {
        target.stem()
    } else {
        &title
    };
    let mut line = format!("- [{title}]({})", link_target(target));
    let hook = one_line(hook);
    if !hook.is_empty() {
        line.push_str(" — ");
        let room = LINE_CHARACTERS.saturating_sub(line.chars().count());
        push_shortened(&mut line, &hook, room);
    }
    line
}

fn push_shortened(line: &mut String, hook: &str, room: usize) {
    // A long title must not leave a hook of a letter or two.
    let room = room.max(LINE_CHARACTERS / 5);
    let Some((cut, _)) = hook.char_indices().nth(room) else {
        line.push_str(hook);
        return;
    };
    let cut = hook
        .char_indices()
        .nth(room - 1)
        .map_or(cut, |(last, _)| last);
    let head = hook.get(..cut).unwrap_or(hook);
    let head = match head.rfind(' ') {
        Some(word) if word > head.len() / 2 => head.get(..word).unwrap_or(head),
        _ => head,
    };
    line.push_str(head.trim_end_matches([' ', ',', ';', ':']));
    line.push('…');
}

/// A path as a link has it: in angle brackets where blanks or parentheses would end it early.
fn link_target(path: &MemoryPath) -> String {
    let text = path.as_str();
    if text.contains(['(', ')']) {
        format!("<{text}>")
    } else {
        text.to_owned()
    }
}
