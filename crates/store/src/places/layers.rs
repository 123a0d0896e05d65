//! The settings files around a start folder, read once, and what they may not do.

use std::path::{Path, PathBuf};

use memdir_settings::{ClaudeSettings, Layer, NamedVariables, Trust, variables};

use super::Environment;
use crate::reader::{Unreadable, read_regular};

/// Far more than any settings file in use.
const MAX_SETTINGS: u64 = 1024 * 1024;
const FOLDER: &str = ".claude";
const PROJECT_FILE: &str = "settings.json";
const LOCAL_FILE: &str = "settings.local.json";

/// A variable that is not believed, because a file that came with the repository names it in its `env`
/// block: the client puts what stands there into the environment of everything it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredVariable {
    /// The variable.
    pub name: &'static str,
    /// The file that names it.
    pub file: String,
}

/// A settings file in a folder that a repository may have filled.
#[derive(Debug)]
pub(super) struct ProjectFile {
    pub(super) folder: PathBuf,
    pub(super) path: PathBuf,
    /// Whether its values count: those above the checkout do not, but a client that was started
    /// there has put their `env` block into our environment.
    pub(super) within: bool,
    pub(super) settings: ClaudeSettings,
    pub(super) content: Vec<u8>,
}

/// Reads the settings files of the start folder and of every folder above it.
pub(super) fn project_files(start: &Path, checkout: &Path) -> Vec<ProjectFile> {
    let mut files = Vec::new();
    for folder in start.ancestors() {
        let within = folder.starts_with(checkout);
        let beneath = folder.join(FOLDER);
        // Nearly no folder has one, and one look is cheaper than two.
        if rustix::fs::stat(&beneath).is_err() {
            continue;
        }
        for (name, layer) in [(LOCAL_FILE, Layer::Local), (PROJECT_FILE, Layer::Project)] {
            let path = beneath.join(name);
            if let Some((settings, content)) = read(layer, &path) {
                files.push(ProjectFile {
                    folder: folder.into(),
                    path,
                    within,
                    settings,
                    content,
                });
            }
        }
    }
    files
}

/// Reads one settings file; `None` when there is none.
pub(super) fn read(layer: Layer, path: &Path) -> Option<(ClaudeSettings, Vec<u8>)> {
    let label = path.display().to_string();
    match read_regular(path, MAX_SETTINGS) {
        Ok(None) => None,
        Ok(Some(content)) => {
            let settings = ClaudeSettings::parse(layer, Trust::Untrusted, &label, &content);
            Some((settings, content))
        }
        Err(error) => {
            // The client has no such limit; it may know what stands behind it.
            let names = match error {
                Unreadable::TooLarge { .. } => NamedVariables::all(),
                Unreadable::NotRegular | Unreadable::Io(_) => NamedVariables::default(),
            };
            let message = format!("{error}; the file is ignored");
            Some((
                ClaudeSettings::unreadable(layer, &label, &message, names),
                Vec::new(),
            ))
        }
    }
}

/// The user's home directory: as the environment says, unless a file around the start folder sets the
/// variable, or else as the system has it on record. The user's own settings have no reason to set
/// it, so that a file in the alleged home which does is not the user's.
pub(super) fn user_home(environment: &Environment, files: &[ProjectFile]) -> Option<PathBuf> {
    let forged = files
        .iter()
        .any(|file| file.settings.variables().contains(variables::HOME));
    let named = environment
        .value(variables::HOME)
        .map(Path::new)
        .filter(|path| path.is_absolute());
    match named {
        Some(home) if !forged => Some(home.to_path_buf()),
        _ => environment.account_home(),
    }
}

/// Takes the user's own settings file out of those that a repository may have carried.
pub(super) fn without_users_own(files: &mut Vec<ProjectFile>, user_home: Option<&Path>) {
    if files.is_empty() {
        return;
    }
    let home = user_home.and_then(|home| home.canonicalize().ok());
    files.retain(|file| {
        file.settings.layer() != Layer::Project || home.as_deref() != Some(file.folder.as_path())
    });
}

/// The variables that files of the repository name, with the nearest file that does.
pub(super) fn ignored_variables(files: &[ProjectFile]) -> Vec<IgnoredVariable> {
    let mut ignored: Vec<IgnoredVariable> = Vec::new();
    for file in files.iter().filter(|file| file.settings.is_committed()) {
        for name in file.settings.variables().iter() {
            if ignored.iter().all(|other| other.name != name) {
                ignored.push(IgnoredVariable {
                    name,
                    file: file.settings.file().to_owned(),
                });
            }
        }
    }
    ignored
}
