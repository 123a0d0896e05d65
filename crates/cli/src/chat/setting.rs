//! What a conversation is begun with: the model, the host's part of every request, the tools and where they work.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_conversation::Block;
use memdir_memory::age;
use memdir_model::Model;
use memdir_session::{Agent, Background, Host, Session, Setup};
use memdir_settings::Purpose;
use memdir_store::{Author, Found, INBOX_FOLDER, Reason};
use memdir_tools::{Bench, CONVERSATION_TOOLS, PlaceProblem, Powers, Rooms, StoreShelf};

use super::agent::keep_agent;
use crate::arguments::Place;
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
    /// What the model is called on the screen.
    pub(crate) called: String,
    pub(crate) agent: Option<Agent>,
    pub(crate) spending: Spending,
    /// Where an agent with a memory of its own works.
    own: Option<Workplace>,
}

impl<'a> Setting<'a> {
    pub(crate) fn new(
        workplace: &'a Workplace,
        (model, named): (Arc<dyn Model>, String),
        agent: Option<Agent>,
        spending: Spending,
    ) -> Result<Self, Failure> {
        // A program has no model of its own, only the name that the user gave it.
        let called = match model.name() {
            "" => named,
            name => name.to_owned(),
        };
        let own = agent.as_ref().map(|agent| agents_own(workplace, agent));
        Ok(Self {
            workplace,
            model,
            called,
            own: own.transpose()?,
            agent,
            spending,
        })
    }

    /// The memories that are written and shown here: the project's, or the agent's own.
    pub(crate) fn memories(&self) -> &Workplace {
        self.own.as_ref().unwrap_or(self.workplace)
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
        if let Some(agent) = &self.agent {
            keep_agent(session.home(), name, agent)?;
        }
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
        StoreShelf::new(&self.memories().store, reason)
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
        // A quarter of the window for one result, at three bytes a token.
        let window = usize::try_from(self.model.facts().window).unwrap_or(usize::MAX);
        let bench = Bench::new(rooms, shelf, Powers::Conversation)
            .with_most_result(window.saturating_mul(3) / 4);
        Ok(bench.with_caveat(caveat))
    }

    fn rooms(&self, name: &str) -> Result<Rooms, PlaceProblem> {
        let places = &self.workplace.places;
        let name = memdir_store::PlainName::new(name).map_err(|_| PlaceProblem::Empty)?;
        let session = places.session(&name);
        let store = &self.memories().store;
        let rooms = Rooms::new(&places.start_folder, store.memory_directory())?
            .with_scratchpad(&session.scratchpad())?
            .with_notes(&session.notes())?
            .with_record(&session.folder)?
            .with_record(&store.state_directory().join(INBOX_FOLDER))?;
        // The prompt says how to search them.
        let past = places.transcript_folders();
        past.iter()
            .try_fold(rooms, |rooms, folder| rooms.with_record(folder))
    }
}

/// Where an agent's own memories are.
fn agents_own(workplace: &Workplace, agent: &Agent) -> Result<Workplace, Failure> {
    let memory = workplace.places.agent_memory_dir(&agent.name, agent.scope);
    let environment = workplace.environment.clone().with_memory_dir(&memory);
    Workplace::at(
        environment,
        &Place {
            memory_dir: Some(memory),
            ..Place::default()
        },
    )
}

/// What an old memory comes with.
fn caveat(found: &Found) -> Option<String> {
    let modified = Timestamp::from_nanosecond(i128::from(found.stamp.mtime)).ok()?;
    age::caveat(age::days_between(modified, Timestamp::now()))
}

/// The model that is talked to and the name that the user gave it: as typed, as named for chat, or the only one there is.
pub(crate) fn chosen(
    workplace: &Workplace,
    name: Option<&str>,
) -> Result<(Arc<dyn Model>, String), Failure> {
    let models = workplace.places.settings.models();
    let only = match models.models.as_slice() {
        [only] if models.model_for(Purpose::Chat).is_none() => Some(only.name.as_str()),
        _ => None,
    };
    let found = named_for(workplace, Purpose::Chat, name.or(only));
    match found.map_err(|why| Failure::new(why, "see `memdir models`"))? {
        Some(model) => {
            let for_chat = models.model_for(Purpose::Chat);
            let named = name.or(only).or(for_chat.map(|model| model.name.as_str()));
            Ok((Arc::from(model), named.unwrap_or_default().to_owned()))
        }
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
             Its key is read from ANTHROPIC_API_KEY. A model on your own machine (Ollama,\n\
             llama.cpp, vLLM) has provider = \"openai\" and an address, such as\n\
             \"http://localhost:11434/v1\"; `memdir help models` has more about it, and\n\
             `memdir models --ping` says whether it is there.\n\n\
             Memory works without a model: `memdir remember`, `memdir list`,\n\
             `memdir recall`; `memdir try` shows three days of it."
        ),
    )
}
