//! Background work as this program does it: extraction of one transcript, and dreams, with the model that the user has
//! named for it or by the rules.

use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::{self, Cursor};
use memdir_agent::dream::DreamError;
use memdir_agent::extract::turn::{Eligible, Turn, changed_outside, is_its_turn};
use memdir_agent::extract::{ExtractError, Report};
use memdir_agent::jobs::{Job, JobKind, Told, Worked};
use memdir_agent::keep::{Judge, Keeper, Kept};
use memdir_conversation::Message;
use memdir_conversation::transcript::{Reading, format_of, read};
use memdir_model::Cancel;
use memdir_settings::Mode;
use memdir_store::{Author, Reason, Records, open_regular};
use memdir_tools::{Denied, Rooms};

use crate::asking::{Asking, Question};
use crate::dreaming::{self, Dreaming, Wanted};
use crate::spending::Spending;
use crate::table::count;
use crate::workplace::Workplace;

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
    let settings = workplace.places.settings.settings();
    if let Some(why) = is_off(workplace) {
        return Ok(Worked::Skipped(why.to_owned()));
    }
    let messages = messages(transcript)?;
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
        interactive: !job.non_interactive,
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
        Err(ExtractError::Meter(error)) if error.may_be_tried_later() => {
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

/// Tidies up the memories, if it is time.
fn dream(
    workplace: &Workplace,
    job: &Job,
    spending: Spending,
    cancel: &Cancel,
) -> Result<Worked, String> {
    if let Some(why) = dreaming::closed(workplace, &job.conversation)? {
        return Ok(Worked::Skipped(why));
    }
    let dreaming = Dreaming::of(workplace, spending, false)?;
    let wanted = Wanted {
        conversation: Some(&job.conversation),
        logs: workplace.places.settings.settings().daily_log.enabled,
        ..Wanted::default()
    };
    let dreamt = match dreaming.dream(workplace, &wanted, &|_| {}, cancel) {
        Err(error) if error.may_be_tried_later() => return Ok(Worked::NotNow(words(error))),
        Err(DreamError::Busy(busy)) => return Ok(Worked::Skipped(words(busy))),
        dreamt => dreamt.map_err(words)?,
    };
    Ok(Worked::Done(Told {
        said: dreaming::said(&dreamt),
        denied: dreamt.denied.iter().map(denial).collect(),
    }))
}

/// The conversation as a model would see it.
fn messages(transcript: &Path) -> Result<Vec<Message>, String> {
    let gone = || format!("{} is not there", transcript.display());
    let mut file = open_regular(transcript).map_err(words)?.ok_or_else(gone)?;
    let format = format_of(&mut file).map_err(words)?;
    let mut messages = Vec::new();
    read(format, &file, &Reading::default(), &mut |message| {
        if message.is_sent() {
            messages.push(message);
        }
        ControlFlow::Continue(())
    })
    .map_err(words)?;
    Ok(messages)
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
