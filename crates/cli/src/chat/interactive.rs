//! A conversation in a terminal, and the next one after it.

use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use jiff::Zoned;
use memdir_conversation::transcript::uuid_of;
use memdir_conversation::{Block, Kind, Source};
use memdir_model::Stop;
use memdir_session::Session;
use memdir_store::ledger::Ledger;
use memdir_tools::{Bench, Denial, Todo};

use super::commands::{self, Done};
use super::history::History;
use super::keyboard::Keyboard;
use super::line::Line;
use super::long_text::{Fitted, fitted};
use super::permission::Permissions;
use super::prompt::{Prompt, Typed};
use super::screen::Screen;
use super::setting::Setting;
use super::signals::Signals;
use super::spent::Spent;
use super::status::Status;
use super::talk::{OUT_OF_REQUESTS, Problem, Show, Talk, Turn};
use super::terminal::{self, Terminal};
use super::todos;
use crate::asking::word;
use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::table::{cut, one_line};
use crate::workplace::Workplace;

/// How long work under way gets at the end.
const DRAIN: Duration = Duration::from_secs(60);
/// So many lines of what was last said are shown when a conversation goes on.
const LAST_LINES: usize = 20;
/// What the model reads while memory is paused.
const PAUSED: &str = "the user has paused memory: nothing is saved now, also not by you";
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
    /// Nothing is recalled or saved, whichever conversation it is.
    pub(crate) paused: bool,
    /// The conversation that is next, opened before this one was left.
    opened: Option<(Session, Vec<String>)>,
    /// What is told at the start, once it is known.
    unusual: Option<Receiver<String>>,
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
    pub(crate) spent: Spent,
    /// What stands in the line when the user is next asked for something.
    draft: Line,
}

impl Current<'_> {
    /// What is to be done.
    pub(crate) fn todos(&self) -> &[Todo] {
        self.bench.todos()
    }

    /// Whether the model has the last word, so that there is nothing to ask it once more.
    pub(crate) fn is_answered(&self) -> bool {
        let messages = self.session.as_ref().map(|session| session.conversation());
        let messages = messages.map(|conversation| conversation.messages());
        let sent = messages.unwrap_or_default().iter().rev();
        let mut sent =
            sent.filter(|message| !matches!(message.source, Source::Reminder(_) | Source::Notice));
        sent.next().is_some_and(|last| {
            let calls = |block: &Block| matches!(block.kind(), Kind::ToolCall { .. });
            last.source == Source::Model && !last.blocks.iter().any(calls)
        })
    }

    /// The model writes no memory while it is paused.
    pub(crate) fn pause(&mut self, paused: bool) {
        let reason = paused.then(|| Denial::new(PAUSED));
        self.bench.close_memory(reason);
    }
}

/// Looks, on a thread of its own because the ledger may be long, whether a day has cost far more than those before it.
fn unusual(workplace: &Workplace) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let ledger = Ledger::new(workplace.places.own_dir());
    let command = workplace.command("cost --by day");
    std::thread::spawn(move || {
        // What cannot be read is `memdir cost`'s to tell; nobody may be there to hear it any more.
        if let Ok(Some(day)) = ledger.unusual(&Zoned::now()) {
            let _ = sender.send(format!("{day}; {command} shows the days"));
        }
    });
    receiver
}

