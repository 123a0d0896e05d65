//! Whether a text has exactly the sections of its template.

use std::fmt;

use super::lines::{Fences, section_title, trimmed};
use super::{Notes, Template};

/// What is wrong with a notes file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A section is not there.
    Missing {
        /// Its title.
        title: String,
    },
    /// A section is there more than once.
    Repeated {
        /// Its title.
        title: String,
    },
    /// A section is not in its place.
    Moved {
        /// Its title.
        title: String,
    },
    /// The heading of a section was changed.
    Heading {
        /// Its title.
        title: String,
    },
    /// The description line of a section was changed or is not there.
    Description {
        /// Its title.
        title: String,
    },
    /// There is a section that the template does not have.
    Unknown {
        /// Its title.
        title: String,
    },
    /// What stands before the first section is not the template's.
    Opening,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { title } => write!(out, "the section \"{title}\" is missing"),
            Self::Repeated { title } => write!(out, "the section \"{title}\" is there twice"),
            Self::Moved { title } => write!(out, "the section \"{title}\" is not in its place"),
            Self::Heading { title } => write!(out, "the heading of \"{title}\" was changed"),
            Self::Description { title } => {
                write!(out, "the description line of \"{title}\" was changed")
            }
            Self::Unknown { title } => write!(out, "there is a new section \"{title}\""),
            Self::Opening => out.write_str("the text before the first section was changed"),
        }
    }
}

/// A stretch of a text that begins with a heading of the template.
struct Stretch<'text> {
    section: usize,
    below: Vec<&'text str>,
}

impl Notes {
    /// Reads a notes file, if headings and description lines are those of the template, each once and in order.
    pub fn parse(template: &Template, text: &str) -> Result<Self, Vec<Problem>> {
        let (opening, stretches) = stretches(template, text);
        let mut problems = Vec::new();
        let title = |section: usize| {
            let form = template.sections.get(section);
            form.map_or_else(String::new, |form| form.title().to_owned())
        };
        if trimmed(&opening) != template.opening {
            problems.push(Problem::Opening);
        }
        let mut contents = vec![String::new(); template.sections.len()];
        for (section, content) in contents.iter_mut().enumerate() {
            let mut own = stretches
                .iter()
                .filter(|stretch| stretch.section == section);
            let title = || title(section);
            let Some(stretch) = own.next() else {
                problems.push(Problem::Missing { title: title() });
                continue;
            };
            if own.next().is_some() {
                problems.push(Problem::Repeated { title: title() });
            }
            match content_of(template, stretch) {
                Some(text) => *content = text,
                None => problems.push(Problem::Description { title: title() }),
            }
        }
        // With a section that is there twice there is no order to speak of.
        let is_ordered = !problems
            .iter()
            .any(|problem| matches!(problem, Problem::Repeated { .. }));
        let mut reached = 0;
        for stretch in &stretches {
            if is_ordered && stretch.section < reached {
                problems.push(Problem::Moved {
                    title: title(stretch.section),
                });
            }
            reached = reached.max(stretch.section);
            problems.extend(unknown_sections(&stretch.below));
        }
        problems.dedup();
        match problems.is_empty() {
            true => Ok(Self { contents }),
            false => Err(problems),
        }
    }
}

/// The lines before the first heading of the template, and the stretches after it.
fn stretches<'text>(
    template: &Template,
    text: &'text str,
) -> (Vec<&'text str>, Vec<Stretch<'text>>) {
    let mut opening = Vec::new();
    let mut stretches: Vec<Stretch<'_>> = Vec::new();
    for line in text.lines() {
        match (template.position(line), stretches.last_mut()) {
            (Some(section), _) => stretches.push(Stretch {
                section,
                below: Vec::new(),
            }),
            (None, Some(stretch)) => stretch.below.push(line),
            (None, None) => opening.push(line),
        }
    }
    (opening, stretches)
}

/// What stands below the description line; `None` where that is not the template's.
fn content_of(template: &Template, stretch: &Stretch<'_>) -> Option<String> {
    let form = template.sections.get(stretch.section)?;
    let Some(description) = &form.description else {
        return Some(trimmed(&stretch.below));
    };
    let blank = |line: &&&str| line.trim().is_empty();
    let before = stretch.below.iter().take_while(blank).count();
    let line = stretch.below.get(before)?;
    (line.trim() == description)
        .then(|| trimmed(stretch.below.get(before + 1..).unwrap_or_default()))
}

/// Headings of sections that the template does not have.
fn unknown_sections(lines: &[&str]) -> Vec<Problem> {
    let mut fences = Fences::default();
    let mut unknown = Vec::new();
    for line in lines {
        if !fences.take(line)
            && let Some(title) = section_title(line)
        {
            unknown.push(Problem::Unknown {
                title: title.to_owned(),
            });
        }
    }
    unknown
}
