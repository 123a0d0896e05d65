//! The settings files of a project for which the user can vouch: what they ask for, and whether the user has.

use std::path::{Path, PathBuf};

use memdir_settings::{ClaudeSettings, Layer, OwnSettings, Trust, variables};

use crate::limits::MAX_SETTINGS_BYTES;
use crate::places::{CLAUDE_LOCAL_NAME, CLAUDE_NAME, OWN_LOCAL_NAME, Places, SETTINGS_FOLDER};
use crate::reader::{Unreadable, canonical_folder, read_regular};
use crate::trust::is_trusted;

/// The names that a local settings file can have, in the folder `.claude`.
pub const LOCAL_NAMES: [&str; 2] = [OWN_LOCAL_NAME, CLAUDE_LOCAL_NAME];
/// The name of Claude Code's committed settings. The variables that they set count once the user has vouched for them, and
/// nothing else.
pub const COMMITTED_NAME: &str = CLAUDE_NAME;

/// A settings file as it is now.
#[derive(Debug)]
pub struct LocalFile {
    /// Where it stands: the path by which it is trusted.
    pub path: PathBuf,
    /// Its content, all that is ever vouched for.
    pub content: Vec<u8>,
    /// What it asks for.
    pub asks: Asks,
    /// Whether the user has vouched for this content.
    pub trusted: bool,
}

/// What a local settings file asks for.
#[derive(Debug)]
pub enum Asks {
    /// A file of Claude Code's.
    Claude(ClaudeSettings),
    /// One of ours.
    Own(OwnSettings),
}

/// Why a path is not a local settings file.
#[derive(Debug, thiserror::Error)]
pub enum LocalFileError {
    /// It has another name, or stands elsewhere.
    #[error("{} is not a settings file that can be trusted", path.display())]
    NotLocal {
        /// The path, as it was given.
        path: PathBuf,
    },
    /// There is none.
    #[error("there is no file {}", path.display())]
    Missing {
        /// The path, as it was given.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("{} cannot be read: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: Unreadable,
    },
}

/// The local settings files from the start folder up to the root of the checkout, nearest first, and those that cannot be
/// read; with them the committed ones that set a variable which chooses a path.
#[must_use]
pub fn local_files(places: &Places) -> (Vec<LocalFile>, Vec<LocalFileError>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let folders = places
        .start_folder
        .ancestors()
        .take_while(|folder| folder.starts_with(&places.project.checkout));
    for folder in folders {
        for name in LOCAL_NAMES {
            match read(places, folder, name) {
                Ok(file) => files.push(file),
                Err(LocalFileError::Missing { .. }) => {}
                Err(error) => problems.push(error),
            }
        }
        // What cannot be read of it is told elsewhere.
        files.extend(
            read(places, folder, CLAUDE_NAME)
                .ok()
                .filter(places_anything),
        );
    }
    (files, problems)
}

/// Whether a file sets a variable that chooses a path.
fn places_anything(file: &LocalFile) -> bool {
    match &file.asks {
        Asks::Claude(settings) => {
            let named = settings.variables();
            variables::PLACING.iter().any(|name| named.contains(name))
        }
        Asks::Own(_) => false,
    }
}

/// One settings file, by any path that leads to it.
pub fn local_file(places: &Places, path: &Path) -> Result<LocalFile, LocalFileError> {
    let not_local = || LocalFileError::NotLocal {
        path: path.to_path_buf(),
    };
    let names = LOCAL_NAMES.into_iter().chain([COMMITTED_NAME]);
    let name = path
        .file_name()
        .and_then(|name| names.into_iter().find(|own| name == *own))
        .ok_or_else(not_local)?;
    let beneath = path
        .parent()
        .filter(|parent| parent.ends_with(SETTINGS_FOLDER));
    let folder = beneath.and_then(Path::parent).ok_or_else(not_local)?;
    // The path by which it is trusted is the one by which a start folder finds it.
    let folder = canonical_folder(folder).map_err(|_| LocalFileError::Missing {
        path: path.to_path_buf(),
    })?;
    read(places, &folder, name)
}

fn read(places: &Places, folder: &Path, name: &str) -> Result<LocalFile, LocalFileError> {
    let path = folder.join(SETTINGS_FOLDER).join(name);
    let content = match read_regular(&path, MAX_SETTINGS_BYTES) {
        Ok(Some(content)) => content,
        Ok(None) => return Err(LocalFileError::Missing { path }),
        Err(problem) => return Err(LocalFileError::Unreadable { path, problem }),
    };
    let label = path.display().to_string();
    let layer = match name {
        CLAUDE_NAME => Layer::Project,
        _ => Layer::Local,
    };
    let trust = Trust::Untrusted;
    let asks = match name {
        OWN_LOCAL_NAME => Asks::Own(OwnSettings::parse(layer, trust, &label, &content)),
        _ => Asks::Claude(ClaudeSettings::parse(layer, trust, &label, &content)),
    };
    Ok(LocalFile {
        trusted: is_trusted(places.trust_home(), &path, &content),
        path,
        content,
        asks,
    })
}
