//! Where everything lives: computed once from an [`Environment`], and from there on looked up.
//!
//! Nothing that a repository can carry chooses a path: not its settings, not its local settings before
//! the user has vouched for them, not the `env` block of either, not its git pointers.

mod choice;
mod chooser;
mod environment;
mod layers;
mod moving;
mod sessions;
mod transcripts;
mod withheld;

use std::path::{Path, PathBuf};

use memdir_settings::{
    ClaudeSettings, CompactionDecisions, Decision, Key, Layer, OwnSettings, Problem, Resolved,
    Sources, Trust, decide, decide_compaction, resolve, variables,
};

pub use choice::{Located, Origin, Refusal, RefusalReason};
pub use environment::Environment;
pub use layers::NamedVariable;
pub(crate) use layers::{CLAUDE_LOCAL_NAME, CLAUDE_NAME, OWN_LOCAL_NAME, SETTINGS_FOLDER};
pub use memdir_memory::AgentScope;
pub use moving::MovingFile;
pub use sessions::SessionPlaces;
pub use transcripts::Beginning;
pub use withheld::Withheld;

use crate::project::Project;
use crate::reader::canonical_folder;
use crate::settings_file::SETTINGS_NAME;
use crate::slug::slug;
use crate::trust::is_trusted;
use choice::{Strictness, check, normal};
use chooser::Chooser;
use layers::{OwnFile, ProjectFile};

const MEMORY_DIR_FLAG: &str = "--memory-dir";
const ENABLED_KEY: &str = "memory.enabled";

/// Everything that has a place, for one start folder.
///
/// ```
/// use memdir_store::{Environment, Places};
///
/// let folder = tempfile::tempdir().unwrap();
/// let environment = Environment::new(folder.path(), [("HOME", "/home/ada")]);
/// let places = Places::find(&environment).unwrap();
/// assert_eq!(places.home.path, std::path::Path::new("/home/ada/.claude"));
/// assert!(places.memory_dir.path.starts_with("/home/ada/.claude/projects"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// memdir's home, shared with Claude Code unless the user says otherwise.
    pub home: Located,
    /// The user's home directory, for `~`; `None` where the system knows none.
    pub user_home: Option<PathBuf>,
    /// Where the conversation began, absolute and canonical.
    pub start_folder: PathBuf,
    /// The project of the start folder.
    pub project: Project,
    /// The slug of the project's root.
    pub slug: String,
    /// The slug of the start folder.
    pub start_slug: String,
    /// The memory directory. It need not exist.
    pub memory_dir: Located,
    /// The slug of the memory directory's own path.
    pub key: String,
    /// What is ours about this memory directory: history, lock, inbox, records.
    pub state_dir: PathBuf,
    /// Whether memory is on, and why.
    pub memory: Decision,
    /// Whether the host runs somewhere else than at the user's.
    pub remote: bool,
    /// Which compactions are on, and why.
    pub compaction: CompactionDecisions,
    /// Every setting with its origin, and what is wrong with the files.
    pub settings: Resolved,
    /// Variables that are not believed, because the repository sets them.
    pub ignored_variables: Vec<NamedVariable>,
    /// Variables that count although the repository sets them: all they do is switch something off.
    pub obeyed_variables: Vec<NamedVariable>,
    /// What no program that we start is to see, because the repository sets it.
    withheld: Vec<Withheld>,
    /// What stands in for home above `projects/`, where something does.
    remote_base: Option<PathBuf>,
    /// The home under which is recorded what the user has vouched for: found without any variable that a file around the
    /// start folder sets, so that it is the same for whoever asks.
    trust_home: PathBuf,
}

/// Why nothing can be found at all.
#[derive(Debug, thiserror::Error)]
pub enum PlacesError {
    /// The start folder is not there.
    #[error("cannot start in {}: {}", path.display(), words(source))]
    StartFolder {
        /// The folder, as it was given.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Neither a variable nor the system tells where home is.
    #[error("there is no home directory; set HOME or MEMDIR_HOME to an absolute path")]
    NoHome,
    /// The user asked for a memory directory that cannot be one. Unlike a configured one it does not
    /// fall to the next: a command must not act on other memories than those asked for.
    #[error("--memory-dir {value:?} cannot be used: {reason}")]
    MemoryDir {
        /// What was asked for.
        value: String,
        /// Why not.
        reason: RefusalReason,
    },
    /// A file that the repository may have brought moves what is the user's. Which place the user means nobody knows then.
    #[error("{}", moving::told(.0))]
    Moved(Vec<MovingFile>),
}

/// The two that happen, in plain words.
fn words(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        std::io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        _ => error.to_string(),
    }
}

