//! What a conversation is begun with: the model, the host's part of every request, the tools and where they work.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_conversation::Block;
use memdir_memory::age;
use memdir_model::Model;
use memdir_session::{Agent, Background, Host, Session, Setup};
use memdir_settings::Purpose;
use memdir_store::{Author, Found, INBOX_FOLDER, Reason, Store};
use memdir_tools::{Bench, CONVERSATION_TOOLS, PlaceProblem, Powers, Rooms, StoreShelf};

use crate::asking::named_for;
use crate::dreaming::dreamers;
use crate::failure::Failure;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// What the model is told first.
const ASSISTANT: &str = include_str!("assistant.md");
/// So long may an answer be, where the model gives as much.
const MOST_OUTPUT: u64 = 32_000;

/// Everything that does not change from one conversation to the next.
pub(crate) struct Setting<'a> {
    pub(crate) workplace: &'a Workplace,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) agent: Option<Agent>,
    pub(crate) spending: Spending,
    /// The memories that the agent writes: the project's, or its own.
    pub(crate) store: Store,
}

impl<'a> Setting<'a> {
    pub(crate) fn new(
        workplace: &'a Workplace,
        model: Arc<dyn Model>,
        agent: Option<Agent>,
        spending: Spending,
    ) -> Self {
        let places = &workplace.places;
        let store = match &agent {
            Some(agent) => {
                let memory = places.agent_memory_dir(&agent.name, agent.scope);
                let state = places.state_dir_of(&memory);
                Store::new(memory, state)
            }
            None => Store::new(
                workplace.store.memory_directory(),
                workplace.store.state_directory(),
            ),
        };
        Self {
            workplace,
            model,
            agent,
            spending,
            store,
        }
    }

    /// Begins a conversation, or goes on with the one of this name. What is wrong with background work is told beside it.
    pub(crate) fn session(
        &self,
        name: &str,
        interactive: bool,
    ) -> Result<(Session, Vec<String>), memdir_session::Error> {
        // A program that answers has no use for tools.
        let tools = CONVERSATION_TOOLS
            .iter()
            .filter(|_| self.model.api().is_some());
        let tools = tools.map(|tool| tool.json().into()).collect();
        let (background, warnings) = self.background();
        let session = Session::start(Setup {
            home: self.workplace.home(),
            host: Host {
                system: vec![Block::text(ASSISTANT.trim_end())],
                tools,
                most_output: self.model.facts().output.min(MOST_OUTPUT),
                non_interactive: !interactive,
                agent: self.agent.clone(),
                ..Host::default()
            },
            model: Arc::clone(&self.model),
            background,
            name: name.to_owned(),
            now: Timestamp::now,
            zone: TimeZone::system(),
        })?;
        Ok((session, warnings))
    }

    /// Who does what is done behind the conversation: only models that the user has named for it.
    fn background(&self) -> (Background, Vec<String>) {
        let workplace = self.workplace;
        let mut warnings = Vec::new();
        let mut named = |purpose| {
            named_for(workplace, purpose, None).unwrap_or_else(|why| {
                warnings.push(format!("no model for {purpose}: {why}"));
                None
            })
        };
        let extraction = named(Purpose::Extraction).map(Arc::from);
        let notes = named(Purpose::Notes).map(Arc::from);
        let selector = named(Purpose::Recall).map(Arc::from);
        let dream = match dreamers(workplace, self.spending, false) {
            Ok((dreamers, _)) => dreamers.dream,
            Err(why) => {
                warnings.push(format!("no model for dream: {why}"));
                None
            }
        };
        let background = Background {
            extraction,
            dream,
            notes,
            selector,
            meter: Some(self.spending.meter(workplace)),
        };
        (background, warnings)
    }

    /// Where the model's writes to memory go, and in whose name.
    pub(crate) fn shelf(&self, name: &str) -> StoreShelf<'_> {
        let reason = Reason {
            conversation: Some(name.to_owned()),
            ..Reason::new(Author::Agent, "chat")
        };
        StoreShelf::new(&self.store, reason)
    }

    /// The model's place of work: the project, its memory, its scratchpad, and what it may look at besides.
    pub(crate) fn bench<'b>(
        &self,
        name: &str,
        shelf: &'b mut StoreShelf<'_>,
    ) -> Result<Bench<'b>, Failure> {
        let rooms = self.rooms(name).map_err(|problem| {
            Failure::new(format!("the project cannot be worked in: {problem}"), "")
        })?;
        let bench = Bench::new(rooms, shelf, Powers::Conversation);
        Ok(bench.with_caveat(caveat))
    }

    fn rooms(&self, name: &str) -> Result<Rooms, PlaceProblem> {
        let places = &self.workplace.places;
        let name = memdir_store::PlainName::new(name).map_err(|_| PlaceProblem::Empty)?;
        let session = places.session(&name);
        let rooms = Rooms::new(&places.start_folder, self.store.memory_directory())?
            .with_scratchpad(&session.scratchpad())?
            .with_notes(&session.notes())?
            .with_open(&session.folder)?
            .with_open(&self.store.state_directory().join(INBOX_FOLDER))?;
        // The prompt says how to search them.
        let past = places.transcript_folders();
        past.iter()
            .try_fold(rooms, |rooms, folder| rooms.with_open(folder))
    }
}

/// What an old memory comes with.
fn caveat(found: &Found) -> Option<String> {
    let modified = Timestamp::from_nanosecond(i128::from(found.stamp.mtime)).ok()?;
    age::caveat(age::days_between(modified, Timestamp::now()))
}

/// The model that is talked to: as typed, as named for chat, or the only one there is.
pub(crate) fn chosen(workplace: &Workplace, name: Option<&str>) -> Result<Arc<dyn Model>, Failure> {
    let models = workplace.places.settings.models();
    let only = match models.models.as_slice() {
        [only] if models.model_for(Purpose::Chat).is_none() => Some(only.name.as_str()),
        _ => None,
    };
    let found = named_for(workplace, Purpose::Chat, name.or(only));
    match found.map_err(|why| Failure::new(why, "see `memdir models`"))? {
        Some(model) => Ok(Arc::from(model)),
        None if models.models.is_empty() => Err(no_model(workplace)),
        None => {
            let names: Vec<&str> = models.models.iter().map(|model| &*model.name).collect();
            Err(Failure::new(
                "no model is named for chat",
                format!(
                    "take one with --model ({}), or name one for good:\n`memdir models` says how",
                    names.join(", ")
                ),
            ))
        }
    }
}

fn no_model(workplace: &Workplace) -> Failure {
    let file = workplace.shown(&workplace.places.settings_file());
    Failure::new(
        "there is no model to talk to yet",
        format!(
            "Name one in {file}:\n\n\
             \u{20}   [models.claude]\n\
             \u{20}   provider = \"anthropic\"\n\
             \u{20}   model = \"claude-sonnet-5-5\"\n\n\
             \u{20}   [model_for]\n\
             \u{20}   chat = \"claude\"\n\n\
             Its key is read from ANTHROPIC_API_KEY. Models on your own machine (Ollama, llama.cpp, vLLM),\n\
             other providers and programs are named the same way: docs/models.md. `memdir models --ping`\n\
             says whether it is there.\n\n\
             Memory works without a model: `memdir remember`, `memdir list`, `memdir recall`; `memdir try`\n\
             shows three days of it."
        ),
    )
}
