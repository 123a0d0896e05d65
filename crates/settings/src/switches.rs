//! Whether memory and compaction are on, and why.

use std::fmt;

use crate::resolve::{Origin, Resolved, Sourced};
use crate::tree::Key;
use crate::value::Value;
use crate::variables;

/// What a switch in the environment says: `1 true yes on` and `0 false no off` in any case;
/// anything else is as good as unset.
///
/// ```
/// use memdir_settings::truth;
///
/// assert_eq!(truth("YES"), Some(true));
/// assert_eq!(truth("off"), Some(false));
/// assert_eq!(truth("2"), None);
/// ```
#[must_use]
pub fn truth(value: &str) -> Option<bool> {
    let is = |word: &&str| value.eq_ignore_ascii_case(word);
    if ["1", "true", "yes", "on"].iter().any(is) {
        Some(true)
    } else if ["0", "false", "no", "off"].iter().any(is) {
        Some(false)
    } else {
        None
    }
}

/// The switches outside of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Switches {
    /// `--bare`.
    pub bare: bool,
    /// [`variables::SIMPLE`].
    pub simple: Option<bool>,
    /// [`variables::DISABLE_AUTO_MEMORY`].
    pub disable: Option<bool>,
    /// [`variables::REMOTE`].
    pub remote: Option<bool>,
    /// Whether [`variables::REMOTE_MEMORY_DIR`] holds a directory that can be used.
    pub remote_directory: bool,
    /// [`variables::DISABLE_COMPACT`].
    pub disable_compact: Option<bool>,
    /// [`variables::DISABLE_AUTO_COMPACT`].
    pub disable_auto_compact: Option<bool>,
}

impl Switches {
    /// Reads the switches through `value_of`. Of the variables that `from_repository` tells may
    /// come from there only what switches memory off counts: that much a repository may do in its
    /// settings as well.
    pub fn read<'a>(
        value_of: impl Fn(&str) -> Option<&'a str>,
        from_repository: impl Fn(&str) -> bool,
    ) -> Self {
        let switch = |name: &str| value_of(name).and_then(truth);
        let disable = switch(variables::DISABLE_AUTO_MEMORY)
            .filter(|disable| *disable || !from_repository(variables::DISABLE_AUTO_MEMORY));
        Self {
            bare: false,
            simple: switch(variables::SIMPLE),
            disable,
            remote: switch(variables::REMOTE),
            remote_directory: false,
            disable_compact: switch(variables::DISABLE_COMPACT),
            disable_auto_compact: switch(variables::DISABLE_AUTO_COMPACT),
        }
    }
}

/// Whether something is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// On or off.
    pub enabled: bool,
    /// What decided it.
    pub reason: Reason,
}

/// What decided whether something is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The flag `--bare`.
    Bare,
    /// A variable of the environment, by name.
    Variable(&'static str),
    /// Remote mode, without a directory that outlives it.
    RemoteWithoutDirectory,
    /// The setting, in a file or a variable of its own.
    Setting(Origin),
    /// Nobody said anything.
    BuiltIn,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bare => formatter.write_str("--bare"),
            Self::Variable(name) => formatter.write_str(name),
            Self::RemoteWithoutDirectory => {
                write!(
                    formatter,
                    "{} without a usable {}",
                    variables::REMOTE,
                    variables::REMOTE_MEMORY_DIR
                )
            }
            Self::Setting(Origin::File {
                layer, file, name, ..
            }) => write!(formatter, "{name} in {file} ({layer})"),
            Self::Setting(origin) => origin.fmt(formatter),
            Self::BuiltIn => formatter.write_str("built-in"),
        }
    }
}

/// Decides whether memory is on: the first switch that applies, then `memory.enabled` as the layers have it.
///
/// ```
/// use memdir_settings::{ClaudeSettings, Key, Layer, Sources, Switches, Trust, decide, resolve};
///
/// let off = br#"{"autoMemoryEnabled": false}"#;
/// let claude = [ClaudeSettings::parse(Layer::Project, Trust::Untrusted, "settings.json", off)];
/// let resolved = resolve(Sources { claude: &claude, ..Sources::default() }, |_| None);
/// let enabled = resolved.get(Key::find("memory.enabled").unwrap());
/// assert!(!decide(&Switches::default(), enabled).enabled);
/// let switches = Switches { disable: Some(false), ..Switches::default() };
/// assert!(decide(&switches, enabled).enabled);
/// ```
#[must_use]
pub fn decide(switches: &Switches, setting: Option<&Sourced>) -> Decision {
    let off = |reason| Decision {
        enabled: false,
        reason,
    };
    if switches.bare {
        return off(Reason::Bare);
    }
    if switches.simple == Some(true) {
        return off(Reason::Variable(variables::SIMPLE));
    }
    if let Some(disable) = switches.disable {
        let reason = Reason::Variable(variables::DISABLE_AUTO_MEMORY);
        return Decision {
            enabled: !disable,
            reason,
        };
    }
    if switches.remote == Some(true) && !switches.remote_directory {
        return off(Reason::RemoteWithoutDirectory);
    }
    by_setting(setting)
}

/// As the layers have it.
fn by_setting(setting: Option<&Sourced>) -> Decision {
    match setting {
        Some(Sourced { value, origin, .. }) if *origin != Origin::BuiltIn => Decision {
            enabled: *value == Value::Switch(true),
            reason: Reason::Setting(origin.clone()),
        },
        _ => Decision {
            enabled: true,
            reason: Reason::BuiltIn,
        },
    }
}

/// Which compactions are on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompactionDecisions {
    /// The one that happens by itself.
    pub automatic: Decision,
    /// The one that a person asks for.
    pub manual: Decision,
    /// Clearing old results of tools, which happens whatever [`Self::automatic`] says.
    pub micro: Decision,
    /// The notes of the conversation in its place.
    pub notes: Decision,
    /// A summary of the conversation in its place.
    pub full: Decision,
}

/// Decides which compactions are on: the variable that switches off all of them, the one for what happens by itself, then
/// the settings. A variable that says false leaves it to the settings.
///
/// ```
/// use memdir_settings::{Sources, Switches, decide_compaction, resolve};
///
/// let resolved = resolve(Sources::default(), |_| None);
/// let switches = Switches { disable_auto_compact: Some(true), ..Switches::default() };
/// let compaction = decide_compaction(&switches, &resolved);
/// assert!(!compaction.automatic.enabled);
/// assert!(compaction.manual.enabled && compaction.micro.enabled);
/// ```
#[must_use]
pub fn decide_compaction(switches: &Switches, settings: &Resolved) -> CompactionDecisions {
    let by_variable = |switch: Option<bool>, name: &'static str| {
        (switch == Some(true)).then_some(Decision {
            enabled: false,
            reason: Reason::Variable(name),
        })
    };
    let all = by_variable(switches.disable_compact, variables::DISABLE_COMPACT);
    let automatic = by_variable(
        switches.disable_auto_compact,
        variables::DISABLE_AUTO_COMPACT,
    );
    let setting = |name: &str| by_setting(Key::find(name).and_then(|key| settings.get(key)));
    let unless_off = |name: &str| all.clone().unwrap_or_else(|| setting(name));
    CompactionDecisions {
        automatic: all
            .clone()
            .or(automatic)
            .unwrap_or_else(|| setting("compaction.auto")),
        manual: all.clone().unwrap_or(by_setting(None)),
        micro: unless_off("compaction.micro"),
        notes: unless_off("compaction.notes"),
        full: unless_off("compaction.full"),
    }
}
