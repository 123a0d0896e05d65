//! All layers together: the value of every setting, who set it, and what was not taken.

use std::fmt;

use crate::layer::Severity;
use crate::tree::{Committed, KEYS, Key, Settings};
use crate::value::Value;
use crate::{Assignment, ClaudeSettings, Layer, Models, OwnSettings, Problem};

/// Who set a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody: it is what memdir has built in.
    BuiltIn,
    /// A settings file.
    File {
        /// Its layer.
        layer: Layer,
        /// The file, as the caller named it.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What the file calls the setting.
        name: &'static str,
    },
    /// A variable of the environment.
    Variable(&'static str),
    /// The flag [`Assignment::FLAG`].
    Flag,
}

impl Origin {
    /// The layer in one word.
    #[must_use]
    pub fn layer(&self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::File { layer, .. } => layer.as_str(),
            Self::Variable(_) => "environment",
            Self::Flag => "flag",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => formatter.write_str("built-in"),
            Self::File {
                layer, file, line, ..
            } => write!(formatter, "{file}:{line} ({layer})"),
            Self::Variable(name) => formatter.write_str(name),
            Self::Flag => formatter.write_str(Assignment::FLAG),
        }
    }
}

/// A setting with its value, and who set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced {
    /// Which setting.
    pub key: &'static Key,
    /// Its value.
    pub value: Value,
    /// Who set it.
    pub origin: Origin,
}

/// A value that was not taken from a file of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What was asked for, and by whom.
    pub asked: Sourced,
    /// The value that stands instead.
    pub instead: Value,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sourced { key, value, origin } = &self.asked;
        let may = match key.committed {
            Committed::Lower | Committed::Any => "may only make memory do less",
            Committed::Higher => "may only make memory work more seldom",
            Committed::Never => "may not set it",
        };
        write!(
            formatter,
            "`{} = {value}` from {origin} is not used, {} stays {}: a file that comes with the project {may}",
            key.name, key.name, self.instead
        )
    }
}

/// Everything that settings come from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sources<'a> {
    /// Claude Code's files; among those of a layer the nearest first.
    pub claude: &'a [ClaudeSettings],
    /// Our files; among those of a layer the nearest first.
    pub own: &'a [OwnSettings],
    /// What was typed; of two about one setting the last counts.
    pub flags: &'a [Assignment],
}

/// The value of every setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    values: Vec<Sourced>,
    models: Models,
    refused: Vec<Refused>,
    problems: Vec<Problem>,
}

/// What one source says about one setting.
struct Claim {
    asked: Sourced,
    /// How strong the source is.
    strength: Strength,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    User,
    Committed,
    Local,
    Environment,
    Flag,
    Managed,
}

/// Puts the layers on top of one another: the strongest that sets a value decides, except that a committed file counts
/// only where it is more careful than those beneath it. `value_of` reads a variable of the environment, without those that
/// are not to be believed.
///
/// ```
/// use memdir_settings::{Layer, OwnSettings, Sources, Trust, resolve};
///
/// let text = b"dream.mode = \"off\"\nteam.enabled = true\n";
/// let own = [OwnSettings::parse(Layer::Project, Trust::Untrusted, "memdir.toml", text)];
/// let resolved = resolve(Sources { own: &own, ..Sources::default() }, |_| None);
/// assert_eq!(resolved.settings().dream.mode, memdir_settings::Mode::Off);
/// // A repository cannot share what you remember.
/// assert!(!resolved.settings().team.enabled);
/// assert_eq!(resolved.refused().len(), 1);
/// ```
#[must_use]
pub fn resolve<'v>(
    sources: Sources<'_>,
    value_of: impl Fn(&'static str) -> Option<&'v str>,
) -> Resolved {
    let built_in = |key: &'static Key| Sourced {
        key,
        value: key.default,
        origin: Origin::BuiltIn,
    };
    let mut resolved = Resolved {
        values: KEYS.iter().map(built_in).collect(),
        models: Models::of(sources.own),
        refused: Vec::new(),
        problems: Vec::new(),
    };
    let mut claims = claims(sources);
    for key in KEYS {
        let Some(text) = value_of(key.variable) else {
            continue;
        };
        match key.kind.read(text) {
            Some(value) => claims.push(Claim {
                asked: Sourced {
                    key,
                    value,
                    origin: Origin::Variable(key.variable),
                },
                strength: Strength::Environment,
            }),
            None => resolved.problems.push(Problem {
                file: key.variable.to_owned(),
                line: 0,
                column: 0,
                message: format!("it has to be {}; it is ignored", key.kind),
                severity: Severity::Warning,
            }),
        }
    }
    claims.extend(sources.flags.iter().map(|flag| Claim {
        asked: Sourced {
            key: flag.key,
            value: flag.value,
            origin: Origin::Flag,
        },
        strength: Strength::Flag,
    }));
    // Stable: of equally strong ones the last stays the last, and wins.
    claims.sort_by_key(|claim| claim.strength);
    for claim in claims {
        resolved.take(claim);
    }
    for file in sources.claude {
        resolved.problems.extend_from_slice(file.problems());
    }
    for file in sources.own {
        resolved.problems.extend_from_slice(file.problems());
    }
    resolved
}

