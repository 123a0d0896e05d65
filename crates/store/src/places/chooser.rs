//! The order of precedence: each choice for a directory in turn, from the strongest down.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memdir_settings::{ClaudeSettings, Layer, Switches, variables};

use super::choice::{Strictness, check, normal};
use super::{Environment, Located, NamedVariable, Origin, PlacesError, Refusal, RefusalReason};

const DIRECTORY_KEY: &str = "autoMemoryDirectory";

/// Walks the choices for a directory from the strongest down.
pub(super) struct Chooser<'a> {
    pub(super) environment: &'a Environment,
    pub(super) ignored: Vec<NamedVariable>,
}

impl Chooser<'_> {
    pub(super) fn home(&self, user_home: Option<&Path>) -> Result<Located, PlacesError> {
        let mut refused = Vec::new();
        for name in [variables::MEMDIR_HOME, variables::CLAUDE_CONFIG_DIR] {
            match self.variable(name, Strictness::Home) {
                Some(Ok(path)) => {
                    return Ok(Located {
                        path,
                        origin: Origin::Variable(name),
                        refused,
                    });
                }
                Some(Err(refusal)) => refused.push(refusal),
                None => {}
            }
        }
        let path = user_home
            .map(|home| normal(home).join(".claude"))
            .ok_or(PlacesError::NoHome)?;
        Ok(Located {
            path,
            origin: Origin::BuiltIn,
            refused,
        })
    }

    pub(super) fn remote_base(&self) -> (Option<PathBuf>, Option<Refusal>) {
        match self.variable(variables::REMOTE_MEMORY_DIR, Strictness::Memory) {
            Some(Ok(path)) => (Some(path), None),
            Some(Err(refusal)) => (None, Some(refusal)),
            None => (None, None),
        }
    }

    pub(super) fn memory_dir(
        &self,
        settings: &[ClaudeSettings],
        user_home: Option<&Path>,
        refused_base: Option<Refusal>,
        built_in: PathBuf,
        built_in_origin: Origin,
    ) -> Located {
        let mut refused = Vec::new();
        let name = variables::MEMORY_PATH_OVERRIDE;
        match self.variable(name, Strictness::Memory) {
            Some(Ok(path)) => {
                return Located {
                    path,
                    origin: Origin::Variable(name),
                    refused,
                };
            }
            Some(Err(refusal)) => refused.push(refusal),
            None => {}
        }
        for layer in [Layer::Managed, Layer::Local, Layer::Project, Layer::User] {
            for file in settings.iter().filter(|file| file.layer() == layer) {
                let (setting, permitted) = match (file.directory(), file.refused_directory()) {
                    (Some(setting), _) => (setting, true),
                    (None, Some(setting)) => (setting, false),
                    (None, None) => continue,
                };
                let origin = Origin::Setting {
                    key: DIRECTORY_KEY,
                    layer,
                    file: setting.file.clone(),
                };
                let checked = if permitted {
                    check(OsStr::new(setting.value), user_home, Strictness::Memory)
                } else {
                    Err(RefusalReason::Repository)
                };
                match checked {
                    Ok(path) => {
                        return Located {
                            path,
                            origin,
                            refused,
                        };
                    }
                    Err(reason) => {
                        let value = setting.value.to_owned();
                        refused.push(Refusal {
                            origin,
                            value,
                            reason,
                        });
                    }
                }
            }
        }
        refused.extend(refused_base);
        Located {
            path: built_in,
            origin: built_in_origin,
            refused,
        }
    }

    /// A directory from a variable: checked, refused, or not set.
    fn variable(
        &self,
        name: &'static str,
        strictness: Strictness,
    ) -> Option<Result<PathBuf, Refusal>> {
        let value = self.environment.value(name)?;
        let ignored = self.ignored.iter().find(|ignored| ignored.name == name);
        let checked = match ignored {
            Some(by) => Err(RefusalReason::NamedByRepository {
                file: by.file.clone(),
            }),
            None => check(value, None, strictness),
        };
        Some(checked.map_err(|reason| Refusal {
            origin: Origin::Variable(name),
            value: value.to_string_lossy().into_owned(),
            reason,
        }))
    }

    /// A variable of a single setting, unless a file of the repository names it.
    pub(super) fn setting(&self, name: &str) -> Option<&str> {
        let value = self.environment.value(name)?.to_str()?;
        let ignored = self.ignored.iter().any(|ignored| ignored.name == name);
        (!ignored).then_some(value)
    }

    pub(super) fn switches(&self) -> Switches {
        let value_of = |name: &str| self.environment.value(name).and_then(OsStr::to_str);
        let named = |name: &str| self.ignored.iter().any(|ignored| ignored.name == name);
        Switches {
            bare: self.environment.bare,
            ..Switches::read(value_of, named)
        }
    }
}
