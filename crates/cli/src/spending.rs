//! What a command may spend that may ask a model.

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::Meter;
use memdir_settings::Amount;
use memdir_store::ledger::{Budget, Ledger, start_of_day};

use crate::clock::Clock;
use crate::workplace::Workplace;

/// Billionths in a dollar.
const NANO: f64 = 1e9;

/// For every command that may ask a model something that costs.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct Spending {
    /// Ask no model anything that may cost something
    #[arg(long)]
    no_spend: bool,
}

impl Spending {
    /// Whether nothing may be asked that costs.
    pub(crate) fn is_off(self) -> bool {
        self.no_spend
    }

    /// The meter that every request has to pass: the user's budget, this project, their day.
    pub(crate) fn meter(self, workplace: &Workplace) -> Meter {
        let budget = workplace.places.settings.settings().budget;
        let now = Clock::new().now().to_zoned(TimeZone::system());
        Meter {
            ledger: Ledger::new(workplace.places.own_dir()),
            budget: Budget {
                daily_nano_usd: nano_usd(budget.daily_usd),
                floor_per_mille: per_mille(budget.rate_limit_floor),
                no_spend: self.no_spend,
            },
            project: workplace.places.project.root.display().to_string(),
            day: start_of_day(&now, 0),
            now: Timestamp::now,
        }
    }
}

/// An amount of the settings in billionths of a dollar.
pub(crate) fn nano_usd(amount: Amount) -> u64 {
    // Whole ten-thousandths, and not large.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano = (amount.as_f64() * NANO).round() as u64;
    nano
}

fn per_mille(share: Amount) -> u32 {
    // Between nothing and one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let per_mille = (share.as_f64() * 1000.0).round() as u32;
    per_mille
}
