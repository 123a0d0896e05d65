//! Dreams as this program has them: by the model that the user has named for it, or by the rules.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::Meter;
use memdir_agent::dream::gates::{Closed, Gates, turn_ended};
use memdir_agent::dream::{Asked, DreamError, Dreamer, Dreamt, Fate, Progress};
use memdir_agent::jobs::{Job, JobKind};
use memdir_agent::origin::Trust;
use memdir_model::{Cancel, Model};
use memdir_settings::{Mode, Purpose};

use crate::failure::Failure;
use crate::model;
use crate::spending::Spending;
use crate::table::count;
use crate::workplace::Workplace;

/// What dreams with which.
pub(crate) struct Dreaming {
    model: Option<Box<dyn Model>>,
    meter: Meter,
    /// Why there is no model although one is named.
    pub(crate) without: Option<String>,
}

/// What is wanted of a dream.
#[derive(Debug, Default)]
pub(crate) struct Wanted<'a> {
    pub(crate) conversation: Option<&'a str>,
    pub(crate) logs: bool,
    pub(crate) force: bool,
    pub(crate) dry_run: bool,
}

impl Dreaming {
    /// With the model that is named for it, unless the rules alone are wanted.
    pub(crate) fn of(
        workplace: &Workplace,
        spending: Spending,
        rules: bool,
    ) -> Result<Self, String> {
        let mut dreaming = Self {
            model: None,
            meter: spending.meter(workplace),
            without: None,
        };
        let models = workplace.places.settings.models();
        let Some(named) = models.model_for(Purpose::Dream).filter(|_| !rules) else {
            return Ok(dreaming);
        };
        let facts = model::catalogue(workplace)
            .map_err(Failure::message)?
            .facts(named.model.as_deref().unwrap_or_default());
        let model = model::built(workplace, named, facts)?;
        match model.api() {
            Some(_) => dreaming.model = Some(model),
            None => {
                dreaming.without = Some(format!(
                    "the model {} is a program, which cannot use the tools of a dream; the rules did it",
                    named.name
                ));
            }
        }
        Ok(dreaming)
    }

    /// Whether a model does it.
    pub(crate) fn has_model(&self) -> bool {
        self.model.is_some()
    }

    pub(crate) fn dream(
        &self,
        workplace: &Workplace,
        wanted: &Wanted<'_>,
        tell: &dyn Fn(&Progress),
        cancel: &Cancel,
    ) -> Result<Dreamt, DreamError> {
        let settings = workplace.places.settings.settings();
        let transcripts: Vec<String> = match self.model {
            Some(_) => workplace.places.transcript_folders(),
            None => Vec::new(),
        }
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
        let asked = self.model.as_deref().map(|model| Asked {
            model,
            meter: &self.meter,
            folder: &workplace.places.project.checkout,
            // A transcript does not have the bytes that were sent: there is nothing to fork.
            talk: None,
            trust: Trust::Tracked,
            is_tracked: &|_| false,
            transcripts: &transcripts,
            guidelines: None,
        });
        let dreamer = Dreamer {
            store: &workplace.store,
            mode: match settings.dream.mode {
                Mode::Ask => Mode::Ask,
                // What a person types is done, whatever happens by itself.
                Mode::Auto | Mode::Off => Mode::Auto,
            },
            asked,
            logs: wanted.logs,
            conversation: wanted.conversation,
            max_loss: settings.dream.max_loss,
            secrets: workplace.secret_policy(),
            zone: TimeZone::system(),
            force: wanted.force,
            dry_run: wanted.dry_run,
            now: Timestamp::now,
        };
        dreamer.dream(tell, cancel)
    }
}

/// Notes that a turn of a conversation has ended; the dream that is due by it, if one is.
pub(crate) fn due(workplace: &Workplace, ended: &Job) -> Option<Job> {
    // What is not noted is found in the folder of transcripts.
    let _ = turn_ended(&workplace.store, &ended.conversation, ended.since);
    let open = matches!(closed(workplace, &ended.conversation), Ok(None));
    open.then(|| Job {
        kind: JobKind::Dream,
        ..ended.clone()
    })
}

/// Why there is no dream by itself now; none: it is time.
pub(crate) fn closed(workplace: &Workplace, conversation: &str) -> Result<Option<String>, String> {
    let settings = workplace.places.settings.settings();
    let off = |why: &str| Ok(Some(why.to_owned()));
    if !workplace.places.memory.enabled {
        return off("memory is off");
    }
    if settings.dream.mode == Mode::Off {
        return off("dream is off");
    }
    if workplace.places.remote {
        return off("there are no dreams in remote mode");
    }
    let gates = Gates {
        store: &workplace.store,
        min_hours: settings.dream.min_hours,
        min_sessions: settings.dream.min_sessions,
        conversation,
        transcripts: &|| workplace.places.transcript_folders(),
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
pub(crate) fn said(dreamt: &Dreamt) -> String {
    let changed = count(dreamt.changes.len(), "file", "files");
    let mut said = match &dreamt.fate {
        Fate::Nothing => "nothing had to change".to_owned(),
        Fate::Applied(operation) => format!("changed {changed}, operation {operation}"),
        Fate::Told(_) => format!("would change {changed}"),
        Fate::Proposed(because) => {
            let why: Vec<String> = because.iter().map(ToString::to_string).collect();
            format!("proposes to change {changed}: {}", why.join("; "))
        }
    };
    if !dreamt.held.is_empty() {
        said.push_str(&format!(", {} in the inbox", dreamt.held.len()));
    }
    said
}
