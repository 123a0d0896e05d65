//! Which compactions are on, as the settings have it.

use crate::limits::Limits;
use crate::thresholds::Automatic;

/// On, or off and by whom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Switch {
    /// On.
    #[default]
    On,
    /// Off.
    Off {
        /// The variable or the setting that did it.
        by: String,
    },
}

/// Why a conversation is compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// It became too long.
    Automatic,
    /// Somebody asked for it.
    Manual,
}

/// The ways to make room, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compaction {
    /// Old results of tools are cleared.
    Micro,
    /// The notes of the conversation stand in for it.
    Notes,
    /// A summary by a model stands in for it.
    Full,
}

impl Compaction {
    /// In a word or two.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Micro => "clearing",
            Self::Notes => "notes",
            Self::Full => "summary",
        }
    }
}

/// Every switch about compaction. One that turns off all of them stands in each.
///
/// ```
/// use memdir_context::{Compaction, CompactionSwitches, Switch, Trigger};
///
/// let off = Switch::Off { by: "DISABLE_AUTO_COMPACT".to_owned() };
/// let switches = CompactionSwitches { automatic: off.clone(), ..CompactionSwitches::default() };
/// assert_eq!(switches.of(Compaction::Full, Trigger::Automatic), &off);
/// assert_eq!(switches.of(Compaction::Full, Trigger::Manual), &Switch::On);
/// // Clearing results is no compaction that somebody would wait for.
/// assert_eq!(switches.of(Compaction::Micro, Trigger::Automatic), &Switch::On);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompactionSwitches {
    /// What happens by itself.
    pub automatic: Switch,
    /// What a person asks for.
    pub manual: Switch,
    /// Clearing results of tools.
    pub micro: Switch,
    /// Notes in place of the conversation.
    pub notes: Switch,
    /// A summary in place of the conversation.
    pub full: Switch,
}

impl CompactionSwitches {
    /// Whether this way to make room may be gone for this reason.
    #[must_use]
    pub fn of(&self, compaction: Compaction, trigger: Trigger) -> &Switch {
        let by_trigger = match (compaction, trigger) {
            (Compaction::Micro, _) => &Switch::On,
            (_, Trigger::Automatic) => &self.automatic,
            (_, Trigger::Manual) => &self.manual,
        };
        let own = match compaction {
            Compaction::Micro => &self.micro,
            Compaction::Notes => &self.notes,
            Compaction::Full => &self.full,
        };
        match by_trigger {
            Switch::Off { .. } => by_trigger,
            Switch::On => own,
        }
    }

    /// Whether compaction happens by itself in a conversation in which it failed so often in a row.
    #[must_use]
    pub fn automatic(&self, failures: u64, limits: &Limits) -> Automatic {
        match (&self.manual, &self.automatic) {
            (Switch::Off { by }, _) => Automatic::AllOff { by: by.clone() },
            (Switch::On, Switch::Off { by }) => Automatic::Off { by: by.clone() },
            _ if failures >= limits.failures => Automatic::GaveUp { failures },
            _ => Automatic::On,
        }
    }

    /// Whether notes of a conversation are kept, given their own switch: only where compaction happens by itself.
    #[must_use]
    pub fn keeping_notes<'a>(&'a self, notes: &'a Switch) -> &'a Switch {
        match notes {
            Switch::Off { .. } => notes,
            Switch::On => &self.automatic,
        }
    }
}
