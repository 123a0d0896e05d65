//! The form of notes: which sections there are, and what belongs in each.

use std::sync::LazyLock;

use super::lines::{Fences, is_italic, section_title, trimmed};
use super::{Notes, beneath};
use crate::fragment::block;

/// The form that everybody gets who has none of their own.
static BUILT_IN: LazyLock<Template> =
    LazyLock::new(|| Template::read(include_str!("../../prompts/notes_template.md")));

/// The most that a template of the user's has, in bytes.
pub const TEMPLATE_BYTES: usize = 40_000;

/// The form of notes.
///
/// ```
/// use memdir_context::notes::Template;
///
/// let titles: Vec<&str> = Template::built_in().titles().collect();
/// assert_eq!(titles.len(), 10);
/// let own = Template::parse("# Goal\n_What for_\n\n# Log\n").unwrap();
/// assert_eq!(own.titles().collect::<Vec<_>>(), ["Goal", "Log"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// What stands before the first section.
    pub(super) opening: String,
    pub(super) sections: Vec<Form>,
}

/// One section of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Form {
    /// The line, with its `#`.
    pub(super) heading: String,
    /// The italic line below it; a template of the user's need not have one.
    pub(super) description: Option<String>,
    /// What stands there before anybody wrote anything.
    pub(super) content: String,
}

impl Form {
    /// The heading without its `#`.
    pub(super) fn title(&self) -> &str {
        section_title(&self.heading).unwrap_or(&self.heading)
    }
}

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateProblem {
    /// There is nothing to write under.
    #[error("it has no section: a section begins with a line such as `# Current State`")]
    NoSection,
    /// It could not be told which is meant.
    #[error("the heading `{heading}` stands in it twice")]
    RepeatedHeading {
        /// The line.
        heading: String,
    },
    /// It would fill the notes by itself.
    #[error("it has {bytes} bytes; at most {TEMPLATE_BYTES} can be used")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
}

impl Template {
    /// The ten sections.
    #[must_use]
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// A template of the user's.
    pub fn parse(text: &str) -> Result<Self, TemplateProblem> {
        if text.len() > TEMPLATE_BYTES {
            return Err(TemplateProblem::TooLong { bytes: text.len() });
        }
        let template = Self::read(text);
        if template.sections.is_empty() {
            return Err(TemplateProblem::NoSection);
        }
        for (at, section) in template.sections.iter().enumerate() {
            if template.position(&section.heading) != Some(at) {
                return Err(TemplateProblem::RepeatedHeading {
                    heading: section.heading.clone(),
                });
            }
        }
        Ok(template)
    }

    fn read(text: &str) -> Self {
        let text = block(text);
        let lines: Vec<&str> = text.lines().collect();
        let mut fences = Fences::default();
        let mut starts = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if !fences.take(line) && section_title(line).is_some() {
                starts.push(at);
            }
        }
        let between = |from: usize, to: usize| lines.get(from..to).unwrap_or_default();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let sections = starts.iter().zip(ends).map(|(start, end)| {
            let heading = lines.get(*start).copied().unwrap_or_default().trim_end();
            let below = between(start + 1, end);
            let first = below.iter().position(|line| !line.trim().is_empty());
            let description = first
                .and_then(|first| below.get(first))
                .filter(|line| is_italic(line));
            let content = match (description, first) {
                (Some(_), Some(first)) => below.get(first + 1..).unwrap_or_default(),
                _ => below,
            };
            Form {
                heading: heading.to_owned(),
                description: description.map(|line| line.trim().to_owned()),
                content: trimmed(content),
            }
        });
        let mut template = Self {
            sections: sections.collect(),
            opening: trimmed(between(0, starts.first().copied().unwrap_or(lines.len()))),
        };
        // In a code block even a template may quote itself.
        template.opening = beneath(&template, &template.opening);
        for at in 0..template.sections.len() {
            let content = template.sections.get(at).map(|form| form.content.as_str());
            let content = beneath(&template, content.unwrap_or_default());
            if let Some(form) = template.sections.get_mut(at) {
                form.content = content;
            }
        }
        template
    }

    /// The titles of the sections, in their order.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(Form::title)
    }

    /// The description of each section, where it has one, in their order.
    pub fn descriptions(&self) -> impl Iterator<Item = Option<&str>> {
        self.sections.iter().map(|form| form.description.as_deref())
    }

    /// Which section this line is the heading of.
    pub(super) fn position(&self, line: &str) -> Option<usize> {
        let line = line.trim_end();
        // Nearly every line is none: the sign is looked at before ten headings are.
        line.starts_with('#')
            .then(|| self.sections.iter().position(|own| own.heading == line))
            .flatten()
    }

    /// The notes of a conversation about which nothing is written yet.
    #[must_use]
    pub fn bare(&self) -> Notes {
        let contents = self.sections.iter().map(|form| form.content.clone());
        Notes::new(self, contents.collect())
    }

    /// The text of a notes file. Headings and descriptions come from here alone, so that notes cannot change them.
    #[must_use]
    pub fn print(&self, notes: &Notes) -> String {
        let mut text = String::new();
        if !self.opening.is_empty() {
            text.push_str(&self.opening);
            text.push_str("\n\n");
        }
        for (form, content) in self.sections.iter().zip(notes.contents()) {
            text.push_str(&form.heading);
            text.push('\n');
            if let Some(description) = &form.description {
                text.push_str(description);
                text.push('\n');
            }
            if !content.is_empty() {
                text.push('\n');
                text.push_str(content);
                text.push('\n');
            }
            text.push('\n');
        }
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        text
    }
}
