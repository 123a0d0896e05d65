//! One conversation with memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::jobs::JobKind;
use memdir_context::compaction::Progress;
use memdir_context::instructions::Instructions;
use memdir_context::{Limits, Refresh, SectionName, Sections, Standing};
use memdir_conversation::tokens::{Breakdown, Classes, Factors, Measure, Meter};
use memdir_conversation::transcript::{Format, Reading, Writer, conversation, uuid_of};
use memdir_conversation::{
    Block, Conversation, Edits, Kind, Message, Reminded, Source, Trigger, Usage,
};
use memdir_model::{Body, Cancel, Model, Reply};
use memdir_recall::OpenFinder;
use memdir_settings::Settings;
use memdir_store::places::SessionPlaces;
use memdir_store::{PlainName, Records, TranscriptFile};

use crate::after::{After, Background};
use crate::prefetch::Prefetch;
use crate::private::cut_private;
use crate::request::{Outside, measuring};
use crate::state::{SavedEdits, State};
use crate::{Error, Event, Home, Host};

/// How often it is looked whether background work has ended.
const LOOK: Duration = Duration::from_millis(2);

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
    writer: Writer,
    transcript: TranscriptFile,
    pub(crate) sections: Sections,
    /// The texts of our own sections, from when they are computed until they are sent.
    pub(crate) opening: BTreeMap<SectionName, String>,
    pub(crate) edits: Edits,
    pub(crate) progress: Progress,
    pub(crate) state: State,
    /// What of it is on disk.
    saved: Option<State>,
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
}

