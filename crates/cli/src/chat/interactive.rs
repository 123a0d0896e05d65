//! A conversation in a terminal, and the next one after it.

use std::time::{Duration, Instant};

use memdir_conversation::Usage;
use memdir_conversation::transcript::uuid_of;
use memdir_model::{NanoUsd, Stop};
use memdir_session::Session;
use memdir_tools::{Bench, Todo};

use super::commands::{self, Done};
use super::history::History;
use super::keyboard::Keyboard;
use super::long_text::{Fitted, fitted};
use super::permission::Permissions;
use super::prompt::{Prompt, Typed};
use super::screen::Screen;
use super::setting::Setting;
use super::signals::Signals;
use super::status::Status;
use super::talk::{Problem, Show, Talk, Turn};
use super::terminal::Terminal;
use super::todos;
use crate::asking::word;
use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::table::one_line;

/// How long work under way gets at the end.
const DRAIN: Duration = Duration::from_secs(60);
/// How often it is looked whether somebody does not want to wait.
const LOOK: Duration = Duration::from_millis(50);

/// How a conversation is begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Begin {
    /// A new one.
    New,
    /// The one of this name goes on.
    Resume(String),
}

/// A terminal in which conversations are had.
pub(crate) struct Place<'a> {
    pub(crate) setting: &'a Setting<'a>,
    pub(crate) terminal: &'a Terminal,
    pub(crate) signals: &'a Signals,
    pub(crate) screen: Screen,
    history: History,
    keyboard: Keyboard<'a>,
}

/// One conversation while it is had.
pub(crate) struct Current<'b> {
    pub(crate) name: String,
    /// Nobody has said anything yet where there is none.
    pub(crate) session: Option<Session>,
    bench: Bench<'b>,
    /// What the provider counted for it, and what that costs.
    pub(crate) usage: Usage,
    pub(crate) cost: Option<NanoUsd>,
    /// What stands in the line when the user is next asked for something.
    draft: String,
}

impl Current<'_> {
    /// What is to be done.
    pub(crate) fn todos(&self) -> &[Todo] {
        self.bench.todos()
    }
}

/// Has conversations until the user wants no more.
pub(crate) fn run(setting: &Setting<'_>, begin: Begin) -> Result<(), Failure> {
    let terminal = Terminal::open()?;
    let signals = Signals::listen()?;
    let mut place = Place {
        setting,
        terminal: &terminal,
        signals: &signals,
        screen: Screen::new(Output::new(false).coloured()),
        history: History::new(&setting.workplace.places),
        keyboard: Keyboard::new(&signals),
    };
    let mut next = Some(begin);
    while let Some(begin) = next {
        next = place.conversation(begin)?;
        if let Some(error) = place.screen.broken.take() {
            return Err(error.into());
        }
    }
    Ok(())
}

