//! The sections of notes that are not quite as their template has them.

use std::collections::BTreeSet;

use memdir_memory::words::{normalise, similarity};

use super::check::Problem;
use super::lines::{Fences, is_italic, likely_title, trimmed};
use super::template::Form;
use super::{Notes, Template};

/// How alike an italic line is to the description in whose place it stands, at least.
const LIKE_DESCRIPTION: f64 = 0.5;

impl Notes {
    /// Reads a notes file as far as it can be told what is meant, also one that a person has edited; `None` where most
    /// sections are not to be found: such notes were begun with another template, or are none.
    ///
    /// ```
    /// use memdir_context::notes::{Notes, Template};
    ///
    /// let template = Template::parse("# Goal\n_What for_\n\n# Log\n_One line a step_\n").unwrap();
    /// let notes = Notes::read(&template, "# Goal\n\nShip it.\n\n## Log\n- began\n").unwrap();
    /// assert_eq!(notes.contents().collect::<Vec<_>>(), ["Ship it.", "- began"]);
    /// assert_eq!(Notes::read(&template, "# Something else\n"), None);
    /// ```
    #[must_use]
    pub fn read(template: &Template, text: &str) -> Option<Self> {
        if let Ok(notes) = Self::parse(template, text) {
            return Some(notes);
        }
        let recovered = recover(template, text, &template.bare());
        recovered.is_most_of(template).then_some(recovered.notes)
    }
}

/// What could be found in a text.
pub(super) struct Recovered {
    pub(super) notes: Notes,
    /// How many sections were there.
    pub(super) found: usize,
    /// Sections whose heading was put back, and the titles that stood there.
    renamed: Vec<(usize, Option<String>)>,
}

impl Recovered {
    /// Whether the text is notes of this template at all.
    pub(super) fn is_most_of(&self, template: &Template) -> bool {
        self.found > 0 && self.found * 2 >= template.sections.len()
    }

    /// The problems, with renamed sections called that rather than missing here and new there.
    pub(super) fn named(&self, template: &Template, problems: Vec<Problem>) -> Vec<Problem> {
        let old_title = |section: usize| template.sections.get(section).map(Form::title);
        let problem = |problem| match &problem {
            Problem::Missing { title } => {
                let mut renamed = self.renamed.iter();
                match renamed.any(|(section, _)| old_title(*section) == Some(title)) {
                    true => Some(Problem::Heading {
                        title: title.clone(),
                    }),
                    false => Some(problem),
                }
            }
            Problem::Unknown { title } => {
                let mut renamed = self.renamed.iter();
                let is_renamed = renamed.any(|(_, now)| now.as_ref() == Some(title));
                (!is_renamed).then_some(problem)
            }
            _ => Some(problem),
        };
        problems.into_iter().filter_map(problem).collect()
    }
}

/// Where a section begins in a text.
struct Start {
    line: usize,
    section: usize,
    /// Whether that line is its heading; else it is its description line already.
    heading: bool,
}

/// Finds the sections in a text that is not quite as the template has it. Those that are not to be found have their content
/// of `old`.
pub(super) fn recover(template: &Template, text: &str, old: &Notes) -> Recovered {
    let lines: Vec<&str> = text.lines().collect();
    let (starts, renamed) = starts(template, &lines);
    let mut contents: Vec<Option<String>> = vec![None; template.sections.len()];
    let ends = starts
        .iter()
        .skip(1)
        .map(|next| next.line)
        .chain([lines.len()]);
    for (start, end) in starts.iter().zip(ends) {
        let from = start.line + usize::from(start.heading);
        let below = lines.get(from..end).unwrap_or_default();
        let (Some(form), Some(content)) = (
            template.sections.get(start.section),
            contents.get_mut(start.section),
        ) else {
            continue;
        };
        let found = trimmed(without_description(form, below));
        // Of a section that is there twice nothing is lost.
        *content = Some(match content.take() {
            Some(first) if found.is_empty() || first == found => first,
            Some(first) if !first.is_empty() => format!("{first}\n\n{found}"),
            _ => found,
        });
    }
    if let (Some(closing), Some(last)) = (wrapped(&lines, &starts), starts.last())
        && let Some(Some(content)) = contents.get_mut(last.section)
        && let Some(rest) = content.strip_suffix(&closing)
    {
        *content = rest.trim_end().to_owned();
    }
    let found = contents.iter().flatten().count();
    Recovered {
        notes: Notes::new(template, with_old(contents, old)),
        found,
        renamed,
    }
}

/// The line that ends the code block into which the whole text was put, if it was.
fn wrapped(lines: &[&str], starts: &[Start]) -> Option<String> {
    let first = starts.first()?.line;
    let mut fences = Fences::default();
    for line in lines.iter().take(first) {
        fences.take(line);
    }
    fences.closing()
}

