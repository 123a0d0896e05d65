//! What becomes of something worth keeping: into the memory directory, into the inbox, or nowhere.
//!
//! Whoever finds it, rules or a model, hands in [`Suggestion`]s. Here it is decided, by code alone, whose word each is,
//! whether a memory says it already, and whether it is written or waits for the user. All that is written is one
//! operation, topic files with their index lines, which one `undo` takes back.

mod admit;
mod apply;
mod catalogue;
mod forgetting;
mod refine;
mod whole;

use jiff::Timestamp;
use jiff::civil::Date;
use memdir_memory::draft::{Draft, Given};
use memdir_memory::{MemoryPath, MemoryType, Source, Topic};
use memdir_settings::Mode;
use memdir_store::{Error, Found, Notice, Reason, SecretPolicy, Store};

use crate::origin::{Claim, Window};
use apply::Changes;
use refine::Fate;

pub use catalogue::{Catalogue, Known, Likeness, Near, topic_says};
pub(crate) use whole::rewritten;

/// How often it is tried again because somebody else changed the same memories in the same instant.
const ATTEMPTS: usize = 20;

/// Something worth keeping, before it is decided what becomes of it.
#[derive(Debug, Clone)]
pub struct Suggestion {
    /// What is wanted.
    pub wanted: Wanted,
    /// The user's words that it stands on.
    pub evidence: Option<String>,
    /// Whether it is for the team.
    pub team: bool,
    /// The message that it came from.
    pub message: Option<String>,
    /// The conversation, where not all of a run are of the same.
    pub conversation: Option<String>,
    /// When it was said. A memory is as old as what it says.
    pub said: Option<Timestamp>,
}

/// What a suggestion wants.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// This, as a memory of its own or in the one that is nearly the same.
    Kept(Box<Draft>),
    /// This file, whole, by an author who saw that one.
    Written {
        /// Which memory.
        path: MemoryPath,
        /// What its author saw there; none for a new one.
        seen: Option<Found>,
        /// What it shall be.
        topic: Box<Topic>,
    },
    /// That the one memory goes which says this.
    Forgotten(String),
    /// That this memory goes.
    Removed(MemoryPath),
}

/// Whose word it is.
#[derive(Debug, Clone, Copy)]
pub enum Judge<'a> {
    /// Rules found it in what the user typed.
    Rules,
    /// A model wrote it, having been shown this.
    Window(&'a Window),
}

/// Decides for one memory directory.
#[derive(Debug)]
pub struct Keeper<'a> {
    /// Where the memories are.
    pub store: &'a Store,
    /// Whether what is found is saved, waits for the user, or is let go.
    pub mode: Mode,
    /// Who keeps, why, and from which conversation.
    pub reason: Reason,
    /// What becomes of a secret in private memory.
    pub secrets: SecretPolicy,
    /// Whether there is a team to write for.
    pub team: bool,
}

/// What became of suggestions.
#[derive(Debug, Default)]
pub struct Kept {
    /// Memories that were made, changed or removed.
    pub saved: Vec<Saved>,
    /// Suggestions that wait for the user: their files in the inbox.
    pub waiting: Vec<Held>,
    /// Memories that say it already.
    pub known: Vec<MemoryPath>,
    /// What was not kept, and why.
    pub refused: Vec<Refused>,
    /// The operation on the memories.
    pub operation: Option<u64>,
    /// What was altered on the way to the disk.
    pub notices: Vec<Notice>,
}

/// A memory that was made, changed or removed.
#[derive(Debug, Clone)]
pub struct Saved {
    /// Which.
    pub path: MemoryPath,
    /// Its content before; none for a new one.
    pub before: Option<Vec<u8>>,
    /// Its content now; none for one that went.
    pub after: Option<Vec<u8>>,
}

/// A suggestion that waits for the user.
#[derive(Debug, Clone)]
pub struct Held {
    /// Its file in the inbox; none before it is written.
    pub path: Option<MemoryPath>,
    /// The memory it is for.
    pub target: MemoryPath,
    /// What it would make of it.
    pub topic: Topic,
    /// Why it waits.
    pub because: Because,
}

/// Why a suggestion waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// The user wants to be asked.
    Asked,
    /// It is the word of somebody else.
    Origin(Source),
}

/// Something that was not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The message it came from.
    pub message: Option<String>,
    /// Why not.
    pub why: Why,
}

/// Why something was not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It holds a secret; the value is never carried.
    Secret {
        /// The rule that found it.
        rule: &'static str,
    },
    /// Nothing is left of it without what is private or hidden.
    Empty,
    /// It was to be forgotten, and no memory or more than one says it.
    Unclear,
    /// The memory changed after this was said.
    Newer(MemoryPath),
    /// It cannot be a memory.
    Name(String),
    /// It is not for the team: there is none, or it is about the user.
    NotForTeam(MemoryPath),
}

/// Why nothing could be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The disk, or somebody who kept changing the same memories.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Suggestion {
    /// That this be kept, said on that day; type, name and description are guessed.
    #[must_use]
    pub fn said(text: &str, today: Date) -> Self {
        let draft = Draft::new(text, Given::default(), today);
        Self::of(Wanted::Kept(Box::new(draft)))
    }

    /// A suggestion of which nothing else is known.
    #[must_use]
    pub fn of(wanted: Wanted) -> Self {
        Self {
            wanted,
            evidence: None,
            team: false,
            message: None,
            conversation: None,
            said: None,
        }
    }
}