impl Places {
    /// Finds all places. Reads settings and git's pointers; creates nothing.
    pub fn find(environment: &Environment) -> Result<Self, PlacesError> {
        let start_folder = start_folder(environment)?;
        let project = Project::find(&start_folder);

        // One that is gone is taken as it was given: its parents may be there.
        let others = environment.other_folders().into_iter();
        let others = others.map(|folder| canonical_folder(&folder).unwrap_or(folder));
        let others: Vec<PathBuf> = others.collect();
        let (mut files, mut own) = layers::project_files(&start_folder, &project.checkout, &others);
        let own_home = layers::user_home(environment, &files);
        layers::without_users_own(&mut files, &mut own, own_home.as_deref());
        // Whom the user trusts is recorded under home, so that home is found without any of them.
        let (ignored, _) = layers::named_variables(environment, &files);
        let chooser = Chooser {
            environment,
            ignored,
        };
        let slug = slug(&project.root);
        let trust_home = match chooser.home(own_home.as_deref()) {
            Ok(home) => home.path,
            Err(error) => {
                let unknown = moving::Own::unknown(environment);
                return Err(moving::refuse(&files, &unknown).err().unwrap_or(error));
            }
        };
        vouch(&mut files, &mut own, &trust_home);
        let (mut ignored, obeyed_variables) = layers::named_variables(environment, &files);
        if !environment.is_before_trust {
            let own = moving::Own::new(environment, own_home.as_deref(), &trust_home, &slug);
            moving::refuse(&files, &own)?;
            // What they say is what the user has.
            ignored.retain(|named| !variables::PLACING.contains(&named.name));
        }
        let user_home = layers::user_home(environment, &files);
        let withheld = layers::withheld(&files);
        let chooser = Chooser {
            environment,
            ignored,
        };
        let home = chooser.home(user_home.as_deref())?;

        let claude = all_settings(files, &home.path, &environment.managed_settings);
        let own = all_own(own, &home.path, environment.managed_folder());
        let sources = Sources {
            claude: &claude,
            own: &own,
            flags: &environment.settings,
        };
        let settings = resolve(sources, |name| chooser.setting(name));
        let (remote_base, refused_base) = chooser.remote_base();
        let memory_dir = match &environment.memory_dir {
            Some(flag) => flagged(environment, flag)?,
            None => {
                let base = remote_base.as_deref().unwrap_or(&home.path);
                let built_in = base.join("projects").join(&slug).join("memory");
                let origin = match remote_base {
                    Some(_) => Origin::Variable(variables::REMOTE_MEMORY_DIR),
                    None => Origin::BuiltIn,
                };
                chooser.memory_dir(
                    &claude,
                    user_home.as_deref(),
                    refused_base,
                    built_in,
                    origin,
                )
            }
        };
        let key = key_of(&memory_dir.path);
        let mut switches = chooser.switches();
        switches.remote_directory = remote_base.is_some();
        Ok(Self {
            state_dir: home.path.join("memdir").join(&key),
            home,
            user_home,
            start_slug: self::slug(&start_folder),
            start_folder,
            project,
            slug,
            memory_dir,
            key,
            memory: decide(
                &switches,
                Key::find(ENABLED_KEY).and_then(|key| settings.get(key)),
            ),
            remote: switches.remote == Some(true),
            compaction: decide_compaction(&switches, &settings),
            settings,
            ignored_variables: chooser.ignored,
            obeyed_variables,
            withheld,
            remote_base,
            trust_home,
        })
    }

    /// The home under which is recorded what the user has vouched for.
    #[must_use]
    pub fn trust_home(&self) -> &Path {
        &self.trust_home
    }

