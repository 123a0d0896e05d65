//! Where a run works: its rooms, its powers, what it has read, and the tools.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use memdir_memory::{MemoryPath, as_text, scrub_to, without_private};
use memdir_model::Cancel;
use memdir_store::Found;

use crate::{
    Act, Answer, Call, Denial, Place, Powers, Program, Rooms, Shelf, Todo, Verdict, decide,
};
use crate::{edit, file, glob, grep, looked, read, shell, write};

/// So much of a path or a reason is written down.
const LOGGED_CHARACTERS: usize = 300;
/// So many bytes may a result have, unless somebody says otherwise.
const MOST_RESULT: usize = 100_000;

/// A run's place of work.
pub struct Bench<'a> {
    pub(crate) rooms: Rooms,
    pub(crate) shelf: &'a mut dyn Shelf,
    powers: Powers,
    /// What a file held when the run read it; none when it was not there.
    pub(crate) seen: HashMap<MemoryPath, Option<Found>>,
    pub(crate) read: HashMap<PathBuf, String>,
    /// The text of the conversation's notes, as this run has edited it so far.
    pub(crate) notes: Option<String>,
    denied: Vec<Denied>,
    written: Vec<MemoryPath>,
    /// The age of a memory in words, when it is old enough to say so.
    pub(crate) caveat: Caveat<'a>,
    /// Whoever decides what the gate leaves to the user.
    ask: Option<Ask<'a>>,
    todos: Vec<Todo>,
    cancel: Cancel,
    /// So many bytes may a result have.
    pub(crate) most_result: usize,
    /// Why no memory is written just now.
    closed: Option<Denial>,
    /// Files that this run is not shown.
    withheld: Withheld<'a>,
}

/// Whether a file is not shown.
type Withheld<'a> = Box<dyn Fn(&Path) -> bool + 'a>;

/// What is said of a memory's age.
type Caveat<'a> = Box<dyn Fn(&Found) -> Option<String> + 'a>;

/// Asks the user about a call.
type Ask<'a> = Box<dyn FnMut(&Asked<'_>) -> Result<(), Denial> + 'a>;

/// What the user is asked about.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The call.
    pub call: &'a Call,
    /// What it would do.
    pub act: &'a Act,
    /// Where it would do it; none for a command.
    pub path: Option<PathBuf>,
    /// What the file holds and what it would hold, where one is changed.
    pub change: Option<(String, String)>,
}

/// A call that was not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// The tool.
    pub tool: String,
    /// What it was to act on: a path or a program's name, never a content.
    pub target: String,
    /// Why not.
    pub reason: String,
}

impl std::fmt::Display for Denied {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            tool,
            target,
            reason,
        } = self;
        write!(to, "{tool} {target}: {reason}")
    }
}

impl<'a> Bench<'a> {
    /// A place of work with these powers.
    #[must_use]
    pub fn new(rooms: Rooms, shelf: &'a mut dyn Shelf, powers: Powers) -> Self {
        Self {
            rooms,
            shelf,
            powers,
            seen: HashMap::new(),
            read: HashMap::new(),
            notes: None,
            denied: Vec::new(),
            written: Vec::new(),
            caveat: Box::new(|_| None),
            ask: None,
            todos: Vec::new(),
            cancel: Cancel::new(),
            most_result: MOST_RESULT,
            closed: None,
            withheld: Box::new(|_| false),
        }
    }

    /// Files that this run is not shown: neither read nor searched nor printed by a program.
    #[must_use]
    pub fn with_withheld(mut self, withheld: impl Fn(&Path) -> bool + 'a) -> Self {
        self.withheld = Box::new(withheld);
        self
    }

    /// Whether a file is not shown to this run.
    pub(crate) fn is_withheld(&self, path: &Path) -> bool {
        (self.withheld)(path)
    }

