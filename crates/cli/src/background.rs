//! Background work as this program does it: extraction of one transcript, with the model that the user has named for it or
//! by the rules, and its notes, by a model alone.

use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::MeterError;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::{self, Cursor};
use memdir_agent::extract::turn::{Eligible, Turn, changed_outside, is_its_turn};
use memdir_agent::extract::{ExtractError, Report};
use memdir_agent::jobs::{Job, JobKind, Told, Worked};
use memdir_agent::keep::{Judge, Keeper, Kept};
use memdir_agent::notes::{NotesError, Outcome as NotesOutcome, state};
use memdir_context::notes::Due;
use memdir_conversation::Message;
use memdir_conversation::transcript::{Reading, format_of, read};
use memdir_model::Cancel;
use memdir_settings::{Mode, Purpose};
use memdir_store::ledger::LedgerError;
use memdir_store::{Author, Reason, Records, open_regular};
use memdir_tools::{Denied, Rooms};

use crate::asking::{Asking, Question, named_for};
use crate::failure::Failure;
use crate::note_taking::{self, Form};
use crate::spending::Spending;
use crate::table::count;
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
    let settings = workplace.places.settings.settings();
    if let Some(why) = is_off(workplace) {
        return Ok(Worked::Skipped(why.to_owned()));
    }
    let (messages, unattended) = messages(transcript)?;
    let store = &workplace.store;
    let since = cursor::get(store, &job.conversation).map_err(words)?;
    let left = |messages: &[Message]| {
        let last = messages.last();
        let left = Cursor {
            message: last.map(|last| last.id.to_string()).unwrap_or_default(),
            said: last.and_then(|last| last.at),
            at: Timestamp::now(),
            file: None,
        };
        cursor::set(store, &job.conversation, &left).map_err(words)
    };
    let visible: Vec<&Message> = messages.iter().collect();
    let folder = &workplace.places.project.checkout;
    let began = || messages.first().and_then(|first| first.at);
    let since_when = since.as_ref().map(|since| since.at).or_else(began);
    let turn = Turn {
        visible: &visible,
        cursor: since.as_ref().map(|since| since.message.as_str()),
        sub_agent: false,
        remote: workplace.places.remote,
        // What a program asks may hold anything, the text of an issue, a mail; who noted it need not know.
        interactive: !job.non_interactive && !unattended,
        non_interactive: settings.extraction.non_interactive,
        changed_outside: match since_when {
            Some(since) => changed_outside(store, since).map_err(words)?,
            None => false,
        },
        over: false,
    };
    let rooms = Rooms::new(folder, store.memory_directory()).map_err(words)?;
    let asking = Asking::of(workplace, spending)?;
    let new = match turn.eligible(&rooms) {
        Eligible::Look(new) => new,
        Eligible::Skip(why) => return Ok(Worked::Skipped(why.to_owned())),
        // The rules leave out just those turns in which the agent saved something.
        Eligible::Pass(_) if asking.is_none() && !turn.changed_outside => visible.len(),
        Eligible::Pass(why) => {
            left(&messages)?;
            return Ok(Worked::Skipped(why.to_owned()));
        }
    };
    let every = u32::try_from(settings.extraction.every).unwrap_or(u32::MAX);
    let records = Records::new(store.state_directory());
    if !job.trailing && !is_its_turn(&records, &job.conversation, every).map_err(words)? {
        return Ok(Worked::Skipped(format!("only every {every} turns")));
    }
    let Some(asking) = asking else {
        let kept = by_rules(workplace, job, &messages, since.as_ref())?;
        left(&messages)?;
        return Ok(Worked::Done(told(&kept).into()));
    };
    let question = Question {
        keeper: keeper(workplace, job, Author::Extraction),
        folder,
        trust: settings.memory.trust,
        visible: &visible,
        new,
        dry_run: false,
    };
    let report = match asking.ask(question, cancel) {
        Err(ExtractError::Meter(error)) if may_not_yet(&error) => {
            return Ok(Worked::NotNow(words(error)));
        }
        report => report.map_err(words)?,
    };
    // For which project the directory is; without it only a second one is not noticed.
    let _ = workplace.record_root();
    let seen = messages.len().saturating_sub(report.unseen);
    left(messages.get(..seen).unwrap_or_default())?;
    Ok(Worked::Done(Told {
        said: reported(&report),
        denied: report.denied.iter().map(denial).collect(),
    }))
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
        Err(NotesError::Meter(error)) if may_not_yet(&error) => {
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
        denied: report.denied.iter().map(denial).collect(),
    }))
}

/// Why nothing is to be extracted at all.
fn is_off(workplace: &Workplace) -> Option<&'static str> {
    let settings = workplace.places.settings.settings();
    match () {
        () if !workplace.places.memory.enabled => Some("memory is off"),
        () if settings.extraction.mode == Mode::Off => Some("extraction is off"),
        () if settings.daily_log.enabled => Some("the daily log is kept instead"),
        () => None,
    }
}

/// Whether nothing is wrong with the work, only it may not be paid for just now.
fn may_not_yet(error: &MeterError) -> bool {
    matches!(
        error,
        MeterError::Ledger(
            LedgerError::NoSpend
                | LedgerError::Cap { .. }
                | LedgerError::Floor { .. }
                | LedgerError::Busy { .. }
        )
    )
}

/// The conversation as a model would see it, and whether nobody sits in front of it.
fn messages(transcript: &Path) -> Result<(Vec<Message>, bool), String> {
    let gone = || format!("{} is not there", transcript.display());
    let mut file = open_regular(transcript).map_err(words)?.ok_or_else(gone)?;
    let format = format_of(&mut file).map_err(words)?;
    let mut messages = Vec::new();
    let report = read(format, &file, &Reading::default(), &mut |message| {
        if message.is_sent() {
            messages.push(message);
        }
        ControlFlow::Continue(())
    })
    .map_err(words)?;
    Ok((messages, report.unattended))
}

fn keeper<'a>(workplace: &'a Workplace, job: &Job, who: Author) -> Keeper<'a> {
    let settings = workplace.places.settings.settings();
    Keeper {
        store: &workplace.store,
        mode: settings.extraction.mode,
        reason: Reason {
            conversation: Some(job.conversation.clone()),
            ..Reason::new(who, "extract")
        },
        secrets: workplace.secret_policy(),
        team: settings.team.enabled,
    }
}

fn by_rules(
    workplace: &Workplace,
    job: &Job,
    messages: &[Message],
    since: Option<&Cursor>,
) -> Result<Kept, String> {
    let mut listener = Listener::in_zone(TimeZone::system());
    messages.iter().for_each(|message| listener.hear(message));
    let heard = listener.finish(workplace.store.memory_directory(), since);
    let keeper = keeper(workplace, job, Author::Rules);
    keeper.keep(&heard.suggestions, Judge::Rules).map_err(words)
}

fn told(kept: &Kept) -> String {
    let saved = count(kept.saved.len(), "memory", "memories");
    match kept.waiting.len() {
        0 => format!("saved {saved}"),
        waiting => format!("saved {saved}, {waiting} in the inbox"),
    }
}

fn reported(report: &Report) -> String {
    let total = report.total();
    let mut told = told(&report.kept);
    if !report.denied.is_empty() {
        told.push_str(&format!(", {} denied", report.denied.len()));
    }
    told.push_str(&format!(
        "; {} in, {} out, {:.1} % from the cache",
        total.prompt(),
        total.output,
        report.hit_percent()
    ));
    told
}

fn denial(denied: &Denied) -> String {
    let Denied {
        tool,
        target,
        reason,
    } = denied;
    format!("{tool} {target}: {reason}")
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
