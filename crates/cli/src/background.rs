//! Background work as this program does it: extraction of one transcript and dreams, with the model that the user has named
//! for it or by the rules, and notes, by a model alone.

use std::path::Path;
use std::sync::Arc;

use memdir_agent::jobs::{Job, JobKind, Told, Worked};
use memdir_agent::notes::{NotesError, Outcome as NotesOutcome, state};
use memdir_context::notes::Due;
use memdir_model::Cancel;
use memdir_session::{Background, Snapshot, dream_job};
use memdir_settings::Purpose;

use crate::asking::named_for;
use crate::dreaming::dreamers;
use crate::failure::Failure;
use crate::note_taking::{self, Form};
use crate::spending::Spending;
use crate::workplace::Workplace;
use crate::written_talk::WrittenTalk;

/// Does a piece of work that is due.
pub(crate) fn work(
    workplace: &Workplace,
    job: &Job,
    spending: Spending,
    cancel: &Cancel,
) -> Worked {
    match (job.kind, &job.transcript) {
        (JobKind::Extraction, Some(transcript)) => {
            let done = extraction(workplace, job, transcript, spending, cancel);
            done.unwrap_or_else(Worked::Failed)
        }
        (JobKind::Extraction, None) => {
            Worked::Skipped("it does not say where the conversation is".to_owned())
        }
        (JobKind::Notes, Some(transcript)) => {
            let done = notes(workplace, transcript, spending, cancel);
            done.unwrap_or_else(Worked::Failed)
        }
        (JobKind::Dream, _) => {
            dream(workplace, job, spending, cancel).unwrap_or_else(Worked::Failed)
        }
        (kind, _) => Worked::Skipped(format!("this memdir does no {} yet", kind.as_str())),
    }
}

fn extraction(
    workplace: &Workplace,
    job: &Job,
    transcript: &Path,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let snapshot = Snapshot::of_transcript(transcript)?;
    let background = Background {
        extraction: named_for(workplace, Purpose::Extraction, None)?.map(Arc::from),
        meter: Some(spending.meter(workplace)),
        ..Background::default()
    };
    let home = workplace.home();
    let extracted = memdir_session::extraction(&home, &background, job, &snapshot, cancel)?;
    // For which project the directory is; without it only a second one is not noticed.
    let _ = workplace.record_root();
    Ok(extracted.worked)
}

/// Brings the notes of a conversation up to date, if they are due. They serve compaction, and only where that happens by
/// itself.
fn notes(
    workplace: &Workplace,
    transcript: &Path,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let skipped = |why: &str| Ok(Worked::Skipped(why.to_owned()));
    if !workplace.places.settings.settings().notes.enabled {
        return skipped("notes are off");
    }
    let automatic = &workplace.places.compaction.automatic;
    if !automatic.enabled {
        let why = &automatic.reason;
        return skipped(&format!(
            "notes serve automatic compaction, which is off ({why})"
        ));
    }
    let Some(model) = named_for(workplace, Purpose::Notes, None)? else {
        return skipped("no model is named for notes");
    };
    let talk = WrittenTalk::read(workplace, transcript).map_err(Failure::message)?;
    let records = note_taking::records(workplace);
    let state = state::get(&records, &talk.name).map_err(words)?;
    let due = state::due(
        state.as_ref(),
        &talk.conversation,
        talk.tokens,
        &talk.limits.notes,
    );
    if let Due::No(why) = due {
        return skipped(&why.to_string());
    }
    let form = Form::of(workplace).map_err(Failure::message)?;
    let asked = (&*model, &spending.meter(workplace));
    let updated = note_taking::update(workplace, &talk, &form, asked, false, cancel);
    let report = match updated.map_err(Failure::message)? {
        Err(NotesError::UnderWay { .. }) => return skipped("somebody else is at it"),
        Err(NotesError::Meter(error)) if error.may_be_tried_later() => {
            return Ok(Worked::NotNow(words(error)));
        }
        report => report.map_err(words)?,
    };
    let total = report.total();
    let told = match &report.outcome {
        NotesOutcome::Written { problems, .. } if problems.is_empty() => "notes written".to_owned(),
        NotesOutcome::Written { .. } => "notes written, headings put back".to_owned(),
        NotesOutcome::Unchanged => "the model changed nothing".to_owned(),
        NotesOutcome::Refused(why) => format!("notes not taken: {why}"),
    };
    Ok(Worked::Done(Told {
        said: format!("{told}; {} in, {} out", total.prompt(), total.output),
        denied: report.denied.iter().map(ToString::to_string).collect(),
    }))
}

/// Tidies up the memories, if it is time.
fn dream(
    workplace: &Workplace,
    job: &Job,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let (background, _) = dreamers(workplace, spending, false)?;
    // A transcript does not have the bytes that were sent: there is nothing to fork.
    dream_job(&workplace.home(), &background, job, None, cancel)
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
