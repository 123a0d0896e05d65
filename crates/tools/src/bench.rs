//! Where a run works: its rooms, its powers, what it has read, and the tools.

use std::collections::HashMap;
use std::path::PathBuf;

use memdir_memory::{MemoryPath, as_text, hidden, secrets, without_private};
use memdir_store::Found;

use crate::{Act, Answer, Call, Denial, Place, Powers, Program, Rooms, Shelf, Verdict, decide};
use crate::{edit, glob, grep, looked, read, shell, write};

/// So much of a path or a reason is written down.
const LOGGED_CHARACTERS: usize = 300;

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
}

/// What is said of a memory's age.
type Caveat<'a> = Box<dyn Fn(&Found) -> Option<String> + 'a>;

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
        }
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
        match decide(self.powers, &act) {
            Verdict::Allow => {}
            Verdict::Ask => return self.deny(call, &act, &Denial::new("nobody is there to ask")),
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
            Act::Command(_) | Act::Unknown(_) => Answer::error("there is no such tool"),
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
        answer
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
                    Ok(program) => match program.beyond_files(self.rooms.folder()) {
                        Some(reason) if self.powers == Powers::Memory => Act::Command(reason),
                        _ => Act::Program(program),
                    },
                    Err(reason) => Act::Command(reason),
                }
            }
            other => Act::Unknown(other.to_owned()),
        })
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
            Act::Unknown(_) => String::new(),
        };
        self.log(call, &target, &denial.to_string());
        Answer::error(denial.to_string())
    }

    /// Writes down that something was not allowed. A path can hold a secret too.
    pub(crate) fn log(&mut self, call: &Call, target: &str, reason: &str) {
        let short = |text: &str| -> String {
            let clean = hidden::clean(text).text.into_owned();
            let redacted = secrets::redact(&clean);
            redacted.text.chars().take(LOGGED_CHARACTERS).collect()
        };
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
