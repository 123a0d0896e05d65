//! What is worth keeping of a turn that has ended.

use std::cell::OnceCell;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::{self, Cursor};
use memdir_agent::extract::turn::{Eligible, Turn, changed_outside, is_its_turn};
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::jobs::{Job, Told, Worked};
use memdir_agent::keep::{Judge, Keeper, Kept};
use memdir_agent::origin::Trust;
use memdir_conversation::Message;
use memdir_model::Cancel;
use memdir_settings::{Mode, ToolTrust};
use memdir_store::{Author, Reason, Records, Tracked};
use memdir_tools::Rooms;

use super::{Background, Snapshot};
use crate::Home;

/// What came of looking at a conversation.
#[derive(Debug)]
pub struct Extracted {
    /// What became of the work.
    pub worked: Worked,
    /// What was kept, where it was looked at.
    pub kept: Option<Kept>,
}

impl Extracted {
    fn nothing(worked: Worked) -> Self {
        Self { worked, kept: None }
    }
}

/// Saves what is worth keeping of a conversation since it was last looked at.
///
/// # Errors
///
/// What went wrong, in words. The same messages are looked at again next time.
pub fn extraction(
    home: &Home,
    background: &Background,
    job: &Job,
    snapshot: &Snapshot,
    cancel: &Cancel,
) -> Result<Extracted, String> {
    if let Some(why) = is_off(home) {
        return Ok(Extracted::nothing(Worked::Skipped(why.to_owned())));
    }
    let settings = home.settings();
    let store = &home.store;
    let messages = &snapshot.visible;
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
    let folder = &home.places.project.checkout;
    let began = || messages.first().and_then(|first| first.at);
    let since_when = since.as_ref().map(|since| since.at).or_else(began);
    let turn = Turn {
        visible: &visible,
        cursor: since.as_ref().map(|since| since.message.as_str()),
        sub_agent: false,
        remote: home.places.remote,
        // What a program asks may hold anything, the text of an issue, a mail; who noted it need not know.
        interactive: !job.non_interactive && !snapshot.unattended,
        non_interactive: settings.extraction.non_interactive,
        changed_outside: match since_when {
            Some(since) => changed_outside(store, since).map_err(words)?,
            None => false,
        },
        over: false,
    };
    let rooms = Rooms::new(folder, store.memory_directory()).map_err(words)?;
    let asked = background
        .extraction
        .as_ref()
        .zip(background.meter.as_ref());
    let new = match turn.eligible(&rooms) {
        Eligible::Look(new) => new,
        Eligible::Skip(why) => return Ok(Extracted::nothing(Worked::Skipped(why.to_owned()))),
        // The rules leave out just those turns in which the agent saved something.
        Eligible::Pass(_) if asked.is_none() && !turn.changed_outside => visible.len(),
        Eligible::Pass(why) => {
            left(messages)?;
            return Ok(Extracted::nothing(Worked::Skipped(why.to_owned())));
        }
    };
    let every = u32::try_from(settings.extraction.every).unwrap_or(u32::MAX);
    let records = Records::new(store.state_directory());
    if !job.trailing && !is_its_turn(&records, &job.conversation, every).map_err(words)? {
        return Ok(Extracted::nothing(Worked::Skipped(format!(
            "only every {every} turns"
        ))));
    }
    let Some((model, meter)) = asked else {
        let said = snapshot.said.as_deref().unwrap_or(messages);
        let kept = by_rules(home, job, said, since.as_ref())?;
        left(messages)?;
        return Ok(Extracted {
            worked: Worked::Done(told(&kept).into()),
            kept: Some(kept),
        });
    };
    // Read once a tool has read a file, and not before.
    let tracked = OnceCell::new();
    let is_tracked = |file: &str| {
        let tracked = tracked.get_or_init(|| Tracked::of(&home.places.project));
        tracked.has(&folder.join(file))
    };
    let guidelines = home.guidelines();
    let extractor = Extractor {
        keeper: keeper(home, job, Author::Extraction),
        model: &**model,
        meter,
        folder,
        trust: match settings.memory.trust {
            ToolTrust::Strict => Trust::Strict,
            ToolTrust::Tracked => Trust::Tracked,
        },
        is_tracked: &is_tracked,
        guidelines: guidelines.as_deref(),
        dry_run: false,
    };
    let talk = Talk {
        visible: &visible,
        messages: new,
        parent: snapshot.parent.as_ref(),
    };
    let report = match extractor.extract(&talk, &super::word(), cancel) {
        Err(ExtractError::Meter(error)) if error.may_be_tried_later() => {
            return Ok(Extracted::nothing(Worked::NotNow(words(error))));
        }
        report => report.map_err(words)?,
    };
    let seen = messages.len().saturating_sub(report.unseen);
    left(messages.get(..seen).unwrap_or_default())?;
    let told = Told {
        said: reported(&report),
        denied: report.denied.iter().map(ToString::to_string).collect(),
        operation: report.kept.operation,
    };
    Ok(Extracted {
        worked: Worked::Done(told),
        kept: Some(report.kept),
    })
}

/// Why nothing is to be extracted at all.
fn is_off(home: &Home) -> Option<&'static str> {
    let settings = home.settings();
    if !home.places.memory.enabled {
        Some("memory is off")
    } else if settings.extraction.mode == Mode::Off {
        Some("extraction is off")
    } else if settings.daily_log.enabled {
        Some("the daily log is kept instead")
    } else {
        None
    }
}

fn keeper<'a>(home: &'a Home, job: &Job, who: Author) -> Keeper<'a> {
    let settings = home.settings();
    Keeper {
        store: &home.store,
        mode: settings.extraction.mode,
        reason: Reason {
            conversation: Some(job.conversation.clone()),
            ..Reason::new(who, "extract")
        },
        secrets: home.secrets(),
        team: settings.team.enabled,
    }
}

fn by_rules(
    home: &Home,
    job: &Job,
    messages: &[Message],
    since: Option<&Cursor>,
) -> Result<Kept, String> {
    let mut listener = Listener::in_zone(TimeZone::system());
    messages.iter().for_each(|message| listener.hear(message));
    let heard = listener.finish(home.store.memory_directory(), since);
    let keeper = keeper(home, job, Author::Rules);
    keeper.keep(&heard.suggestions, Judge::Rules).map_err(words)
}

fn told(kept: &Kept) -> String {
    let saved = match kept.saved.len() {
        1 => "1 memory".to_owned(),
        saved => format!("{saved} memories"),
    };
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

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
