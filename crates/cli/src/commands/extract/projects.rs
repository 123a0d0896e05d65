//! Where what was found goes: to the project in whose folder a conversation began.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use memdir_agent::by_rules::Heard;
use memdir_agent::keep::{Held, Judge, KeepError, Keeper, Kept, Refused, Saved, Suggestion};
use memdir_memory::MemoryPath;
use memdir_settings::{Mode, Secrets, ToolTrust};
use memdir_store::places::PlacesError;
use memdir_store::{Author, Places, Reason, SecretPolicy, Store, record_root};

use crate::clock::Clock;
use crate::failure::Failure;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// All projects that conversations belong to.
pub(super) struct Projects<'a> {
    workplace: &'a Workplace,
    /// Whether everything goes to one place, because the user said so.
    told: bool,
    /// By the folder in which conversations began.
    folders: HashMap<Option<String>, Found>,
    pub(super) all: Vec<Project>,
}

/// What is known of the folder of a conversation.
pub(super) enum Found<T = usize> {
    Project(T),
    /// It is not there any more.
    Gone(String),
    /// Nothing is to be extracted there.
    Off(PathBuf),
    /// Where its memories are cannot be told, for this reason.
    Unknown(String),
}

/// A project, what was found for it and what became of that.
pub(super) struct Project {
    pub(super) root: Option<PathBuf>,
    pub(super) store: Store,
    mode: Mode,
    secrets: SecretPolicy,
    team: bool,
    pub(super) trust: ToolTrust,
    pending: Vec<Suggestion>,
    pub(super) conversations: usize,
    pub(super) left_to_agent: usize,
    pub(super) saved: Vec<Saved>,
    pub(super) waiting: Vec<Held>,
    pub(super) known: Vec<MemoryPath>,
    pub(super) refused: Vec<Refused>,
    pub(super) operations: Vec<u64>,
    pub(super) warnings: Warnings,
}

