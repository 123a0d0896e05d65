//! A memory made of a bare text: what somebody said about it, and guesses for the rest.

use jiff::civil::Date;
use serde::Serialize;

use crate::{MemoryType, NewTopic, Source, Topic, dates, naming};

/// What is known about a text before anything is guessed.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// What it is about.
    pub kind: Option<MemoryType>,
    /// A name in a few words.
    pub name: Option<String>,
    /// One line that says when it matters.
    pub description: Option<String>,
    /// The last day on which it holds.
    pub expires: Option<Date>,
}

/// A memory that is not written yet.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What it is about.
    pub memory_type: MemoryType,
    /// A name in a few words.
    pub name: String,
    /// One line that says when it matters.
    pub description: String,
    /// Markdown.
    pub body: String,
    /// The text before its dates were made absolute.
    pub typed: String,
    /// The last day on which it holds.
    pub expires: Option<Date>,
    /// Which of type, name and description were not given.
    pub guessed: Vec<&'static str>,
    /// Relative dates that became absolute ones.
    pub dates: Vec<NewDate>,
}

/// A relative date and what it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewDate {
    /// As it was typed.
    pub from: String,
    /// As it is saved.
    pub to: String,
}

impl Draft {
    /// A draft of a text that was written on that day.
    ///
    /// ```
    /// use memdir_memory::{MemoryType, draft::{Draft, Given}};
    ///
    /// let draft = Draft::new("Ada freezes the API tomorrow.", Given::default(), "2026-11-16".parse()?);
    /// assert_eq!(draft.memory_type, MemoryType::Project);
    /// assert_eq!(draft.body, "Ada freezes the API 2026-11-17.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(text: &str, given: Given, today: Date) -> Self {
        let guess = naming::guess(text);
        let memory_type = given.kind.unwrap_or(guess.memory_type);
        let mut replaced = Vec::new();
        let body = dated(text, memory_type, today, &mut replaced);
        let guess = naming::guess(&body);
        let description = given.description.as_ref();
        let description = description.map(|given| dated(given, memory_type, today, &mut replaced));
        let known = [
            ("type", given.kind.is_some()),
            ("name", given.name.is_some()),
            ("description", description.is_some()),
        ];
        Self {
            memory_type,
            name: given.name.unwrap_or(guess.name),
            description: description.unwrap_or(guess.description),
            body,
            typed: text.to_owned(),
            expires: given.expires,
            guessed: known
                .into_iter()
                .filter(|(_, known)| !known)
                .map(|(what, _)| what)
                .collect(),
            dates: replaced,
        }
    }

    /// The topic file, with further keys beneath `metadata`.
    #[must_use]
    pub fn compose(&self, source: Source, metadata: &[(&str, &str)]) -> String {
        Topic::compose(&NewTopic {
            name: &self.name,
            description: &self.description,
            memory_type: self.memory_type,
            source,
            expires: self.expires,
            metadata,
            body: &self.body,
        })
    }
}

/// A text about a project, with dates that mean the same next month; other texts stay as they are.
#[must_use]
pub fn dated(text: &str, kind: MemoryType, today: Date, replaced: &mut Vec<NewDate>) -> String {
    if kind != MemoryType::Project {
        return text.to_owned();
    }
    for replacement in dates::replacements(text, today) {
        let from = text.get(replacement.range).unwrap_or_default().to_owned();
        let new = NewDate {
            from,
            to: replacement.to,
        };
        if !replaced.contains(&new) {
            replaced.push(new);
        }
    }
    dates::absolute(text, today).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_a_project_are_made_absolute_and_reported() {
        let today: Date = "2026-11-16".parse().unwrap();
        let draft = Draft::new("Ada freezes the API tomorrow.", Given::default(), today);
        insta::assert_snapshot!(draft.compose(Source::User, &[]), @"
        ---
        name: ada-freezes-api
        description: Ada freezes the API 2026-11-17.
        metadata:
          type: project
          source: user
        ---

        Ada freezes the API 2026-11-17.
        ");
        assert_eq!(
            draft.dates,
            [NewDate {
                from: "tomorrow".to_owned(),
                to: "2026-11-17".to_owned()
            }]
        );
        let feedback = Given {
            kind: Some(MemoryType::Feedback),
            ..Given::default()
        };
        let draft = Draft::new("Never deploy tomorrow.", feedback, today);
        assert_eq!(
            (draft.body.as_str(), draft.dates.len()),
            ("Never deploy tomorrow.", 0)
        );
    }
}
