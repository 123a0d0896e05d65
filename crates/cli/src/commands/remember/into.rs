//! `memdir remember --into`: a new paragraph for a memory that there is.

use jiff::civil::Date;
use memdir_agent::keep::topic_says;
use memdir_memory::draft::{Given, NewDate, dated};
use memdir_memory::{EditError, Header, Index, MemoryPath, Topic};
use memdir_store::{Author, Error, Reason, index_of, index_words};

use super::explain::explain_dates;
use super::{Answer, KNOWN, REMEMBER, file, headline, place};
use crate::difference::Difference;
use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::resolve;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// What is to be added to which memory.
pub(super) struct Wish<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) wishes: Given,
    pub(super) dry_run: bool,
}

impl Wish<'_> {
    pub(super) fn run(
        self,
        workplace: &Workplace,
        today: Date,
        mut warnings: Warnings,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let scan = workplace.store.scan()?;
        let path = resolve::memory(&scan, self.name)?.path.clone();
        let Some(found) = workplace.store.read(&path)? else {
            return Err(Error::NotFound(path).into());
        };
        let topic = Topic::from_bytes(found.bytes);
        let mut dates = Vec::new();
        let edit = self.edit(&topic, today, &mut dates);
        let planned = edit.apply(&topic).map_err(|error| {
            Failure::new(
                format!("the header of {path} was not changed: {error}"),
                format!("`memdir edit {}`", path.stem()),
            )
        })?;
        let operation = match planned != topic && !self.dry_run {
            false => None,
            true => {
                let outcome = commit(workplace, &path, &edit, topic.header(), planned.header())?;
                warnings.notices(&outcome.notices);
                outcome.operation
            }
        };
        let done = if planned == topic { "known" } else { "updated" };
        let header = planned.header();
        if output.json {
            return Ok(output.json(&Answer {
                done,
                dry_run: self.dry_run,
                path: path.as_str(),
                file: file(workplace, &path),
                r#type: header.memory_type,
                name: header.name.as_deref(),
                description: header.description.as_deref(),
                expires: header.expires,
                dates: &dates,
                operation,
                warnings,
                ..Answer::default()
            })?);
        }
        let words = match (planned == topic, self.dry_run) {
            (true, _) => KNOWN,
            (false, true) => "Would update",
            (false, false) => "Updated",
        };
        headline(
            words,
            &path,
            header.memory_type,
            header.description.as_deref(),
            output,
        )?;
        if planned != topic {
            output.line(format!("in {}", place(workplace)))?;
            explain_dates(&dates, output)?;
            Difference::between(&path, Some(topic.bytes()), Some(planned.bytes())).print(output)?;
        }
        if operation.is_some() {
            output.line(format!(
                "{FAINT}{} takes it back{FAINT:#}",
                workplace.command("undo")
            ))?;
        }
        Ok(warnings.print(output)?)
    }

    fn edit(&self, topic: &Topic, today: Date, dates: &mut Vec<NewDate>) -> Edit {
        let kind = self.wishes.kind.or(topic.header().memory_type);
        let mut dated = |text: &str| match kind {
            Some(kind) => dated(text, kind, today, dates),
            None => text.to_owned(),
        };
        Edit {
            paragraph: dated(self.text),
            wishes: Given {
                description: self.wishes.description.as_deref().map(dated),
                kind: self.wishes.kind,
                expires: self.wishes.expires,
                name: None,
            },
        }
    }
}

/// What becomes of a memory, whatever it says by then.
struct Edit {
    paragraph: String,
    wishes: Given,
}

impl Edit {
    fn apply(&self, topic: &Topic) -> Result<Topic, EditError> {
        let mut edited = match topic_says(topic, &self.paragraph) {
            true => topic.clone(),
            false => topic.with_paragraph(&self.paragraph),
        };
        if let Some(description) = &self.wishes.description {
            edited = edited.with_description(description)?;
        }
        if let Some(kind) = self
            .wishes
            .kind
            .filter(|kind| Some(*kind) != topic.header().memory_type)
        {
            edited = edited.with_type(kind)?;
        }
        if let Some(day) = self.wishes.expires {
            edited = edited.with_metadata("expires", &day.to_string())?;
        }
        Ok(edited)
    }
}

fn commit(
    workplace: &Workplace,
    path: &MemoryPath,
    edit: &Edit,
    old: &Header,
    new: &Header,
) -> Result<memdir_store::Outcome, Failure> {
    let (index_path, target) = index_of(path)?;
    let (old_words, new_words) = (index_words(path, old), index_words(path, new));
    let mut gone = false;
    let mut operation = workplace
        .store
        .operation(Reason::new(Author::User, REMEMBER));
    // Computed anew from what stands there: two who add to one memory at once both succeed.
    operation.update(path, |current| {
        gone = current.is_none();
        let topic = Topic::parse(current?);
        Some(edit.apply(&topic).unwrap_or(topic).into_bytes())
    });
    if old_words != new_words {
        operation.update(&index_path, |current| {
            Some(
                Index::parse(current?)
                    .reworded(&target, old_words, new_words)
                    .into_bytes(),
            )
        });
    }
    let outcome = workplace.commit(operation)?;
    match gone {
        true => Err(Error::NotFound(path.clone()).into()),
        false => Ok(outcome),
    }
}
