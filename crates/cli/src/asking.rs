//! A conversation looked through by the model that the user has named for it.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use memdir_agent::Meter;
use memdir_agent::extract::turn::{Eligible, Turn};
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::keep::Keeper;
use memdir_agent::origin::Trust;
use memdir_conversation::Message;
use memdir_model::{Cancel, Model};
use memdir_settings::Purpose;
use memdir_tools::Rooms;

use crate::failure::Failure;
use crate::model;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// A model that looks through conversations.
pub(crate) struct Asking {
    model: Box<dyn Model>,
    meter: Meter,
}

impl Asking {
    /// The one that the user has named for it, if there is one.
    pub(crate) fn of(workplace: &Workplace, spending: Spending) -> Result<Option<Self>, String> {
        let Some(model) = named_for(workplace, Purpose::Extraction, None)? else {
            return Ok(None);
        };
        Ok(Some(Self {
            model,
            meter: spending.meter(workplace),
        }))
    }

    /// Looks at the last `new` messages. A transcript does not have the bytes that were sent: it is asked once.
    pub(crate) fn ask(
        &self,
        keeper: Keeper<'_>,
        folder: &Path,
        visible: &[&Message],
        new: usize,
        dry_run: bool,
        cancel: &Cancel,
    ) -> Result<Report, ExtractError> {
        let extractor = Extractor {
            keeper,
            model: &*self.model,
            meter: &self.meter,
            folder,
            trust: Trust::Tracked,
            // Nobody has asked git: what tools read counts as somebody else's word.
            is_tracked: &|_| false,
            guidelines: None,
            dry_run,
        };
        let talk = Talk {
            visible,
            messages: new,
            parent: None,
        };
        extractor.extract(&talk, &word(), cancel)
    }
}

/// The model that the user has named for a purpose, or by its own name; in words why it cannot be asked.
pub(crate) fn named_for(
    workplace: &Workplace,
    purpose: Purpose,
    name: Option<&str>,
) -> Result<Option<Box<dyn Model>>, String> {
    let models = workplace.places.settings.models();
    let named = match name {
        Some(name) => {
            let found = models.models.iter().find(|model| model.name == name);
            Some(found.ok_or_else(|| format!("there is no model {name:?} in memdir.toml"))?)
        }
        None => models.model_for(purpose),
    };
    let Some(named) = named else {
        return Ok(None);
    };
    let facts = model::catalogue(workplace)
        .map_err(Failure::message)?
        .facts(named.model.as_deref().unwrap_or_default());
    model::built(workplace, named, facts).map(Some)
}

/// The same for a command that cannot do without.
pub(crate) fn needed_for(
    workplace: &Workplace,
    purpose: Purpose,
    name: Option<&str>,
) -> Result<Box<dyn Model>, Failure> {
    let found = named_for(workplace, purpose, name)
        .map_err(|why| Failure::new(why, "see `memdir models`"))?;
    found.ok_or_else(|| {
        Failure::new(
            format!("no model is named for {purpose}"),
            format!(
                "name one in memdir.toml, `{purpose}` under [model_for]: `memdir models` says how"
            ),
        )
    })
}

/// Whether there is something to look at in a conversation that is written down, and `over` or not.
pub(crate) fn eligible(
    visible: &[&Message],
    cursor: Option<&str>,
    folder: &Path,
    memory: &Path,
    over: bool,
) -> Result<Eligible, String> {
    let turn = Turn {
        visible,
        cursor,
        sub_agent: false,
        remote: false,
        interactive: true,
        non_interactive: false,
        changed_outside: false,
        over,
    };
    let rooms = Rooms::new(folder, memory).map_err(|error| error.to_string())?;
    Ok(turn.eligible(&rooms))
}

/// A word that nobody can guess.
pub(crate) fn word() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
