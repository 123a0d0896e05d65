//! One conversation with memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_context::compaction::Progress;
use memdir_context::instructions::Instructions;
use memdir_context::{Limits, Refresh, SectionName, Sections, Standing};
use memdir_conversation::tokens::{Breakdown, Classes, Factors, Measure, Measuring, Meter};
use memdir_conversation::transcript::{Format, Reading, Writer, conversation};
use memdir_conversation::{Conversation, Edits};
use memdir_model::{Body, Cancel, Model};
use memdir_recall::OpenFinder;
use memdir_settings::Settings;
use memdir_store::places::SessionPlaces;
use memdir_store::{PlainName, TranscriptFile};

use crate::after::{After, Background};
use crate::prefetch::Prefetch;
use crate::request::{Outside, measuring};
use crate::resuming::{trouble, without_half_compaction};
use crate::state::State;
use crate::writing::records;
use crate::{Error, Event, Home, Host};

/// How a conversation is begun.
#[derive(Debug)]
pub struct Setup {
    /// Where it works.
    pub home: Home,
    /// The host's own part of every request.
    pub host: Host,
    /// The model that is talked to.
    pub model: Arc<dyn Model>,
    /// Who does background work; nobody where nobody is named.
    pub background: Background,
    /// The conversation's name: a UUID, where Claude Code is to resume it.
    pub name: String,
    /// The time.
    pub now: fn() -> Timestamp,
    /// Where the user's day begins.
    pub zone: TimeZone,
}

/// What is sent next.
#[derive(Debug)]
pub struct Prepared {
    /// The request, byte for byte.
    pub body: Body,
    /// How full the window is.
    pub standing: Standing,
    /// What happened on the way.
    pub events: Vec<Event>,
}

/// One conversation with memory. Every host is thin over it: it starts one, hands in what the user says, sends what it is
/// given, hands back what came, says when the turn has ended, and closes it.
pub struct Session {
    pub(crate) home: Home,
    pub(crate) host: Host,
    pub(crate) name: PlainName,
    pub(crate) places: SessionPlaces,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) now: fn() -> Timestamp,
    pub(crate) zone: TimeZone,
    pub(crate) conversation: Conversation,
    pub(crate) writer: Writer,
    pub(crate) transcript: TranscriptFile,
    /// Lines that are written all at once, while something is done that needs them all.
    pub(crate) held: Option<String>,
    /// How many lines the transcript has with those.
    pub(crate) lines: u64,
    pub(crate) sections: Sections,
    /// The texts of our own sections, from when they are computed until they are sent.
    pub(crate) opening: BTreeMap<SectionName, String>,
    pub(crate) edits: Edits,
    pub(crate) progress: Progress,
    pub(crate) state: State,
    /// What of it is on disk.
    pub(crate) saved: Option<State>,
    pub(crate) tokens: Meter<Classes>,
    pub(crate) recalled: memdir_recall::Conversation,
    /// Whether that is other than what is written down of it.
    pub(crate) recalled_is_news: bool,
    /// The index of the memories, open from the first question on.
    pub(crate) finder: Option<OpenFinder>,
    pub(crate) events: Vec<Event>,
    pub(crate) sent: Option<Body>,
    pub(crate) after: After,
    pub(crate) prefetch: Option<Prefetch>,
    /// What stops a summary that the host waits for.
    pub(crate) cancel: Cancel,
    /// The instruction files as they were last read, with the rules that hold for certain files.
    pub(crate) instructions: Option<Instructions>,
    /// What the requests have outside of their messages.
    pub(crate) outside: Option<Outside>,
    /// Whether an earlier process began it, and it was not yet told what has changed since.
    pub(crate) goes_on: bool,
    /// Whether the user wants a while without memory.
    pub(crate) paused: bool,
    /// Whether they said so here, and not to another program.
    pub(crate) paused_here: bool,
}

