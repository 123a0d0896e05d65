//! The settings files around a start folder, read once, and what they may not do.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memdir_settings::{
    ClaudeSettings, Layer, NamedVariables, OwnSettings, Trust, truth, variables,
};

use super::{Environment, Withheld};
use crate::limits::MAX_SETTINGS_BYTES;
use crate::reader::{Unreadable, read_regular};
use crate::settings_file::SETTINGS_NAME;

/// The folder of a project that holds settings.
pub(crate) const SETTINGS_FOLDER: &str = ".claude";
/// Claude Code's file that git is meant to track.
pub(crate) const CLAUDE_NAME: &str = "settings.json";
/// Claude Code's file that git is not meant to track.
pub(crate) const CLAUDE_LOCAL_NAME: &str = "settings.local.json";
/// Our file that git is not meant to track.
pub(crate) const OWN_LOCAL_NAME: &str = "memdir.local.toml";

/// A variable that a file which came with the repository names in its `env` block: the client puts what stands there into the environment of everything it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedVariable {
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
    /// Whether the user has vouched for this content, and so for the variables that it sets.
    pub(super) vouched: bool,
}

impl ProjectFile {
    /// The variables that it sets without the user's word for it.
    pub(super) fn unvouched(&self) -> Option<&NamedVariables> {
        (!self.vouched).then(|| self.settings.variables())
    }
}

/// A settings file of our own in a folder of the checkout.
#[derive(Debug)]
pub(super) struct OwnFile {
    pub(super) folder: PathBuf,
    pub(super) path: PathBuf,
    pub(super) settings: OwnSettings,
    pub(super) content: Vec<u8>,
}

/// Reads the settings files of the start folder and of every folder above it; ours only within the checkout. Around other
/// folders are those that may have set variables: nothing else in them counts.
pub(super) fn project_files(
    start: &Path,
    checkout: &Path,
    others: &[PathBuf],
) -> (Vec<ProjectFile>, Vec<OwnFile>) {
    let (mut files, mut own) = (Vec::new(), Vec::new());
    let mut folders: Vec<&Path> = start.ancestors().collect();
    for folder in others.iter().flat_map(|other| other.ancestors()) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    for folder in folders {
        let within = start.starts_with(folder) && folder.starts_with(checkout);
        let beneath = folder.join(SETTINGS_FOLDER);
        // Nearly no folder has one, and one look is cheaper than two.
        if rustix::fs::stat(&beneath).is_err() {
            continue;
        }
        for (name, layer) in [
            (CLAUDE_LOCAL_NAME, Layer::Local),
            (CLAUDE_NAME, Layer::Project),
        ] {
            let path = beneath.join(name);
            if let Some((settings, content)) = read(layer, &path) {
                files.push(ProjectFile {
                    folder: folder.into(),
                    path,
                    within,
                    settings,
                    content,
                    vouched: false,
                });
            }
        }
        if !within {
            continue;
        }
        for (name, layer) in [
            (OWN_LOCAL_NAME, Layer::Local),
            (SETTINGS_NAME, Layer::Project),
        ] {
            let path = beneath.join(name);
            if let Some((settings, content)) = read_own(layer, &path) {
                own.push(OwnFile {
                    folder: folder.into(),
                    path,
                    settings,
                    content,
                });
            }
        }
    }
    (files, own)
}

/// Reads one settings file of our own; `None` when there is none.
pub(super) fn read_own(layer: Layer, path: &Path) -> Option<(OwnSettings, Vec<u8>)> {
    match read_regular(path, MAX_SETTINGS_BYTES) {
        Ok(None) => None,
        Ok(Some(content)) => {
            let label = path.display().to_string();
            let settings = OwnSettings::parse(layer, Trust::Untrusted, &label, &content);
            Some((settings, content))
        }
        Err(error) => {
            let label = path.display().to_string();
            let settings = OwnSettings::unreadable(layer, &label, &error.to_string());
            Some((settings, Vec::new()))
        }
    }
}

/// Reads one settings file; `None` when there is none.
pub(super) fn read(layer: Layer, path: &Path) -> Option<(ClaudeSettings, Vec<u8>)> {
    let label = path.display().to_string();
    match read_regular(path, MAX_SETTINGS_BYTES) {
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
        .filter_map(ProjectFile::unvouched)
        .any(|named| named.contains(variables::HOME));
    let named = environment
        .value(variables::HOME)
        .map(Path::new)
        .filter(|path| path.is_absolute());
    match named {
        Some(home) if !forged => Some(home.to_path_buf()),
        _ => environment.account_home(),
    }
}

/// Takes the user's own settings files out of those that a repository may have carried.
pub(super) fn without_users_own(
    files: &mut Vec<ProjectFile>,
    own: &mut Vec<OwnFile>,
    user_home: Option<&Path>,
) {
    if files.is_empty() && own.is_empty() {
        return;
    }
    let home = user_home.and_then(|home| home.canonicalize().ok());
    let is_users =
        |layer, folder: &Path| layer == Layer::Project && home.as_deref() == Some(folder);
    files.retain(|file| !is_users(file.settings.layer(), &file.folder));
    own.retain(|file| !is_users(file.settings.layer(), &file.folder));
}

/// What files of the repository put into the environment of everything that their client starts, each file with what it
/// names.
pub(super) fn withheld(files: &[ProjectFile]) -> Vec<Withheld> {
    let files = files.iter();
    let files = files.filter_map(|file| file.unvouched().map(|variables| (file, variables)));
    let named = files.map(|(file, variables)| {
        let others = variables.others().map(str::to_owned);
        Withheld {
            file: file.settings.file().to_owned(),
            own: variables.iter().collect(),
            others: others.collect(),
            is_open: variables.is_open(),
        }
    });
    named
        .filter(|one| !one.own.is_empty() || !one.others.is_empty() || one.is_open)
        .collect()
}

/// The variables that files of the repository name, with the nearest file that does: those that are not believed, and those
/// that count all the same, because they switch something off, which a repository may do in its settings as well. Of those
/// of single settings and of switches only the ones that are set are worth a word.
pub(super) fn named_variables(
    environment: &Environment,
    files: &[ProjectFile],
) -> (Vec<NamedVariable>, Vec<NamedVariable>) {
    let is_switch = |name: &str| variables::SWITCHING.contains(&name);
    let matters = |name: &str| {
        let only_set = variables::is_setting(name) || is_switch(name);
        !only_set || environment.value(name).is_some()
    };
    let mut named: Vec<NamedVariable> = Vec::new();
    for file in files {
        let variables = file.unvouched().into_iter();
        for name in variables
            .flat_map(NamedVariables::iter)
            .filter(|name| matters(name))
        {
            if named.iter().all(|other| other.name != name) {
                named.push(NamedVariable {
                    name,
                    file: file.settings.file().to_owned(),
                });
            }
        }
    }
    let switches_off = |named: &NamedVariable| {
        let value = environment.value(named.name).and_then(OsStr::to_str);
        is_switch(named.name) && value.and_then(truth) == Some(true)
    };
    let (obeyed, ignored) = named.into_iter().partition(switches_off);
    (ignored, obeyed)
}
