//! Where a conversation works, and what the user has set for it.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::{Meter, Tally};
use memdir_context::{CompactionSwitches, Configured, Percent, Style, Switch};
use memdir_settings::{Amount, CompactionDecisions, Decision, Secrets, Settings, variables};
use memdir_store::ledger::{Budget, Ledger, start_of_day};
use memdir_store::places::PlacesError;
use memdir_store::{Environment, Places, SecretPolicy, Store};

/// The places of a conversation, and the memories in them.
#[derive(Debug, Clone)]
pub struct Home {
    /// What the program was started with.
    pub environment: Environment,
    /// Where everything lives.
    pub places: Places,
    /// The memories.
    pub store: Arc<Store>,
}

impl Home {
    /// Finds them; creates nothing.
    ///
    /// # Errors
    ///
    /// When there is no home, or no folder to start in.
    pub fn find(environment: Environment) -> Result<Self, PlacesError> {
        let places = Places::find(&environment)?;
        let store = Arc::new(Store::new(&places.memory_dir.path, &places.state_dir));
        Ok(Self {
            environment,
            places,
            store,
        })
    }

    /// The settings, as all layers together have them.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.places.settings.settings()
    }

    /// The value of a variable, unless the repository put it there.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<String> {
        let value = self.environment.value(name)?;
        let believed = !self.places.ignores_variable(name);
        believed.then(|| value.to_string_lossy().into_owned())
    }

    /// What the user's organisation adds to prompts.
    #[must_use]
    pub fn guidelines(&self) -> Option<String> {
        self.variable(variables::EXTRA_GUIDELINES)
    }

    /// What becomes of a secret in a memory.
    #[must_use]
    pub fn secrets(&self) -> SecretPolicy {
        match self.settings().secrets.private {
            Secrets::Refuse => SecretPolicy::Refuse,
            Secrets::Redact => SecretPolicy::Redact,
        }
    }

    /// How long the fixed part of a prompt is.
    #[must_use]
    pub fn style(&self) -> Style {
        match self.settings().prompt.style {
            memdir_settings::Style::Full => Style::Full,
            memdir_settings::Style::Short => Style::Short,
        }
    }

    /// What settings and variables say about sizes.
    #[must_use]
    pub fn configured(&self) -> Configured {
        let percent = self.variable(variables::AUTOCOMPACT_PERCENT);
        sizes(&self.settings(), percent.as_deref())
    }

    /// What background work may spend, as the user has set it.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let budget = self.settings().budget;
        Budget {
            daily_nano_usd: scaled(budget.daily_usd, 1e9),
            floor_per_mille: u32::try_from(scaled(budget.rate_limit_floor, 1e3)).unwrap_or(1_000),
            no_spend: false,
        }
    }

    /// The meter that every request has to pass which the user did not make: the user's budget, this project, their day.
    #[must_use]
    pub fn meter(&self, now: fn() -> Timestamp, zone: &TimeZone) -> Meter {
        Meter {
            ledger: Ledger::new(self.places.own_dir()),
            budget: self.budget(),
            project: self.places.project.root.display().to_string(),
            day: start_of_day(&now().to_zoned(zone.clone()), 0),
            tally: Tally::default(),
            now,
        }
    }

    /// Which compactions are on.
    #[must_use]
    pub fn compactions(&self) -> CompactionSwitches {
        switched(&self.places.compaction)
    }
}

fn scaled(amount: Amount, by: f64) -> u64 {
    // Whole ten-thousandths, and not large.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let scaled = (amount.as_f64() * by).round() as u64;
    scaled
}

fn sizes(settings: &Settings, percent: Option<&str>) -> Configured {
    Configured {
        compact_at: percent.and_then(Percent::parse),
        warning_tokens: settings.compaction.warning_tokens,
        error_tokens: settings.compaction.error_tokens,
        notes_first: settings.notes.init_tokens,
        notes_growth: settings.notes.update_tokens,
        notes_tool_calls: settings.notes.tool_calls,
    }
}

fn switched(decisions: &CompactionDecisions) -> CompactionSwitches {
    CompactionSwitches {
        automatic: switch(&decisions.automatic),
        manual: switch(&decisions.manual),
        micro: switch(&decisions.micro),
        notes: switch(&decisions.notes),
        full: switch(&decisions.full),
    }
}

fn switch(decision: &Decision) -> Switch {
    match decision.enabled {
        true => Switch::On,
        false => Switch::Off {
            by: decision.reason.to_string(),
        },
    }
}
#[cfg(test)]
mod tests {
    use memdir_settings::{Assignment, Sources, Switches, decide_compaction, resolve};

    use super::*;

    fn set(texts: &[&str]) -> Vec<Assignment> {
        let texts = texts.iter();
        texts.map(|text| Assignment::parse(text).unwrap()).collect()
    }

    #[test]
    fn the_defaults_of_both_sides_agree() {
        let resolved = resolve(Sources::default(), |_| None);
        assert_eq!(sizes(&resolved.settings(), None), Configured::default());
        let decisions = decide_compaction(&Switches::default(), &resolved);
        assert_eq!(switched(&decisions), CompactionSwitches::default());
    }

    #[test]
    fn every_setting_arrives() {
        let flags = set(&[
            "compaction.warning_tokens=1",
            "compaction.error_tokens=2",
            "notes.init_tokens=3",
            "notes.update_tokens=4",
            "notes.tool_calls=5",
            "compaction.auto=false",
            "compaction.micro=false",
            "compaction.notes=false",
            "compaction.full=false",
        ]);
        let sources = Sources {
            flags: &flags,
            ..Sources::default()
        };
        let resolved = resolve(sources, |_| None);
        let configured = Configured {
            compact_at: Percent::parse("50"),
            warning_tokens: 1,
            error_tokens: 2,
            notes_first: 3,
            notes_growth: 4,
            notes_tool_calls: 5,
        };
        assert_eq!(sizes(&resolved.settings(), Some("50")), configured);
        let switches = switched(&decide_compaction(&Switches::default(), &resolved));
        let off = Switch::Off {
            by: Assignment::FLAG.to_owned(),
        };
        assert_eq!(
            switches,
            CompactionSwitches {
                automatic: off.clone(),
                manual: Switch::On,
                micro: off.clone(),
                notes: off.clone(),
                full: off,
            }
        );
    }
}
