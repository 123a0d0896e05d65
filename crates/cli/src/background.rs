//! Background work as this program does it: extraction of one transcript and dreams, with the model that the user has named
//! for it or by the rules, and notes, by a model alone.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use memdir_agent::jobs::{Job, JobKind, Jobs, Told, Worked};
use memdir_agent::notes::{NotesError, Outcome as NotesOutcome, state};
use memdir_agent::pauses::PAUSED;
use memdir_context::notes::Due;
use memdir_model::Cancel;
use memdir_serve::hook::handed_over;
use memdir_serve::hook::saved::{self, Did};
use memdir_serve::hook::unable;
use memdir_serve::hook::{self, Failures};
use memdir_session::{
    Background, Extracted, Snapshot, build_index, dream_due, dream_job, selection_job,
};
use memdir_settings::Purpose;
use memdir_store::{Author, PastOperation, Sweep};

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
            let done = done.unwrap_or_else(Worked::Failed);
            if matches!(done, Worked::Done(_) | Worked::Skipped(_)) {
                let state = workplace.store.state_directory();
                if let Err(error) = handed_over::forget(state, transcript) {
                    note_failure(workplace, "conversation", &error);
                }
            }
            done
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
        (JobKind::Selection, _) => {
            selection(workplace, job, spending, cancel).unwrap_or_else(Worked::Failed)
        }
        (JobKind::Index, _) => build_index(&workplace.home(), cancel),
        (kind, _) => Worked::Skipped(format!("this memdir does no {} yet", kind.as_str())),
    }
}

/// What a process that nobody watches does first: it notices what others did to the memories.
pub(crate) fn begin(workplace: &Workplace) {
    match workplace.store.sweep() {
        Ok(sweep) => tell_of_outside(workplace, &sweep),
        Err(error) => note_failure(workplace, "sweep", &error),
    }
}

/// Has the user told what others changed.
pub(crate) fn tell_of_outside(workplace: &Workplace, sweep: &Sweep) {
    if let Err(error) = hook::outside::note(&workplace.store, sweep) {
        note_failure(workplace, "outside", &error);
    }
}

/// Cleans what earlier versions wrote down of messages, once.
pub(crate) fn scrub(workplace: &Workplace) {
    let own_dir = workplace.places.own_dir();
    if let Err(error) = hook::scrubbing::run(&own_dir, Timestamp::now()) {
        note_failure(workplace, "cleaning records", &error);
    }
}

/// What it does last: it clears away what killed processes left.
pub(crate) fn tidy(workplace: &Workplace) {
    let state = workplace.store.state_directory();
    if let Err(error) = hook::tidy(state, &workplace.places.own_dir(), Timestamp::now()) {
        note_failure(workplace, "tidying up", &error);
    }
}

/// A turn has ended, so that it may be time to dream.
pub(crate) fn note_dream(workplace: &Workplace, jobs: &Jobs, job: &Job) {
    if job.kind != JobKind::Extraction || is_paused(workplace, &job.conversation) {
        return;
    }
    if let Some(dream) = dream_due(&workplace.home(), job)
        && let Err(error) = jobs.note(&dream)
    {
        note_failure(workplace, "dream", &error);
    }
}

/// Whether the user has switched memory off for a conversation. In doubt it is.
pub(crate) fn is_paused(workplace: &Workplace, conversation: &str) -> bool {
    workplace.home().pauses().is_paused(conversation)
}

/// Nobody looks at what this process prints.
pub(crate) fn note_failure(workplace: &Workplace, what: &str, error: &dyn std::fmt::Display) {
    let failures = Failures::new(&workplace.places.own_dir());
    failures.note("background", "", what, error);
}

fn extraction(
    workplace: &Workplace,
    job: &Job,
    transcript: &Path,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let snapshot = Snapshot::of_transcript(transcript)?;
    let extracted = asked_or_by_rules(workplace, job, &snapshot, spending, cancel)?;
    // For which project the directory is; without it only a second one is not noticed.
    let _ = workplace.record_root();
    tell_of(workplace, &extracted);
    Ok(extracted.worked)
}

