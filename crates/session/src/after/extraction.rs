//! What is worth keeping of a turn that has ended.

use std::cell::OnceCell;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::{self, Cursor};
use memdir_agent::extract::turn::{Eligible, Turn, is_its_turn};
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::jobs::{Job, Told, WithoutModel, Worked};
use memdir_agent::keep::{Judge, Keeper, Kept};
use memdir_agent::origin::Trust;
use memdir_agent::pauses::PAUSED;
use memdir_conversation::{Message, Source};
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
    /// Why the rules did it although a model is named for it, where they did: the user is to be told.
    pub unable: Option<String>,
}

impl Extracted {
    fn nothing(worked: Worked) -> Self {
        Self {
            worked,
            kept: None,
            unable: None,
        }
    }
}

/// Saves what is worth keeping of a conversation since it was last looked at, by the model that is named for it or by the
/// rules. Whoever does background work calls this, so that all decide alike: what was said in a pause is not looked at, and
/// where the model cannot be asked [`Job::without_model`] says what is done instead.
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
    let Some(snapshot) = snapshot.heard(home, &job.conversation) else {
        return Ok(Extracted::nothing(Worked::Skipped(PAUSED.to_owned())));
    };
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
    // What others did to the memories meanwhile is noticed, and compared with; it is no reason not to look.
    store.sweep().map_err(words)?;
    let turn = Turn {
        visible: &visible,
        cursor: since.as_ref().map(|since| since.message.as_str()),
        sub_agent: false,
        remote: home.places.remote,
        // What a program asks may hold anything, the text of an issue, a mail; who noted it need not know.
        interactive: !job.non_interactive && !snapshot.unattended,
        non_interactive: settings.extraction.non_interactive,
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
        // The rules know what the agent has saved itself.
        Eligible::Pass(_) if asked.is_none() => visible.len(),
        Eligible::Pass(why) => {
            let said = snapshot.said.as_deref().unwrap_or(messages);
            let kept = by_rules(home, job, said, since.as_ref())?;
            left(messages)?;
            if kept.saved.is_empty() && kept.waiting.is_empty() {
                return Ok(Extracted::nothing(Worked::Skipped(why.to_owned())));
            }
            return Ok(Extracted {
                worked: Worked::Done(told(&kept).into()),
                kept: Some(kept),
                unable: None,
            });
        }
    };
    let mut since_cursor = turn.since_cursor().iter();
    if since_cursor.all(|message| message.source == Source::Notice) {
        // All of it was said in a pause.
        left(messages)?;
        return Ok(Extracted::nothing(Worked::Skipped(PAUSED.to_owned())));
    }
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
            unable: None,
        });
    };
    let withheld = home.pauses().files();
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
        withheld: &|file| withheld.has(file),
        guidelines: guidelines.as_deref(),
        dry_run: false,
    };
    let talk = Talk {
        visible: &visible,
        messages: new,
        parent: snapshot.parent.as_ref(),
    };
    let report = match extractor.extract(&talk, &super::word(), cancel) {
        Ok(report) => report,
        Err(error) => {
            let may_wait = matches!(&error, ExtractError::Meter(one) if one.may_be_tried_later());
            let why = words(error);
            return match (job.without_model(cancel), may_wait) {
                (WithoutModel::Later, true) => Ok(Extracted::nothing(Worked::NotNow(why))),
                (WithoutModel::Later, false) => Err(why),
                (WithoutModel::Rules, _) => {
                    let said = snapshot.said.as_deref().unwrap_or(messages);
                    let kept = by_rules(home, job, said, since.as_ref())?;
                    left(messages)?;
                    let told = format!("{} by the rules; the model: {why}", told(&kept));
                    Ok(Extracted {
                        worked: Worked::Done(told.into()),
                        kept: Some(kept),
                        unable: Some(why),
                    })
                }
            };
        }
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
        unable: None,
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
    let mut heard = listener.finish(home.store.memory_directory(), since);
    heard.settle(&home.store).map_err(words)?;
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