impl Session {
    /// Begins a conversation, or goes on with the one of this name.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # use memdir_session::Session;
    /// # let setup = scene.setup()?;
    /// let session = Session::start(setup)?;
    /// assert!(session.conversation().messages().is_empty());
    /// # drop(session);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When its transcript cannot be read or written, or another process is at it.
    pub fn start(setup: Setup) -> Result<Self, Error> {
        let Setup {
            home,
            host,
            model,
            background,
            name,
            now,
            zone,
        } = setup;
        let name = PlainName::new(&name)?;
        let places = home.places.session(&name);
        let transcript = TranscriptFile::open(&places.transcript)?;
        let reader = transcript.reader()?;
        let (told, report) = conversation(Format::ClaudeCode, reader, &Reading::whole())?;
        let told = without_half_compaction(told);
        let cwd = home.places.start_folder.display().to_string();
        let mut writer = Writer::new(name.as_str(), &cwd, env!("CARGO_PKG_VERSION"));
        for message in told.messages() {
            writer.resume(message);
        }
        let state: State = records(&home)
            .get(name.as_str())
            .ok()
            .flatten()
            .map(|(state, _)| state)
            .unwrap_or_default();
        let settings = home.settings();
        let refresh = match settings.memory.refresh {
            memdir_settings::Refresh::Session => Refresh::Session,
            memdir_settings::Refresh::Turn => Refresh::Turn,
        };
        let most_output = match host.most_output {
            0 => model.facts().output,
            most => most,
        };
        let limits = Limits::new(model.facts().window, most_output, &home.configured());
        let recalled = memdir_recall::ConversationRecords::new(home.store.state_directory())
            .get(name.as_str())?;
        let after = After::new(background);
        let paused = home.pauses().is_paused(name.as_str());
        let mut session = Self {
            sections: Sections::resumed(refresh, state.sections.clone()),
            opening: BTreeMap::new(),
            edits: state.edits.edits(),
            progress: state.progress(),
            conversation: told,
            tokens: Meter::new(Classes, Factors::default()),
            recalled,
            recalled_is_news: false,
            finder: None,
            events: Vec::from_iter(trouble(&report, &places.transcript)),
            sent: None,
            home,
            host,
            name,
            places,
            model,
            limits,
            settings,
            now,
            zone,
            writer,
            transcript,
            held: None,
            lines: report.lines,
            saved: Some(state.clone()),
            state,
            after,
            prefetch: None,
            cancel: Cancel::new(),
            instructions: None,
            outside: None,
            goes_on: false,
            paused,
            paused_here: false,
        };
        session.note_passed();
        session.resume();
        Ok(session)
    }

    /// What the host hands in, to be changed between turns.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.host().context.push(("Git status".to_owned(), "clean".to_owned()));
    /// session.user_message("What changed since yesterday?")?;
    /// assert!(session.before_request()?.body.json.contains("# Git status"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn host(&mut self) -> &mut Host {
        &mut self.host
    }

    /// Where it works.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let session = scene.start()?;
    /// assert!(session.home().places.memory.enabled);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// All that was said.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let said = session.conversation().messages().iter().map(|message| message.words());
    /// assert!(said.eq(["Where is the parser?"]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The model that is talked to.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let session = scene.start()?;
    /// assert_eq!(session.model().name(), "claude-sonnet-5-5");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// Where the conversation leaves its files.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let transcript = std::fs::read_to_string(&session.places().transcript)?;
    /// assert!(transcript.contains("Where is the parser?"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn places(&self) -> &SessionPlaces {
        &self.places
    }

    /// What it may grow to, and what happens on the way.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let session = scene.start()?;
    /// let limits = session.limits();
    /// assert!(limits.thresholds.compaction < limits.available);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What stops a summary that a call of the host's waits for, from now on.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// let cancel = memdir_model::Cancel::new();
    /// session.stop_with(&cancel);
    /// // From another thread, when the user has had enough:
    /// cancel.cancel();
    /// # Ok(())
    /// # }
    /// ```
    pub fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// What fills the window, by kind, and what it is spent on: the same count as [`Session::standing`] has.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let (measure, _) = session.measured();
    /// assert_eq!(measure.tokens, session.standing().used);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn measured(&mut self) -> (Measure, Breakdown) {
        let (system, tools) = self.outside_tokens();
        let folder = self.home.places.start_folder.to_str();
        let how = Measuring {
            folder,
            ..measuring(&self.edits, &*self.model, system, tools)
        };
        let measure = self.tokens.measure(&self.conversation, &how);
        (measure, self.tokens.breakdown(&self.conversation, &how))
    }

    /// How full the window is.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// assert_eq!(session.standing().percent_left, 99);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn standing(&mut self) -> Standing {
        let used = self.used();
        let switches = self.home.compactions();
        let automatic = switches.automatic(self.progress.failures, &self.limits);
        self.limits.thresholds.standing(used, &automatic)
    }
}
