//! What the program was started with, as a value: nothing below the program reads the environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use memdir_settings::{Assignment, variables};

/// Where Claude Code looks for the settings of whoever administers a Linux machine.
const MANAGED_SETTINGS: &str = "/etc/claude-code/managed-settings.json";
/// Where a home directory is found when the environment does not name one.
const ACCOUNTS: &str = "/etc/passwd";

/// Everything outside of the disk that decides where things live.
///
/// ```
/// use memdir_store::Environment;
///
/// let environment = Environment::new("/home/ada/app", [("HOME", "/home/ada"), ("UNRELATED", "x")]);
/// assert!(environment.value("HOME").is_some());
/// assert!(environment.value("UNRELATED").is_none());
/// ```
#[derive(Clone)]
pub struct Environment {
    variables: BTreeMap<String, OsString>,
    pub(super) current_folder: PathBuf,
    pub(super) project: Option<PathBuf>,
    /// Other folders in which whoever started us may have been.
    beside: Vec<PathBuf>,
    pub(super) memory_dir: Option<PathBuf>,
    pub(super) bare: bool,
    pub(super) is_before_trust: bool,
    pub(super) settings: Vec<Assignment>,
    pub(super) managed_settings: PathBuf,
    pub(super) accounts: PathBuf,
}

/// Keys are among the variables: only the names of those that are set are printed.
impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Environment")
            .field("variables", &self.variables.keys())
            .field("current_folder", &self.current_folder)
            .field("project", &self.project)
            .field("memory_dir", &self.memory_dir)
            .finish_non_exhaustive()
    }
}

impl Environment {
    /// The current folder and the environment's variables, of which only those that memdir knows are
    /// kept.
    pub fn new<K: AsRef<OsStr>, V: Into<OsString>>(
        current_folder: impl Into<PathBuf>,
        variables: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        let known = variables.into_iter().filter_map(|(name, value)| {
            let name = name
                .as_ref()
                .to_str()
                .filter(|name| variables::is_known(name))?;
            Some((name.to_owned(), value.into()))
        });
        Self {
            variables: known.collect(),
            current_folder: current_folder.into(),
            project: None,
            beside: Vec::new(),
            memory_dir: None,
            bare: false,
            is_before_trust: false,
            settings: Vec::new(),
            managed_settings: MANAGED_SETTINGS.into(),
            accounts: ACCOUNTS.into(),
        }
    }

    /// Another start folder than the current one (`--project`).
    #[must_use]
    pub fn with_project(self, folder: impl Into<PathBuf>) -> Self {
        let mut beside = self.beside;
        // Whoever asked for that one may have had its variables.
        beside.extend(self.project);
        Self {
            project: Some(folder.into()),
            beside,
            ..self
        }
    }

    /// A folder in which whoever started us may have been, so that settings around it may have put variables into our
    /// environment. It chooses nothing.
    #[must_use]
    pub fn started_in(mut self, folder: impl Into<PathBuf>) -> Self {
        self.beside.push(folder.into());
        self
    }

    /// The memory directory itself (`--memory-dir`).
    #[must_use]
    pub fn with_memory_dir(self, folder: impl Into<PathBuf>) -> Self {
        Self {
            memory_dir: Some(folder.into()),
            ..self
        }
    }

    /// Whether the memory directory itself was named (`--memory-dir`).
    #[must_use]
    pub fn has_memory_dir(&self) -> bool {
        self.memory_dir.is_some()
    }

    /// Without memory (`--bare`).
    #[must_use]
    pub fn with_bare(self, bare: bool) -> Self {
        Self { bare, ..self }
    }

    /// To ask the user about files of a repository that set variables which choose a path: places are found as if they
    /// did not, where otherwise none are found.
    #[must_use]
    pub fn before_trust(self) -> Self {
        Self {
            is_before_trust: true,
            ..self
        }
    }

    /// Settings for this run alone (`--set`).
    #[must_use]
    pub fn with_settings(self, settings: Vec<Assignment>) -> Self {
        Self { settings, ..self }
    }

    /// Another file of managed settings. Beside it are our own, and the instruction files of the same person.
    #[must_use]
    pub fn with_managed_settings(self, file: impl Into<PathBuf>) -> Self {
        Self {
            managed_settings: file.into(),
            ..self
        }
    }

    /// Another file of accounts than `/etc/passwd`.
    #[must_use]
    pub fn with_accounts(self, file: impl Into<PathBuf>) -> Self {
        Self {
            accounts: file.into(),
            ..self
        }
    }

    /// A variable's value; an empty one is as good as unset.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .get(name)
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// The folder of whoever administers the machine: with the settings, and beside them the instruction files.
    #[must_use]
    pub fn managed_folder(&self) -> Option<&Path> {
        self.managed_settings.parent()
    }

    /// The folder in which the program was started.
    #[must_use]
    pub fn current_folder(&self) -> &Path {
        &self.current_folder
    }

    /// The folder in which the conversation began, as it was given.
    pub(super) fn start_folder(&self) -> PathBuf {
        match &self.project {
            Some(folder) => self.current_folder.join(folder),
            None => self.current_folder.clone(),
        }
    }

    /// Every folder but the start folder around which a settings file may have put variables into our environment, as they
    /// were given: what is asked for says nothing about where the asker got its variables.
    pub(super) fn other_folders(&self) -> Vec<PathBuf> {
        let named = self.value(variables::PROJECT_DIR).map(PathBuf::from);
        let beside = self.beside.iter().cloned().chain(named);
        let beside = beside.map(|folder| self.current_folder.join(folder));
        std::iter::once(self.current_folder.clone())
            .chain(beside)
            .collect()
    }

    /// The home directory that the system has on record for this user.
    pub(super) fn account_home(&self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStrExt;
        const MAX_ACCOUNTS: u64 = 8 * 1024 * 1024;
        let accounts = crate::reader::read_regular(&self.accounts, MAX_ACCOUNTS)
            .ok()
            .flatten()?;
        let own = rustix::process::getuid().as_raw().to_string();
        accounts.split(|byte| *byte == b'\n').find_map(|line| {
            let mut fields = line.split(|byte| *byte == b':');
            fields.nth(2).filter(|user| *user == own.as_bytes())?;
            let home = Path::new(OsStr::from_bytes(fields.nth(2)?));
            home.is_absolute().then(|| home.to_path_buf())
        })
    }
}
