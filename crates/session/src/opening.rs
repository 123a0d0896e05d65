//! What a conversation begins with, and begins with again after it was cleared or compacted.

use std::collections::BTreeMap;

use jiff::civil::Date;
use memdir_context::instructions::{Instructions, Shown, Warning};
use memdir_context::{
    Audience, IndexPart, Limits, MemoryForm, MemoryPrompt, PastContext, PromptError, Reminder,
    SectionName, scratchpad,
};
use memdir_memory::index::{Loaded, load};
use memdir_memory::{INDEX_NAME, MemoryPath};
use memdir_settings::{IndexPlace, Reason, variables};
use memdir_store::Directory;
use memdir_store::places::SessionPlaces;

use crate::instructions::{Allowance, discover};
use crate::{Home, Host};

/// The texts that stand before what is said.
#[derive(Debug, Default)]
pub(crate) struct Opening {
    /// Sections of the system prompt, those that are ours.
    pub(crate) sections: BTreeMap<SectionName, String>,
    /// The block before the first message.
    pub(crate) block: Option<String>,
    /// The instruction files, as the model sees them.
    pub(crate) shown: Vec<Shown>,
    /// All that was found of them.
    pub(crate) found: Option<Instructions>,
    /// What is wrong with any of it.
    pub(crate) warnings: Vec<String>,
}

/// Whom it is for, and when.
#[derive(Clone, Copy)]
pub(crate) struct Occasion<'a> {
    pub(crate) home: &'a Home,
    pub(crate) host: &'a Host,
    pub(crate) places: &'a SessionPlaces,
    pub(crate) limits: &'a Limits,
    pub(crate) model: &'a str,
    /// The day on which the conversation began.
    pub(crate) began: Date,
}

impl Occasion<'_> {
    /// Reads instruction files and index, makes the folders that are spoken of, and writes the texts.
    pub(crate) fn opening(&self) -> Result<Opening, PromptError> {
        let mut opening = Opening::default();
        let one_line = self.is_one_line();
        let found = discover(self.home, self.allowance());
        if self.home.places.memory.enabled {
            self.memory(found.as_ref(), one_line, &mut opening)?;
        }
        self.scratchpad(&mut opening)?;
        let began = self.environment();
        opening.sections.insert(SectionName::Environment, began);
        let context = self.host.context.iter();
        let context: Vec<(&str, &str)> = context.map(|(title, text)| (&**title, &**text)).collect();
        opening.block = match &found {
            Some(found) => {
                opening.shown = found.shown();
                let told = found.warnings.iter();
                // What is wrong with the index is told by the block itself.
                let told = told.filter(|warning| !matches!(warning, Warning::Index { .. }));
                opening.warnings.extend(told.map(ToString::to_string));
                found.block_with(&context)
            }
            None => Reminder::leading(context).map(|block| format!("{block}\n")),
        };
        opening.found = found;
        Ok(opening)
    }

    /// Which instruction files are shown.
    pub(crate) fn allowance(&self) -> Allowance {
        let allowance = Allowance::of(self.home);
        // An agent's own index stands in its memory section, and the user's is none of its business.
        match self.is_one_line() || self.host.agent.is_some() {
            true => allowance.without_index(),
            false => allowance,
        }
    }

    fn is_one_line(&self) -> bool {
        self.limits.memory() == MemoryForm::OneLine
    }

    fn memory(
        &self,
        found: Option<&Instructions>,
        one_line: bool,
        opening: &mut Opening,
    ) -> Result<(), PromptError> {
        let settings = self.home.settings();
        let store = &self.home.store;
        let agent = self.host.agent.as_ref();
        let ensured = match agent {
            Some(agent) => agent.ensure(&self.home.places),
            None => store.ensure(settings.team.enabled).map(drop),
        };
        if let Err(error) = &ensured {
            let warning = format!("there is no memory directory: {error}");
            opening.warnings.push(warning);
        }
        // It is sent once.
        let comes_with_files = agent.is_none()
            && settings.memory.index_place == IndexPlace::Reminder
            && found.is_some_and(Instructions::has_index);
        let loaded = match comes_with_files {
            true => load(b""),
            false => self.index(opening),
        };
        let directory = match agent {
            Some(agent) => self.home.places.agent_memory_dir(&agent.name, agent.scope),
            None => store.memory_directory().to_path_buf(),
        };
        let directory = directory.to_string_lossy();
        let guidelines = self.home.guidelines();
        let prompt = MemoryPrompt {
            directory: &directory,
            audience: match (agent, settings.team.enabled) {
                (Some(agent), _) => Audience::Agent {
                    name: agent.name.as_str(),
                    scope: agent.scope,
                },
                (None, true) => Audience::Team,
                (None, false) => Audience::Private,
            },
            style: self.home.style(),
            daily_log: agent.is_none() && settings.daily_log.enabled,
            skip_index: agent.is_none() && settings.memory.skip_index,
            guidelines: guidelines.as_deref(),
            index: match comes_with_files {
                true => IndexPart::Elsewhere,
                false => IndexPart::Here(&loaded),
            },
        };
        if one_line {
            let line = prompt.render_one_line()?;
            opening.sections.insert(SectionName::Memory, line);
            return Ok(());
        }
        let text = prompt.render()?;
        opening.sections.insert(SectionName::Memory, text);
        // An agent's own memory is all the past it has.
        if settings.past_context.enabled && agent.is_none() {
            let folders = self.home.places.transcript_folders();
            let folders = folders.iter().map(|folder| folder.to_string_lossy());
            let folders: Vec<String> = folders.map(std::borrow::Cow::into_owned).collect();
            let past = PastContext {
                directory: &directory,
                transcripts: &folders,
                grep_tool: self.host.has_tool("Grep"),
            };
            let past = past.render()?;
            opening.sections.insert(SectionName::PastContext, past);
        }
        Ok(())
    }

    fn index(&self, opening: &mut Opening) -> Loaded {
        let read = match &self.host.agent {
            Some(agent) => agent.index(&self.home.places),
            None => MemoryPath::new(INDEX_NAME)
                .map_err(memdir_store::Error::from)
                .and_then(|index| self.home.store.read(&index)),
        };
        match read {
            Ok(found) => load(&found.map(|found| found.bytes).unwrap_or_default()),
            Err(error) => {
                let warning = format!("the index cannot be read: {error}");
                opening.warnings.push(warning);
                load(b"")
            }
        }
    }

    fn scratchpad(&self, opening: &mut Opening) -> Result<(), PromptError> {
        // The bare mode of a client is the prompt without anything that it can do without.
        let reason = &self.home.places.memory.reason;
        let is_bare = matches!(reason, Reason::Bare | Reason::Variable(variables::SIMPLE));
        if is_bare || !self.home.settings().scratchpad.enabled {
            return Ok(());
        }
        let folder = self.places.scratchpad();
        if let Err(error) = Directory::create(&folder) {
            let warning = format!("there is no folder for temporary files: {error}");
            opening.warnings.push(warning);
            return Ok(());
        }
        let text = scratchpad(&folder.to_string_lossy())?;
        opening.sections.insert(SectionName::Scratchpad, text);
        Ok(())
    }

    fn environment(&self) -> String {
        let places = &self.home.places;
        let git = match places.project.kind {
            memdir_store::project::ProjectKind::Folder => "no",
            _ => "yes",
        };
        format!(
            "# Environment\n\n- Folder: {}\n- Git repository: {git}\n- Platform: {}\n- Model: {}\n- The conversation began on {}",
            places.start_folder.display(),
            std::env::consts::OS,
            self.model,
            self.began
        )
    }
}