impl Keeper<'_> {
    /// Decides, and writes.
    ///
    /// ```
    /// use memdir_agent::keep::{Judge, Keeper, Suggestion};
    /// use memdir_settings::Mode;
    /// use memdir_store::{Author, Reason, Store};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    /// let keeper = Keeper {
    ///     store: &store,
    ///     mode: Mode::Auto,
    ///     reason: Reason::new(Author::Rules, "extract"),
    ///     secrets: Default::default(),
    ///     team: false,
    /// };
    /// let said = Suggestion::said("Never push to main on a Friday.", "2026-11-16".parse()?);
    /// let kept = keeper.keep(&[said.clone()], Judge::Rules)?;
    /// assert_eq!(kept.saved[0].path.as_str(), "feedback_never_push_main_friday.md");
    /// // Once is enough.
    /// assert!(keeper.keep(&[said], Judge::Rules)?.saved.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the memories cannot be read or written. Then nothing has changed.
    pub fn keep(&self, suggestions: &[Suggestion], judge: Judge<'_>) -> Result<Kept, KeepError> {
        if self.mode == Mode::Off || suggestions.is_empty() {
            return Ok(Kept::default());
        }
        let mut attempt = 1;
        loop {
            let changes = self.changes(suggestions, judge)?;
            match changes.commit(self) {
                // Somebody took the name, or changed the lines: what they wrote is looked at first.
                Err(Error::Exists(_) | Error::Conflict { .. }) if attempt < ATTEMPTS => {
                    attempt += 1;
                }
                kept => return Ok(kept?),
            }
        }
    }

    /// What [`Keeper::keep`] would do. Writes nothing.
    ///
    /// # Errors
    ///
    /// When the memories cannot be read.
    pub fn plan(&self, suggestions: &[Suggestion], judge: Judge<'_>) -> Result<Kept, KeepError> {
        if self.mode == Mode::Off || suggestions.is_empty() {
            return Ok(Kept::default());
        }
        Ok(self.changes(suggestions, judge)?.planned())
    }

    fn changes(&self, suggestions: &[Suggestion], judge: Judge<'_>) -> Result<Changes, KeepError> {
        let mut changes = Changes::new(Catalogue::read(self.store)?);
        for suggestion in suggestions {
            self.decide(suggestion, judge, &mut changes);
        }
        Ok(changes)
    }

    fn decide(&self, suggestion: &Suggestion, judge: Judge<'_>, changes: &mut Changes) {
        let outcome = match &suggestion.wanted {
            Wanted::Kept(draft) => self.keep_draft(suggestion, draft, judge, changes),
            Wanted::Written { path, seen, topic } => {
                self.write_topic(suggestion, (path, seen.as_ref(), topic), judge, changes)
            }
            Wanted::Forgotten(text) => self.forget(suggestion, text, judge, changes),
            Wanted::Removed(path) => self.remove(suggestion, path, judge, changes),
        };
        if let Err(why) = outcome {
            changes.refuse(suggestion, why);
        }
    }

    fn keep_draft(
        &self,
        suggestion: &Suggestion,
        draft: &Draft,
        judge: Judge<'_>,
        changes: &mut Changes,
    ) -> Result<(), Why> {
        let about_user = draft.memory_type == MemoryType::User;
        let team = self.team && suggestion.team && !about_user;
        let (draft, evidence) = self.admitted(draft, suggestion.evidence.as_deref(), team)?;
        let claim = Claim {
            name: &draft.name,
            description: &draft.description,
            body: &draft.body,
            evidence: evidence.as_deref(),
        };
        let source = judge.source(&claim);
        let catalogue = &changes.catalogue;
        let likeness = catalogue.compare(&draft.body, &draft.typed);
        if let Some(known) = likeness.known {
            let path = known.path.clone();
            changes.known.push(path);
            return Ok(());
        }
        let marks = self.marks(suggestion, judge.checked(evidence.as_deref()));
        let near = likeness.nearest;
        let fate = near.and_then(|near| refine::fate(catalogue, &near, &draft, team));
        let (path, topic) = match fate {
            Some(Fate::Known(known)) => {
                let path = known.path.clone();
                changes.known.push(path);
                return Ok(());
            }
            Some(Fate::Into(known, opposed)) => {
                let topic = Topic::parse(&known.bytes);
                let refined = refine::refined(&topic, &draft, opposed);
                let source = less_trusted(known.header.source, source);
                (known.path.clone(), marks.on(refined, source))
            }
            None => {
                let path = catalogue.free_path(draft.memory_type, &draft.name, team);
                let path = path.map_err(|problem| Why::Name(problem.to_string()))?;
                let text = draft.compose(source, &marks.pairs());
                (path, Topic::from_bytes(text.into_bytes()))
            }
        };
        changes.write(self, suggestion, path, topic, source);
        Ok(())
    }
}

impl Judge<'_> {
    /// Words that are cited, if the user typed them.
    fn checked(self, evidence: Option<&str>) -> Option<&str> {
        match self {
            Judge::Rules => evidence,
            Judge::Window(window) => evidence.filter(|evidence| window.was_typed(evidence)),
        }
    }

    fn source(self, claim: &Claim<'_>) -> Source {
        match self {
            Judge::Rules => Source::Rules,
            Judge::Window(window) => window.origin(claim),
        }
    }
}

/// A memory that two have written is worth the word of the lesser.
fn less_trusted(one: Option<Source>, other: Source) -> Source {
    let rank = |source: Source| Source::ALL.iter().position(|known| *known == source);
    match one {
        Some(one) if rank(one) > rank(other) => one,
        _ => other,
    }
}

/// What was made of all of these is worth the word of the least of them. A memory that does not say whose word it is was
/// written by an agent or an editor; where none says it, nobody does.
pub(crate) fn least_trusted(all: &[Option<Source>]) -> Option<Source> {
    if all.iter().all(Option::is_none) {
        return None;
    }
    let known = all.iter().map(|source| source.unwrap_or(Source::Agent));
    known.reduce(|one, other| less_trusted(Some(one), other))
}