    /// The user is there to be asked.
    #[must_use]
    pub fn with_asking(mut self, ask: impl FnMut(&Asked<'_>) -> Result<(), Denial> + 'a) -> Self {
        self.ask = Some(Box::new(ask));
        self
    }

    /// What stops a command from now on.
    pub fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// Results have at most so many bytes, for a model whose window takes no more.
    #[must_use]
    pub fn with_most_result(mut self, bytes: usize) -> Self {
        self.most_result = bytes.min(MOST_RESULT);
        self
    }

    /// How many bytes a result may have.
    #[must_use]
    pub fn most_result(&self) -> usize {
        self.most_result
    }

    /// No memory is written from now on, for this reason; without one, they are again.
    pub fn close_memory(&mut self, reason: Option<Denial>) {
        self.closed = reason;
    }

    /// What is to be done.
    #[must_use]
    pub fn todos(&self) -> &[Todo] {
        &self.todos
    }

    /// Takes a list up again that an earlier process left.
    pub fn set_todos(&mut self, todos: Vec<Todo>) {
        self.todos = todos;
    }

    /// Memories that are old come with what this says of them.
    #[must_use]
    pub fn with_caveat(mut self, caveat: impl Fn(&Found) -> Option<String> + 'a) -> Self {
        self.caveat = Box::new(caveat);
        self
    }

    /// Counts a memory as read, because its whole text stands in the prompt.
    pub fn count_as_read(&mut self, path: &MemoryPath, found: Found) {
        self.seen.insert(path.clone(), Some(found));
    }

    /// Counts the conversation's notes as read, because their whole text stands in the prompt. Edits change this text; what
    /// becomes of it is for whoever takes it back.
    #[must_use]
    pub fn with_notes(mut self, text: &str) -> Self {
        self.notes = Some(text.to_owned());
        self
    }

    /// The text of the notes with all edits.
    #[must_use]
    pub fn notes(&self) -> Option<&str> {
        self.notes.as_deref()
    }

    /// Runs a call, if it may.
    pub fn call(&mut self, call: &Call) -> Answer {
        let act = match self.act(call) {
            Ok(act) => act,
            Err(answer) => {
                // What was to be written to a place that is none is as good as denied.
                if let ("Write" | "Edit", Some(path)) = (&*call.tool, call.optional("file_path")) {
                    self.log(call, path, &answer.text);
                }
                return answer;
            }
        };
        let verdict = match (&act, &self.closed) {
            (Act::Edit(Place::Memory(_)) | Act::Write(Place::Memory(_)), Some(reason)) => {
                Verdict::Deny(reason.clone())
            }
            _ if self.looks_at_withheld(&act) => {
                Verdict::Deny(Denial::new("it tells of a conversation that was paused"))
            }
            _ => decide(self.powers, &act),
        };
        match verdict {
            Verdict::Allow => {}
            Verdict::Ask => {
                let asked = match self.asked(call, &act) {
                    Ok(asked) => asked,
                    Err(answer) => return answer,
                };
                let answer = match &mut self.ask {
                    Some(ask) => ask(&asked),
                    None => Err(Denial::new("nobody is there to ask")),
                };
                if let Err(denial) = answer {
                    return self.deny(call, &act, &denial);
                }
            }
            Verdict::Deny(denial) => return self.deny(call, &act, &denial),
        }
        let mut answer = match &act {
            Act::Look(place) => match call.tool.as_str() {
                "Grep" => grep::run(self, call, place),
                "Glob" => glob::run(self, call, place),
                _ => read::run(self, call, place),
            },
            Act::Edit(place) => edit::run(self, call, place),
            Act::Write(place) => write::run(self, call, place),
            Act::Program(program) => looked::instead_of(self, program)
                .unwrap_or_else(|| program.run(self.rooms.folder())),
            Act::Command(_) => shell::run(call, self.rooms.folder(), &self.cancel),
            Act::Todos => self.keep_todos(call),
            Act::Unknown(_) => Answer::error("there is no such tool"),
        };
        if self.powers == Powers::Memory {
            // A transcript keeps what the user marked as private; no background model is shown it.
            answer.text = without_private(&answer.text).into_owned();
        }
        if let (Act::Edit(Place::Memory(path)) | Act::Write(Place::Memory(path)), false) =
            (&act, answer.error)
            && !self.written.contains(path)
        {
            self.written.push(path.clone());
        }
        // Whatever tool it was: one result too many for the window, and no request is taken any more.
        answer.within(self.most_result)
    }

    /// Whether a call would show a file that this run is not shown.
    fn looks_at_withheld(&self, act: &Act) -> bool {
        match act {
            Act::Look(place) => {
                let path = place.path(&self.rooms);
                path.is_file() && self.is_withheld(&path)
            }
            Act::Program(program) => {
                let mut places = program.arguments().iter();
                places.any(|argument| {
                    let place = self.rooms.place(argument).ok();
                    let path = place.map(|place| place.path(&self.rooms));
                    path.is_some_and(|path| path.is_file() && self.is_withheld(&path))
                })
            }
            _ => false,
        }
    }

    /// What the user is asked; what would fail anyway is nobody's to decide.
    fn asked<'b>(&self, call: &'b Call, act: &'b Act) -> Result<Asked<'b>, Answer> {
        let (path, change) = match act {
            Act::Look(place) => (Some(place.path(&self.rooms)), None),
            Act::Edit(place) | Act::Write(place) => {
                let path = place.path(&self.rooms);
                file::is_new(self, &path)?;
                (Some(path), Some(edit::foreseen(self, call, place)?))
            }
            _ => (None, None),
        };
        Ok(Asked {
            call,
            act,
            path,
            change,
        })
    }

    fn keep_todos(&mut self, call: &Call) -> Answer {
        match Todo::list(call) {
            Ok(todos) => {
                self.todos = todos;
                Answer::ok("The list is kept.")
            }
            Err(answer) => answer,
        }
    }

    /// What was not allowed, in order.
    #[must_use]
    pub fn denied(&self) -> &[Denied] {
        &self.denied
    }

    /// The memories that were written, the index among them.
    #[must_use]
    pub fn written(&self) -> &[MemoryPath] {
        &self.written
    }

    /// The same, and whoever asks next gets those since.
    pub fn take_written(&mut self) -> Vec<MemoryPath> {
        std::mem::take(&mut self.written)
    }

    /// What a call would do.
    fn act(&self, call: &Call) -> Result<Act, Answer> {
        let place = |path: &str| {
            self.rooms
                .place(path)
                .map_err(|problem| Answer::error(format!("{path}: {problem}")))
        };
        Ok(match call.tool.as_str() {
            "Read" => Act::Look(place(call.text("file_path")?)?),
            "Write" => Act::Write(place(call.text("file_path")?)?),
            "Edit" => Act::Edit(place(call.text("file_path")?)?),
            "Grep" | "Glob" => Act::Look(place(call.optional("path").unwrap_or("."))?),
            "Bash" => {
                let command = shell::command(call)?;
                match Program::parse(command) {
                    Ok(program) => match self.beyond(&program) {
                        Some(reason) => Act::Command(reason),
                        None => Act::Program(program),
                    },
                    Err(reason) => Act::Command(reason),
                }
            }
            "TodoWrite" => Act::Todos,
            other => Act::Unknown(other.to_owned()),
        })
    }

    /// Why a program does more than this run may look at without asking, if so.
    fn beyond(&self, program: &Program) -> Option<String> {
        let folder = self.rooms.folder();
        match self.powers {
            Powers::Memory => program.beyond_files(folder),
            Powers::Conversation => program.beyond_files(folder).or_else(|| {
                // An option is a path to nothing in the folder itself.
                let elsewhere = |argument: &&String| {
                    !matches!(
                        self.rooms.place(argument),
                        Ok(Place::Open(_)
                            | Place::Obeyed(_)
                            | Place::Record(_)
                            | Place::Scratchpad(_)
                            | Place::Memory(_)
                            | Place::MemoryFolder(_))
                    )
                };
                let found = program.arguments().iter().find(elsewhere)?;
                Some(format!("{found} is not in the project"))
            }),
            Powers::Notes | Powers::Nothing => None,
        }
    }

    fn deny(&mut self, call: &Call, act: &Act, denial: &Denial) -> Answer {
        let target = match act {
            Act::Look(place) | Act::Edit(place) | Act::Write(place) => {
                place.path(&self.rooms).display().to_string()
            }
            // A command line can hold a secret; the program's name tells enough.
            Act::Program(_) | Act::Command(_) => {
                let command = call.optional("command").unwrap_or_default();
                command
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .take(80)
                    .collect()
            }
            Act::Todos | Act::Unknown(_) => String::new(),
        };
        self.log(call, &target, &denial.to_string());
        Answer::error(denial.to_string())
    }

    /// Writes down that something was not allowed. A path can hold a secret too.
    pub(crate) fn log(&mut self, call: &Call, target: &str, reason: &str) {
        let short = |text: &str| scrub_to(text, LOGGED_CHARACTERS);
        self.denied.push(Denied {
            tool: short(&call.tool),
            target: short(target),
            reason: short(reason),
        });
    }

    /// A memory's text, and that the run has seen it.
    pub(crate) fn memory(
        &mut self,
        path: &MemoryPath,
    ) -> Result<Option<(String, Option<String>)>, Answer> {
        let found = self
            .shelf
            .read(path)
            .map_err(|error| Answer::error(error.to_string()))?;
        let text = found.as_ref().map(|found| {
            let text = as_text(&found.bytes).into_owned();
            (text, (self.caveat)(found))
        });
        self.seen.insert(path.clone(), found);
        Ok(text)
    }
}