impl<'a> Projects<'a> {
    pub(super) fn new(workplace: &'a Workplace) -> Self {
        Self {
            told: workplace.is_told(),
            workplace,
            folders: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// Under which name a transcript is remembered: one that was sent elsewhere is another.
    pub(super) fn key_of(&self, transcript: &Path) -> PathBuf {
        match self.told {
            true => {
                let memory = self.workplace.store.memory_directory().display();
                let mut name = transcript.as_os_str().to_owned();
                name.push(format!(" to {}", memory.to_string().replace('/', "-")));
                PathBuf::from(name)
            }
            false => transcript.to_path_buf(),
        }
    }

    /// The project of a conversation that began in this folder.
    pub(super) fn of(&mut self, folder: Option<&str>) -> Found<&mut Project> {
        let key = folder.filter(|_| !self.told).map(str::to_owned);
        if !self.folders.contains_key(&key) {
            let found = self.find(key.as_deref());
            self.folders.insert(key.clone(), found);
        }
        match self.folders.get(&key) {
            Some(Found::Project(at)) => match self.all.get_mut(*at) {
                Some(project) => Found::Project(project),
                None => Found::Gone(String::new()),
            },
            Some(Found::Off(root)) => Found::Off(root.clone()),
            Some(Found::Gone(folder)) => Found::Gone(folder.clone()),
            Some(Found::Unknown(reason)) => Found::Unknown(reason.clone()),
            None => Found::Gone(String::new()),
        }
    }

    fn find(&mut self, folder: Option<&str>) -> Found {
        let here = &self.workplace.places;
        let other;
        let places = match folder {
            None => here,
            Some(folder) => {
                let path = Path::new(folder);
                let environment = self.workplace.environment.clone().with_project(path);
                match path.is_absolute().then(|| Places::find(&environment)) {
                    Some(Ok(found)) => {
                        other = found;
                        &other
                    }
                    Some(Err(moved @ PlacesError::Moved(_))) => {
                        return Found::Unknown(Failure::from(moved).whole());
                    }
                    Some(Err(_)) | None => return Found::Gone(folder.to_owned()),
                }
            }
        };
        let settings = places.settings.settings();
        if settings.extraction.mode == Mode::Off {
            return Found::Off(places.project.root.clone());
        }
        let (memory, state) = match self.told || folder.is_none() {
            true => (
                self.workplace.store.memory_directory().to_path_buf(),
                self.workplace.store.state_directory().to_path_buf(),
            ),
            false => (places.memory_dir.path.clone(), places.state_dir.clone()),
        };
        let same = |project: &Project| project.store.memory_directory() == memory;
        if let Some(at) = self.all.iter().position(same) {
            return Found::Project(at);
        }
        self.all.push(Project {
            root: (!self.told).then(|| places.project.root.clone()),
            store: Store::new(memory, state),
            mode: settings.extraction.mode,
            secrets: match settings.secrets.private {
                Secrets::Refuse => SecretPolicy::Refuse,
                Secrets::Redact => SecretPolicy::Redact,
            },
            team: settings.team.enabled,
            trust: settings.memory.trust,
            pending: Vec::new(),
            conversations: 0,
            left_to_agent: 0,
            saved: Vec::new(),
            waiting: Vec::new(),
            known: Vec::new(),
            refused: Vec::new(),
            operations: Vec::new(),
            warnings: Warnings::default(),
        });
        Found::Project(self.all.len() - 1)
    }

    /// Saves what was found so far, one operation for each project.
    pub(super) fn save(&mut self, dry_run: bool) -> Result<(), Failure> {
        self.all
            .iter_mut()
            .try_for_each(|project| project.save(dry_run))
    }

    /// Records which directory is whose, as every command that writes does.
    pub(super) fn record_roots(&self, dry_run: bool, warnings: &mut Warnings) {
        let written = self.all.iter().filter(|one| !one.saved.is_empty());
        for project in written.filter(|_| !dry_run) {
            if let Some(root) = &project.root
                && let Err(error) =
                    record_root(project.store.state_directory(), root, Clock::new().now())
            {
                warnings.add(format!(
                    "saved, but for which project could not be recorded: {error}"
                ));
            }
        }
    }
}

impl Project {
    /// Takes what was heard in a conversation.
    pub(super) fn take(&mut self, conversation: &str, heard: Heard) {
        self.conversations += 1;
        self.left_to_agent += heard.left_to_agent;
        self.pending
            .extend(heard.suggestions.into_iter().map(|mut suggestion| {
                suggestion.conversation = Some(conversation.to_owned());
                suggestion
            }));
    }

    fn save(&mut self, dry_run: bool) -> Result<(), Failure> {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok(());
        }
        let first = pending.first().and_then(|one| one.conversation.clone());
        let only = pending.iter().all(|one| one.conversation == first);
        let keeper = self.keeper(Author::Rules, first.filter(|_| only));
        let kept = match dry_run {
            true => keeper.plan(&pending, Judge::Rules),
            false => keeper.keep(&pending, Judge::Rules),
        };
        let kept = kept.map_err(|KeepError::Store(error)| error)?;
        self.add(kept);
        Ok(())
    }

    /// Who decides what becomes of something that was found.
    pub(super) fn keeper(&self, author: Author, conversation: Option<String>) -> Keeper<'_> {
        Keeper {
            store: &self.store,
            mode: self.mode,
            reason: Reason {
                conversation,
                ..Reason::new(author, "extract")
            },
            secrets: self.secrets,
            team: self.team,
        }
    }

    /// Counts what became of it.
    pub(super) fn add(&mut self, kept: Kept) {
        self.saved.extend(kept.saved);
        self.waiting.extend(kept.waiting);
        self.known.extend(kept.known);
        self.refused.extend(kept.refused);
        self.operations.extend(kept.operation);
        self.warnings.notices(&kept.notices);
    }
}