/// Has conversations until the user wants no more.
pub(crate) fn run(setting: &Setting<'_>, begin: Begin) -> Result<(), Failure> {
    let signals = Signals::listen()?;
    let terminal = Terminal::open(&signals)?;
    let mut place = Place {
        setting,
        terminal: &terminal,
        signals: &signals,
        screen: Screen::new(Output::new(false).coloured()),
        paused: false,
        opened: None,
        unusual: Some(unusual(setting.workplace)),
        history: History::new(&setting.workplace.places),
        keyboard: Keyboard::new(&terminal, &signals),
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
            spent: Spent::default(),
            draft: Line::default(),
        };
        current.pause(self.paused);
        if let Begin::Resume(name) = &begin {
            self.resume(&mut current).map_err(|error| {
                Failure::new(format!("the conversation {name} cannot go on: {error}"), "")
            })?;
        }
        self.greet(&mut current);
        let next = self.turns(&mut current)?;
        if let Some(session) = current.session {
            self.leave(session);
        }
        Ok(next)
    }

    fn greet(&mut self, current: &mut Current<'_>) {
        let workplace = self.setting.workplace;
        let folder = workplace.shown(&workplace.places.start_folder);
        let folder = one_line(&folder);
        match &current.session {
            None => {
                let about = self.about();
                self.screen
                    .line(&format!("{STRONG}memdir{STRONG:#} · {about} · {folder}"));
            }
            Some(session) => {
                let messages = session.conversation().messages();
                let (id, number) = (&current.name, messages.len());
                let whose = match &self.setting.agent {
                    Some(agent) => format!(", agent {}", agent.name.as_str()),
                    None => String::new(),
                };
                let last = |source: &Source| {
                    let said = messages.iter().rev().filter(|one| one.source == *source);
                    let mut words = said.map(|message| message.words());
                    words.find(|words| !words.trim().is_empty())
                };
                let (asked, answered) = (last(&Source::User), last(&Source::Model));
                self.screen
                    .tell(&format!("going on with {id}{whose}, {number} messages"));
                self.show_exchange(asked.as_deref(), answered.as_deref());
            }
        }
    }

    /// What was last said, for who does not remember.
    fn show_exchange(&mut self, asked: Option<&str>, answered: Option<&str>) {
        let (columns, _) = terminal::size();
        if let Some(asked) = asked {
            let asked = one_line(asked);
            let asked = cut(&asked, columns.saturating_sub(3));
            self.screen.line(&format!("\n› {asked}\n"));
        }
        if let Some(answered) = answered {
            let lines: Vec<&str> = answered.trim_end().lines().collect();
            let left_out = lines.len().saturating_sub(LAST_LINES);
            if left_out > 0 {
                self.screen.line("…");
            }
            let shown = lines.get(left_out..).unwrap_or_default();
            self.screen.words(&shown.join("\n"));
            self.screen.said();
        }
    }

    /// The model, and the agent that it is.
    fn about(&self) -> String {
        let model = one_line(&self.setting.called);
        match &self.setting.agent {
            Some(agent) => format!("{model} · agent {}", agent.name.as_str()),
            None => model.into_owned(),
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
                Typed::Text(line) => {
                    match commands::run(self, current, &line.whole())? {
                        Done::Quit => return Ok(None),
                        Done::Next(begin) if self.can_begin(&begin) => return Ok(Some(begin)),
                        Done::Next(_) | Done::Here => {}
                        Done::GoOn => self.turn(current, None),
                        Done::Nothing => self.turn(current, Some(line)),
                    }
                    // Who has just stopped a turn wants perhaps to stop altogether; who did it twice, surely.
                    match self.signals.take_interruptions() {
                        often @ (0 | 1) => wants_to_quit = often > 0,
                        _ => return Ok(None),
                    }
                }
            }
            if self.signals.is_ending() {
                // What is due is noted, and done next time.
                current.session = None;
                return Ok(None);
            }
        }
    }

    /// Whether another conversation can be had, opened before this one is left: another process may be at it.
    fn can_begin(&mut self, begin: &Begin) -> bool {
        let Begin::Resume(name) = begin else {
            return true;
        };
        match self.setting.session(name, true) {
            Ok(opened) => {
                self.opened = Some(opened);
                true
            }
            Err(error) => {
                let advice = "this conversation goes on";
                self.screen
                    .fail(&format!("{name} cannot go on: {error}"), advice);
                false
            }
        }
    }

    fn typed(&mut self, current: &mut Current<'_>) -> Result<Typed, Failure> {
        let mut about = self.about();
        if self.paused {
            // First: a narrow terminal cuts the end off.
            about.insert_str(0, "memory is paused · ");
        }
        let draft = std::mem::take(&mut current.draft);
        let session = current.session.as_mut();
        let mut status = Status::new(session, &self.screen, about, &mut self.unusual);
        let keyboard = &mut self.keyboard;
        let history = &mut self.history;
        let prompt = Prompt::new(self.terminal, self.signals, keyboard, history, draft);
        Ok(prompt.read(&mut status)?)
    }

    /// One turn: what the user said, or what was said before once more.
    fn turn(&mut self, current: &mut Current<'_>, said: Option<Line>) {
        self.screen.line("");
        let mut turn = Turn::default();
        let told = match &said {
            Some(line) => self.say(current, line.whole(), &mut turn),
            None => self.go_on(current, &mut turn),
        };
        current.spent.add(&turn.spent);
        match told {
            Ok(()) => self.tell_end(&turn),
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
                let next = match error {
                    memdir_model::Error::TooLong { .. } => {
                        "`/compact` makes room, `/clear` begins anew"
                    }
                    _ if current.is_answered() => "say \"go on\" to have the rest of the answer",
                    _ => "`/retry` asks once more",
                };
                let advice = format!("{}; {next}", error.advice());
                self.screen
                    .fail(&error.to_string(), advice.trim_start_matches("; "));
            }
        }
    }

    fn say(
        &mut self,
        current: &mut Current<'_>,
        text: String,
        turn: &mut Turn,
    ) -> Result<(), Problem> {
        self.begun(current).map_err(Problem::Unsaid)?;
        let Some(session) = &mut current.session else {
            return Ok(());
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
        let cancel = self.signals.turn();
        Talk { session, bench }.turn(&text, &cancel, &mut self.screen, turn)
    }

    fn go_on(&mut self, current: &mut Current<'_>, turn: &mut Turn) -> Result<(), Problem> {
        let bench = &mut current.bench;
        let cancel = self.signals.turn();
        match &mut current.session {
            Some(session) => Talk { session, bench }.go_on(&cancel, &mut self.screen, turn),
            None => Err(memdir_session::Error::Nothing.into()),
        }
    }

    /// Begins the session, once there is something to say.
    fn begun(&mut self, current: &mut Current<'_>) -> Result<(), memdir_session::Error> {
        if current.session.is_none() {
            let opened = match self.opened.take() {
                Some(opened) => Ok(opened),
                None => self.setting.session(&current.name, true),
            };
            let (mut session, warnings) = opened?;
            for warning in warnings {
                self.screen.tell(&warning);
            }
            if self.paused {
                session.pause(true);
            }
            current.session = Some(session);
        }
        // Another program may have paused this conversation, or ended its pause.
        let session = current.session.as_mut();
        let paused = session.is_some_and(|session| session.heed_pause());
        if paused != self.paused {
            self.paused = paused;
            current.pause(paused);
            self.screen.tell(match paused {
                true => "memory is paused for this conversation; /pause goes on",
                false => "memory goes on; what was said meanwhile is not saved",
            });
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

    fn tell_end(&mut self, turn: &Turn) {
        match &turn.stop {
            None => self.screen.tell("stopped; Ctrl-C again quits"),
            Some(Stop::MostOutput) => {
                self.screen
                    .tell("the answer was cut off where it may not be longer; say \"go on\"");
            }
            Some(Stop::Refusal) => self.screen.tell("the model refuses to answer this"),
            Some(Stop::WindowFull) => self.screen.tell("the window is full; /compact makes room"),
            Some(Stop::Other(why)) if why == OUT_OF_REQUESTS => {
                let often = turn.requests;
                self.screen.tell(&format!(
                    "stopped after {often} requests in one turn; say \"go on\""
                ));
            }
            Some(_) => {}
        }
    }

    /// Ends a conversation: work under way gets its time, unless somebody does not want to wait.
    fn leave(&mut self, mut session: Session) {
        let begin = Instant::now();
        self.signals.take_interruptions();
        let mut told = false;
        while session.is_working() && begin.elapsed() < DRAIN {
            if self.signals.take_interruptions() > 0 || self.signals.is_ending() {
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
