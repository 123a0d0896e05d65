//! The memories of one project, ready to be asked and changed.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memdir_agent::keep::{Judge, Keeper, Kept, Suggestion};
use memdir_agent::origin::Window;
use memdir_memory::MemoryPath;
use memdir_recall::{Answer, Finder, OpenFinder, Question};
use memdir_session::Home;
use memdir_settings::Mode;
use memdir_store::places::Origin;
use memdir_store::{Author, Memory, Reason, Scan, Store, record_root};

use super::refusal::Refusal;

/// One project's memories.
pub(crate) struct Room {
    pub(crate) home: Home,
    /// Kept open between questions; it looks at the files before each answer.
    finder: Mutex<OpenFinder>,
    conversation: String,
}

impl Room {
    pub(crate) fn new(home: Home, finder: Finder, conversation: &str) -> Self {
        Self {
            home,
            finder: Mutex::new(finder.at_once().open()),
            conversation: conversation.to_owned(),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.home.store
    }

    /// Where the memories are.
    pub(crate) fn directory(&self) -> &Path {
        self.home.store.memory_directory()
    }

    /// Why memory is off here, where it is.
    pub(crate) fn off(&self) -> Option<Refusal> {
        let memory = &self.home.places.memory;
        let why = match memory.enabled {
            false => format!("Memory is off here, by {}", memory.reason),
            true if self.home.pauses().is_paused(&self.conversation) => {
                "The user has paused memory for this conversation".to_owned()
            }
            true => return None,
        };
        Some(Refusal::new(
            why,
            "Nothing was read or saved; go on without it",
        ))
    }

    /// The memories that help with something.
    pub(crate) fn find(&self, query: &str, limit: usize) -> Result<Answer, Refusal> {
        let now = Timestamp::now();
        let today = day(now);
        let question = Question {
            limit,
            now,
            is_over: &|day| day < today,
            ..Question::new(query)
        };
        let mut finder = self.finder.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = finder.find(&question)?;
        if answer.pending > 0 {
            finder.complete_beside();
        }
        Ok(answer)
    }

    /// The one memory that is meant by a name.
    pub(crate) fn named<'a>(&self, scan: &'a Scan, name: &str) -> Result<&'a Memory, Refusal> {
        only(&scan.called(name), name)
    }

    /// The same for what is to go: the beginning of a name is not enough.
    pub(crate) fn named_exactly<'a>(
        &self,
        scan: &'a Scan,
        name: &str,
    ) -> Result<&'a Memory, Refusal> {
        let exact = scan.called_exactly(name);
        if exact.is_empty()
            && let Some(alike) = scan.called(name).first()
        {
            return Err(Refusal::new(
                format!(
                    "`{}` is not the whole name of a memory",
                    name.escape_debug()
                ),
                format!("Give all of it, such as {}", alike.path),
            ));
        }
        only(&exact, name)
    }

    /// Who does something here: always the agent, whatever it says of itself.
    pub(crate) fn reason(&self, what: &str) -> Reason {
        Reason {
            conversation: Some(self.conversation.clone()),
            ..Reason::new(Author::Agent, what)
        }
    }

    /// Makes a change as the agent's own word; nothing that it hands in can make it the user's. Where the user wants to be
    /// asked it waits in the inbox: see [`waits`].
    pub(crate) fn keep(&self, what: &str, suggestion: Suggestion) -> Result<Kept, Refusal> {
        let keeper = Keeper {
            store: self.store(),
            mode: match self.home.settings().extraction.mode {
                Mode::Ask => Mode::Ask,
                // What an agent does at the user's word is no extraction.
                Mode::Auto | Mode::Off => Mode::Auto,
            },
            reason: self.reason(what),
            secrets: self.home.secrets(),
            team: self.home.settings().team.enabled,
        };
        let nobody = Window::default();
        let kept = keeper.keep(&[suggestion], Judge::Window(&nobody))?;
        match kept.refused.first() {
            Some(refused) => Err(Refusal::from(refused)),
            None => {
                self.record_root();
                Ok(kept)
            }
        }
    }

    /// Records for which project the directory is, as every writing command does.
    pub(crate) fn record_root(&self) {
        let places = &self.home.places;
        let is_projects = self.directory() == places.memory_dir.path;
        if is_projects && !matches!(places.memory_dir.origin, Origin::Flag(_)) {
            // What it is for is a hint for later; the change itself is made.
            let _ = record_root(&places.state_dir, &places.project.root, Timestamp::now());
        }
    }
}

/// What is said of a change that waits for the user, where it does.
pub(crate) fn waits(kept: &Kept) -> Option<String> {
    let held = kept.waiting.first()?;
    Some(format!(
        "Not saved yet: the user wants to be asked, and the change of {} waits for their word. Do not try again.",
        held.target
    ))
}

/// The one that is meant, or what to say where there is none or more than one.
fn only<'a>(meant: &[&'a Memory], name: &str) -> Result<&'a Memory, Refusal> {
    match meant {
        [only] => Ok(only),
        [] => Err(Refusal::new(
            format!("There is no memory `{}`", name.escape_debug()),
            "Call `list` to see what there is",
        )),
        several => {
            let paths = several.iter().take(8).map(|memory| memory.path.as_str());
            Err(Refusal::new(
                format!(
                    "`{}` could be any of {} memories",
                    name.escape_debug(),
                    several.len()
                ),
                format!(
                    "Give the whole name, such as {}",
                    paths.collect::<Vec<_>>().join(", ")
                ),
            ))
        }
    }
}

/// The day on which something happens, for the user.
pub(crate) fn day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::system()).date()
}

/// Whether a memory is in the team's folder, where others can change it whatever it says of itself.
pub(crate) fn is_teams(path: &MemoryPath) -> bool {
    path.components().next() == Some("team")
}
