//! Memories tidied up when it is time.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::dream::gates::{Closed, Gates, turn_ended};
use memdir_agent::dream::{Asked, DreamError, Dreamer, Dreamt, Fate, Progress};
use memdir_agent::extract::Talk;
use memdir_agent::jobs::{Job, JobKind, Told, Worked};
use memdir_agent::origin::Trust;
use memdir_conversation::Message;
use memdir_model::Cancel;
use memdir_settings::{Mode, ToolTrust};
use memdir_store::Tracked;

use super::{Background, Snapshot};
use crate::Home;

/// What is wanted of a dream.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    /// The conversation that set it off.
    pub conversation: Option<&'a str>,
    /// Whether it is about the daily logs.
    pub logs: bool,
    /// Whether a result is applied that would wait as a proposal.
    pub force: bool,
    /// Whether it is only told what would change.
    pub dry_run: bool,
}

/// Dreams: by the model that is named for it, or by the rules. Where the conversation that set it off is at hand, a model
/// goes on from there and reads the provider's cache.
///
/// # Errors
///
/// When there was no dream; nothing has changed then.
pub fn dream(
    home: &Home,
    background: &Background,
    wanted: &Wanted<'_>,
    snapshot: Option<&Snapshot>,
    tell: &dyn Fn(&Progress),
    cancel: &Cancel,
) -> Result<Dreamt, DreamError> {
    let settings = home.settings();
    let folder = &home.places.project.checkout;
    let asked = background.dream.as_deref().zip(background.meter.as_ref());
    let transcripts: Vec<String> = match asked {
        Some(_) => home.places.transcript_folders(),
        None => Vec::new(),
    }
    .iter()
    .map(|folder| folder.display().to_string())
    .collect();
    let tracked = std::cell::OnceCell::new();
    let is_tracked = |file: &str| {
        let tracked = tracked.get_or_init(|| Tracked::of(&home.places.project));
        tracked.has(&folder.join(file))
    };
    let withheld = home.pauses().files();
    let is_withheld = |file: &std::path::Path| withheld.has(file);
    let visible: Vec<&Message> = snapshot.iter().flat_map(|one| &one.visible).collect();
    let talk = snapshot.map(|snapshot| Talk {
        visible: &visible,
        messages: visible.len(),
        parent: snapshot.parent.as_ref(),
    });
    let guidelines = home.guidelines();
    let dreamer = Dreamer {
        store: &home.store,
        mode: match settings.dream.mode {
            Mode::Ask => Mode::Ask,
            // What a person types is done, whatever happens by itself.
            Mode::Auto | Mode::Off => Mode::Auto,
        },
        asked: asked.map(|(model, meter)| Asked {
            model,
            meter,
            folder,
            talk,
            trust: match settings.memory.trust {
                ToolTrust::Strict => Trust::Strict,
                ToolTrust::Tracked => Trust::Tracked,
            },
            is_tracked: &is_tracked,
            transcripts: &transcripts,
            withheld: &is_withheld,
            guidelines: guidelines.as_deref(),
        }),
        logs: wanted.logs,
        conversation: wanted.conversation,
        max_loss: settings.dream.max_loss,
        secrets: home.secrets(),
        zone: TimeZone::system(),
        force: wanted.force,
        dry_run: wanted.dry_run,
        now: Timestamp::now,
    };
    dreamer.dream(tell, cancel)
}

/// Notes that a turn of a conversation has ended; the dream that is due by it, if one is.
#[must_use]
pub fn dream_due(home: &Home, ended: &Job) -> Option<Job> {
    // What is not noted is found in the folder of transcripts.
    let _ = turn_ended(&home.store, &ended.conversation, ended.since);
    let open = matches!(closed(home, &ended.conversation), Ok(None));
    open.then(|| Job {
        kind: JobKind::Dream,
        ..ended.clone()
    })
}

/// Does the dream that is due, if it is still time.
///
/// # Errors
///
/// In words, why it failed.
pub fn dream_job(
    home: &Home,
    background: &Background,
    job: &Job,
    snapshot: Option<&Snapshot>,
    cancel: &Cancel,
) -> Result<Worked, String> {
    if let Some(why) = closed(home, &job.conversation)? {
        return Ok(Worked::Skipped(why));
    }
    let heard = match snapshot {
        Some(snapshot) => Some(snapshot.heard(home, &job.conversation)).flatten(),
        None => None,
    };
    // Where something was said in a pause there is no request to repeat.
    let snapshot = heard.as_deref().filter(|heard| heard.parent.is_some());
    let wanted = Wanted {
        conversation: Some(&job.conversation),
        logs: home.settings().daily_log.enabled,
        ..Wanted::default()
    };
    let dreamt = match dream(home, background, &wanted, snapshot, &|_| {}, cancel) {
        Err(error) if error.may_be_tried_later() => return Ok(Worked::NotNow(error.to_string())),
        Err(DreamError::Busy(busy)) => return Ok(Worked::Skipped(busy.to_string())),
        dreamt => dreamt.map_err(|error| error.to_string())?,
    };
    Ok(Worked::Done(Told {
        said: said(&dreamt),
        denied: dreamt.denied.iter().map(ToString::to_string).collect(),
        operation: match dreamt.fate {
            Fate::Applied(operation) => Some(operation),
            _ => None,
        },
    }))
}

/// Why there is no dream by itself now; none: it is time.
fn closed(home: &Home, conversation: &str) -> Result<Option<String>, String> {
    let settings = home.settings();
    let off = |why: &str| Ok(Some(why.to_owned()));
    if !home.places.memory.enabled {
        return off("memory is off");
    }
    if settings.dream.mode == Mode::Off {
        return off("dream is off");
    }
    if home.places.remote {
        return off("there are no dreams in remote mode");
    }
    let gates = Gates {
        store: &home.store,
        min_hours: settings.dream.min_hours,
        min_sessions: settings.dream.min_sessions,
        conversation,
        transcripts: &|| home.places.transcript_folders(),
        now: Timestamp::now(),
    };
    let closed: Result<Option<Closed>, DreamError> = match settings.daily_log.enabled {
        true => gates.logs_closed(&TimeZone::system()),
        false => gates.closed().map_err(DreamError::from),
    };
    let closed = closed.map_err(|error| error.to_string())?;
    Ok(closed.map(|closed| closed.to_string()))
}

/// What came of a dream, in a few words.
fn said(dreamt: &Dreamt) -> String {
    let changed = match dreamt.changes.len() {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    };
    let mut said = match &dreamt.fate {
        Fate::Nothing => "nothing had to change".to_owned(),
        Fate::Applied(operation) => format!("changed {changed}, operation {operation}"),
        Fate::Told(_) => format!("would change {changed}"),
        Fate::Proposed(because) => {
            let why: Vec<String> = because.iter().map(ToString::to_string).collect();
            format!("proposes to change {changed}: {}", why.join("; "))
        }
    };
    if let (Fate::Nothing, Some(how)) = (&dreamt.fate, &dreamt.unfinished) {
        said.push_str(&format!(", the model did not come to its end: {how}"));
    }
    if !dreamt.held.is_empty() {
        said.push_str(&format!(", {} in the inbox", dreamt.held.len()));
    }
    said
}