/// Has the user told what was saved.
pub(crate) fn tell_of(workplace: &Workplace, extracted: &Extracted) {
    let Some(kept) = &extracted.kept else {
        return;
    };
    let saved = kept.saved.iter().filter(|saved| !saved.path.is_index());
    tell_user(
        workplace,
        &Did {
            saved: saved.map(|saved| saved.path.stem().to_owned()).collect(),
            waiting: kept.waiting.len(),
            operation: kept.operation,
            ..Did::default()
        },
    );
}

/// Extraction by the model that the user has named, else by the rules: also where it is plain from the start that the model
/// cannot be asked. Nothing goes unlearnt for want of a key.
fn asked_or_by_rules(
    workplace: &Workplace,
    job: &Job,
    snapshot: &Snapshot,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Extracted, String> {
    let home = workplace.home();
    let mut background = Background {
        meter: Some(spending.meter(workplace)),
        ..Background::default()
    };
    match named_for(workplace, Purpose::Extraction, None) {
        Ok(model) => background.extraction = model.map(Arc::from),
        Err(why) => note_unable(workplace, &why),
    }
    let is_asked = background.extraction.is_some();
    let extracted = memdir_session::extraction(&home, &background, job, snapshot, cancel)?;
    match &extracted.unable {
        Some(why) => note_unable(workplace, why),
        None if is_asked && extracted.kept.is_some() => {
            let able = unable::forget(workplace.store.state_directory());
            able.unwrap_or_else(|error| note_failure(workplace, "unable", &error));
        }
        None => {}
    }
    Ok(extracted)
}

/// Has the user told that their model could not be asked.
fn note_unable(workplace: &Workplace, why: &str) {
    let noted = unable::note(workplace.store.state_directory(), why);
    noted.unwrap_or_else(|error| note_failure(workplace, "unable", &error));
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
    let model = match named_for(workplace, Purpose::Notes, None) {
        Ok(Some(model)) => model,
        Ok(None) => return skipped("no model is named for notes"),
        // There are no notes by rules, and trying again does not bring the model back.
        Err(why) => {
            note_unable(workplace, &why);
            return skipped(&why);
        }
    };
    let talk = WrittenTalk::read(workplace, transcript).map_err(Failure::message)?;
    if talk.is_paused() {
        return skipped(PAUSED);
    }
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
        operation: None,
    }))
}

/// Asks the model that selects, for a message of another client's.
fn selection(
    workplace: &Workplace,
    job: &Job,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let background = Background {
        meter: Some(spending.meter(workplace)),
        ..Background::default()
    };
    let home = workplace.home();
    match named_for(workplace, Purpose::Recall, None) {
        Ok(model) => {
            let selector = model.map(Arc::from);
            let background = Background {
                selector,
                ..background
            };
            selection_job(&home, &background, job, cancel)
        }
        Err(why) => {
            note_unable(workplace, &why);
            selection_job(&home, &background, job, cancel)
        }
    }
}

/// Tidies up the memories, if it is time.
fn dream(
    workplace: &Workplace,
    job: &Job,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let (background, _) = match dreamers(workplace, spending, false) {
        Ok(dreamers) => dreamers,
        Err(why) => {
            note_unable(workplace, &why);
            dreamers(workplace, spending, true)?
        }
    };
    let last = |operations: &[PastOperation]| operations.last().map_or(0, |last| last.id);
    let before = last(&workplace.store.latest().map_err(words)?);
    // A transcript does not have the bytes that were sent: there is nothing to fork.
    let worked = dream_job(&workplace.home(), &background, job, None, cancel)?;
    let after = workplace.store.latest().map_err(words)?;
    let mut own = after
        .iter()
        .filter(|one| one.id > before && one.reason.who == Author::Dream && !one.failed);
    if let Some(dreamt) = own.next_back() {
        tell_user(
            workplace,
            &Did {
                tidied: dreamt.changes.len(),
                operation: Some(dreamt.id),
                ..Did::default()
            },
        );
    }
    Ok(worked)
}

/// Has the user told at the next event of a conversation.
fn tell_user(workplace: &Workplace, did: &Did) {
    if let Err(error) = saved::note(workplace.store.state_directory(), did) {
        note_failure(workplace, "saved", &error);
    }
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