impl Place<'_> {
    /// Has one conversation, and says how the next begins, if there is to be one.
    fn conversation(&mut self, begin: Begin) -> Result<Option<Begin>, Failure> {
        let name = match &begin {
            Begin::New => uuid_of(&format!("chat/{}", word())),
            Begin::Resume(name) => name.clone(),
        };
        let mut shelf = self.setting.shelf(&name);
        let mut permissions = Permissions::new(self.terminal, self.signals, self.screen.colour);
        let bench = self.setting.bench(&name, &mut shelf)?;
        let mut current = Current {
            bench: bench.with_asking(move |asked| permissions.ask(asked)),
            name,
            session: None,
            usage: Usage::default(),
            cost: None,
            draft: String::new(),
        };
        if let Begin::Resume(name) = &begin {
            self.resume(&mut current).map_err(|error| {
                Failure::new(format!("the conversation {name} cannot go on: {error}"), "")
            })?;
        }
        self.greet(&current);
        let next = self.turns(&mut current)?;
        if let Some(session) = current.session {
            self.leave(session);
        }
        Ok(next)
    }

    fn greet(&mut self, current: &Current<'_>) {
        let model = self.setting.model.name();
        let workplace = self.setting.workplace;
        let folder = workplace.shown(&workplace.places.start_folder);
        let folder = one_line(&folder);
        match &current.session {
            None => self
                .screen
                .line(&format!("{STRONG}memdir{STRONG:#} · {model} · {folder}")),
            Some(session) => {
                let messages = session.conversation().messages().len();
                let id = &current.name;
                self.screen
                    .tell(&format!("going on with {id}, {messages} messages"));
            }
        }
    }

    /// What the user types, turn by turn, until the conversation ends.
    fn turns(&mut self, current: &mut Current<'_>) -> Result<Option<Begin>, Failure> {
        let mut wants_to_quit = false;
        loop {
            let typed = self.typed(current)?;
            if self.screen.broken.is_some() {
                return Ok(None);
            }
            match typed {
                Typed::End => return Ok(None),
                Typed::Interrupt if wants_to_quit => return Ok(None),
                Typed::Interrupt => {
                    wants_to_quit = true;
                    self.screen.tell("Ctrl-C again quits");
                }
                Typed::Text(text) => {
                    wants_to_quit = false;
                    match commands::run(self, current, &text)? {
                        Done::Quit => return Ok(None),
                        Done::Next(begin) => return Ok(Some(begin)),
                        Done::Here => {}
                        Done::GoOn => self.turn(current, None),
                        Done::Nothing => self.turn(current, Some(text)),
                    }
                    // Who has just stopped a turn wants perhaps to stop altogether.
                    wants_to_quit |= self.signals.take_interrupted();
                }
            }
            if self.signals.is_ending() {
                // What is due is noted, and done next time.
                current.session = None;
                return Ok(None);
            }
        }
    }

    fn typed(&mut self, current: &mut Current<'_>) -> Result<Typed, Failure> {
        let mut about = self.setting.model.name().to_owned();
        let paused = current
            .session
            .as_mut()
            .is_some_and(|session| session.is_paused());
        if paused {
            about.push_str(" · memory is paused");
        }
        let draft = std::mem::take(&mut current.draft);
        let mut status = Status::new(current.session.as_mut(), &self.screen, about);
        let keyboard = &mut self.keyboard;
        let history = &mut self.history;
        let prompt = Prompt::new(self.terminal, self.signals, keyboard, history, &draft);
        Ok(prompt.read(&mut status)?)
    }

    /// One turn: what the user said, or what was said before once more.
    fn turn(&mut self, current: &mut Current<'_>, said: Option<String>) {
        self.screen.line("");
        let told = match &said {
            Some(text) => self.say(current, text.clone()),
            None => self.go_on(current),
        };
        match told {
            Ok(turn) => self.tell_end(current, &turn),
            Err(Problem::Unsaid(error)) => {
                // It should not have to be typed again.
                current.draft = said.unwrap_or_default();
                let advice = match error {
                    // It says what helps.
                    memdir_session::Error::Full(_) => "",
                    _ => "what you typed is kept; nothing that was said before is lost",
                };
                self.screen.fail(&error.to_string(), advice);
            }
            Err(Problem::Session(error)) => {
                let advice = "what was said before is kept; `/retry` asks once more";
                self.screen.fail(&error.to_string(), advice);
            }
            Err(Problem::Model(error)) => {
                let advice = format!("{}; `/retry` asks once more", error.advice());
                self.screen
                    .fail(&error.to_string(), advice.trim_start_matches("; "));
            }
        }
    }

    fn say(&mut self, current: &mut Current<'_>, text: String) -> Result<Turn, Problem> {
        self.begun(current).map_err(Problem::Unsaid)?;
        let Some(session) = &mut current.session else {
            return Ok(Turn::default());
        };
        let scratchpad = session.places().scratchpad();
        let number = session.conversation().messages().len();
        let available = session.limits().available;
        let fitted = fitted(text, number, available, &scratchpad);
        let unsaid = |error| Problem::Unsaid(memdir_session::Error::from(error));
        let Fitted { text, told } = fitted.map_err(unsaid)?;
        if let Some(told) = told {
            self.screen.tell(&told);
        }
        let bench = &mut current.bench;
        Talk { session, bench }.turn(&text, &self.signals.turn(), &mut self.screen)
    }

    fn go_on(&mut self, current: &mut Current<'_>) -> Result<Turn, Problem> {
        let bench = &mut current.bench;
        match &mut current.session {
            Some(session) => Talk { session, bench }.go_on(&self.signals.turn(), &mut self.screen),
            None => Err(memdir_session::Error::Nothing.into()),
        }
    }

    /// Begins the session, once there is something to say.
    fn begun(&mut self, current: &mut Current<'_>) -> Result<(), memdir_session::Error> {
        if current.session.is_none() {
            let (session, warnings) = self.setting.session(&current.name, true)?;
            for warning in warnings {
                self.screen.tell(&warning);
            }
            current.session = Some(session);
        }
        Ok(())
    }

    fn resume(&mut self, current: &mut Current<'_>) -> Result<(), memdir_session::Error> {
        self.begun(current)?;
        if let Some(session) = &mut current.session {
            let left = todos::left(session.conversation());
            session.host().work.todos = todos::known(&left);
            session.host().context = todos::context(&left);
            current.bench.set_todos(left);
        }
        Ok(())
    }

    fn tell_end(&mut self, current: &mut Current<'_>, turn: &Turn) {
        let Turn { usage, .. } = turn;
        current.usage.input += usage.input;
        current.usage.cache_read += usage.cache_read;
        current.usage.cache_write += usage.cache_write;
        current.usage.output += usage.output;
        if let Some(cost) = turn.cost {
            current.cost = Some(current.cost.unwrap_or_default().saturating_add(cost));
        }
        match &turn.stop {
            None => self.screen.tell("stopped; Ctrl-C again quits"),
            Some(Stop::MostOutput) => {
                self.screen
                    .tell("the answer was cut off where it may not be longer; say \"go on\"");
            }
            Some(Stop::Refusal) => self.screen.tell("the model refuses to answer this"),
            Some(Stop::WindowFull) => self.screen.tell("the window is full; /compact makes room"),
            Some(_) => {}
        }
    }

    /// Ends a conversation: work under way gets its time, unless somebody does not want to wait.
    fn leave(&mut self, mut session: Session) {
        let begin = Instant::now();
        self.signals.take_interrupted();
        let mut told = false;
        while session.is_working() && begin.elapsed() < DRAIN {
            if self.signals.take_interrupted() || self.signals.is_ending() {
                self.screen.tell("left for the next time");
                return;
            }
            let events = session.settle(LOOK);
            if !told && begin.elapsed() > 4 * LOOK && session.is_working() {
                told = true;
                self.screen
                    .tell("saving what is worth keeping (Ctrl-C leaves it for the next time)");
            }
            self.screen.events(events);
        }
        let id = session.places().transcript.clone();
        match session.close() {
            Ok(events) => self.screen.events(events),
            Err(error) => self.screen.fail(&error.to_string(), ""),
        }
        let id = id
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        self.screen
            .tell(&format!("`memdir chat --resume {id}` goes on here"));
    }
}
