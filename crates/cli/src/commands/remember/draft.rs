//! A memory made of a bare text: what the user said about it, and guesses for the rest.

use jiff::civil::Date;
use memdir_memory::{MemoryType, NewTopic, Source, Topic, dates, naming};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::table::one_line;

/// What the user said about the text.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    pub(super) kind: Option<MemoryType>,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) expires: Option<Date>,
}

/// A memory that is not written yet.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) memory_type: MemoryType,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: String,
    /// The text before its dates were made absolute.
    pub(super) typed: String,
    pub(super) expires: Option<Date>,
    /// Which of type, name and description the user did not give.
    pub(super) guessed: Vec<&'static str>,
    /// Relative dates that became absolute ones.
    pub(super) dates: Vec<NewDate>,
}

/// A relative date and what it became.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct NewDate {
    pub(super) from: String,
    pub(super) to: String,
}

impl Draft {
    pub(super) fn new(text: &str, wishes: Wishes, today: Date) -> Draft {
        let guess = naming::guess(text);
        let memory_type = wishes.kind.unwrap_or(guess.memory_type);
        let mut replaced = Vec::new();
        let body = dated(text, memory_type, today, &mut replaced);
        let guess = naming::guess(&body);
        let description = wishes.description.as_ref();
        let description = description.map(|given| dated(given, memory_type, today, &mut replaced));
        let given = [
            ("type", wishes.kind.is_some()),
            ("name", wishes.name.is_some()),
            ("description", description.is_some()),
        ];
        Draft {
            memory_type,
            name: wishes.name.unwrap_or(guess.name),
            description: description.unwrap_or(guess.description),
            body,
            typed: text.to_owned(),
            expires: wishes.expires,
            guessed: given
                .into_iter()
                .filter(|(_, given)| !given)
                .map(|(what, _)| what)
                .collect(),
            dates: replaced,
        }
    }

    /// The topic file.
    pub(super) fn compose(&self) -> String {
        Topic::compose(&NewTopic {
            name: &self.name,
            description: &self.description,
            memory_type: self.memory_type,
            source: Source::User,
            expires: self.expires,
            metadata: &[],
            body: &self.body,
        })
    }

    /// What the user should know about guesses and dates.
    pub(super) fn explain(&self, output: &mut Output) -> Result<(), Failure> {
        explain_dates(&self.dates, output)?;
        if let Some(day) = self.expires {
            output.line(format!("holds until {day}"))?;
        }
        let guesses: Vec<String> = self
            .guessed
            .iter()
            .filter_map(|what| match *what {
                "type" => Some(format!("type {}", self.memory_type)),
                "name" => Some(format!("name {}", one_line(&self.name))),
                _ => None,
            })
            .collect();
        if !guesses.is_empty() {
            let flags: Vec<String> = self
                .guessed
                .iter()
                .map(|what| format!("`--{what}`"))
                .collect();
            output.line(format!(
                "{FAINT}guessed {}; {} set them{FAINT:#}",
                guesses.join(" and "),
                flags.join(", ")
            ))?;
        }
        Ok(())
    }
}

pub(super) fn explain_dates(dates: &[NewDate], output: &mut Output) -> Result<(), Failure> {
    for NewDate { from, to } in dates {
        output.line(format!(
            "\"{}\" became {to}, so that it still says when later",
            one_line(from)
        ))?;
    }
    Ok(())
}

/// A text about a project, with dates that mean the same next month; other texts stay as they are.
pub(super) fn dated(
    text: &str,
    kind: MemoryType,
    today: Date,
    replaced: &mut Vec<NewDate>,
) -> String {
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
        let draft = Draft::new("Ada freezes the API tomorrow.", Wishes::default(), today);
        insta::assert_snapshot!(draft.compose(), @"
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
        let feedback = Wishes {
            kind: Some(MemoryType::Feedback),
            ..Wishes::default()
        };
        let draft = Draft::new("Never deploy tomorrow.", feedback, today);
        assert_eq!(
            (draft.body.as_str(), draft.dates.len()),
            ("Never deploy tomorrow.", 0)
        );
    }
}
