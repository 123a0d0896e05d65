//! `memdir remember --into`: a new paragraph for a memory that there is.

use jiff::civil::Date;
use memdir_memory::{EditError, Header, Index, MemoryPath, Topic};
use memdir_store::{Author, Error, Reason, index_of, index_words};

use super::draft::{NewDate, Wishes, dated, explain_dates};
use super::{Answer, KNOWN, REMEMBER, file, headline, likeness, place};
use crate::difference::Difference;
use crate::failure::Failure;
use crate::index_line::reworded;
use crate::output::{FAINT, Output};
use crate::resolve;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// What is to be added to which memory.
pub(super) struct Wish<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
    pub(super) wishes: Wishes,
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
            wishes: Wishes {
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
    wishes: Wishes,
}

impl Edit {
    fn apply(&self, topic: &Topic) -> Result<Topic, EditError> {
        let mut edited = match likeness::topic_says(topic, &self.paragraph) {
            true => topic.clone(),
            false => with_paragraph(topic, &self.paragraph),
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
            Some(reworded(Index::parse(current?), &target, old_words, new_words).into_bytes())
        });
    }
    let outcome = workplace.commit(operation)?;
    match gone {
        true => Err(Error::NotFound(path.clone()).into()),
        false => Ok(outcome),
    }
}

/// The text as a new paragraph at the end; every byte before it stays, and so does how lines end.
fn with_paragraph(topic: &Topic, text: &str) -> Topic {
    let end = if topic.bytes().windows(2).any(|pair| pair == b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let text = text.replace('\n', end);
    let body = topic.body();
    if body.is_empty() {
        return topic.with_body(format!("{text}{end}").as_bytes());
    }
    let is_open = !body.ends_with(b"\n");
    let is_blank = body.ends_with(format!("{end}{end}").as_bytes());
    let before = match (is_open, is_blank) {
        (true, _) => format!("{end}{end}"),
        (false, true) => String::new(),
        (false, false) => end.to_owned(),
    };
    let after = if is_open { "" } else { end };
    topic.with_body(&[body, before.as_bytes(), text.as_bytes(), after.as_bytes()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(content: &[u8]) -> String {
        let edited = with_paragraph(&Topic::parse(content), "Two\nlines.");
        String::from_utf8_lossy(edited.bytes())
            .escape_debug()
            .to_string()
    }

    #[test]
    fn a_paragraph_goes_to_the_end_and_every_other_byte_stays() {
        assert_eq!(
            after(b"---\nname: a\n---\n\nOne.\n"),
            r"---\nname: a\n---\n\nOne.\n\nTwo\nlines.\n"
        );
        assert_eq!(after(b"One."), r"One.\n\nTwo\nlines.");
        assert_eq!(after(b"One.\r\n"), r"One.\r\n\r\nTwo\r\nlines.\r\n");
        assert_eq!(after(b"One.\n\n"), r"One.\n\nTwo\nlines.\n");
        assert_eq!(after(b""), r"Two\nlines.\n");
    }
}
