//! How long notes may be, and what is shown of those that are longer.

use super::lines::Fences;
use super::template::Form;
use super::{Notes, Template};
use crate::cut::{Shown, cut};
use crate::fragment::{block_of, inline};
use crate::limits::NotesLimits;

/// What of some notes is over its limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrun {
    /// The titles of sections that are too long, with their tokens.
    pub sections: Vec<(String, u64)>,
    /// The tokens of all of it, where that is too much.
    pub total: Option<u64>,
}

/// What stands in for a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The notes, each section within its limit.
    pub text: String,
    /// The titles of sections that were cut.
    pub cut: Vec<String>,
}

impl Overrun {
    /// Whether everything is within its limit.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.sections.is_empty() && self.total.is_none()
    }
}

impl Notes {
    /// What is over its limit.
    #[must_use]
    pub fn overrun(
        &self,
        template: &Template,
        limits: &NotesLimits,
        count: &dyn Fn(&str) -> u64,
    ) -> Overrun {
        let sections = template.sections.iter().zip(self.contents());
        let sections = sections.filter_map(|(form, content)| {
            let tokens = count(content);
            (tokens > limits.section).then(|| (form.title().to_owned(), tokens))
        });
        let total = count(&template.print(self));
        Overrun {
            sections: sections.collect(),
            total: (total > limits.total).then_some(total),
        }
    }

    /// The notes as compaction takes them: a section over its limit is cut after a line, and says where the rest is.
    #[must_use]
    pub fn summary(
        &self,
        template: &Template,
        limits: &NotesLimits,
        count: &dyn Fn(&str) -> u64,
        notes_path: &str,
    ) -> Summary {
        let path = inline(notes_path);
        let note = |kept: &str, shown: Shown| {
            let how_much = match shown {
                Shown::Lines { shown, of } => format!("{shown} of {of} lines are shown"),
                Shown::PartOfLine { of } => format!("not even the first of {of} lines is whole"),
                Shown::Nothing => "nothing is shown".to_owned(),
            };
            let mut fences = Fences::default();
            for line in kept.lines() {
                fences.take(line);
            }
            // A code block that was cut must not take the next section into itself.
            let closing = fences
                .closing()
                .map_or_else(String::new, |line| format!("{line}\n\n"));
            format!("{closing}> Cut here: {how_much}. The rest of this section is in `{path}`.")
        };
        let mut titles = Vec::new();
        let sections = template.sections.iter().zip(self.contents());
        let contents = sections.map(|(form, content): (&Form, &str)| {
            let text = block_of(content.to_owned());
            match cut(&text, limits.section, count, &note) {
                Some(cut) => {
                    titles.push(form.title().to_owned());
                    cut.text
                }
                None => text,
            }
        });
        let contents = contents.collect();
        Summary {
            text: template.print(&Self { contents }),
            cut: titles,
        }
    }
}
