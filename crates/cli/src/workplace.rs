//! The memory directory that a command works on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memdir_session::Home;
use memdir_store::places::Origin;
use memdir_store::{Environment, Places, RecordError, SecretPolicy, Store, record_root};

use crate::arguments::Place;
use crate::clock::Clock;
use crate::failure::Failure;
use crate::quoting::quoted;

/// Where a command works.
pub(crate) struct Workplace {
    pub(crate) places: Places,
    pub(crate) store: Arc<Store>,
    /// Whether these are the memories for all projects.
    pub(crate) everywhere: bool,
    /// What the program was started with.
    pub(crate) environment: Environment,
    /// Whether the project was named, instead of being the one around the current folder.
    pub(crate) named_project: bool,
    /// The flags that lead here again.
    flags: String,
}

impl Workplace {
    /// Finds the memory directory. Creates nothing.
    pub(crate) fn find(place: &Place) -> Result<Workplace, Failure> {
        Workplace::at(environment(place)?, place)
    }

    /// The same to ask the user about files of the project: what they set does not count, and stops nobody either.
    pub(crate) fn before_trust(place: &Place) -> Result<Workplace, Failure> {
        Workplace::at(environment(place)?.before_trust(), place)
    }

    /// Finds the memory directory of another environment than this program's own.
    pub(crate) fn at(environment: Environment, place: &Place) -> Result<Workplace, Failure> {
        let places = Places::find(&environment)?;
        let (memory, state) = match place.everywhere {
            true => {
                let memory = places.everywhere_dir();
                let state = places.state_dir_of(&memory);
                (memory, state)
            }
            false => (places.memory_dir.path.clone(), places.state_dir.clone()),
        };
        Ok(Workplace {
            store: Arc::new(Store::new(memory, state)),
            everywhere: place.everywhere,
            places,
            environment,
            named_project: place.project.is_some(),
            flags: flags(place),
        })
    }

    /// The memories of another project.
    pub(crate) fn in_project(&self, folder: &Path) -> Result<Workplace, Failure> {
        let environment = self.environment.clone().with_project(folder);
        let places = Places::find(&environment)?;
        Ok(Workplace {
            store: Arc::new(Store::new(&places.memory_dir.path, &places.state_dir)),
            everywhere: false,
            places,
            environment,
            named_project: true,
            flags: String::new(),
        })
    }

    /// Records for which project the directory is, so that a second one with the same slug can be told.
    pub(crate) fn record_root(&self) -> Result<(), RecordError> {
        if self.everywhere || matches!(self.places.memory_dir.origin, Origin::Flag(_)) {
            return Ok(());
        }
        let now = Clock::new().now();
        record_root(self.store.state_directory(), &self.places.project.root, now)
    }

    /// Whether the user said which memories are meant, instead of those around the current folder.
    pub(crate) fn is_told(&self) -> bool {
        !self.flags.is_empty()
    }

    /// The same as conversations know it.
    pub(crate) fn home(&self) -> Home {
        Home {
            environment: self.environment.clone(),
            places: self.places.clone(),
            store: Arc::clone(&self.store),
        }
    }

    /// What becomes of a secret in a memory.
    pub(crate) fn secret_policy(&self) -> SecretPolicy {
        self.home().secrets()
    }

    /// What the user's organisation adds to prompts, unless the repository put it there.
    pub(crate) fn guidelines(&self) -> Option<String> {
        self.home().guidelines()
    }

    /// A command that a person can type next, about these same memories.
    pub(crate) fn command(&self, words: &str) -> String {
        format!("`memdir {words}{}`", self.flags)
    }

    /// A path as a person would write it: `~` for the home directory.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let home = self
            .places
            .user_home
            .as_deref()
            .filter(|home| home.parent().is_some());
        match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(rest) if rest == Path::new("") => "~".to_owned(),
            Some(rest) => PathBuf::from("~").join(rest).display().to_string(),
            None => path.display().to_string(),
        }
    }
}

/// What this program was started with, and what was typed.
pub(crate) fn environment(place: &Place) -> Result<Environment, Failure> {
    let current = std::env::current_dir().map_err(|error| {
        Failure::new(
            format!("the current folder cannot be found: {error}"),
            "go to a folder that exists",
        )
    })?;
    let mut environment = Environment::new(current, std::env::vars_os());
    environment = environment.with_settings(place.set.clone());
    environment = environment.with_bare(place.bare);
    for folder in &place.started_in {
        environment = environment.started_in(folder);
    }
    if let Some(project) = &place.project {
        environment = environment.with_project(project);
    }
    if let Some(memory_dir) = &place.memory_dir {
        environment = environment.with_memory_dir(memory_dir);
    }
    Ok(environment)
}

/// The flags by which this place was named, as they would be typed again.
fn flags(place: &Place) -> String {
    let mut flags = String::new();
    for (flag, folder) in [
        ("--project", &place.project),
        ("--memory-dir", &place.memory_dir),
    ] {
        if let Some(folder) = folder {
            flags.push_str(&format!(" {flag} {}", quoted(folder)));
        }
    }
    if place.everywhere {
        flags.push_str(" --everywhere");
    }
    flags
}
