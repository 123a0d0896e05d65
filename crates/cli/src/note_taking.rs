//! The notes of a conversation that is written down, taken by the model that the user has named for it.

use std::path::Path;

use memdir_agent::Meter;
use memdir_agent::notes::{NoteTaker, NotesError, Report, Talk};
use memdir_context::notes::Template;
use memdir_conversation::Message;
use memdir_model::{Cancel, Model};
use memdir_store::{Records, read_regular};

use crate::asking::word;
use crate::failure::Failure;
use crate::workplace::Workplace;
use crate::written_talk::WrittenTalk;

/// The most that is read of a template or a prompt. How much of it can be used is for `context` to say.
const MOST_BYTES: u64 = 1024 * 1024;

/// The form of notes: the user's own, or the built-in one.
pub(crate) struct Form {
    pub(crate) template: Template,
    prompt: Option<String>,
}

impl Form {
    /// Reads the user's own template and prompt, where there are some.
    pub(crate) fn of(workplace: &Workplace) -> Result<Self, Failure> {
        let folder = workplace.places.notes_config_dir();
        let path = folder.join("template.md");
        let template = match own(workplace, &path)? {
            Some(text) => Template::parse(&text).map_err(|problem| {
                let path = workplace.shown(&path);
                Failure::new(format!("{path}: {problem}"), "mend it, or move it away")
            })?,
            None => Template::built_in().clone(),
        };
        Ok(Self {
            template,
            prompt: own(workplace, &folder.join("prompt.md"))?,
        })
    }
}

/// A file of the user's own; none where there is none, or nothing in it.
fn own(workplace: &Workplace, path: &Path) -> Result<Option<String>, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        let path = workplace.shown(path);
        Failure::new(format!("{path}: {error}"), "mend it, or move it away")
    };
    let bytes = read_regular(path, MOST_BYTES).map_err(|error| failed(&error))?;
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(text.filter(|text| !text.trim().is_empty()))
}

/// What is known of the notes of conversations.
pub(crate) fn records(workplace: &Workplace) -> Records {
    Records::new(workplace.store.state_directory())
}

/// Brings the notes of a conversation up to date, without what was said in a pause. A transcript does not have the bytes that were sent: the model is asked
/// once.
pub(crate) fn update(
    workplace: &Workplace,
    talk: &WrittenTalk,
    form: &Form,
    (model, meter): (&dyn Model, &Meter),
    dry_run: bool,
    cancel: &Cancel,
) -> Result<Result<Report, NotesError>, Failure> {
    let taker = NoteTaker {
        file: &talk.notes(workplace)?,
        records: &records(workplace),
        conversation: &talk.name,
        model,
        meter,
        folder: &workplace.places.project.checkout,
        memory: workplace.store.memory_directory(),
        template: &form.template,
        prompt: form.prompt.as_deref(),
        limits: talk.limits.notes,
        count: &|text| talk.weigh(text),
        secrets: workplace.secret_policy(),
        dry_run,
    };
    let heard = talk.heard();
    let visible: Vec<&Message> = heard.iter().collect();
    let talk = Talk {
        visible: &visible,
        tokens: talk.tokens,
        parent: None,
    };
    Ok(taker.update(&talk, &word(), cancel))
}
