//! Variables that choose a path and that a repository sets to something else than the user has.
//!
//! What a client found in the `env` block of a settings file it puts into our environment, where nothing tells it from
//! what the user has set. To believe it lets a repository move memories; to pass over it and take the next place writes where
//! the user may not want any. So nothing is found at all until the user has said what holds.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memdir_settings::{NamedVariables, variables};

use super::choice::normal;
use super::layers::ProjectFile;
use super::{Environment, PlacesError};

/// A file that moves what is the user's, with the variables by which it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovingFile {
    /// The file.
    pub path: PathBuf,
    /// The variables that it sets, at least one.
    pub names: Vec<&'static str>,
}

/// What the user has for each variable, as far as that can be known.
pub(super) struct Own<'a> {
    environment: &'a Environment,
    /// What a variable stands for where nobody sets it.
    built_in: Vec<(&'static str, PathBuf)>,
}

impl<'a> Own<'a> {
    /// With the homes as they are without any file of the repository.
    pub(super) fn new(
        environment: &'a Environment,
        user_home: Option<&Path>,
        home: &Path,
        slug: &str,
    ) -> Self {
        let memory = home.join("projects").join(slug).join("memory");
        let mut built_in = vec![
            (variables::MEMDIR_HOME, home.to_path_buf()),
            (variables::REMOTE_MEMORY_DIR, home.to_path_buf()),
            (variables::MEMORY_PATH_OVERRIDE, memory),
        ];
        if let Some(user_home) = user_home {
            built_in.extend([
                (variables::HOME, user_home.to_path_buf()),
                (variables::CLAUDE_CONFIG_DIR, user_home.join(".claude")),
                (variables::CODEX_HOME, user_home.join(".codex")),
                (variables::GEMINI_HOME, user_home.to_path_buf()),
                (variables::CONFIG_HOME, user_home.join(".config")),
            ]);
        }
        Self {
            environment,
            built_in,
        }
    }

    /// Where there is no home without what files of the repository set.
    pub(super) fn unknown(environment: &'a Environment) -> Self {
        Self {
            environment,
            built_in: Vec::new(),
        }
    }

    /// Whether a file that sets a variable to this moves anything. `None` is a text that nobody could read.
    fn is_moved_by(&self, name: &str, named: Option<&str>) -> bool {
        let set = self.environment.value(name);
        let named = named.map(OsStr::new);
        match (set, named) {
            // What we have is not what the file says, so that it is the user's; or the file was another a moment ago.
            (Some(set), Some(named)) if !is_same(set, named) => true,
            // It may have come from the file, or from the user.
            (Some(value), _) => !self.is_built_in(name, value),
            (None, Some(named)) if named.is_empty() => false,
            (None, Some(named)) => !self.is_built_in(name, named),
            (None, None) => false,
        }
    }

    fn is_built_in(&self, name: &str, value: &OsStr) -> bool {
        let mut built_in = self.built_in.iter().filter(|(other, _)| *other == name);
        built_in.any(|(_, path)| is_same(value, path.as_os_str()))
    }
}

/// Whether two texts lead to the same folder.
fn is_same(one: &OsStr, other: &OsStr) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (Path::new(one), Path::new(other));
    if !one.is_absolute() || !other.is_absolute() {
        return false;
    }
    normal(one) == normal(other)
        || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Refuses to go on where files of the repository move anything.
pub(super) fn refuse(files: &[ProjectFile], own: &Own<'_>) -> Result<(), PlacesError> {
    let moving = files.iter().filter_map(|file| {
        let names: Vec<&'static str> = moved(file.unvouched()?, own).collect();
        let path = file.path.clone();
        (!names.is_empty()).then_some(MovingFile { path, names })
    });
    let moving: Vec<MovingFile> = moving.collect();
    match moving.is_empty() {
        true => Ok(()),
        false => Err(PlacesError::Moved(moving)),
    }
}

fn moved<'a>(
    named: &'a NamedVariables,
    own: &'a Own<'_>,
) -> impl Iterator<Item = &'static str> + 'a {
    let named_ones = variables::PLACING.into_iter();
    let named_ones = named_ones.filter(|name| named.contains(name));
    named_ones.filter(|name| own.is_moved_by(name, named.value(name)))
}

/// What happened, in words.
pub(super) fn told(files: &[MovingFile]) -> String {
    let told = files.iter().map(|MovingFile { path, names }| {
        format!("{} sets {}", path.display(), names.join(" and "))
    });
    let told: Vec<String> = told.collect();
    format!(
        "{}, which would move what is yours, and you have not trusted it: nothing was read or written",
        told.join(", and ")
    )
}