/// What the files say, the weaker of a layer first: farther ones before nearer, Claude Code's before ours.
fn claims(sources: Sources<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let strength = |layer: Layer, committed: bool| match layer {
        _ if committed => Strength::Committed,
        Layer::User => Strength::User,
        Layer::Project => Strength::Committed,
        Layer::Local => Strength::Local,
        Layer::Managed => Strength::Managed,
    };
    for file in sources.claude.iter().rev() {
        for (name, key, value, line) in file.switches() {
            claims.push(Claim {
                asked: Sourced {
                    key,
                    value: Value::Switch(value),
                    origin: Origin::File {
                        layer: file.layer(),
                        file: file.file().to_owned(),
                        line,
                        name,
                    },
                },
                strength: strength(file.layer(), file.is_committed()),
            });
        }
    }
    for file in sources.own.iter().rev() {
        for entry in file.entries() {
            claims.push(Claim {
                asked: Sourced {
                    key: entry.key,
                    value: entry.value,
                    origin: Origin::File {
                        layer: file.layer(),
                        file: file.file().to_owned(),
                        line: entry.line,
                        name: entry.key.name,
                    },
                },
                strength: strength(file.layer(), file.is_committed()),
            });
        }
    }
    claims
}

impl Resolved {
    /// All settings in the order of the documentation.
    #[must_use]
    pub fn values(&self) -> &[Sourced] {
        &self.values
    }

    /// One setting.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<&Sourced> {
        self.values
            .iter()
            .find(|sourced| sourced.key.name == key.name)
    }

    /// The models that the user has named.
    #[must_use]
    pub fn models(&self) -> &Models {
        &self.models
    }

    /// What files of the project asked for and did not get.
    #[must_use]
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// What is wrong with the sources.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The typed tree.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings::new(|name| {
            let found = self.values.iter().find(|sourced| sourced.key.name == name);
            found.map_or(Value::Switch(false), |sourced| sourced.value)
        })
    }

    fn take(&mut self, claim: Claim) {
        let key = claim.asked.key;
        let Some(standing) = self.values.iter_mut().find(|value| value.key == key) else {
            return;
        };
        if claim.strength != Strength::Committed {
            *standing = claim.asked;
            return;
        }
        let (asked, stands) = (
            key.kind.rank(claim.asked.value),
            key.kind.rank(standing.value),
        );
        let permitted = match key.committed {
            Committed::Any => true,
            Committed::Lower => asked < stands,
            Committed::Higher => asked > stands,
            Committed::Never => false,
        };
        if permitted {
            *standing = claim.asked;
        } else if asked != stands {
            // What asks for what is so already is no news.
            self.refused.push(Refused {
                instead: standing.value,
                asked: claim.asked,
            });
        }
    }
}
