//! Notes of one conversation, from which it can go on without a model summing it up.
//!
//! A notes file has the sections of its [`Template`] and nothing else: headings and description lines are the template's,
//! whatever was written into the file ([`judge`]). When notes are due says [`Limits::notes`](crate::Limits::notes)
//! through [`due`]; who writes them reads [`update_prompt`]; compaction takes [`Notes::summary`].

mod budget;
mod check;
mod judge;
mod lines;
mod recover;
mod template;
mod trigger;
mod update;
mod variables;

pub use budget::{Overrun, Summary};
pub use check::Problem;
pub use judge::{Refusal, Verdict, judge};
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

    /// Whether nothing was written: every section is empty or as the template has it.
    #[must_use]
    pub fn is_bare(&self, template: &Template) -> bool {
        let mut pairs = self.contents.iter().zip(&template.sections);
        pairs.all(|(content, form)| content.is_empty() || *content == form.content)
    }
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
