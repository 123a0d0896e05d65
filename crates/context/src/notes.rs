//! Notes of one conversation, from which it can go on without a model summing it up.
//!
//! A notes file has the sections of its [`Template`] and nothing else: headings and description lines are the template's,
//! whatever was written into the file ([`judge`]). When notes are due says [`Limits::notes`](crate::Limits::notes)
//! through [`due`]; who writes them reads [`update_prompt`]; compaction takes [`Notes::summary`].

mod budget;
mod check;
mod judge;
mod lines;
mod once;
mod recover;
mod template;
mod trigger;
mod update;
mod variables;

pub use budget::{Overrun, Summary};
pub use check::Problem;
pub use judge::{Refusal, Verdict, judge};
pub use once::once_prompt;
pub use template::{TEMPLATE_BYTES, Template, TemplateProblem};
pub use trigger::{Due, NotDue, Progress, due};
pub use update::{PROMPT_BYTES, update_prompt};
pub use variables::fill;

use lines::{Fences, section_title, trimmed};

/// What stands in each section, in the order of a template.
///
/// ```
/// use memdir_context::notes::{Notes, Template};
///
/// let template = Template::built_in();
/// let mut contents: Vec<String> = vec![String::new(); 10];
/// contents[0] = "Port of the parser to Rust".to_owned();
/// let notes = Notes::new(template, contents);
/// assert_eq!(Notes::parse(template, &template.print(&notes)), Ok(notes));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes {
    contents: Vec<String>,
}

impl Notes {
    /// Notes with these contents; sections without one are empty. A line that would begin a section becomes a heading
    /// within its own.
    #[must_use]
    pub fn new(template: &Template, contents: Vec<String>) -> Self {
        let mut contents: Vec<String> = contents
            .into_iter()
            .map(|content| beneath(template, &crate::fragment::block_of(content)))
            .collect();
        contents.resize(template.sections.len(), String::new());
        Self { contents }
    }

    /// The contents in the order of the template; empty where nothing is written.
    pub fn contents(&self) -> impl Iterator<Item = &str> {
        self.contents.iter().map(String::as_str)
    }

    /// The same with another text in the section of this title, however that is written; `None` where there is none such.
    ///
    /// ```
    /// use memdir_context::notes::Template;
    ///
    /// let template = Template::built_in();
    /// let notes = template.bare().with(template, "# current state ", "All is done.").unwrap();
    /// assert!(template.print(&notes).contains("next step_\n\nAll is done.\n"));
    /// assert_eq!(notes.with(template, "Mood", "Good."), None);
    /// ```
    #[must_use]
    pub fn with(&self, template: &Template, title: &str, text: &str) -> Option<Self> {
        let plain = |title: &str| title.trim_start_matches('#').trim().to_lowercase();
        let wanted = plain(title);
        let place = template.titles().position(|own| plain(own) == wanted)?;
        let mut contents = self.contents.clone();
        *contents.get_mut(place)? = without_head(template, place, text);
        Some(Self::new(template, contents))
    }

    /// Whether nothing was written: every section is empty or as the template has it.
    #[must_use]
    pub fn is_bare(&self, template: &Template) -> bool {
        let mut pairs = self.contents.iter().zip(&template.sections);
        pairs.all(|(content, form)| content.is_empty() || *content == form.content)
    }
}

/// A text of a section without the heading and the description that somebody repeated above it.
fn without_head(template: &Template, place: usize, text: &str) -> String {
    let form = template.sections.get(place);
    let is_head = |line: &str| {
        let line = line.trim();
        form.is_some_and(|form| line == form.heading || Some(line) == form.description.as_deref())
    };
    let lines: Vec<&str> = text.lines().collect();
    let head = lines
        .iter()
        .take_while(|line| line.trim().is_empty() || is_head(line))
        .count();
    trimmed(lines.get(head..).unwrap_or_default())
}

/// A content in which no line begins a section.
fn beneath(template: &Template, content: &str) -> String {
    let mut fences = Fences::default();
    let lines: Vec<&str> = content.lines().collect();
    let mut text = String::with_capacity(content.len());
    for line in trimmed(&lines).lines() {
        let in_code = fences.take(line);
        // The heading of a section counts wherever it stands: a code block that was never closed must hide none.
        let begins = template.position(line).is_some();
        if begins || (!in_code && section_title(line).is_some()) {
            text.push('#');
        }
        text.push_str(line);
        text.push('\n');
    }
    text.truncate(text.trim_end_matches('\n').len());
    text
}