    /// What is wrong with settings files and variables.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        self.settings.problems()
    }

    /// Whether the value of a variable is not to be believed.
    #[must_use]
    pub fn ignores_variable(&self, name: &str) -> bool {
        self.ignored_variables
            .iter()
            .any(|ignored| ignored.name == name)
    }

    /// memdir's folder under home.
    #[must_use]
    pub fn own_dir(&self) -> PathBuf {
        self.home.path.join("memdir")
    }

    /// The memories that hold for all projects.
    #[must_use]
    pub fn everywhere_dir(&self) -> PathBuf {
        self.own_dir().join("everywhere")
    }

    /// Models that the user has installed for recall.
    #[must_use]
    pub fn models_dir(&self) -> PathBuf {
        self.own_dir().join("models")
    }

    /// Where the memories of another project root are, unless something chose a directory for it.
    #[must_use]
    pub fn memory_dir_of(&self, root: &Path) -> PathBuf {
        let base = self.remote_base.as_deref().unwrap_or(&self.home.path);
        base.join("projects").join(self::slug(root)).join("memory")
    }

    /// What is ours about any memory directory, this project's or another.
    #[must_use]
    pub fn state_dir_of(&self, memory_dir: &Path) -> PathBuf {
        self.own_dir().join(key_of(memory_dir))
    }

    /// What background work cost.
    #[must_use]
    pub fn ledger(&self) -> PathBuf {
        self.own_dir().join("ledger.jsonl")
    }

    /// Our settings.
    #[must_use]
    pub fn settings_file(&self) -> PathBuf {
        self.home.path.join(SETTINGS_NAME)
    }
}

fn start_folder(environment: &Environment) -> Result<PathBuf, PlacesError> {
    let given = environment.start_folder();
    canonical_folder(&given).map_err(|source| PlacesError::StartFolder {
        path: normal(&given),
        source,
    })
}

/// The key of a memory directory: the slug of its own path, so that two ways to it are one state,
/// with one lock. Where it does not exist yet, of the part that does and the rest.
fn key_of(memory_dir: &Path) -> String {
    for folder in memory_dir.ancestors() {
        if let Ok(canonical) = canonical_folder(folder) {
            let rest = memory_dir.strip_prefix(folder).unwrap_or(Path::new(""));
            // Joining nothing would add a separator.
            let rest = Some(rest).filter(|rest| !rest.as_os_str().is_empty());
            return slug(&rest.map_or(canonical.clone(), |rest| canonical.join(rest)));
        }
    }
    slug(memory_dir)
}

/// The directory of `--memory-dir`, which may be relative: the user sees where it is typed.
fn flagged(environment: &Environment, flag: &Path) -> Result<Located, PlacesError> {
    let value = || flag.display().to_string();
    let path = environment.current_folder.join(flag);
    let checked = if flag.as_os_str().is_empty() {
        Err(RefusalReason::Empty)
    } else {
        check(path.as_os_str(), None, Strictness::Home)
    };
    let path = checked.map_err(|reason| PlacesError::MemoryDir {
        value: value(),
        reason,
    })?;
    Ok(Located {
        path,
        origin: Origin::Flag(MEMORY_DIR_FLAG),
        refused: Vec::new(),
    })
}

/// Marks the files for which the user has vouched. A committed one stays committed, whoever vouched for it: only the variables
/// that it sets count from then on.
fn vouch(files: &mut [ProjectFile], own: &mut [OwnFile], home: &Path) {
    for file in files.iter_mut() {
        let is_local = file.settings.layer() == Layer::Local;
        let matters = match is_local {
            true => !file.settings.is_empty(),
            false => !file.settings.variables().is_empty(),
        };
        file.vouched = matters && is_trusted(home, &file.path, &file.content);
        if file.vouched && is_local {
            file.settings = file.settings.clone().with_trust(Trust::Trusted);
        }
    }
    for file in own
        .iter_mut()
        .filter(|file| file.settings.layer() == Layer::Local)
    {
        if is_trusted(home, &file.path, &file.content) {
            file.settings = file.settings.clone().with_trust(Trust::Trusted);
        }
    }
}

/// Our own settings whose values count, nearest first within a layer.
fn all_own(files: Vec<OwnFile>, home: &Path, managed: Option<&Path>) -> Vec<OwnSettings> {
    let users = home.join(SETTINGS_NAME);
    let managed = managed.map(|folder| folder.join(SETTINGS_NAME));
    let managed = managed.and_then(|file| layers::read_own(Layer::Managed, &file));
    let user = layers::read_own(Layer::User, &users);
    let around = files.into_iter().filter(|file| file.path != users);
    let fixed = [managed, user].into_iter().flatten();
    around
        .map(|file| file.settings)
        .chain(fixed.map(|(settings, _)| settings))
        .collect()
}

/// The settings whose values count, nearest first within a layer.
fn all_settings(files: Vec<ProjectFile>, home: &Path, managed: &Path) -> Vec<ClaudeSettings> {
    let around = files
        .into_iter()
        .filter(|file| file.within)
        .map(|file| file.settings);
    let managed = layers::read(Layer::Managed, managed);
    let user = layers::read(Layer::User, &home.join("settings.json"));
    let own = [managed, user]
        .into_iter()
        .flatten()
        .map(|(settings, _)| settings);
    around.chain(own).collect()
}
