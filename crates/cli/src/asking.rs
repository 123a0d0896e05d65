//! A conversation looked through by the model that the user has named for it.

use std::cell::OnceCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use memdir_agent::Meter;
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::keep::Keeper;
use memdir_agent::origin::Trust;
use memdir_agent::pauses::WithheldFiles;
use memdir_conversation::Message;
use memdir_model::{Cancel, Model};
use memdir_settings::{Purpose, ToolTrust};
use memdir_store::Tracked;
use memdir_store::project::Project;

use crate::failure::Failure;
use crate::model;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// A model that looks through conversations.
pub(crate) struct Asking {
    model: Box<dyn Model>,
    meter: Meter,
    guidelines: Option<String>,
    withheld: WithheldFiles,
}

/// What is asked about.
pub(crate) struct Question<'a> {
    /// Decides what becomes of what is found.
    pub(crate) keeper: Keeper<'a>,
    /// The folder in which the conversation works.
    pub(crate) folder: &'a Path,
    /// Which results of tools leave it the user's own.
    pub(crate) trust: ToolTrust,
    /// All that the model sees of it.
    pub(crate) visible: &'a [&'a Message],
    /// How many of these, the last ones, are to be looked at.
    pub(crate) new: usize,
    /// Whether it is only told what would be kept.
    pub(crate) dry_run: bool,
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
            guidelines: workplace.guidelines(),
            withheld: workplace.home().pauses().files(),
        }))
    }

    /// Looks at the last messages. A transcript does not have the bytes that were sent: it is asked once.
    pub(crate) fn ask(
        &self,
        question: Question<'_>,
        cancel: &Cancel,
    ) -> Result<Report, ExtractError> {
        let folder = question.folder;
        // Read once a tool has read a file, and not before.
        let tracked = OnceCell::new();
        let is_tracked = |file: &str| {
            let tracked = tracked.get_or_init(|| Tracked::of(&Project::find(folder)));
            tracked.has(&folder.join(file))
        };
        let extractor = Extractor {
            keeper: question.keeper,
            model: &*self.model,
            meter: &self.meter,
            folder,
            trust: match question.trust {
                ToolTrust::Strict => Trust::Strict,
                ToolTrust::Tracked => Trust::Tracked,
            },
            is_tracked: &is_tracked,
            withheld: &|file| self.withheld.has(file),
            guidelines: self.guidelines.as_deref(),
            dry_run: question.dry_run,
        };
        let talk = Talk {
            visible: question.visible,
            messages: question.new,
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

/// A word that nobody can guess.
pub(crate) fn word() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
