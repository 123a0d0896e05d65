//! The line of a memory in its index, kept in step with the memory.

use super::{Entry, Index, entry_line};
use crate::MemoryPath;

/// A title and a hook.
pub type Words<'a> = (&'a str, &'a str);

impl Index {
    /// The index after a memory's words have changed. Words that its line shows no more, because somebody chose better
    /// ones, stay; so does an index without a line for it.
    #[must_use]
    pub fn reworded(self, target: &MemoryPath, old: Words<'_>, new: Words<'_>) -> Self {
        let Some(line) = self.entry(target) else {
            return self;
        };
        let ours = Self::from_bytes(entry_line(old.0, target, old.1).into_bytes());
        let Some(ours) = ours.entries().next() else {
            return self;
        };
        let hook = line.hook.as_deref().unwrap_or_default();
        let shows_title = line.title == ours.title;
        let shows_hook = hook == ours.hook.as_deref().unwrap_or_default();
        let title = if shows_title { new.0 } else { &line.title };
        let changed = self.with_entry(title, target, if shows_hook { new.1 } else { hook });
        let kept = |entry: Entry<'_>| entry.hook.as_deref() == Some(hook);
        match shows_hook || hook.is_empty() || changed.entry(target).is_some_and(kept) {
            true => changed,
            // A long hook of the user's would have been cut.
            false => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str, new: Words<'_>) -> String {
        let index = Index::from_bytes(format!("# Mine\n{line}\n").into_bytes());
        let target = MemoryPath::new("tabs.md").unwrap();
        let index = index.reworded(&target, ("tabs", "Use tabs."), new);
        String::from_utf8(index.into_bytes()).unwrap()
    }

    #[test]
    fn only_words_that_are_still_shown_change() {
        let new = ("indentation", "Use tabs in Go.");
        insta::assert_snapshot!(after("- [tabs](tabs.md) — Use tabs.", new), @"
        # Mine
        - [indentation](tabs.md) — Use tabs in Go.
        ");
        insta::assert_snapshot!(after("- [Tabs!](tabs.md) — Use tabs.", new), @"
        # Mine
        - [Tabs!](tabs.md) — Use tabs in Go.
        ");
        insta::assert_snapshot!(after("- [tabs](tabs.md) — as agreed", new), @"
        # Mine
        - [indentation](tabs.md) — as agreed
        ");
        insta::assert_snapshot!(after("- [other](other.md) — Use tabs.", new), @"
        # Mine
        - [other](other.md) — Use tabs.
        ");
    }

    #[test]
    fn a_long_hook_of_the_users_is_not_cut() {
        let line = format!("- [tabs](tabs.md) — {}", "word ".repeat(40).trim());
        assert_eq!(
            after(&line, ("indentation", "x")),
            format!("# Mine\n{line}\n")
        );
    }
}
