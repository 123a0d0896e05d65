//! A conversation looked through by the model that the user has named for it.

use std::cell::OnceCell;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;

use memdir_agent::Meter;
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::keep::Keeper;
use memdir_agent::origin::Trust;
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
        let models = workplace.places.settings.models();
        let Some(named) = models.model_for(Purpose::Extraction) else {
            return Ok(None);
        };
        let facts = model::catalogue(workplace)
            .map_err(Failure::message)?
            .facts(named.model.as_deref().unwrap_or_default());
        let model = model::built(workplace, named, facts)?;
        Ok(Some(Self {
            model,
            meter: spending.meter(workplace),
            guidelines: workplace.guidelines(),
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

/// A word that nobody can guess.
fn word() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}