impl Session {
    /// Begins a conversation, or goes on with the one of this name.
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
        let (told, _) = conversation(Format::ClaudeCode, transcript.reader()?, &Reading::whole())?;
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
            events: Vec::new(),
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
            saved: Some(state.clone()),
            state,
            after,
            prefetch: None,
            cancel: Cancel::new(),
            instructions: None,
            outside: None,
        };
        if !session.conversation.messages().is_empty() {
            session.remember_recalled();
            session.tell_changed_files()?;
        }
        Ok(session)
    }

    /// What the host hands in, to be changed between turns.
    pub fn host(&mut self) -> &mut Host {
        &mut self.host
    }

    /// Where it works.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// All that was said.
    #[must_use]
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The model that is talked to.
    #[must_use]
    pub fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    /// Where the conversation leaves its files.
    #[must_use]
    pub fn places(&self) -> &SessionPlaces {
        &self.places
    }

    /// What it may grow to, and what happens on the way.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What stops a summary that a call of the host's waits for, from now on.
    pub fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// What fills the window, by kind, and what it is spent on: the same count as [`Session::standing`] has.
    #[must_use]
    pub fn measured(&mut self) -> (Measure, Breakdown) {
        let (system, tools) = self.outside_tokens();
        let how = measuring(&self.edits, &*self.model, system, tools);
        let measure = self.tokens.measure(&self.conversation, &how);
        (measure, self.tokens.breakdown(&self.conversation, &how))
    }

    /// How full the window is.
    #[must_use]
    pub fn standing(&mut self) -> Standing {
        let used = self.used();
        let switches = self.home.compactions();
        let automatic = switches.automatic(self.progress.failures, &self.limits);
        self.limits.thresholds.standing(used, &automatic)
    }

    /// Takes what the user says, and looks for the memories that help with it. What happened is told.
    ///
    /// # Errors
    ///
    /// When the window is full, or it cannot be written down. Then it was not said.
    pub fn user_message(&mut self, text: &str) -> Result<Vec<Event>, Error> {
        let standing = self.standing();
        if let Some(reason) = standing.reason.filter(|_| !standing.compaction_due) {
            return Err(Error::Full(reason));
        }
        if self.sections.prompt().is_none() && self.opening.is_empty() {
            self.open()?;
        }
        self.tell_date()?;
        let said = Message::user(&self.next_id(), text);
        self.append(said)?;
        self.recall(text)?;
        self.save()?;
        Ok(self.take_events())
    }

    /// The next request: makes room where it is needed first.
    ///
    /// # Errors
    ///
    /// When nothing was said yet, or what room was made cannot be written down.
    pub fn before_request(&mut self) -> Result<Prepared, Error> {
        self.after.poll(&mut self.events);
        self.renew_sections()?;
        self.surface_selected()?;
        self.make_room(Trigger::Auto, &[])?;
        self.prepared()
    }

    /// The next request after the provider has refused the last one as too long.
    ///
    /// # Errors
    ///
    /// As [`Session::before_request`].
    pub fn after_too_long(&mut self) -> Result<Prepared, Error> {
        self.make_room(Trigger::TooLong, &[])?;
        self.prepared()
    }

    /// Makes room because the user asked for it, with what they said about it. What happened is told.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn compact(&mut self, instructions: &[String]) -> Result<Vec<Event>, Error> {
        self.renew_sections()?;
        self.make_room(Trigger::Manual, instructions)?;
        self.save()?;
        Ok(self.take_events())
    }

    /// Takes the model's reply.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn replied(&mut self, reply: Reply) -> Result<(), Error> {
        let message = reply.into_message(&self.next_id(), Some((self.now)()));
        self.take_reply(message)
    }

    /// Takes a reply that a host has from somewhere else than a [`Model`]; what was counted for it, where it was.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn replied_with(&mut self, blocks: Vec<Block>, usage: Option<Usage>) -> Result<(), Error> {
        let mut message = Message::assistant(&self.next_id(), blocks);
        message.usage = usage;
        message.model = Some(self.model.name().into());
        self.take_reply(message)
    }

    fn take_reply(&mut self, message: Message) -> Result<(), Error> {
        self.append(message)?;
        self.keep_recalled();
        if self.notes_due() {
            self.begin_work(JobKind::Notes)?;
        }
        Ok(())
    }

    /// Takes what tools answered to the calls of the last reply.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn results(&mut self, results: Vec<Block>) -> Result<(), Error> {
        let message = Message::results(&self.next_id(), results);
        self.append(message)?;
        self.note_own_reads();
        self.show_rules()
    }

    /// The model has said its last word for now: what is worth keeping is saved beside the conversation. What happened is
    /// told, also of work that has ended meanwhile.
    ///
    /// # Errors
    ///
    /// When what is due cannot be written down.
    pub fn turn_ended(&mut self) -> Result<Vec<Event>, Error> {
        // What a selector has not said by now is dropped.
        self.prefetch = None;
        self.keep_recalled();
        self.save()?;
        self.transcript.sync()?;
        if self.host.paused {
            self.pass_over()?;
        } else if self.host.agent.is_none() {
            self.begin_work(JobKind::Extraction)?;
        }
        self.after.poll(&mut self.events);
        Ok(self.take_events())
    }

    /// Waits for background work, at most so long, and tells what happened. What is not done then goes on.
    pub fn settle(&mut self, patience: Duration) -> Vec<Event> {
        let begin = Instant::now();
        while self.after.is_at_work() && begin.elapsed() < patience {
            std::thread::sleep(LOOK);
        }
        self.events()
    }

    /// Whether background work is under way.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.after.is_at_work()
    }

    /// What happened since it was last asked.
    pub fn events(&mut self) -> Vec<Event> {
        self.after.poll(&mut self.events);
        self.take_events()
    }

    /// Ends the conversation: work under way gets a minute, the folder for temporary files goes. It can be resumed.
    ///
    /// # Errors
    ///
    /// When its state cannot be written down.
    pub fn close(mut self) -> Result<Vec<Event>, Error> {
        self.keep_recalled();
        self.save()?;
        self.transcript.sync()?;
        self.finish_work();
        // Temporary by its name; what cannot be removed is the user's to see.
        let scratchpad = self.places.scratchpad();
        if scratchpad.is_dir()
            && let Err(error) = std::fs::remove_dir_all(&scratchpad)
        {
            let warning = format!("{} could not be removed: {error}", scratchpad.display());
            self.events.push(Event::Warning(warning));
        }
        Ok(self.take_events())
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Writes a message down and makes it part of the conversation, in this order: what was acknowledged is on disk.
    pub(crate) fn append(&mut self, mut message: Message) -> Result<(), Error> {
        let now = (self.now)();
        message.at.get_or_insert(now);
        let mut written = message.clone();
        cut_private(&mut written);
        let lines = self.writer.lines(&written, now);
        self.transcript.append(&lines)?;
        self.conversation.append(message)?;
        Ok(())
    }

    /// A name for the next message: the same in every run of the same conversation.
    pub(crate) fn next_id(&self) -> String {
        let number = self.conversation.messages().len();
        uuid_of(&format!("{}/{number}", self.name))
    }

    pub(crate) fn remind(&mut self, about: Reminded, text: &str) -> Result<(), Error> {
        let message = Message::reminder(&self.next_id(), about, text);
        self.append(message)
    }

    /// Memories that the agent reads or writes by itself need not be shown to it.
    fn note_own_reads(&mut self) {
        let last = self.conversation.messages().iter().rev();
        let reply = last.take_while(|message| message.source != Source::User);
        let memory = self.home.store.memory_directory().to_path_buf();
        for message in reply {
            for block in &message.blocks {
                let Kind::ToolCall { .. } = block.kind() else {
                    continue;
                };
                let folder = &self.home.places.start_folder;
                let file = block.file().map(|file| folder.join(file));
                if let Some(file) = file.filter(|file| file.starts_with(&memory)) {
                    self.recalled.note_read(file.to_string_lossy());
                    self.recalled_is_news = true;
                }
            }
        }
    }

    /// Writes down what another process needs to go on.
    pub(crate) fn save(&mut self) -> Result<(), Error> {
        self.state.sections = self.sections.saved();
        self.state.edits = SavedEdits::of(&self.edits);
        self.state.failures = self.progress.failures;
        self.state.stuck = self.progress.stuck;
        // Most turns change nothing of it, and a sync costs more than everything else before a request.
        if self.saved.as_ref() != Some(&self.state) {
            let state = &self.state;
            records(&self.home).update(self.name.as_str(), |_| state.clone())?;
            self.saved = Some(self.state.clone());
        }
        Ok(())
    }
}

pub(crate) fn records(home: &Home) -> Records {
    Records::new(home.store.state_directory())
}