/// Puts the old content where a section is not to be found. If only its heading went, what stood below it is now at the end
/// of the section before it, and is not to stand in both.
fn with_old(mut contents: Vec<Option<String>>, old: &Notes) -> Vec<String> {
    let missing: BTreeSet<usize> = contents
        .iter()
        .enumerate()
        .filter_map(|(at, content)| content.is_none().then_some(at))
        .collect();
    for (at, old) in old.contents().enumerate() {
        if !missing.contains(&at) {
            continue;
        }
        if let Some(before) = at.checked_sub(1)
            && let Some(Some(content)) = contents.get_mut(before)
            && !old.is_empty()
            && let Some(rest) = content.strip_suffix(old)
        {
            *content = rest.trim_end().to_owned();
        }
        if let Some(content) = contents.get_mut(at) {
            *content = Some(old.to_owned());
        }
    }
    contents
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect()
}

/// Where sections begin, in the order of the text, and which of them had another heading.
fn starts(template: &Template, lines: &[&str]) -> (Vec<Start>, Vec<(usize, Option<String>)>) {
    let mut starts = Vec::new();
    let mut renamed = Vec::new();
    for (section, form) in template.sections.iter().enumerate() {
        let exact: Vec<usize> = positions(lines, |line| line.trim_end() == form.heading);
        if exact.is_empty() {
            if let Some(start) = renamed_start(template, section, form, lines) {
                let title = lines
                    .get(start.line)
                    .filter(|_| start.heading)
                    .and_then(|line| likely_title(line));
                renamed.push((section, title.map(str::to_owned)));
                starts.push(start);
            }
            continue;
        }
        // Of several the one with its description is meant; the others only speak of it.
        let described: Vec<usize> = exact
            .iter()
            .copied()
            .filter(|at| {
                let below = lines.get(at + 1..).unwrap_or_default();
                first_line(below)
                    .is_some_and(|(_, line)| form.description.as_deref() == Some(line.trim()))
            })
            .collect();
        let meant = match described.as_slice() {
            [only] => vec![*only],
            _ => exact,
        };
        starts.extend(meant.into_iter().map(|line| Start {
            line,
            section,
            heading: true,
        }));
    }
    starts.sort_by_key(|start| start.line);
    starts.dedup_by_key(|start| start.line);
    (starts, renamed)
}

/// Where a section begins whose heading is not to be found: at its description line, or at a heading that says the same.
fn renamed_start(
    template: &Template,
    section: usize,
    form: &Form,
    lines: &[&str],
) -> Option<Start> {
    let is_another = |line: &str| template.position(line).is_some();
    if let Some(description) = form.description.as_deref()
        && let [only] = positions(lines, |line| line.trim() == description).as_slice()
    {
        let above = lines.get(..*only).unwrap_or_default();
        let heading = above.iter().rposition(|line| !line.trim().is_empty());
        let heading = heading.filter(|at| {
            let line = above.get(*at).copied().unwrap_or_default();
            likely_title(line).is_some() && !is_another(line)
        });
        return Some(Start {
            line: heading.unwrap_or(*only),
            section,
            heading: heading.is_some(),
        });
    }
    let title = plain(form.title());
    let mut fences = Fences::default();
    let mut alike = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if is_another(line) {
            fences = Fences::default();
        } else if !fences.take(line)
            && likely_title(line).is_some_and(|other| plain(other) == title)
        {
            alike.push(at);
        }
    }
    match alike.as_slice() {
        [only] => Some(Start {
            line: *only,
            section,
            heading: true,
        }),
        _ => None,
    }
}

/// A title by its words alone.
fn plain(title: &str) -> String {
    normalise(&title.replace('&', " and "))
}

/// The lines below a heading, without a description that is the form's or was made of it.
fn without_description<'a, 'text>(form: &Form, below: &'a [&'text str]) -> &'a [&'text str] {
    let (Some(description), Some((at, line))) = (&form.description, first_line(below)) else {
        return below;
    };
    let is_description = normalise(line) == normalise(description)
        || (is_italic(line) && similarity(line, description) >= LIKE_DESCRIPTION);
    match is_description {
        true => below.get(at + 1..).unwrap_or_default(),
        false => below,
    }
}

/// The first line that is not blank.
fn first_line<'text>(lines: &[&'text str]) -> Option<(usize, &'text str)> {
    let mut lines = lines.iter().enumerate();
    lines
        .find(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| (at, *line))
}

fn positions(lines: &[&str], is: impl Fn(&str) -> bool) -> Vec<usize> {
    let lines = lines.iter().enumerate();
    lines
        .filter_map(|(at, line)| is(line).then_some(at))
        .collect()
}
